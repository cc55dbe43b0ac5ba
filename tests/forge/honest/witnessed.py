"""Honest matches with what a seat puts beside them (SPEC 9.9): nothing there refutes them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fairbones.core.rules import Play
from tests.forge.cheats.witnessed import unseen
from tests.forge.honest.course import dropped
from tests.forge.honest.serving import honest
from tests.forge.house import House, Setup, find
from tests.forge.judging import expectation
from tests.forge.paper import Json
from tests.forge.scenario import Scenario
from tests.forge.witness import openings, page, protest, standing, view

BOTH = (0, 1)


def beside(kind: str, name: str, *papers: Json) -> dict[str, Any]:
    """Files for an option, numbered from the second on."""
    ends = [f".{kind}.json", *(f".{number}.{kind}.json" for number in range(2, len(papers) + 1))]
    return {end: page(paper) for end, paper in zip(ends, papers, strict=False)}


def words(kind: str, name: str, files: dict[str, Any]) -> tuple[str, ...]:
    """The arguments for them."""
    return tuple(word for end in files for word in (f"--{kind}", f"{name}{end}"))


def shown() -> Iterator[Scenario]:
    """Openings of running and of ended hands."""
    for ruleset, seats, options in (
        ("draw", 2, {"hand": 5}),
        ("all-fives", 3, {"hand": 4}),
        ("middle-eastern", 4, {"transfer": True}),
        ("latin-american", 4, {}),
    ):
        house = House(Setup(ruleset, seats, options, phrase=f"openings {ruleset}")).start()
        house.play(lambda it: len(it.hand.line) > 2)
        name = f"openings-{ruleset}"
        files = beside("openings", name, *(openings(house, seat) for seat in range(seats)))
        about = "Every seat shows what it holds in a running hand."
        yield honest(name, about, house, *words("openings", name, files), beside=files)

    def second(setup: Setup) -> House | None:
        house = House(setup).start().play(lambda it: len(it.hand.line) > 1)
        if not house.playing or house.state.rounds != 1:
            return None
        first = view(house, 0)
        house = house.play(lambda it: it.state.rounds == 2 and len(it.hand.line) > 1)
        kept[:] = [first, openings(house, 1)] if house.playing else []
        return house if house.playing else None

    kept: list[Json] = []
    setup = Setup("block", 2, {"hand": 3}, 2, phrase="openings of two hands")
    house = find(setup, second)
    second(house.setup)  # the papers of the match that was chosen
    name = "openings-two-hands"
    files = beside("openings", name, *kept)
    yield honest(
        name,
        "A saved view of hand 1, which is over, and openings of hand 2.",
        house,
        *words("openings", name, files),
        beside=files,
    )
    house = House(Setup("blocking", 2, {"hand": 3}, phrase="no openings")).start()
    name = "openings-none"
    files = beside("openings", name, {"round": 1, "openings": []})
    yield honest(
        name, "A list of no openings.", house, *words("openings", name, files), beside=files
    )
    for ruleset in ("block", "draw"):
        data, told = unseen(ruleset)
        yield Scenario(
            f"openings-withheld-{ruleset}",
            "A false step that nobody can see yet: the same file as openings-false-step-"
            f"{ruleset}, without the openings.",
            data,
            expect=expectation(told, ()),
        )


def ready(house: House) -> bool:
    """A seat has a choice of plays on a line."""
    choices = [action for action in house.legal() if isinstance(action, Play)]
    return bool(house.hand.line) and len(choices) > 1 and not house.waits_for_calls


def at_a_choice(setup: Setup) -> House | None:
    """A match at a seat's choice in hand 1."""
    house = House(setup).start().play(ready)
    return house if house.playing else None


def protests() -> Iterator[Scenario]:
    """Every standing."""

    def told(name: str, about: str, house: House, sent: Json, seat: int, how: str) -> Scenario:
        files = beside("protest", name, sent | {"client": {"version": 1.5, "note": None}})
        return honest(
            name,
            about,
            house,
            *words("protest", name, files),
            beside=files,
            threats=("T31",) if how == "disputed" else (),
            expect={"protests": [standing(sent, seat, how)]},
        )

    for ruleset, options in (("block", {"hand": 4}), ("fives-and-threes", {"hand": 3})):
        setup = Setup(ruleset, 2, options, signed=BOTH, phrase=f"protest {ruleset}")
        house = find(setup, at_a_choice)
        seat, sent = house.turn, protest(house, house.turn, house.legal()[0])
        house.touch()
        about = "A seat sent its move, and the house wrote that its time ran out."
        yield told(f"protest-timed-out-{ruleset}", about, house.play(), sent, seat, "disputed")
    setup = Setup("draw", 3, {"hand": 4}, signed=(0, 1, 2), phrase="protest other")
    house = find(setup, at_a_choice)
    seat, sent = house.turn, protest(house, house.turn, house.legal()[0])
    short = replace_house(house)
    house.act(house.legal()[1])
    about = "A seat signed two moves for one place; the other one stands there."
    house.play()
    yield told("protest-other-move", about, house, sent, seat, "both-signed")
    yield out_of_turn(house, sent["seq"], seat)
    about = "The file ends before the move that the seat signed."
    yield told("protest-not-there-yet", about, short, sent, seat, "disputed")

    def scoring(setup: Setup) -> House | None:
        house = at_a_choice(setup)
        if house is None:
            return None
        claims = [house.claiming(action) for action in house.legal()]
        return house if any(isinstance(it, Play) and it.claim for it in claims) else None

    setup = Setup("all-fives", 2, {"muggins": True}, signed=BOTH, phrase="protest claim")
    house = find(setup, scoring)
    claims = [house.claiming(action) for action in house.legal()]
    claim = next((it for it in claims if isinstance(it, Play) and it.claim), claims[0])
    seat, sent = house.turn, protest(house, house.turn, claim)
    house.act(claim)
    house.play(lambda it: len(it.events) > sent["seq"] + 3)
    about = "The move that a seat protests about stands there, with its claim."
    yield told("protest-taken", about, house, sent, seat, "taken")
    setup = Setup("middle-eastern", 4, signed=(0, 1, 2, 3), phrase="protest history")
    house, other = find(setup, at_a_choice), find(setup, at_a_choice)
    other.act(other.legal()[-1])
    other.play(ready)
    house.act(house.legal()[0])
    seat, sent = other.turn, protest(other, other.turn, other.legal()[0])
    about = "A seat signed a move for another history of this match."
    yield told("protest-other-history", about, house.play(), sent, seat, "other-history")


def out_of_turn(house: House, seq: int, seat: int) -> Scenario:
    """Places where a seat could not act, in the match of protest-other-move."""
    name = "protest-not-its-turn"
    events = house.told()
    dealt = next(event["seq"] for event in events if event["type"] == "dealt")
    places = ((seq, (seat + 1) % 3), (dealt, seat), (len(events), seat))
    papers = [made_up(house, at, who) for at, who in places]
    files = beside("protest", name, *papers)
    return honest(
        name,
        "Moves that were signed for another seat's turn, for the deal, and after the end.",
        house,
        *words("protest", name, files),
        beside=files,
        shared="protest-other-move",
        expect={
            "protests": [
                standing(paper, who, "not-its-turn")
                for paper, (_, who) in zip(papers, places, strict=True)
            ]
        },
    )


def made_up(house: House, seq: int, seat: int) -> Json:
    """A move that a seat signs for whichever place it likes."""
    action, prev = {"type": "play", "tile": "0-0", "end": "left"}, house.events[seq - 1].hash
    signature = house.keys[seat].moves(house.opened_hash, seq, prev, seat, action)
    return {"seq": seq, "prev": prev.hex(), "action": action, "signature": signature}


def replace_house(house: House) -> House:
    """The same match once more, up to the same event."""
    again = House(replace(house.setup)).start().play(ready)
    assert again.told() == house.told()
    return again


def drops() -> Iterator[Scenario]:
    """Deals that were dropped, shown by the missing seeds."""
    for ruleset, seats, signed in (("all-fives", 2, BOTH), ("latin-american", 4, ())):
        setup = Setup(ruleset, seats, signed=signed, phrase=f"dropped {ruleset}")
        house = House(setup).seat_all()
        house.reveal(*range(seats - 1))
        house.touch()
        yield honest(
            f"void-seed-shown-{ruleset}",
            "The last seed is missing; with it the dropped deal is seen.",
            house,
            "--seed",
            f"{seats - 1}={house.seeds[-1].hex()}",
            threats=("T10", "T40"),
            expect={"dropped_deal": dropped(house)},
        )
    house = House(Setup("draw", 3, phrase="dropped two")).seat_all()
    house.reveal(1)
    house.touch()
    given = [f"{seat}={house.seeds[seat].hex()}" for seat in (0, 2)]
    yield honest(
        "void-seeds-shown-both",
        "Two seeds are missing, and both are given.",
        house,
        "--seed",
        given[0],
        "--seed",
        given[1],
        threats=("T40",),
        expect={"dropped_deal": dropped(house)},
    )
    yield honest(
        "void-seeds-shown-one",
        "Two seeds are missing, and one is given: the deal stays hidden.",
        house,
        "--seed",
        given[0],
    )


PARTS = (shown, protests, drops)
