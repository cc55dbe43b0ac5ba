"""What the house needs from the world, as protocols; `store/` and `keys/` fill them.

Everything here is bytes and numbers: an edge knows how to keep and to sign, never what an
event means.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Step:
    """What one request appends, all or nothing (SPEC 8.2).

    `events` are canonical bytes in order, `first_seq` is the seq of the first. `receipt` is the
    canonical JSON of the signed receipt (SPEC 6.4) for the last of them, signed once and kept.
    """

    first_seq: int
    events: tuple[bytes, ...]
    receipt: bytes

    @property
    def head_seq(self) -> int:
        return self.first_seq + len(self.events) - 1


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """Who holds a seat: hashes only. `request_hash` makes the same request again a no-op."""

    seat: int
    token_hash: bytes
    request_hash: bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """A whole match as kept. `steps` are in order and cover every event once."""

    match_id: bytes
    sealed_seed: bytes
    steps: tuple[Step, ...]
    claims: tuple[SeatClaim, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """What of a listing changes: a status, the seats taken, the free seats open to anybody."""

    status: str
    taken: int
    open: int


@dataclass(frozen=True, slots=True)
class Listing:
    """What is told of a match to who looks for one, and what it can be found by.

    `join_by` (ms since 1970) is when its time to join is over. `told` is JSON of the house's that
    never changes and that no store reads.
    """

    ruleset: str
    join_by: int
    told: bytes
    standing: Standing


@dataclass(frozen=True, slots=True)
class Opening:
    """A new match: its first step, its sealed seed, the caller's idempotency key if any, and its
    listing; without one the match is in no list, for good.
    """

    match_id: bytes
    sealed_seed: bytes
    step: Step
    idempotency: tuple[str, bytes] | None = None
    listing: Listing | None = None


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to list: at most `limit` matches, the last opened first.

    Only those of this `status`, of this `ruleset`, with a `join_by` above `join_after`, and opened
    before the match `below`; None: any.
    """

    limit: int
    status: str | None = None
    ruleset: str | None = None
    join_after: int | None = None
    below: bytes | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """One match of a list: its listing, with the standing of its last step."""

    match_id: bytes
    join_by: int
    told: bytes
    standing: Standing


class SeqTaken(Exception):
    """Somebody else appended first; load the tail and decide again."""


class Store(Protocol):
    """One contract, one test suite for every store; threads may call it side by side."""

    def create(self, opening: Opening) -> bytes:
        """Keep a new match; returns its id.

        With an idempotency key that was used before: the id of *that* match when the request hash
        is the same (nothing is kept), else `Conflict("request/key-reused")`. A match id that was
        ever used before is `Conflict("match/id-used")`.
        """

    def load(self, match_id: bytes) -> Stored | None:
        """The whole match, or None. A consistent snapshot."""

    def tail(
        self, match_id: bytes, after_seq: int
    ) -> tuple[tuple[Step, ...], tuple[SeatClaim, ...]] | None:
        """The steps whose first seq is above `after_seq`, and all claims; None: no such match.

        `after_seq` is always the head of a step the caller has seen.
        """

    def append(
        self,
        match_id: bytes,
        step: Step,
        claim: SeatClaim | None = None,
        standing: Standing | None = None,
    ) -> None:
        """Append in one durable transaction, or raise and leave everything as it was.

        `standing` is the new one of a match that is listed; None: as it was.
        `SeqTaken` when `step.first_seq` is not exactly the next seq; `Missing("match/unknown")`;
        `Conflict("seat/taken")` when a claim for that seat exists.
        """

    def listed(self, wanted: Wanted) -> tuple[Listed, ...] | None:
        """Listed matches; None when `wanted.below` is not one.

        A match stands where it was kept, for ever: what is opened while somebody pages stands
        before all that he has still to see.
        """

    def close(self) -> None:
        """Release files and locks."""


class Vault(Protocol):
    """Seals server seeds at rest; the plain seed never leaves the process."""

    def seal(self, match_id: bytes, seed: bytes) -> bytes:
        """An opaque sealed blob, bound to the match id."""

    def open(self, match_id: bytes, sealed: bytes) -> bytes:
        """The 32-byte seed; `FairbonesError("house/seed-sealed")` when the key does not fit."""


class Signer(Protocol):
    """The house's receipt key (SPEC 6.4, 6.5)."""

    @property
    def key_id(self) -> str: ...

    @property
    def public_key(self) -> bytes: ...

    def sign(self, message: bytes, key_id: str | None = None) -> bytes:
        """64 bytes of Ed25519 under the key with that id, or the current one."""

    def verify(self, key_id: str, message: bytes, signature: bytes) -> bool:
        """Whether a key of this house, named by its id, signed the message."""

    def public_keys(self) -> Sequence[tuple[str, bytes]]:
        """(key id, public key) of every key this house has signed with, newest first."""


class Clock(Protocol):
    """Milliseconds since 1970."""

    def __call__(self) -> int: ...


class Entropy(Protocol):
    """`n` bytes from the operating system."""

    def __call__(self, n: int, /) -> bytes: ...
