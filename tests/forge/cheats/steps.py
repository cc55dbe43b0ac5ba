"""Rounds out of order, steps taken apart or cut off (threats T11, T16)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from fairbones.core.match import MatchState
from tests.forge.cheats.making import Cheat, forged, liar, place, reach, search, setting
from tests.forge.house import House, Setup
from tests.forge.liar import Liar
from tests.forge.paper import Json, relink
from tests.forge.scenario import Scenario


def numbers() -> Iterator[Scenario]:
    """204: hands under a wrong number."""
    for ruleset, seats, said, what in (
        ("block", 2, 3, "Hand 2 is called 3: a hand seems to be skipped."),
        ("draw", 3, 1, "Hand 2 is called 1: a hand seems to be dealt again."),
    ):
        house = liar(ruleset, seats, rounds_max=3, phrase="round number")
        house.bend("dealt", setting("round", said), 2).start()
        house.play(lambda it: it.state.rounds == 2)
        yield forged(
            f"order-round-dealt-{said}",
            what,
            "order/round",
            house,
            "T11",
            alone=("deal/seals", "deal/must-set") if said == 1 else ("deal/seals",),
            because="Seals, and for hand 1 a tile to set, are due by that number.",
        )
    house = liar("draw", 2, rounds_max=2, phrase="round ended").bend(
        "round_ended", setting("round", 2)
    )
    house.start().play(lambda it: it.state.rounds == 2)
    yield forged(
        "order-round-ended",
        "The end of hand 1 is written as that of hand 2.",
        "order/round",
        house,
        "T11",
    )


def skipped(house: Liar) -> None:
    """Hand 2 is never dealt: the house goes on with wash 3."""

    def believe(state: MatchState) -> MatchState:
        return replace(state, rounds=2)

    house.start().warp("round_ended", believe)
    house.play(lambda it: it.state.rounds == 3)
    house.lies.append(place(house, "dealt", 2))
    house.play()


def again(house: Liar) -> bool:
    """After its end hand 1 is dealt once more."""

    def believe(state: MatchState) -> MatchState:
        return replace(state, rounds=0, before=None)

    house.start().warp("round_ended", believe)
    house.play(lambda it: it.state.rounds == 1 and place(it, "dealt", -1) > place(it, "dealt"))
    dealt = [event.seq for event in house.events if event.type == "dealt"]
    if len(dealt) < 2:
        return False
    house.lies.append(dealt[1])
    house.play()
    return True


def redeals() -> Iterator[Scenario]:
    """204: hands skipped and dealt again, and played."""
    yield Cheat(
        "order-round-skipped",
        "The wash of hand 2 is skipped, hand 3 is dealt in its place under its own number.",
        "order/round",
        Setup("block", 3, {"hand": 3}, 3, phrase="skipped"),
        skipped,
    ).forged("T11")
    yield Cheat(
        "order-round-again",
        "Hand 1 is dealt again after its end, under its own number.",
        "order/round",
        Setup("block", 2, {"hand": 3}, 3, phrase="again"),
        again,
    ).forged("T11")


def has(type_: str, nth: int, idle: int = 0) -> Callable[[Liar], bool]:
    """An honest match with that many events of a type."""

    def make(house: Liar) -> bool:
        house.start().play(idle=idle)
        return sum(event.type == type_ for event in house.events) >= nth

    return make


def delays() -> Iterator[Scenario]:
    """205: the house takes its time inside a step."""
    for ruleset, type_, nth in (
        ("block", "dealt", 1),
        ("block", "passed", 1),
        ("draw", "drew", 1),
        ("draw", "round_ended", 1),
        ("block", "match_ended", 1),
        ("draw", "dealt", 2),
    ):
        house = search(Setup(ruleset, 2, {"hand": 3}, 2, phrase="step"), has(type_, nth))
        seq = place(house, type_, nth)
        yield forged(
            f"order-step-{type_}-{nth}",
            f"The house waits a second before it writes {type_}.",
            "order/step",
            later(house, seq, 1000),
            "T53",
            seq=seq,
        )


def later(house: House, seq: int, by: int) -> list[Json]:
    """Everything from an event on is later."""
    events = house.told()
    for event in events[seq:]:
        event["at"] += by
    return relink(events)


# ---------------------------------------------------------------- cut off inside a step


def unfinished(name: str, about: str, events: list[Json]) -> Scenario:
    """A list whose next event is missing."""
    return forged(
        f"order-unfinished-{name}", about, "order/unfinished", events, "T16", seq=len(events)
    )


def went_out(house: Liar) -> bool:
    """The first hand ends with a domino."""
    house.start().play()
    return 0 in house.told()[place(house, "round_ended")]["data"]["counts"]


def leaver(house: Liar) -> bool:
    """The seat on turn leaves."""
    if not reach(house, lambda it: len(it.hand.line) == 2):
        return False
    house.leave(house.turn)
    return True


def truncations() -> Iterator[Scenario]:
    """207."""
    for ruleset, type_, nth, about in (
        ("block", "round_ended", 1, "The next deal is missing."),
        ("draw", "round_ended", 2, "The end of the match is missing."),
        ("block", "timed_out", 1, "The step after a time-out is missing."),
    ):
        setup = Setup(ruleset, 2, {"hand": 3}, 2, phrase="cut off")
        house = search(setup, has(type_, nth, idle=30))
        yield unfinished(f"{type_}-{nth}", about, house.told()[: place(house, type_, nth) + 1])
    house = liar("draw", 3, phrase="cut off").start()
    yield unfinished("deal", "Every seed is shown and hand 1 is not dealt.", house.told()[:-1])
    house = liar("block", 2, phrase="cut off", clear=(0, 1)).start()
    yield unfinished(
        "clear", "Every seat showed its seed and hand 1 is not dealt.", house.told()[:-1]
    )
    house = search(Setup("draw", 2, {"hand": 3}, phrase="cut domino"), went_out)
    yield unfinished(
        "domino",
        "A seat has played its last tile, the hand is not ended.",
        house.told()[: place(house, "round_ended")],
    )
    house = search(Setup("block", 3, {"hand": 5}, phrase="cut leaver"), leaver)
    yield unfinished(
        "left",
        "A seat on turn has left and its step is missing.",
        house.told()[: place(house, "left") + 1],
    )
    house = liar("block", 2, {"hand": 7}, phrase="cut idle").start()
    house.play(idle=100)
    yield unfinished(
        "abandoned",
        "Everybody was idle three times, the match is not ended.",
        house.told()[: place(house, "round_ended")],
    )
