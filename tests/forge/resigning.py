"""What seats with keys say, signed anew after something before it was changed (SPEC 5.6).

A signature covers the chain up to its event. Were those behind a change left as they are, each
would give the change away, whatever else is wrong with it. A cheating house shows its seats the
changed chain, and they sign on that: so does this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fairbones.bots.keys import SeatKey
from fairbones.core.protocol.seatkeys import (
    leave_message,
    move_message,
    register_message,
    seed_message,
)
from tests.forge.paper import NO_PREV, Json, event_hash, spell

Keys = Mapping[int, SeatKey]
ACTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "played": ("play", ("tile", "end", "claim")),
    "drew": ("draw", ()),
    "passed": ("pass", ()),
    "declined": ("decline", ()),
    "gave": ("give", ("seal",)),
    "called": ("call", ()),
}


def action_of(event: Json) -> bytes:
    """What an event gives back of the action that was signed, in canonical form."""
    action, members = ACTIONS[event["type"]]
    data = event["data"]
    return spell({"type": action, **{it: data[it] for it in members if it in data}})


def seat_of(event: Json) -> int:
    """Who would sign it."""
    data = event["data"]
    seat: int = data["missing"][0] if event["type"] == "voided" else data["seat"]
    return seat


def message(opened: bytes, event: Json) -> bytes:
    """The bytes that a seat signs for an event to stand there."""
    type_, data, seat = event["type"], event["data"], seat_of(event)
    if type_ == "seated":
        return register_message(
            opened,
            seat,
            bytes.fromhex(data["public_key"]),
            commitment=bytes.fromhex(data.get("client_seed_commitment", "")),
            client_seed=bytes.fromhex(data.get("client_seed", "")),
            name=data.get("name", ""),
        )
    if type_ == "seeded":
        named, seed = (bytes.fromhex(data[it]) for it in ("seated_hash", "client_seed"))
        return seed_message(opened, named, seat, seed)
    if type_ in ("left", "voided"):
        return leave_message(opened, seat)
    prev = bytes.fromhex(event["prev"])
    return move_message(opened, event["seq"], prev, seat, action_of(event))


def signature(opened: bytes, event: Json, keys: Keys) -> str | None:
    """The signature of its seat over an event as it stands; None where nobody could sign that."""
    try:
        return keys[seat_of(event)].sign(message(opened, event))
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError):
        return None  # a value that no message can hold


def sign(events: Sequence[Json], place: int, keys: Keys) -> None:
    """One event that carries a signature gets the one that is valid there."""
    data = events[place]["data"]
    if isinstance(data, dict) and "signature" in data:
        told = signature(event_hash(events[0]), events[place], keys)
        data["signature"] = told or data["signature"]


def carry_on(events: list[Json], keys: Keys, first: int) -> None:
    """The chain, the seating that seeds name and the signatures anew from `first` on."""
    seated = [place for place, event in enumerate(events) if event["type"] == "seated"]
    for place in range(first, len(events)):
        event = events[place]
        event["prev"] = event_hash(events[place - 1]).hex() if place else NO_PREV
        if event["type"] == "seeded" and seated and seated[-1] < place:
            event["data"]["seated_hash"] = event_hash(events[seated[-1]]).hex()
        sign(events, place, keys)
