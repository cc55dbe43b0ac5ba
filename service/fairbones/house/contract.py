"""The house as its edges see it. `house.service.House` is the one that works."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fairbones.house.messages import (
    ActRequest,
    Answer,
    Followed,
    ListRequest,
    Matches,
    Opened,
    OpenRequest,
    Shown,
    SitRequest,
)
from fairbones.house.sweep import Swept


class HouseContract(Protocol):
    """Every call may raise `FairbonesError` with a stable code and append nothing then.

    A call on a match first applies a deadline that has passed (the touch of SPEC 8.4).
    `token` is the bearer token as the client sent it, without the scheme. What a seat with a key
    says carries its `signature`, and nothing else does (SPEC 5.6): `Illegal("signature/...")`.
    """

    def rulesets(self) -> Sequence[Mapping[str, object]]:
        """Every ruleset with its options, JSON-ready."""

    def ruleset(self, ruleset_id: str) -> Mapping[str, object]:
        """One of them; `Missing("ruleset/unknown")`."""

    def open(self, request: OpenRequest, idempotency_key: str | None = None) -> Opened:
        """Wash, seal, commit.

        `Illegal("options/...")`, `Illegal("ruleset/...")`, `Illegal("seat/bad-key")`,
        `Conflict("request/key-reused")`.
        """

    def matches(self, request: ListRequest) -> Matches:
        """One page of the listed matches, the newest first; touches none of them.

        `Missing("ruleset/unknown")`, `Unreadable("request/cursor")`.
        """

    def sit(self, match_id: bytes, token: str, request: SitRequest) -> Answer:
        """Take a seat. `Conflict("seat/taken")`; the same token and request again is a no-op."""

    def leave(
        self, match_id: bytes, seat: int, token: str, signature: bytes | None = None
    ) -> Answer:
        """Leave for good: void before the deal, the fixed rule after it (SPEC 8.3, 8.4)."""

    def reveal(
        self,
        match_id: bytes,
        seat: int,
        client_seed: bytes,
        seated_hash: bytes,
        signature: bytes | None = None,
    ) -> Answer:
        """Reveal a committed seed; needs no token, it proves itself (SPEC 5.2)."""

    def act(self, match_id: bytes, token: str, request: ActRequest) -> Answer:
        """One action by the seat that holds `token`; `Stale("match/stale")` carries the head."""

    def view(self, match_id: bytes, token: str | None, at: int | None = None) -> Shown:
        """The public view, or the seat's with its token; `Forbidden("auth/token-unknown")`."""

    def events(self, match_id: bytes, after: int, wait: float) -> Followed:
        """Events with seq > `after` (-1: all).

        Waits up to `wait` seconds for one, and wakes at a deadline.
        """

    def transcript(self, match_id: bytes) -> bytes:
        """The evidence bundle of SPEC 6.6 in canonical form."""

    def keys(self) -> Sequence[Mapping[str, object]]:
        """`{"key_id","public_key","current"}` of every receipt key, newest first."""

    def ready(self) -> None:
        """Returns when the store answers, raises `FairbonesError` otherwise."""

    def sweep(self, limit: int) -> Swept:
        """Apply what the clock owes to up to `limit` matches that nobody may have touched."""

    def close(self) -> None:
        """The service stops: whoever waits for events is answered now."""
