"""Honest matches of the other line games: every row, every switch that a hand can show."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fairbones.core.rules import Give, Pass, Play
from tests.forge.honest.serving import honest, whole
from tests.forge.house import House, Setup, find
from tests.forge.scenario import Scenario

Options = Mapping[str, object]
Shown = Callable[[House], bool]


def types(house: House) -> list[str]:
    """The types of all events."""
    return [event.type for event in house.events]


def data_of(house: House, type_: str) -> list[Any]:
    """The data of all events of a type."""
    return [event.data for event in house.events if event.type == type_]


def shown(setup: Setup, shows: Shown, **play: Any) -> House:
    """The first short match in which something is shown."""

    def played(setup: Setup) -> House | None:
        house = House(setup).start().play(**play)
        return house if shows(house) else None

    return find(setup, played)


def rows() -> Iterator[Scenario]:
    """Each ruleset as published but for short matches."""
    for ruleset, seats, options in (
        ("block-partners", 4, {}),
        ("blocking", 2, {}),
        ("middle-eastern", 4, {}),
        ("latin-american", 4, {}),
        ("all-fives", 2, {}),
        ("all-fives", 4, {"hand": 4}),
        ("fives-and-threes", 2, {}),
        ("fives-and-threes", 3, {}),
        ("block", 5, {"set": 9}),
        ("draw", 6, {"set": 9}),
        ("all-fives", 8, {"set": 9}),
        ("fives-and-threes", 7, {"set": 9, "hand": 3}),
    ):
        house = whole(ruleset=ruleset, seats=seats, options=options, phrase=f"{ruleset} {seats}")
        yield honest(
            f"{ruleset}-{seats}-seats", f"One hand of {ruleset} with {seats} seats.", house
        )
    for n in (9, 12, 15, 18):
        house = whole(ruleset="all-fives", options={"set": n, "hand": 3}, phrase=f"set {n}")
        yield honest(f"set-{n}", f"All fives with a double-{n} set.", house)
    house = whole(
        ruleset="middle-eastern", seats=4, options={"set": 15, "hand": 34}, phrase="whole"
    )
    yield honest("set-15-whole", "All 136 tiles of a double-fifteen set are dealt.", house)


def leads() -> Iterator[Scenario]:
    """Who sets first, later and after nobody won."""
    for ruleset, value in (("block", "draw-for-lead"), ("draw", "top-double")):
        house = whole(
            ruleset=ruleset, options={"first_lead": value, "hand": 4}, rounds_max=2, phrase=value
        )
        yield honest(f"lead-{value}", f"first_lead is {value}.", house)
    for value in ("rotate", "highest-double", "same"):
        house = whole(
            seats=3, options={"next_lead": value, "hand": 3}, rounds_max=3, phrase=f"next {value}"
        )
        yield honest(f"next-lead-{value}", f"next_lead is {value}.", house)

    def unwon(house: House) -> bool:
        ends = data_of(house, "round_ended")
        return len(ends) == 2 and "winner" not in ends[0]

    for first in ("top-double", "draw-for-lead"):
        for value in ("first-lead", "same"):
            options = {"first_lead": first, "no_winner_lead": value}
            setup = Setup("middle-eastern", 4, options, 2, phrase=f"unwon {first} {value}")
            yield honest(
                f"no-winner-{value}-{first}",
                f"Nobody won hand 1; no_winner_lead is {value}, first_lead {first}.",
                shown(setup, unwon),
            )


def settled() -> Iterator[Scenario]:
    """How blocked hands are won and what they pay."""

    def heavy_causer(house: House) -> bool:
        end = data_of(house, "round_ended")[0]
        lightest = end["counts"].index(min(end["counts"]))
        return bool(end["reason"] == "blocked" and end["winner"] != lightest)

    yield honest(
        "blocking-causer-heavier",
        "The seat that placed the last tile wins the blocked hand with the heavier tiles.",
        shown(Setup("blocking", 2, phrase="causer"), heavy_causer),
    )
    for ruleset, hand in (("block", 4), ("draw", 5)):
        options = {"block_winner": "causer", "hand": hand}
        setup = Setup(ruleset, 3, options, phrase=f"causer {ruleset}")
        yield honest(f"causer-{ruleset}", "block_winner is causer.", shown(setup, heavy_causer))

    def blocked(house: House) -> bool:
        return bool(data_of(house, "round_ended")[0]["reason"] == "blocked")

    for value in ("side", "lowest-individual"):
        setup = Setup("block-partners", 4, {"block_count": value}, phrase=f"count {value}")
        yield honest(f"block-count-{value}", f"block_count is {value}.", shown(setup, blocked))
    for ruleset in ("latin-american", "middle-eastern"):
        setup = Setup(ruleset, 4, {"count_all": True}, phrase="count all")
        yield honest(f"count-all-{ruleset}", "Every tile left is scored.", shown(setup, blocked))

    def level(house: House) -> bool:
        end = data_of(house, "round_ended")[0]
        counts = end["counts"]
        level = counts[0] + counts[2] == counts[1] + counts[3]
        return bool(end["reason"] == "blocked" and level)

    yield honest(
        "latin-american-level",
        "Equal totals: the side that led the hand wins it.",
        shown(Setup("latin-american", 4, phrase="level"), level),
    )
    early = {"early_block": True, "hand": 5}
    for ruleset in ("draw", "blocking", "all-fives"):

        def stock_left(house: House) -> bool:
            end = data_of(house, "round_ended")[0]
            return bool(end["reason"] == "blocked" and len(data_of(house, "drew")) < 10)

        setup = Setup(ruleset, 2, early, phrase=f"early {ruleset}")
        yield honest(
            f"early-block-{ruleset}",
            "Every tile that could match lies on the line while there is something to draw.",
            shown(setup, stock_left),
        )
    for better in ("high", "low"):
        options = {"better": better, "target": 30, "hand": 3}
        house = whole(
            ruleset="block", seats=3, options=options, rounds_max=8, phrase=f"better {better}"
        )
        yield honest(f"better-{better}", f"The {better}est score is the best.", house)
    house = whole(
        ruleset="block", seats=2, options={"exact_target": True, "target": 20, "hand": 3},
        rounds_max=5, phrase="exact pips",
    )  # fmt: skip
    yield honest("exact-target-block", "Points past an exact target are not counted.", house)


def slow_to_give(house: House) -> bool:
    """A seat has to give that was idle three times, to one that was not."""
    if not isinstance(house.legal()[0], Give):
        return False
    idle, giver = house.state.idle, house.turn
    return idle[giver] >= 3 > idle[house.hand.turn] and house.hand.hands[giver].bit_count() > 1


def transfers() -> Iterator[Scenario]:
    """Gifts: played, kept, the last tile of the giver."""
    on: dict[str, object] = {"transfer": True}

    def fits(house: House) -> bool:
        after = [(one.type, two.type) for one, two in itertools.pairwise(house.events)]
        return ("gave", "played") in after and ("gave", "passed") in after

    setup = Setup("middle-eastern", 4, on, phrase="gifts")
    yield honest(
        "transfer", "Tiles are given; some fit and are played, some kept.", shown(setup, fits)
    )
    setup = Setup("middle-eastern", 4, on, auto_forced=False, phrase="own gifts")
    yield honest(
        "transfer-own-passes", "The seats say their passes themselves.", shown(setup, fits)
    )
    setup = Setup("middle-eastern", 4, on | {"direction": "clockwise"}, phrase="other left")
    yield honest(
        "transfer-clockwise", "The left is the next seat in turn order.", shown(setup, fits)
    )

    def last_given(house: House) -> bool:
        types_ = types(house)
        return types_[types_.index("round_ended") - 1] == "gave"

    setup = Setup("middle-eastern", 4, on, 2, phrase="last gift")
    yield honest(
        "transfer-last-tile",
        "The giver's last tile goes: it has gone out.",
        shown(setup, last_given),
    )

    def exempted(setup: Setup) -> House | None:
        house = House(setup).start()
        seen = False
        while house.playing:
            before = house.hand
            house.act(house.dice.choice(house.legal()))
            passed = house.events[-1].type == "passed"
            seen |= passed and before.hands[before.rules.giver[before.turn]].bit_count() == 1
        return house if seen else None

    exempt = on | {"last_tile_transfer": "exempt"}
    setup = Setup("middle-eastern", 4, exempt, auto_forced=False, phrase="exempt")
    yield honest("transfer-exempt", "A giver with one tile is exempt.", find(setup, exempted))
    setup = Setup("middle-eastern", 4, on, phrase="slow gifts")
    slow = shown(setup, lambda it: "gave" in types(it) and "timed_out" in types(it), idle=40)
    yield honest("transfer-timeouts", "Gifts by the fixed rule: the heaviest tile.", slow)

    def waits(setup: Setup) -> House | None:
        house = House(setup).start()
        house.play(lambda it: bool(it.legal()) and isinstance(it.legal()[0], Give))
        return house if house.playing else None

    def after(setup: Setup) -> House | None:
        house = waits(setup)
        if house is None:
            return None
        house.act(house.legal()[0])
        return house if house.playing and isinstance(house.legal()[0], Pass | Play) else None

    def slow_giver(setup: Setup) -> House | None:
        house = House(setup).start()
        while house.playing and not slow_to_give(house):
            if house.turn == 1:
                house.touch()
            else:
                house.act(house.dice.choice(house.legal()))
        if not house.playing:
            return None
        house.touch()
        return house

    setup = Setup("middle-eastern", 4, on, 2, phrase="slow giver")
    yield honest(
        "running-slow-giver",
        "In a hand that runs the one second of a slow seat is over, which had to give (SPEC 8.4).",
        find(setup, slow_giver),
    )
    setup = Setup("middle-eastern", 4, on, phrase="running gift")
    yield honest("running-waits-for-gift", "A seat sits; its left has to give.", find(setup, waits))
    yield honest("running-after-gift", "A gift in a hand that runs.", find(setup, after))
    leaver = find(setup, waits)
    leaver.leave(leaver.turn)
    yield honest("transfer-giver-left", "The seat that has to give leaves.", leaver.play())


PARTS = (rows, leads, settled, transfers)
