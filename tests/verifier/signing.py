"""What seats sign (SPEC 5.6), for the house of the tests. Written from SPEC alone."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from tests.verifier.primitives import Event, Signer, canonical, enc, u32

ACTION = {
    "played": "play",
    "drew": "draw",
    "passed": "pass",
    "declined": "decline",
    "gave": "give",
    "called": "call",
}


@lru_cache(maxsize=4096)
def seat_signer(seed: int, seat: int) -> Signer:
    """The key of a seat in the match of a seed."""
    return Signer(hashlib.sha256(f"seat {seat} of {seed}".encode()).digest())


def action(event: Event) -> str:
    """The canonical form of the action that an event gives back."""
    kind, data = event["type"], event["data"]
    said = {"type": ACTION[kind]}
    if kind == "played":
        said |= {k: v for k, v in data.items() if k in ("tile", "end", "claim")}
    if kind == "gave":
        said["seal"] = data["seal"]
    return canonical(said)


def move(opened: bytes, seq: int, prev: str, seat: int, said: str) -> bytes:
    raw = bytes.fromhex(prev)
    return enc(b"fairbones/1/move", opened, u32(seq), raw, u32(seat), said.encode())


def message(opened: bytes, event: Event, seat: int) -> bytes:
    """The bytes under the signature of a seat in an event."""
    kind, data = event["type"], event["data"]
    if kind == "seated":
        parts = [bytes.fromhex(data["public_key"])]
        parts += [
            bytes.fromhex(data.get(name, "")) for name in ("client_seed_commitment", "client_seed")
        ]
        parts.append(data.get("name", "").encode())
        return enc(b"fairbones/1/register", opened, u32(seat), *parts)
    if kind == "seeded":
        seated, seed = (bytes.fromhex(data[name]) for name in ("seated_hash", "client_seed"))
        return enc(b"fairbones/1/seed", opened, seated, u32(seat), seed)
    if kind in ("left", "voided"):
        return enc(b"fairbones/1/leave", opened, u32(seat))
    return move(opened, event["seq"], event["prev"], seat, action(event))


def seat_of(event: Event) -> int:
    """Who signs an event that carries a signature."""
    data = event["data"]
    return int(data["missing"][0] if event["type"] == "voided" else data["seat"])
