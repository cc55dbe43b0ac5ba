"""Honest matches of the games that count: spinners, points in play, claims and calls."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fairbones.core.match import Stage
from fairbones.core.rules import may_call
from tests.forge.honest.lines import data_of, shown, types
from tests.forge.honest.serving import honest, whole
from tests.forge.house import House, Setup, find
from tests.forge.liar import FAST, Liar
from tests.forge.scenario import Scenario


def ends_named(house: House) -> set[Any]:
    """The ends that were played at."""
    return {data.get("end") for data in data_of(house, "played")}


def spinners() -> Iterator[Scenario]:
    """Arms."""
    yield honest(
        "spinner-four-arms",
        "The first double is played on from all four sides.",
        shown(Setup("all-fives", 2, phrase="arms"), lambda it: {"up", "down"} <= ends_named(it)),
    )
    yield honest(
        "spinner-all",
        "Every double has four sides; a second one is played on from the side.",
        shown(
            Setup("all-fives", 2, {"spinner": "all"}, phrase="all"),
            lambda it: {"up-2", "down"} <= ends_named(it),
        ),
    )
    for ruleset in ("all-fives", "fives-and-threes"):
        house = whole(ruleset=ruleset, options={"spinner": "none"}, phrase="none")
        yield honest(f"spinner-none-{ruleset}", "No double has more than two sides.", house)
    house = whole(ruleset="fives-and-threes", options={"spinner": "all"}, phrase="spun")
    yield honest("spinner-all-threes", "Fives and threes with spinners.", house)


def credited() -> Iterator[Scenario]:
    """Points in play, the exact target, the end at once."""

    def at_once(house: House) -> bool:
        return bool(data_of(house, "round_ended")[-1]["reason"] == "target")

    setup = Setup("all-fives", 2, {"win_at": "at-once", "target": 20}, 4, phrase="at once")
    yield honest("at-once", "A play reaches the target: the hand ends.", shown(setup, at_once))
    setup = Setup("fives-and-threes", 2, {"target": 9}, 6, phrase="exactly")
    yield honest("exact-hit", "The target is hit exactly by a play.", shown(setup, at_once))

    def overshot(house: House) -> bool:
        return not at_once(house) and max(house.state.scores) > 4 and house.state.rounds > 2

    setup = Setup("fives-and-threes", 2, {"target": 7}, 4, phrase="past")
    yield honest("exact-missed", "Scores past an exact target are lost.", shown(setup, overshot))
    house = whole(
        ruleset="fives-and-threes", options={"exact_target": False, "win_at": "hand-end"},
        rounds_max=3, phrase="not exact",
    )  # fmt: skip
    yield honest("not-exact", "exact_target is false, the target is looked at after hands.", house)

    def skipped(house: House) -> bool:
        end = data_of(house, "round_ended")[0]
        return bool(end["reason"] == "domino" and end["counts"].count(0) == 2)

    side: dict[str, object] = {"partners": True, "hand": 4}
    yield honest(
        "goes-out-side",
        "A seat is out and skipped; the hand ends when its partner is out too.",
        shown(Setup("fives-and-threes", 4, side, phrase="side out"), skipped),
    )
    house = whole(
        ruleset="fives-and-threes", seats=4, options=side | {"goes_out": "seat", "out_points": 0},
        phrase="seat out",
    )  # fmt: skip
    yield honest(
        "goes-out-seat", "The first seat that is out ends the hand; it gets no point.", house
    )
    for seats in (2, 4):
        options = {"partners": seats == 4, "hand": 4}
        house = whole(
            ruleset="all-fives", seats=seats, options=options, phrase="paid", rounds_max=2
        )
        yield honest(f"all-fives-two-hands-{seats}", "Two hands, rounded settlements.", house)


def calls() -> Iterator[Scenario]:
    """Muggins: claims, calls, the wait of 8.8."""
    on: dict[str, object] = {"muggins": True}

    def called(house: House) -> bool:
        return "called" in types(house) and "drew" in types(house)

    for seats, more in ((2, {}), (3, {"hand": 4}), (4, {"hand": 4, "partners": True})):
        setup = Setup("all-fives", seats, on | more, phrase=f"muggins {seats}")
        yield honest(
            f"muggins-{seats}", "Claims, calls, and steps that wait.", shown(setup, called)
        )
    setup = Setup("all-fives", 2, on, auto_forced=False, phrase="own muggins")
    yield honest(
        "muggins-own-steps", "Seats draw themselves and do not wait.", shown(setup, called)
    )
    setup = Setup("all-fives", 2, on | {"call_seconds": 60}, turn_seconds=20, phrase="long calls")
    yield honest(
        "muggins-long-wait", "The time for calls is longer than a turn.", shown(setup, called)
    )
    yield from late_calls()
    setup = Setup("all-fives", 3, on | {"hand": 4}, phrase="slow muggins")
    yield honest("muggins-timeouts", "Time-outs claim all.", shown(setup, called, idle=40))
    setup = Setup("all-fives", 2, on | {"win_at": "at-once", "target": 20}, 4, phrase="called out")

    def by_call(house: House) -> bool:
        names = types(house)
        ends = data_of(house, "round_ended")
        last = len(names) - 1 - names[::-1].index("round_ended")
        return bool(ends[-1]["reason"] == "target" and names[last - 1] == "called")

    yield honest("muggins-won-by-call", "A call reaches the target.", shown(setup, by_call))

    def left(setup: Setup) -> House | None:
        house = House(setup).start()
        house.play(lambda it: it.events[-1].type == "played" and not it.waits_for_calls)
        if not house.playing:
            return None
        house.leave(house.turn)
        house.play()
        return house if house.state.stage is Stage.ENDED else None

    setup = Setup("all-fives", 3, on | {"hand": 3}, phrase="left in the wait")
    yield honest(
        "muggins-leaver", "Steps of a seat that left wait for calls too.", find(setup, left)
    )

    def running(setup: Setup) -> House | None:
        house = House(setup).start().play(lambda it: it.waits_for_calls)
        return house if house.playing else None

    setup = Setup("all-fives", 2, on, phrase="running wait")
    yield honest("running-waits-for-calls", "A forced step waits for calls.", find(setup, running))


def late_calls() -> Iterator[Scenario]:
    """Calls that stand at the very end of their time (SPEC 8.8)."""
    on: dict[str, object] = {"muggins": True, "hand": 5}

    def called_late(setup: Setup, *, forced: bool) -> House | None:
        """A call when the turn is over, or the house could have made its step."""

        def missed(it: House) -> bool:
            return bool(it.hand.window and it.hand.window.missed)

        house = House(setup).start()
        while house.playing and not (missed(house) and house.waits_for_calls is forced):
            if house.waits_for_calls:
                house.touch()
            else:
                house.act(house.claiming(house.dice.choice(house.legal())))
        if not house.playing:
            return None
        seats = [seat for seat in range(setup.seats) if may_call(house.hand, seat)]
        turn_over = house.state.waiting_since + house.state.terms.turn_ms
        house.now = turn_over + (0 if forced else 7_000) - 300
        house.call(seats[-1])
        house.touch()
        return house.play()

    def moved_late(setup: Setup) -> House | None:
        """A play when the time of a turn is over and that for calls is not."""
        house = Liar(setup).start()
        house.play(lambda it: it.hand.window is not None and not it.waits_for_calls)
        if not house.playing:
            return None
        house.now = (
            house.state.waiting_since + 1000 * int(str(setup.options["call_seconds"])) - FAST
        )
        house.put(house.plays()[0])
        return house.play()

    setup = Setup("all-fives", 2, on, phrase="last call")
    yield honest(
        "muggins-late-call",
        "A call in the last millisecond of the turn, long after a forced step could have stood.",
        find(setup, lambda it: called_late(it, forced=True)),
    )
    setup = Setup("all-fives", 3, on | {"call_seconds": 60}, turn_seconds=20, phrase="called after")
    yield honest(
        "muggins-timeout-waits",
        "A call after turn_seconds; the turn runs out when the time for calls does.",
        find(setup, lambda it: called_late(it, forced=False)),
    )
    yield honest(
        "muggins-move-waits",
        "A play in the last millisecond of the time for calls: a turn is not over before that.",
        find(replace(setup, phrase="moved after"), moved_late),
    )


PARTS = (spinners, credited, calls)
