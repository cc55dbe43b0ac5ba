"""One lie for every code: a transcript wrong in one thing, chained and signed by the house itself.

Each function makes the forgery of one check. It returns the bytes, and what is given to `verify`
beside them. `OFF` names the checks that have to be off for the forgery to pass, where they are more
than its own; None where nothing could make it pass.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, Event, event_hash, sealed, written

Forgery = tuple[bytes, dict[str, Any]]

FORGERIES: dict[str, Callable[[], Forgery]] = {}
OFF: dict[str, Sequence[str] | None] = {}

ONE_HAND: dict[str, Any] = {"rounds": 1}


def forgery(code: str, also: Sequence[str] | None = ()) -> Callable[[Any], Any]:
    def note(make: Callable[[], bytes | Forgery]) -> Callable[[], bytes | Forgery]:
        def made() -> Forgery:
            result = make()
            return result if isinstance(result, tuple) else (result, {})

        name = f"{code} {make.__name__}"
        FORGERIES[name] = made
        OFF[name] = None if also is None else [code, *also]
        return make

    return note


def edit(house: House, kind: str, nth: int = 0, **changes: Any) -> bytes:
    """Some members of the data of one event changed; None takes a member away."""
    place = house.index(kind, nth)

    def change(events: list[Event]) -> None:
        data = events[place]["data"]
        data.update(changes)
        for name in [name for name, value in changes.items() if value is None]:
            del data[name]

    return house.forged(change)


def with_points(house: House, place: int, points: int) -> bytes:
    """Other points for one play, and every score after it as if they were right."""
    data = house.events[place]["data"]
    more, side = points - data.get("points", 0), data["seat"] % house.sides

    def change(events: list[Event]) -> None:
        events[place]["data"]["points"] = points
        if not points:
            del events[place]["data"]["points"]
        for event in events[place:]:
            if "scores" in event["data"]:
                event["data"]["scores"] = list(event["data"]["scores"])
                event["data"]["scores"][side] += more

    return house.forged(change)


def shift(house: House, place: int, ms: int) -> bytes:
    """Everything from one event on happens earlier or later."""

    def change(events: list[Event]) -> None:
        for event in events[place:]:
            event["at"] += ms

    return house.forged(change)


def insert(house: House, place: int, kind: str, **data: Any) -> bytes:
    """An event more, at the time of the one before it."""

    def change(events: list[Event]) -> None:
        before = copy.deepcopy(events[place - 1])
        events.insert(place, {**before, "type": kind, "data": data})

    return house.forged(change)


def void(house: House) -> bool:
    house.say("voided", {"reason": "house", "server_seed": house.S.hex()})
    return True


def begun(row: dict[str, Any] = BLOCK, **more: Any) -> House:
    """A match at the first wait of its first hand."""
    house = House(row=row, **more)
    house.sit()
    house.reveal()
    house.deal(1)
    return house


def second_turn(row: dict[str, Any] = BLOCK, **more: Any) -> House:
    """The same after the first tile."""
    house = begun(row, **more)
    house.fixed(100, own=True)
    return house


def ended(house: House) -> bytes:
    """A match called off here, so that everything in it is known."""
    void(house)
    return house.transcript()


def by_hand(house: House, tile: tuple[int, int], position: int, end: str | None = None) -> None:
    """A play as a liar says it."""
    data = {
        "seat": house.turn,
        "tile": written(tile),
        "seal": position,
        "salt": house.salts[0][position].hex(),
    }
    house.say("played", data | ({} if end is None else {"end": end}), 100)


def relinked(events: list[Event], start: int) -> bytes:
    """Only `prev` made right again, from one event on."""
    for seq in range(start, len(events)):
        events[seq]["prev"] = event_hash(events[seq - 1]).hex()
    return sealed(events)


def lost(house: House, receipt: dict[str, Any]) -> bytes:
    data = {"reason": "history-lost", "receipt": receipt, "server_seed": house.S.hex()}
    house.say("voided", data)
    return house.transcript()


def once(what: Any) -> Callable[[House, int], Any]:
    """Play, but for one time at the fourth wait."""
    waits: list[int] = []

    def choose(house: House, seat: int) -> Any:
        waits.append(seat)
        return what if len(waits) == 4 else "play"

    return choose


def leave_once(who: int) -> Callable[[House, int], str]:
    return lambda house, seat: "play" if house.left or len(house.events) < 9 else f"leave {who}"


def first_forced(row: dict[str, Any], lie: Callable[[House], object]) -> bytes:
    """A match up to the first step that the house has to make for a seat, and a lie there."""

    class Reached(Exception):
        pass

    class Liar(House):
        def fixed(self, later: int | None = 0, own: bool = False) -> None:
            lie(self)
            raise Reached

    house = Liar(row=row, rounds=8)
    house.sit()
    house.reveal()
    for r in range(1, 9):
        house.deal(r)
        try:
            house.play_hand(r)
        except Reached:
            return ended(house)
    raise AssertionError("nobody ever had to pass")
