"""False steps that a seat's tiles give away while the hand runs; papers of no use (SPEC 9.9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fairbones.core.match import deadline
from fairbones.core.match.steps import Draft
from fairbones.core.rules import Play
from tests.forge.cheats.making import forged, reach, search
from tests.forge.house import House, Setup
from tests.forge.liar import Liar
from tests.forge.paper import Json
from tests.forge.scenario import Scenario
from tests.forge.witness import openings, page, protest, standing, view

CODE = "rules/must-play"
BOTH = (0, 1)
Show = Callable[[Liar, int], Json]


def can_play(house: House) -> bool:
    """A seat on turn has a play on a line that has begun, and nothing waits for calls."""
    plays = [action for action in house.legal() if isinstance(action, Play)]
    return bool(house.hand.line) and bool(plays) and not house.waits_for_calls


def passes(house: Liar) -> bool:
    """The house passes for a seat that can play, and says nothing more."""
    if not reach(house, can_play):
        return False
    house.stop(owe=False)
    return house.playing


def draws(house: Liar) -> bool:
    """The house draws for a seat that can play, and a tile that does not fit."""
    if not reach(house, lambda it: can_play(it) and len(it.hand.stock) > 3):
        return False
    house.take(owe=False)
    return house.playing


def draws_late(house: Liar) -> bool:
    """The same after a time-out."""
    if not reach(house, lambda it: can_play(it) and len(it.hand.stock) > 3):
        return False
    house.time_out()
    house.take(owe=False, fixed=True)
    return house.playing


CASES: tuple[tuple[str, Setup, Callable[[Liar], bool], str], ...] = (
    ("block", Setup("block", 2, {"hand": 4}), passes, "A pass"),
    ("draw", Setup("draw", 2, {"hand": 3}), draws, "A draw"),
    ("all-fives", Setup("all-fives", 3, {"hand": 3}), draws, "A draw"),
    ("latin-american", Setup("latin-american", 4), passes, "A pass"),
    ("blocking", Setup("blocking", 2, {"hand": 4}), draws, "A draw"),
)


def lying(name: str) -> Liar:
    """The house of a case, up to its lie."""
    _, setup, make, _ = next(case for case in CASES if case[0] == name)
    return search(replace(setup, phrase=f"false step {name}"), make)


def unseen(name: str) -> tuple[bytes, list[Json]]:
    """The transcript of a false step, for who has no openings."""
    house = lying(name)
    return house.transcript(), house.told()


def all_of_it(house: Liar, seat: int) -> Json:
    """Everything that the seat holds."""
    return openings(house, seat)


def one_tile(house: Liar, seat: int) -> Json:
    """One tile that fits."""
    return openings(house, seat, [fit(house, seat)])


def fit(house: Liar, seat: int) -> int:
    """A tile of the seat that fits the line."""
    mask = house.hand.hands[seat] & house.hand.table.suits
    return mask.bit_length() - 1


def with_paper(
    name: str, about: str, house: Liar, show: Show, *threats: str, kind: str = "openings"
) -> Scenario:
    """A false step and the paper that shows it."""
    seat = house.told()[house.lies[0]]["data"]["seat"]
    told = forged(name, about, CODE, house, *threats)
    file = f"{name}.{kind}.json"
    arguments = (*told.arguments, "--openings", file)
    return replace(told, arguments=arguments, beside={f".{kind}.json": page(show(house, seat))})


def steps() -> Iterator[Scenario]:
    """510, before the hand ends."""
    for name, _, _, what in CASES:
        yield with_paper(
            f"openings-false-step-{name}",
            f"{what} of a seat that can play: it shows its tiles while the hand runs.",
            lying(name),
            all_of_it,
            "T13",
        )
    setup = Setup("fives-and-threes", 2, {"hand": 3}, phrase="false step one")
    house = search(setup, passes)
    about = "A pass of a seat that can play: one tile is enough to show it."
    yield with_paper("openings-one-tile", about, house, one_tile, "T13")
    house = search(Setup("block", 3, {"hand": 3}, phrase="false step view"), passes)
    about = "A pass of a seat that can play: its saved view shows it."
    yield with_paper("openings-view", about, house, view, "T13", kind="view")
    house = search(Setup("draw", 3, {"hand": 3}, phrase="false step late"), draws_late)
    about = "After a time-out the house draws for a seat that can play; the seat shows its tiles."
    yield with_paper("openings-fixed-step", about, house, all_of_it, "T13")


def timeouts() -> Iterator[Scenario]:
    """A protest changes no verdict; here it goes with an early time-out."""
    for ruleset, options in (("block", {"hand": 4}), ("draw", {"hand": 3})):
        kept: list[Any] = []

        def early(house: Liar, kept: list[Any] = kept) -> bool:
            if not reach(house, can_play):
                return False
            kept[:] = [protest(house, house.turn, house.plays()[0]), house.turn]
            house.now = (deadline(house.state) or house.now) - 1
            house.mark()
            house.follow(Draft("timed_out", {"seat": house.turn}), house.now)
            house.play()
            return True

        setup = Setup(ruleset, 2, options, signed=BOTH, phrase=f"protest early {ruleset}")
        house = search(setup, early)
        early(Liar(house.setup))  # the paper of the match that was chosen
        sent, seat = kept
        name = f"protest-early-timeout-{ruleset}"
        told = forged(
            name,
            "A seat's time ran out too early by the house's own clock; its move was on the way.",
            "time/early-timeout",
            house,
            "T31",
            expect={"protests": [standing(sent, seat, "disputed")]},
        )
        arguments = (*told.arguments, "--protest", f"{name}.protest.json")
        yield replace(told, arguments=arguments, beside={".protest.json": page(sent)})


def strangers() -> Iterator[Scenario]:
    """Exit 3: openings that open nothing, protests that nobody signed."""
    house = Liar(Setup("draw", 2, {"hand": 3}, signed=(0,), phrase="useless")).start()
    house.play(lambda it: can_play(it) and it.turn == 0)
    good = openings(house, 1)
    first = good["openings"][0]
    sent = protest(house, 0, house.legal()[0])
    other = "6-5" if first["tile"] != "6-5" else "6-4"
    flipped = f"{int(sent['signature'][0], 16) ^ 1:x}" + sent["signature"][1:]
    cases: tuple[tuple[str, str, str, Json], ...] = (
        ("openings", "salt", "The salt does not open the seal.", row(good, first, salt="5e" * 32)),
        ("openings", "tile", "Another tile than was sealed.", row(good, first, tile=other)),
        ("openings", "place", "A position beyond the wash.", row(good, first, seal=28)),
        ("openings", "hand", "A hand that was not dealt.", good | {"round": 2}),
        ("openings", "no-hand", "No hand is named.", {"openings": good["openings"]}),
        ("openings", "no-list", "Neither a list nor a view.", {"round": 1, "you": []}),
        ("openings", "short", "An opening without its salt.", row(good, first, salt=None)),
        ("openings", "last", "The last of several opens nothing.", later(good)),
        ("protest", "signature", "One bit of the signature is flipped.", {"signature": flipped}),
        ("protest", "action", "Another action than was signed.", {"action": {"type": "draw"}}),
        ("protest", "kind", "An action that is none.", {"action": {"type": "leave"}}),
        ("protest", "seq", "Another place than was signed.", {"seq": sent["seq"] + 1}),
        ("protest", "prev", "Another event before it than was signed.", {"prev": "5e" * 32}),
        ("protest", "short", "No signature at all.", {"signature": None}),
        ("protest", "unsigned-seat", "Signed by a seat without a key.", stranger(house)),
    )
    for kind, what, about, other_paper in cases:
        whole = sent | other_paper if kind == "protest" else other_paper
        paper = {name: value for name, value in whole.items() if value is not None}
        yield useless(house, kind, what, about, page(paper))
    for kind, content in (("openings", page(good)), ("protest", page(sent))):
        yield useless(house, kind, "cut-off", "The file is cut off.", content[:-9])
    twice = page(good).replace(b'"round": 1,', b'"round": 1,\n "round": 1,', 1)
    yield useless(house, "openings", "twice", "The file says a thing twice.", twice)


def row(paper: Json, first: Json, **other: object) -> Json:
    """The first opening otherwise; None leaves a member out."""
    changed = {name: value for name, value in {**first, **other}.items() if value is not None}
    return {**paper, "openings": [changed, *paper["openings"][1:]]}


def later(paper: Json) -> Json:
    """Good openings, and behind them one with the salt of another."""
    shown = paper["openings"]
    return {**paper, "openings": [*shown, {**shown[-1], "salt": shown[0]["salt"]}]}


def stranger(house: Liar) -> Json:
    """A signature by somebody else's key."""
    other = Liar(replace(house.setup, signed=(0, 1)))
    key = other.keys[1]
    place = house.opened_hash, house.state.seq + 1, house.state.head, 1
    return {"action": {"type": "pass"}, "signature": key.moves(*place, {"type": "pass"})}


def useless(house: Liar, kind: str, what: str, about: str, content: bytes) -> Scenario:
    """A verifier does not start with such a paper."""
    name = f"start-{kind}-{what}"
    return Scenario(
        name,
        about,
        house.transcript(),
        f"start/{kind}",
        arguments=(f"--{kind}", f"{name}.{kind}.json"),
        beside={f".{kind}.json": content},
        shared="start-openings-salt",
    )
