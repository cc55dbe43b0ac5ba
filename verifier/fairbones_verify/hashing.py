"""Bytes and hashes (SPEC 2 and 6): everything in the protocol is built from these few lines."""

from __future__ import annotations

import hashlib
import hmac

PROTOCOL = "fairbones/1"

# Every tag of this edition, and its one purpose (SPEC 2.3). Two uses of one tag would let a
# published value double as a secret one. With `invite` nothing is computed here: the secret is
# between the house and whom it was promised.
TAGS = {
    name: f"{PROTOCOL}/{name}".encode("ascii")
    for name in (
        "server-seed",
        "round-seed",
        "wash-order",
        "salt",
        "seal",
        "wash-root",
        "client-seed",
        "cut-key",
        "cut-map",
        "event",
        "receipt",
        "key",
        "draw-key",
        "draw",
        "register",
        "seed",
        "move",
        "leave",
        "invite",
    )
}


def u32(number: int) -> bytes:
    """A number 0..2^32-1 as 4 bytes, big-endian."""
    return number.to_bytes(4, "big")


def enc(*items: bytes) -> bytes:
    """SPEC 2.2: each item behind its length, so that no two lists of items give the same bytes."""
    return b"".join([len(item).to_bytes(4, "big") + item for item in items])


def digest(tag: str, *items: bytes) -> bytes:
    """SPEC 2.3, H: 32 bytes."""
    return hashlib.sha256(enc(TAGS[tag], *items)).digest()


def mac(key: bytes, tag: str, *items: bytes) -> bytes:
    """SPEC 2.3, MAC: 32 bytes."""
    return hmac.digest(key, enc(TAGS[tag], *items), "sha256")


def event_hash(text: str) -> bytes:
    """SPEC 6.3: the hash of an event, from its canonical text."""
    return digest("event", text.encode("utf-8"))


def key_id(public_key: bytes) -> str:
    """SPEC 6.5: the short name of a house key, 16 hex digits."""
    return digest("key", public_key).hex()[:16]


def commitment(opened_hash: bytes, seat: int, seed: bytes, public_key: bytes = b"") -> bytes:
    """SPEC 5.1; `public_key` is the seat's own, and empty where it has none."""
    return digest("client-seed", opened_hash, u32(seat), public_key, seed)
