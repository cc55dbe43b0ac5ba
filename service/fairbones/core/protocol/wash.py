"""Server seed, round seeds and the sealed wash of a hand (SPEC 4).

A wash is the house's half of a deal: which thing lies at which position, and
the salted seal over each. It is fixed before any client seed exists.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from fairbones.core.protocol.encoding import MAC, H, Tag, enc, tagged, u32
from fairbones.core.protocol.shuffle import shuffle

WASHED_MAX = 6144  # rounds times things, SPEC 4.4: bounds the work of one opening


def server_seed_hash(match_id: bytes, seed: bytes) -> bytes:
    """The commitment to the server seed (SPEC 4.1)."""
    return H(Tag.SERVER_SEED, match_id, seed)


def round_seed(match_id: bytes, seed: bytes, r: int) -> bytes:
    """R_r; revealing one says nothing about another (SPEC 4.2)."""
    return MAC(seed, Tag.ROUND_SEED, match_id, u32(r))


def salt(seed_of_round: bytes, position: int) -> bytes:
    """The 32-byte salt of one position (SPEC 4.3)."""
    return MAC(seed_of_round, Tag.SALT, u32(position))


def seal(match_id: bytes, r: int, position: int, salt_: bytes, thing: bytes) -> bytes:
    """The salted hash that hides and binds the thing at one position (SPEC 4.3)."""
    return H(Tag.SEAL, match_id, u32(r), u32(position), salt_, thing)


def wash_root(match_id: bytes, r: int, seals: Sequence[bytes]) -> bytes:
    """W_r over all seals in position order (SPEC 4.3)."""
    return H(Tag.WASH_ROOT, match_id, u32(r), b"".join(seals))


@dataclass(frozen=True, slots=True)
class Wash:
    """One hand's wash: `order[i]` indexes the list of things; all by position."""

    r: int
    order: tuple[int, ...]
    salts: tuple[bytes, ...]
    seals: tuple[bytes, ...]
    root: bytes

    def __repr__(self) -> str:
        return f"Wash(r={self.r}, things={len(self.order)})"  # never a salt in a log line


def wash(match_id: bytes, seed_of_round: bytes, r: int, things: Sequence[bytes]) -> Wash:
    """Shuffle and seal `things` (their bytes, in list order) for hand `r` (SPEC 4.3).

    The prefixes of the hashes are the same for every position and are made once:
    an opening of 32 hands is the dearest request there is.
    """
    order = shuffle(seed_of_round, Tag.WASH_ORDER, r, len(things))
    salts = [salt(seed_of_round, i) for i in range(len(things))]
    head = hashlib.sha256(tagged(Tag.SEAL, match_id, u32(r)))
    seals: list[bytes] = []
    for i, index in enumerate(order):
        thing = things[index]
        digest = head.copy()
        digest.update(enc(u32(i), salts[i], thing))
        seals.append(digest.digest())
    return Wash(r, tuple(order), tuple(salts), tuple(seals), wash_root(match_id, r, seals))
