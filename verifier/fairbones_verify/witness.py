"""What a seat puts beside a transcript: openings, protests, a missing seed (SPEC 9.9).

Each is usable, or the verifier does not start. None of it can make a true file false: openings
show tiles that the house has sealed, and a protest changes no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from . import deal, shape
from .deal import Tile
from .ed25519 import valid
from .hashing import commitment
from .protest import Protest
from .receipts import NotStarted
from .seatkeys import ACTIONS, action_of, move_message
from .strictjson import MAX_NUMBER, Flaw
from .table import Event, Table

OPENING = {"seal": shape.POSITION, "tile": shape.TILE, "salt": shape.HEX32}
PROTEST = {
    "seq": shape.COUNT,
    "prev": shape.HEX32,
    "action": shape.OBJECT,
    "signature": shape.HEX64,
}
MEMBERS = {
    "tile": shape.TILE,
    "end": shape.END,
    "claim": shape.number(1, MAX_NUMBER),
    "seal": shape.POSITION,
}
MAY_LACK = ("end", "claim")


class Opening(NamedTuple):
    """A tile of a hand that its seat knew from the deal."""

    round: int
    position: int
    tile: Tile


def openings(given: Any, match: bytes, events: list[Event]) -> Iterator[Opening]:
    """The tiles of one object with openings, each held against the seals of its `dealt`."""
    r = given.get("round") if isinstance(given, dict) else None
    shown = listed(given) if isinstance(given, dict) else None
    if type(r) is not int or not isinstance(shown, list):
        raise NotStarted("start/openings", "a round, and its openings", "another form")
    seals = next(
        (
            event["data"]["seals"]
            for event in events
            if event["type"] == "dealt" and event["data"]["round"] == r
        ),
        None,
    )
    if seals is None:
        raise NotStarted("start/openings", "a hand that was dealt in this match", f"hand {r}")
    for place, one in enumerate(shown):
        where = f"openings[{place}]"
        flaw = flaw_of(one, OPENING, where)
        if flaw is not None:
            raise NotStarted("start/openings", flaw.expected, f"{flaw.where} {flaw.got}")
        position, tile = one["seal"], deal.read(one["tile"])
        salt, thing = bytes.fromhex(one["salt"]), deal.tile_bytes(tile)
        opened = deal.seal(match, r, position, salt, thing).hex()
        if position >= len(seals) or seals[position] != opened:
            wanted = f"what opens seal {position} of hand {r}"
            raise NotStarted("start/openings", wanted, f"{one['tile']} does not")
        yield Opening(r, position, tile)


def listed(given: dict[str, Any]) -> Any:
    """The list of openings: by itself, or as the hand in a saved view."""
    you = given.get("you")
    return given.get("openings", you.get("hand") if isinstance(you, dict) else None)


def flaw_of(value: Any, wanted: dict[str, shape.Kind], where: str) -> Flaw | None:
    """What is wrong with the members that are asked for; others are ignored."""
    if not isinstance(value, dict):
        return Flaw("", where, "an object", shape.spoken(value))
    asked = {name: value[name] for name in wanted if name in value}
    return shape.lowest(shape.members(asked, wanted, where))


def protest(given: Any, events: list[Event], hashes: list[bytes]) -> Protest:
    """One protest, and its standing."""
    flaw = flaw_of(given, PROTEST, "the protest") or action_flaw(given["action"])
    if flaw is not None:
        raise NotStarted("start/protest", flaw.expected, f"{flaw.where}: {flaw.got}")
    seq, prev, action = given["seq"], given["prev"], given["action"]
    seat = signed_by(given, events, hashes[0])
    if seat is None:
        wanted = "a move signed by a seat of this match"
        raise NotStarted("start/protest", wanted, "no such signature")
    event = events[seq] if seq < len(events) else None
    there = "" if event is None else event["type"]
    if not 1 <= seq <= len(hashes) or hashes[seq - 1].hex() != prev:
        return Protest(seat, seq, action, "other-history", there)
    standing = "disputed"
    if event is not None and there in ACTIONS and event["data"]["seat"] == seat:
        if "signature" in event["data"] and action_of(event) == action:
            standing = "taken"
        elif signed_here(event, seq, prev, keys_of(events)[seat], hashes[0]):
            standing = "both-signed"
    return Protest(seat, seq, action, standing, there)


def signed_here(event: Event, seq: int, prev: str, key: bytes, opened_hash: bytes) -> bool:
    """Whether the seat has signed the move that stands there, for that very place."""
    signature = bytes.fromhex(event["data"].get("signature", ""))
    said = move_message(opened_hash, seq, prev, event["data"]["seat"], action_of(event))
    return said is not None and valid(key, said, signature)


def at_the_table(table: Table, protested: list[Protest]) -> None:
    """Now that the table has come to a place: of the protests there, who could not act at all."""
    for place, one in enumerate(protested):
        if one.seq != table.i or one.standing != "disputed":
            continue
        if not may_act(table, one.seat, one.action["type"]):
            protested[place] = one._replace(standing="not-its-turn")


def may_act(table: Table, seat: int, kind: str) -> bool:
    """Whether a seat may be waited for here, as far as the tiles are known (R6, 8.2, 8.8)."""
    hand = table.hand
    if hand is None or seat in table.left or hand.over() is not None:
        return False
    if kind == "call":
        return table.owed is None and hand.may_call(seat)
    return table.waits() and seat in hand.actors()


def action_flaw(action: dict[str, Any]) -> Flaw | None:
    """What keeps an object from being an action of SPEC 5.6."""
    where = "its action"
    names, kind = dict(ACTIONS.values()), action.get("type")
    if not isinstance(kind, str) or kind not in names:
        return Flaw("", where, "one of " + ", ".join(names), shape.spoken(kind))
    members = names[kind]
    wanted = {name + "?" * (name in MAY_LACK): MEMBERS[name] for name in members}
    said = {name: value for name, value in action.items() if name != "type"}
    return shape.lowest(shape.members(said, wanted, where))


def signed_by(given: dict[str, Any], events: list[Event], opened_hash: bytes) -> int | None:
    """The seat of the match that signed a protest."""
    signature = bytes.fromhex(given["signature"])
    for seat, key in keys_of(events).items():
        said = move_message(opened_hash, given["seq"], given["prev"], seat, given["action"])
        if said is not None and valid(key, said, signature):
            return seat
    return None


def keys_of(events: list[Event]) -> dict[int, bytes]:
    """The keys of seats, each as its seat was first taken."""
    keys: dict[int, bytes] = {}
    for event in events:
        if event["type"] == "seated" and "public_key" in event["data"]:
            keys.setdefault(event["data"]["seat"], bytes.fromhex(event["data"]["public_key"]))
    return keys


def seed(opened_hash: bytes, events: list[Event], seat: int, raw: bytes) -> tuple[int, bytes]:
    """A seed given from outside must open its seat's commitment."""
    for event in events:
        data = event["data"]
        if event["type"] == "seated" and data["seat"] == seat:
            key = bytes.fromhex(data.get("public_key", ""))
            opens = commitment(opened_hash, seat, raw, key).hex()
            if len(raw) == 32 and data.get("client_seed_commitment") == opens:
                return seat, raw
            raise NotStarted("start/seed", f"a seed for seat {seat}'s commitment", raw.hex())
    raise NotStarted("start/seed", "a seat that was taken", str(seat))
