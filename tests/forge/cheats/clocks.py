"""Deadlines: too late, too early, past the end of the match's own time (threats T10, T31, T40)."""

from __future__ import annotations

from collections.abc import Iterator

from fairbones.core.match import deadline
from fairbones.core.match.steps import Draft, abandon, void
from tests.forge.cheats.making import Cheat, forged, liar, reach
from tests.forge.cheats.moves import on_table
from tests.forge.house import NOON, Setup
from tests.forge.liar import FAST, Liar
from tests.forge.paper import Json
from tests.forge.scenario import Scenario

NEARLY_A_DAY = 80_000_000


def due(house: Liar) -> int:
    """The deadline that the match waits for."""
    limit = deadline(house.state)
    assert limit is not None
    return limit


def of_sixty_turns(data: Json) -> None:
    """`close_by` as if no hand took longer than sixty turns."""
    turns = 60 * data["rounds_max"] * data["turn_seconds"]
    data["close_by"] = NOON + 1000 * (data["join_seconds"] + data["reveal_seconds"] + turns)


def times() -> Iterator[Scenario]:
    """350 to 352."""
    for name, by in (("early", -1), ("late", 604_800_001)):

        def moved(data: Json, by: int = by) -> None:
            data["close_by"] += by

        house = liar("draw" if by < 0 else "block", 2, opened=moved, phrase=f"close {name}")
        house.start().play()
        yield forged(
            f"time-close-by-{name}", f"close_by is too {name}.", "time/close-by", house, "T53"
        )
    for name, options in (("large-set", {"set": 12}), ("calls", {"muggins": True})):
        setup = Setup("all-fives", 2, options, rounds_max=2, phrase=f"close by {name}")
        house = Liar(setup, opened=of_sixty_turns)
        house.start().play()
        yield forged(
            f"time-close-by-{name}",
            "close_by leaves no more time than sixty turns of a hand, which may take longer.",
            "time/close-by",
            house,
            "T53",
        )
    house = liar("block", 2, phrase="late seat")
    house.sit(0)
    house.now = due(house) + 1 - 500  # `sit` takes that long
    house.mark()
    house.sit(1)
    house.reveal(0, 1)
    yield forged(
        "time-late-seat",
        "A seat is taken a millisecond after join_seconds.",
        "time/late-seat",
        house.play(),
        "T53",
    )
    house = liar("draw", 3, phrase="late seed").seat_all()
    house.reveal(1, 2)
    house.now = due(house) + 1 - 300  # `reveal` takes that long
    house.mark()
    house.reveal(0)
    yield forged(
        "time-late-seed",
        "The last seed comes a millisecond after reveal_seconds.",
        "time/late-seed",
        house.play(),
        "T53",
    )


def early_voids() -> Iterator[Scenario]:
    """353."""
    house = liar("block", 3, phrase="early void")
    house.sit(0, 1)
    house.follow(void(house.state, "seats-missing", missing=[2]), due(house) - 1)
    yield forged(
        "time-early-void-seats",
        "Seats are called missing a millisecond before the deadline.",
        "time/early-void",
        house,
        "T10",
        seq=3,
    )
    house = liar("draw", 2, phrase="early void").seat_all()
    house.reveal(0)
    house.follow(void(house.state, "seeds-missing", missing=[1]), due(house) - 1)
    yield forged(
        "time-early-void-seeds",
        "A seed is called missing a millisecond before the deadline.",
        "time/early-void",
        house,
        "T10",
        "T40",
        seq=4,
    )


def early(house: Liar) -> bool:
    """The time of the seat on turn runs out a millisecond early."""
    if not reach(house, on_table):
        return False
    house.now = due(house) - 1
    house.mark()
    house.follow(Draft("timed_out", {"seat": house.turn}), house.now)
    house.play()
    return True


def late(house: Liar) -> bool:
    """A play a millisecond late."""
    if not reach(house, on_table):
        return False
    house.now = due(house) + 1 - FAST
    house.put(house.legal()[0])
    house.play()
    return True


def last_chance(house: Liar) -> bool:
    """Seat 0 is idle until it has a second only, and takes a millisecond more."""
    house.start()
    while house.playing and max(house.state.idle) < 3:
        if house.turn == 0:
            house.touch()
        else:
            house.act(house.legal()[0])
    while house.playing and (house.turn != 0 or house.state.idle[0] < 3):
        house.act(house.legal()[0])
    if not house.playing or not house.plays():
        return False
    house.now = house.state.waiting_since + 1_001 - FAST
    house.put(house.plays()[0])
    house.play()
    return True


def past_close(house: Liar) -> bool:
    """Slow plays, each in time, until one is after `close_by`."""
    house.start()
    while house.playing and house.plays():
        house.now += NEARLY_A_DAY
        house.put(house.plays()[0], owe=house.now < house.state.terms.close_by)
        if house.now > house.state.terms.close_by:
            return True
        house.honestly()
    return False


def abandoned_early(house: Liar) -> bool:
    """Abandoned in the last millisecond in which it must not be."""
    if not reach(house, on_table):
        return False
    assert house.state.round is not None
    house.now = house.state.terms.close_by
    house.mark()
    house.follow(abandon(house.state, house.state.round), house.now)
    return True


def turn_times() -> Iterator[Scenario]:
    """354 to 356."""
    for ruleset, count in (("block", 2), ("draw", 3)):
        yield Cheat(
            f"time-early-timeout-{ruleset}",
            "A seat's time runs out a millisecond early.",
            "time/early-timeout",
            Setup(ruleset, count, {"hand": 4}, phrase="early"),
            early,
        ).forged("T31")
    for ruleset, count in (("block", 4), ("draw", 2)):
        yield Cheat(
            f"time-late-action-{ruleset}",
            "A play comes a millisecond late, and counts.",
            "time/late-action",
            Setup(ruleset, count, {"hand": 4}, phrase="late"),
            late,
        ).forged("T53")
    yield Cheat(
        "time-late-action-idle",
        "A seat that was idle three times has one second, and takes a millisecond more.",
        "time/late-action",
        Setup("block", 2, {"hand": 9}, phrase="last chance"),
        last_chance,
    ).forged("T53")
    yield Cheat(
        "time-after-close",
        "The match is played on after close_by.",
        "time/after-close",
        Setup("block", 2, {"hand": 7}, auto_forced=False, turn_seconds=86_400, phrase="closed"),
        past_close,
    ).forged("T53")
    yield Cheat(
        "order-step-abandoned",
        "A match is abandoned at close_by, which is not yet after it.",
        "order/step",
        Setup("draw", 2, {"hand": 4}, phrase="at close"),
        abandoned_early,
        alone=("rules/not-over",),
        because="Before close_by has passed the hand simply goes on.",
    ).forged("T51")
