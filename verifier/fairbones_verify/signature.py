"""One receipt: its bytes and its signature (SPEC 6.4)."""

from __future__ import annotations

from typing import Any

from .ed25519 import valid
from .hashing import enc, u32

Receipt = dict[str, Any]


def signed_bytes(match: bytes, seq: int, event_hash: bytes) -> bytes:
    """The message under a receipt's signature."""
    return enc(b"fairbones/1/receipt", match, u32(seq), event_hash)


def signed_by(receipt: dict[str, Any], public_key: bytes) -> bool:
    """Whether a receipt of the right shape carries a valid signature of `public_key` (32 bytes)."""
    if receipt["seq"] >= 2**32:  # no u32: nobody can have signed it
        return False
    message = signed_bytes(
        bytes.fromhex(receipt["match"]), receipt["seq"], bytes.fromhex(receipt["event_hash"])
    )
    return valid(public_key, message, bytes.fromhex(receipt["signature"]))
