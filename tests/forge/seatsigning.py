"""What seats sign, as vectors: message, signature, and the same with one field otherwise (5.6)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from fairbones.core.protocol.encoding import enc
from fairbones.core.protocol.seatkeys import move_message
from tests.forge.dice import Dice
from tests.forge.keys import seat_key
from tests.forge.paper import Json
from tests.forge.resigning import ACTIONS, action_of, message, seat_of

PHRASE = "vector"  # `seat_key` makes the secret of it
OTHER = "other vector"
LAST_SEQ = 2**32 - 1


def secret(phrase: str) -> bytes:
    """The 32 bytes that a test key follows from."""
    return hashlib.sha256(f"seat key {phrase}".encode()).digest()


def event(type_: str, data: Json, seq: int = 9) -> Json:
    """What is signed of an event: the rest of it follows from nothing here."""
    return {"seq": seq, "prev": Dice(f"prev {seq}").block().hex(), "type": type_, "data": data}


def honest() -> Iterator[tuple[str, Json]]:
    """Every message in every form: what it is, and the event that carries its signature."""
    key = seat_key(PHRASE).public.hex()
    commitment, seed = Dice("commitment").block().hex(), Dice("client seed").block().hex()
    for about, more in (
        ("a commitment, no name", {"client_seed_commitment": commitment}),
        ("a commitment and a name", {"client_seed_commitment": commitment, "name": "ada"}),
        ("a clear seed, no name", {"client_seed": seed}),
        ("a clear seed and a name", {"client_seed": seed, "name": "A-z_0123456789-abcdefghi"}),
    ):
        yield f"register: {about}", event("seated", {"seat": 1, "public_key": key, **more}, 2)
    yield (
        "register: seat 63",
        event("seated", {"seat": 63, "public_key": key, "client_seed_commitment": commitment}, 64),
    )
    named = Dice("seated hash").block().hex()
    for seat in (0, 7):
        told = {"seat": seat, "client_seed": seed, "seated_hash": named}
        yield f"seed: seat {seat}", event("seeded", told, 8)
    yield from moves()
    yield "leave: after the deal", event("left", {"seat": 2})
    yield "leave: before the deal", event("voided", {"reason": "left", "missing": [2]}, 3)


def moves() -> Iterator[tuple[str, Json]]:
    """Each action; what an event has besides is no part of it."""
    opening = {"seal": 12, "salt": Dice("salt").block().hex()}

    def played(seq: int = 9, **told: object) -> Json:
        return event("played", {"seat": 1, **opening, **told}, seq)

    yield "move: play, the first tile", played(tile="6-6")
    yield "move: play at an end", played(tile="6-4", end="left")
    yield "move: play at an arm", played(tile="18-0", end="up-19")
    yield "move: play with a claim", played(tile="5-5", end="right", claim=10, points=10)
    yield "move: play, the first tile with a claim", played(tile="5-5", claim=10)
    yield "move: play, credited without a claim", played(tile="5-0", end="down", points=5)
    yield "move: draw", event("drew", {"seat": 1, "seal": 20})
    yield "move: pass", event("passed", {"seat": 1})
    yield "move: decline", event("declined", {"seat": 1})
    yield "move: give", event("gave", {"seat": 3, "to": 2, "seal": 12})
    yield "move: give, position 0", event("gave", {"seat": 0, "to": 3, "seal": 0})
    yield "move: call", event("called", {"seat": 1, "points": 15})
    yield "move: seq 0", event("passed", {"seat": 0}, 0)
    yield "move: the largest seq", played(LAST_SEQ, tile="6-4", end="left")


# One thing otherwise than it was signed: member, and what stands there now (None: nothing).
OTHERWISE: dict[str, tuple[tuple[str, object], ...]] = {
    "register: a commitment and a name": (
        ("seat", 0),
        ("name", "adb"),
        ("name", None),
        ("client_seed_commitment", "5e" * 32),
        ("public_key", seat_key(OTHER).public.hex()),
    ),
    "register: a clear seed, no name": (("client_seed", "5e" * 32), ("name", "ada")),
    "seed: seat 0": (("seat", 1), ("client_seed", "5e" * 32), ("seated_hash", "5e" * 32)),
    "move: play at an end": (("seat", 0), ("tile", "6-5"), ("end", "right"), ("end", None)),
    "move: play with a claim": (("claim", 5), ("claim", None)),
    "move: give": (("seal", 13), ("seat", 0)),
    "move: pass": (("seat", 0),),
    "move: call": (("seat", 0),),
    "leave: after the deal": (("seat", 1),),
    "leave: before the deal": (("missing", [1]),),
}


def cases() -> list[Json]:
    """The rows: signed as they stand, then the same signatures where they are not valid."""
    opened = Dice("opened hash").block()
    key, rows = seat_key(PHRASE), []

    def row(about: str, told: Json, signature: str, valid: bool, at: bytes = opened) -> None:
        data = told["data"]
        case: Json = {"about": about, "key_seed": secret(PHRASE).hex()}
        case |= {"public_key": data.get("public_key", key.public.hex()), "opened_hash": at.hex()}
        case |= {"event": told, "seat": seat_of(told)}
        if told["type"] in ACTIONS:
            case["action"] = action_of(told).decode()
        case |= {"message": message(at, told).hex(), "signature": signature, "valid": valid}
        rows.append(case)

    signed = {about: (told, key.sign(message(opened, told))) for about, told in honest()}
    for about, (told, signature) in signed.items():
        row(about, told, signature, True)
    for about, changes in OTHERWISE.items():
        told, signature = signed[about]
        for member, value in changes:
            data = {name: it for name, it in told["data"].items() if name != member}
            data |= {} if value is None else {member: value}
            wrong = f"{about}; {member} {'left out' if value is None else 'otherwise'}"
            row(wrong, told | {"data": data}, signature, False)
    for about in (
        "register: a clear seed, no name",
        "seed: seat 0",
        "move: pass",
        "leave: after the deal",
    ):
        told, signature = signed[about]
        row(f"{about}; of another match", told, signature, False, bytes(32))
        other = seat_key(OTHER).sign(message(opened, told))
        row(f"{about}; signed by another key", told, other, False)
    told, signature = signed["move: play at an end"]
    row("move: play at an end; another seq", told | {"seq": 10}, signature, False)
    row("move: play at an end; another prev", told | {"prev": "5e" * 32}, signature, False)
    told, signature = signed["move: pass"]
    row("move: pass; where it was a decline", told | {"type": "declined"}, signature, False)
    told, _ = signed["register: a commitment, no name"]
    data = {**told["data"], "client_seed": told["data"]["client_seed_commitment"]}
    del data["client_seed_commitment"]
    moved = told | {"data": data}
    row(
        "register: a commitment shown as a clear seed",
        moved,
        signed["register: a commitment, no name"][1],
        False,
    )
    told, _ = signed["move: give"]
    spoken = b'{"seal":12,"tile":"6-4","type":"give"}'
    place = opened, told["seq"], bytes.fromhex(told["prev"]), 3
    row("move: give; signed with the tile", told, key.sign(move_message(*place, spoken)), False)
    told, _ = signed["move: play at an end"]
    spaced = action_of(told).replace(b",", b", ")
    place = opened, told["seq"], bytes.fromhex(told["prev"]), 1
    row(
        "move: play; signed in another spelling",
        told,
        key.sign(move_message(*place, spaced)),
        False,
    )
    told, _ = signed["leave: after the deal"]
    untagged = enc(opened, (2).to_bytes(4, "big"))
    row("leave: signed without its tag", told, key.sign(untagged), False)
    return rows
