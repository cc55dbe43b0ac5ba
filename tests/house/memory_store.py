"""`house.ports.Store` in memory, to the letter of its contract, with a place to go wrong at."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from fairbones.core.errors import Conflict, Missing
from fairbones.house.ports import (
    Ears,
    Listed,
    Listing,
    Opening,
    SeatClaim,
    SeqTaken,
    SetBack,
    Standing,
    Step,
    Stored,
    Wanted,
)

Fault = Callable[[Step], None]


def _no_fault(_step: Step) -> None:
    """Nothing goes wrong."""


@dataclass
class Match:
    """One match as it lies in the store."""

    sealed_seed: bytes
    steps: list[Step]
    claims: dict[int, SeatClaim] = field(default_factory=dict)
    listing: Listing | None = None
    due: int | None = 0

    @property
    def next_seq(self) -> int:
        """The seq the next step has to begin with."""
        return self.steps[-1].head_seq + 1


class MemoryStore:
    """Threads may call it side by side; an append is kept whole or not at all.

    `before` and `after` are called inside an append, before and after the step is kept: what they
    raise is what a disk or another writer would do there.
    """

    def __init__(self) -> None:
        self.matches: dict[bytes, Match] = {}
        self.before: Fault = _no_fault
        self.after: Fault = _no_fault
        self._keys: dict[str, tuple[bytes, bytes]] = {}
        self._lock = threading.RLock()

    def listen(self, ears: Ears) -> None:
        """See `Store.listen`: nobody else can write here."""

    def choose(self, key: str, request_hash: bytes, match_id: bytes) -> bytes:
        """See `Store.choose`."""
        with self._lock:
            kept = self._keys.setdefault(key, (request_hash, match_id))
        if kept[0] != request_hash:
            raise Conflict("request/key-reused", "another request had this key")
        return kept[1]

    def create(self, opening: Opening) -> bytes:
        """See `Store.create`."""
        if opening.step.first_seq != 0 or not opening.step.events:
            raise ValueError("a match begins with an event at seq 0")
        with self._lock:
            if opening.idempotency is not None:
                key, request_hash = opening.idempotency
                earlier = self._keys.get(key)
                if earlier is not None and earlier[0] != request_hash:
                    raise Conflict("request/key-reused", "another request had this key")
                if earlier is not None and earlier[1] in self.matches:
                    return earlier[1]
            if opening.match_id in self.matches:
                raise Conflict("match/id-used", "a match with this id exists")
            self.before(opening.step)
            self.matches[opening.match_id] = Match(
                opening.sealed_seed, [opening.step], listing=opening.listing, due=opening.due
            )
            if opening.idempotency is not None:
                self._keys[opening.idempotency[0]] = (opening.idempotency[1], opening.match_id)
            self.after(opening.step)
        return opening.match_id

    def load(self, match_id: bytes) -> Stored | None:
        """See `Store.load`."""
        with self._lock:
            match = self.matches.get(match_id)
            if match is None:
                return None
            return Stored(match_id, match.sealed_seed, tuple(match.steps), self._claims(match))

    def tail(
        self, match_id: bytes, seen: Sequence[Step]
    ) -> tuple[tuple[Step, ...], tuple[SeatClaim, ...]] | None:
        """See `Store.tail`."""
        with self._lock:
            match = self.matches.get(match_id)
            if match is None:
                return None
            if match.steps[len(seen) - 1 : len(seen)] != [seen[-1]]:
                raise SetBack
            return tuple(match.steps[len(seen) :]), self._claims(match)

    def append(
        self,
        match_id: bytes,
        step: Step,
        claim: SeatClaim | None = None,
        standing: Standing | None = None,
        after: Step | None = None,
    ) -> None:
        """See `Store.append`."""
        if not step.events:
            raise ValueError("a step has events")
        self.before(step)
        with self._lock:
            match = self.matches.get(match_id)
            if match is None:
                raise Missing("match/unknown", "there is no match with this id")
            if step.first_seq != match.next_seq or after not in (None, match.steps[-1]):
                raise SeqTaken
            if claim is not None:
                if claim.seat in match.claims:
                    raise Conflict("seat/taken", "this seat is taken")
                match.claims[claim.seat] = claim
            match.steps.append(step)
            if standing is not None and match.listing is not None:
                match.listing = replace(match.listing, standing=standing)
        self.after(step)

    def listed(self, wanted: Wanted) -> tuple[Listed, ...] | None:
        """See `Store.listed`."""
        with self._lock:
            kept = [(it, match.listing) for it, match in self.matches.items() if match.listing]
        older = dict(kept)
        if wanted.below is not None:
            if wanted.below not in older:
                return None
            older = dict(kept[: [it for it, _ in kept].index(wanted.below)])
        found = [
            Listed(match_id, listing.join_by, listing.told, listing.standing)
            for match_id, listing in older.items()
            if wanted.status in (None, listing.standing.status)
            and wanted.ruleset in (None, listing.ruleset)
            and (wanted.join_after is None or listing.join_by > wanted.join_after)
        ]
        return tuple(found[::-1][: wanted.limit])

    def due(self, now: int, limit: int) -> tuple[bytes, ...]:
        """See `Store.due`."""
        with self._lock:
            found = sorted(
                (match.due, it)
                for it, match in self.matches.items()
                if match.due is not None and match.due <= now
            )
        return tuple(it for _, it in found[:limit])

    def defer(self, match_id: bytes, due: int | None) -> None:
        """See `Store.defer`."""
        with self._lock:
            match = self.matches.get(match_id)
            if match is not None and match.due is not None:
                match.due = due

    def ready(self) -> None:
        """See `Store.ready`: there is always room."""

    def close(self) -> None:
        """See `Store.close`: there is nothing to release."""

    def stored_bytes(self) -> bytes:
        """Everything that is kept, for a thief to look through."""
        kept: list[bytes] = []
        for match_id, match in self.matches.items():
            kept += [match_id, match.sealed_seed]
            for step in match.steps:
                kept += [*step.events, step.receipt]
            if match.listing is not None:
                kept.append(match.listing.told)
            for claim in match.claims.values():
                kept += [claim.token_hash, claim.request_hash]
        for key, (request_hash, match_id) in self._keys.items():
            kept += [key.encode(), request_hash, match_id]
        return b"\n".join(kept)

    @staticmethod
    def _claims(match: Match) -> tuple[SeatClaim, ...]:
        return tuple(match.claims[seat] for seat in sorted(match.claims))
