"""`enc`, `H` and `MAC`, and the one table of tags (SPEC 2).

Every tag has one purpose; a caller can only name a member of `Tag`, so a new
purpose needs a new row here and `tests/protocol` sees that none is used twice.
"""

from __future__ import annotations

import hashlib
import hmac
from enum import StrEnum

PROTOCOL = "fairbones/1"


class Tag(StrEnum):
    """The complete list of domain-separation tags of SPEC 2.3."""

    SERVER_SEED = "server-seed"
    ROUND_SEED = "round-seed"
    WASH_ORDER = "wash-order"
    SALT = "salt"
    SEAL = "seal"
    WASH_ROOT = "wash-root"
    CLIENT_SEED = "client-seed"
    CUT_KEY = "cut-key"
    CUT_MAP = "cut-map"
    EVENT = "event"
    RECEIPT = "receipt"
    REGISTER = "register"
    SEED = "seed"
    MOVE = "move"
    PROMISE = "promise"
    KEY = "key"
    DRAW_KEY = "draw-key"
    DRAW = "draw"
    LEAVE = "leave"
    INVITE = "invite"


def u32(number: int) -> bytes:
    """Four bytes, big-endian."""
    return number.to_bytes(4, "big")


def enc(*items: bytes) -> bytes:
    """Injective concatenation: each item behind its four-byte length (SPEC 2.2)."""
    return b"".join(len(item).to_bytes(4, "big") + item for item in items)


def tagged(tag: Tag, *items: bytes) -> bytes:
    """The bytes that are hashed, authenticated or signed under `tag`."""
    return enc(f"{PROTOCOL}/{tag.value}".encode("ascii"), *items)


def H(tag: Tag, *items: bytes) -> bytes:
    """Tagged SHA-256, 32 bytes (SPEC 2.3)."""
    return hashlib.sha256(tagged(tag, *items)).digest()


def MAC(key: bytes, tag: Tag, *items: bytes) -> bytes:
    """Tagged HMAC-SHA-256, 32 bytes (SPEC 2.3)."""
    return hmac.digest(key, tagged(tag, *items), "sha256")
