"""Client seeds, the cut key and the map of a hand (SPEC 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairbones.core.protocol.encoding import H, Tag, u32
from fairbones.core.protocol.shuffle import shuffle


def client_commitment(opened_hash: bytes, seat: int, public_key: bytes, seed: bytes) -> bytes:
    """What a seat sends before any seed is known; `public_key` is empty without one (SPEC 5.1)."""
    return H(Tag.CLIENT_SEED, opened_hash, u32(seat), public_key, seed)


def cut_key(opened_hash: bytes, seeds: Sequence[bytes]) -> bytes:
    """K, from every seat's seed in seat order (SPEC 5.3)."""
    return H(Tag.CUT_KEY, opened_hash, *seeds)


@dataclass(frozen=True, slots=True)
class Cut:
    """Who gets which position of hand r; all values are positions in the wash."""

    hands: tuple[tuple[int, ...], ...]
    boneyard: tuple[int, ...]


def cut(key: bytes, r: int, things: int, seats: int, hand_size: int) -> Cut:
    """Deal `hand_size` positions to each seat, the rest is the boneyard (SPEC 5.4)."""
    positions = shuffle(key, Tag.CUT_MAP, r, things)
    hands = tuple(tuple(positions[k * hand_size : (k + 1) * hand_size]) for k in range(seats))
    return Cut(hands, tuple(positions[seats * hand_size :]))
