"""What a seat with a key signs: one message for each thing that it says (SPEC 5.6)."""

from __future__ import annotations

from fairbones.core.protocol.encoding import Tag, tagged, u32


def register_message(
    opened_hash: bytes,
    seat: int,
    public_key: bytes,
    *,
    commitment: bytes = b"",
    client_seed: bytes = b"",
    name: str = "",
) -> bytes:
    """Joining; what is not sent is empty. It proves that who sits down has the key's other half."""
    told = (public_key, commitment, client_seed, name.encode("ascii"))
    return tagged(Tag.REGISTER, opened_hash, u32(seat), *told)


def seed_message(opened_hash: bytes, seated_hash: bytes, seat: int, client_seed: bytes) -> bytes:
    """Revealing a seed for one seating."""
    return tagged(Tag.SEED, opened_hash, seated_hash, u32(seat), client_seed)


def move_message(opened_hash: bytes, seq: int, prev: bytes, seat: int, action: bytes) -> bytes:
    """An action, in canonical form, as the event `seq` after the one with the hash `prev`."""
    return tagged(Tag.MOVE, opened_hash, u32(seq), prev, u32(seat), action)


def leave_message(opened_hash: bytes, seat: int) -> bytes:
    """Leaving for good."""
    return tagged(Tag.LEAVE, opened_hash, u32(seat))
