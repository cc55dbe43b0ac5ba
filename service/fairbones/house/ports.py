"""What the house needs from the world, as protocols; `store/` and `keys/` fill them.

Everything here is bytes and numbers: an edge knows how to keep and to sign, never what an
event means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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

    `due` (ms since 1970): before it the clock owes this match nothing (`Store.due`).
    """

    match_id: bytes
    sealed_seed: bytes
    step: Step
    idempotency: tuple[str, bytes] | None = None
    listing: Listing | None = None
    due: int = 0


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


class SetBack(Exception):
    """The store does not hold what was appended to it and shown: it has lost history."""


class Ears(Protocol):
    """Who is told that a match has grown, whichever process appended."""

    def ring(self, match_id: bytes) -> None:
        """This match has grown, or may have."""

    def ring_all(self) -> None:
        """Any match may have grown."""

    def deaf(self, deaf: bool) -> None:
        """While deaf, appends of other processes may go unheard."""


class Store(Protocol):
    """One contract, one test suite for every store; threads may call it side by side."""

    def listen(self, ears: Ears) -> None:
        """Tell `ears` of what other processes append, from now on; called once at most.

        A store that no other process can write to has nothing to tell.
        """

    def choose(self, key: str, request_hash: bytes, match_id: bytes) -> bytes:
        """Under which id to open a match for an idempotency key.

        `match_id`, or the one that this very request was given before, kept or not yet; another
        request with the key is `Conflict("request/key-reused")`.
        """

    def create(self, opening: Opening) -> bytes:
        """Keep a new match; returns its id.

        With an idempotency key that was used before: the id of *that* match when the request hash
        is the same (nothing is kept), else `Conflict("request/key-reused")`. A match id that was
        ever used before is `Conflict("match/id-used")`.
        """

    def load(self, match_id: bytes) -> Stored | None:
        """The whole match, or None. A consistent snapshot."""

    def tail(
        self, match_id: bytes, seen: Sequence[Step]
    ) -> tuple[tuple[Step, ...], tuple[SeatClaim, ...]] | None:
        """The steps after `seen`, which the caller holds from the first on, and all claims.

        None: no such match. `SetBack` when the last of `seen` is not in its place here.
        """

    def append(
        self,
        match_id: bytes,
        step: Step,
        claim: SeatClaim | None = None,
        standing: Standing | None = None,
        after: Step | None = None,
    ) -> None:
        """Append in one durable transaction, or raise and leave everything as it was.

        `standing` is the new one of a match that is listed; None: as it was.
        `SeqTaken` when `step.first_seq` is not exactly the next seq, or when the last step here is
        not `after`, which the caller decided on; `Missing("match/unknown")`;
        `Conflict("seat/taken")` when a claim for that seat exists.
        When it raises `FairbonesError("store/unknown-outcome")` the step may have been kept:
        whoever repeats the request is told.
        """

    def listed(self, wanted: Wanted) -> tuple[Listed, ...] | None:
        """Listed matches; None when `wanted.below` is not one.

        A match stands where it was kept, for ever: what is opened while somebody pages stands
        before all that he has still to see.
        """

    def due(self, now: int, limit: int) -> tuple[bytes, ...]:
        """Matches that the clock may owe something by `now` (ms), the longest due first.

        A match comes again until `defer` says when to look next.
        """

    def defer(self, match_id: bytes, due: int | None) -> None:
        """Nothing is owed before `due`; None: never again, the match is over, which is final."""

    def ready(self) -> None:
        """Returns when a write could be kept, as far as can be seen without one.

        Else it raises what the write would.
        """

    def close(self) -> None:
        """Release files, connections and locks."""


@dataclass(frozen=True, slots=True)
class Whole:
    """All that is kept of one match, as it goes from one store to another.

    `listing` has the standing of the last step; `due` is None for a match that is over.
    """

    stored: Stored
    idempotency: tuple[str, bytes] | None
    listing: Listing | None
    due: int | None


class Archive(Protocol):
    """What the operator's commands ask of a store, beside `Store`."""

    def ids(self, after: bytes | None, limit: int) -> tuple[bytes, ...]:
        """Matches kept here, in the order of their ids, above `after`."""

    def whole(self, match_id: bytes) -> Whole | None:
        """Everything of a match; None: not here, or forgotten."""

    def adopt(self, whole: Whole) -> bool:
        """Keep a match of another store, all or nothing; False when it is here with these steps.

        `Conflict("match/id-used")` for a match of this id that has other steps or was forgotten,
        `Conflict("request/key-reused")` when its idempotency key belongs to another match.
        """

    def reseal(self, match_id: bytes, old: bytes, new: bytes) -> bool:
        """Put `new` for the sealed seed of a match if it still is `old`; whether it was."""

    def forget(self, match_id: bytes) -> bool:
        """Drop a match but for its id, which stays used for ever; False: there was none.

        Its idempotency key is free again: a request with it opens another match.
        """

    def known_keys(self) -> frozenset[str]:
        """The ids of all house keys ever remembered; empty for a new store."""

    def remember_keys(self, key_ids: Iterable[str]) -> None:
        """Note that from now on these keys may be needed to go on."""


class Meter(Protocol):
    """What the house counts for its operator."""

    def appended(self, events: int) -> None:
        """A step of so many events was appended."""

    def conflict(self) -> None:
        """Somebody else had appended first."""

    def lock_waited(self, seconds: float) -> None:
        """So long a request waited for its turn at a match."""

    def waiting(self, readers: int) -> None:
        """So many readers more (or, below 0, fewer) wait for events."""

    def history_lost(self, match_id: bytes) -> None:
        """The store does not hold a head of this match that was shown."""


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
