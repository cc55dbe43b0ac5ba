"""Matches of seats with keys, and how one signature in them is exchanged or dropped."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from tests.verifier.house import House
from tests.verifier.matches import any_match
from tests.verifier.primitives import OTHER, Event, event_hash, rechained, sealed
from tests.verifier.signing import message, seat_of, seat_signer

BOTH = (0, 1)
Sign = Callable[[House, Event, bytes], bytes]


@lru_cache(maxsize=64)
def having(kind: str, name: str | None = None, signed: bool = True, member: str = "seat") -> House:
    """A match to its end, all seats with keys, in which an event of a type and with a member is
    signed, or is not.
    """
    for seed in range(3_000):
        house = any_match(seed, name, keys=range(9))
        found = [event["data"] for event in house.events if event["type"] == kind]
        if house.events[-1]["type"] == "match_ended" and any(
            ("signature" in data) is signed and member in data for data in found
        ):
            return house
    raise AssertionError(f"no {kind} anywhere")


def unsigned_by_key(house: House, event: Event) -> bool:
    """A step of the house for a seat that has a key."""
    return "signature" not in event["data"] and seat_of(event) in house.signers


def place_of(house: House, kind: str, fits: Callable[[Event], object]) -> int:
    return next(i for i, event in enumerate(house.events) if event["type"] == kind and fits(event))


def signed_at(house: House, kind: str) -> int:
    return place_of(house, kind, lambda event: "signature" in event["data"])


def instead(house: House, place: int, sign: Sign | None) -> bytes:
    """Another signature at one place, or none there; every later one is for the new chain."""
    events = [{**event, "data": dict(event["data"])} for event in house.events]
    opened, target = event_hash(events[0]), events[place]

    def anew(event: Event) -> None:
        if event is not target:
            house.resign(event, opened)
        elif sign is not None:
            event["data"]["signature"] = sign(house, event, opened).hex()
        else:
            event["data"].pop("signature", None)

    return sealed(rechained(events, house.events, anew))


def own_sign(house: House, event: Event, opened: bytes) -> bytes:
    """What the seat would sign, if it had to."""
    seat = seat_of(event)
    return house.signers[seat].sign(message(opened, event, seat))


def in_place_of(house: House, event: Event, opened: bytes, **other: Any) -> bytes:
    """A seat's signature for another event than the one that stands there."""
    seat, data = seat_of(event), {**event["data"], **other}
    data = {name: value for name, value in data.items() if value is not None}
    return house.signers[seat].sign(message(opened, {**event, "data": data}, seat))


def strange(house: House, event: Event, opened: bytes) -> bytes:
    """A signature of a key that no seat has."""
    return OTHER.sign(message(opened, event, seat_of(event)))


def gone(keys: tuple[int, ...], missing: int, by: int | None) -> House:
    """A match that a seat has left before the deal."""
    house = House(keys=keys)
    house.sit(0, 1)
    data = {"reason": "left", "missing": [missing], "server_seed": house.S.hex()}
    place = len(house.events)
    house.say("voided", data)
    if by is not None:
        event = house.events[place]
        event["data"]["signature"] = ""
        said = message(event_hash(house.events[0]), event, missing)
        event["data"]["signature"] = seat_signer(0, by).sign(said).hex()
    return house
