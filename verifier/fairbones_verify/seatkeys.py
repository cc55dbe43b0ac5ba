"""What seats say under keys of their own (SPEC 5.6; checks 303 to 307)."""

from __future__ import annotations

from typing import Any

from .ed25519 import good_key, valid
from .hashing import TAGS, enc, u32
from .strictjson import canonical
from .table import Event, Table

# The event types that give an action back: the action's own type, and what else it has.
ACTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "played": ("play", ("tile", "end", "claim")),
    "drew": ("draw", ()),
    "passed": ("pass", ()),
    "declined": ("decline", ()),
    "gave": ("give", ("seal",)),
    "called": ("call", ()),
}


def action_of(event: Event) -> dict[str, Any]:
    """The action that an event gives back; it never tells the tile of a gift."""
    name, members = ACTIONS[event["type"]]
    data = event["data"]
    return {"type": name, **{member: data[member] for member in members if member in data}}


def move_message(
    opened_hash: bytes, seq: int, prev: str, seat: int, action: dict[str, Any]
) -> bytes | None:
    """What a seat signs to act; None where `seq` is no u32, so that nobody can have signed it."""
    if seq >= 2**32:
        return None
    said = canonical(action).encode("utf-8")
    return enc(TAGS["move"], opened_hash, u32(seq), bytes.fromhex(prev), u32(seat), said)


def message(opened_hash: bytes, event: Event, seat: int) -> bytes | None:
    """What a seat signs for an event to stand there."""
    name, data = event["type"], event["data"]
    if name == "seated":
        hexed = [data.get(member, "") for member in ("client_seed_commitment", "client_seed")]
        key, *seeds = map(bytes.fromhex, (data["public_key"], *hexed))
        called = data.get("name", "").encode("ascii")
        return enc(TAGS["register"], opened_hash, u32(seat), key, *seeds, called)
    if name == "seeded":
        said = [bytes.fromhex(data[member]) for member in ("seated_hash", "client_seed")]
        return enc(TAGS["seed"], opened_hash, said[0], u32(seat), said[1])
    if name in ("left", "voided"):
        return enc(TAGS["leave"], opened_hash, u32(seat))
    return move_message(opened_hash, event["seq"], event["prev"], seat, action_of(event))


def signer(table: Table, event: Event) -> int | None:
    """The seat whose signature is due, if one is; `seated` brings the key with it."""
    name, data = event["type"], event["data"]
    if name == "seated":
        return int(data["seat"]) if "public_key" in data else None
    seat = data.get("seat")
    if name == "voided" and data["reason"] == "left" and len(data["missing"]) == 1:
        (seat,) = data["missing"]
    if seat not in table.keys:
        return None
    says = name in ("seeded", "left", "voided") or (name in ACTIONS and table.is_own(event))
    return int(seat) if says else None


def sound(table: Table, seat: int, key: str) -> bool:
    """2.4 and 5.6: a key of prime order that no other seat has."""
    others = [one.get("public_key") for other, one in table.seated.items() if other != seat]
    return good_key(bytes.fromhex(key)) is not None and key not in others


def signatures(table: Table, event: Event) -> None:
    """Checks 303 to 307."""
    name, data = event["type"], event["data"]
    if name == "opened":
        for one in data["reserved"]:
            if "public_key" in one and good_key(bytes.fromhex(one["public_key"])) is None:
                due = f"a key of prime order for seat {one['seat']}"
                table.fail("authority/key", due, one["public_key"])
    if name == "seated":
        taken(table, data)
    seat = signer(table, event)
    if seat is None:
        if "signature" in data:
            table.fail("authority/undue-signature", "no signature", data["signature"])
        return
    who = table.who(seat)
    if "signature" not in data:
        table.fail("authority/unsigned", f"a signature of {who}", None)
        return
    key = key_of(table, event, seat)
    said = message(table.hashes[0], event, seat)
    signature = bytes.fromhex(data["signature"])
    if key is not None and (said is None or not valid(key, said, signature)):
        table.fail("authority/signature", f"a signature of {who} for this", data["signature"])


def taken(table: Table, data: dict[str, Any]) -> None:
    """Checks 303 and 304 of a seat that is being taken."""
    seat, key = data["seat"], data.get("public_key")
    if key is not None and not sound(table, seat, key):
        good = good_key(bytes.fromhex(key)) is not None
        table.fail("authority/key", "a key of its own" if good else "a key of prime order", key)
    for one in table.opened["reserved"]:
        if one["seat"] == seat and one.get("public_key", key) != key:
            table.fail("authority/reserved", f"the key {one['public_key']}", key)


def key_of(table: Table, event: Event, seat: int) -> bytes | None:
    """The key that a signature has to be valid under; None where 303 has failed on it."""
    if event["type"] != "seated":
        return table.keys[seat]
    key = event["data"]["public_key"]
    return bytes.fromhex(key) if sound(table, seat, key) else None
