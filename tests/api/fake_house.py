"""A house that knows one match and does what a test tells it: for tests of the edge alone."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence

from fairbones.core.errors import Missing
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

MATCH = bytes(range(16))
ADDRESS = f"/v1/matches/{MATCH.hex()}"
TOKEN = "0123456789abcdef" * 4
HEAD = b"\xaa" * 32

# Spaces and the order of keys show that nothing reads and writes them again.
EVENT = b'{"z": 1,  "a": "\xc3\xa9"}'
RECEIPT = b'{"receipt" :true}'
TRANSCRIPT = b'{"b": 1,  "a":2}\n'
VIEW: Mapping[str, object] = {"id": MATCH.hex(), "name": "\u00e9"}


class FakeHouse:
    """Fills `HouseContract`. `asked` are the calls, `error` is raised by the next ones."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, tuple[object, ...]]] = []
        self.error: Exception | None = None
        self.events_there: tuple[bytes, ...] = (EVENT,)
        self.appended = True
        self.released = threading.Event()
        self.waiting = threading.Semaphore(0)

    def _called(self, name: str, *values: object) -> None:
        self.asked.append((name, values))
        if self.error is not None:
            raise self.error

    def _known(self, match_id: bytes) -> None:
        if match_id != MATCH:
            raise Missing("match/unknown", "There is no such match here.")

    def rulesets(self) -> Sequence[Mapping[str, object]]:
        self._called("rulesets")
        return [{"id": "block"}]

    def ruleset(self, ruleset_id: str) -> Mapping[str, object]:
        self._called("ruleset", ruleset_id)
        return {"id": ruleset_id}

    def open(self, request: OpenRequest, idempotency_key: str | None = None) -> Opened:
        self._called("open", request, idempotency_key)
        return Opened(MATCH, EVENT, RECEIPT, created=self.appended)

    def matches(self, request: ListRequest) -> Matches:
        self._called("matches", request)
        return Matches(({"id": MATCH.hex()},), 7, "next" if self.appended else None)

    def _answer(self) -> Answer:
        return Answer((EVENT, EVENT), RECEIPT, VIEW, appended=self.appended)

    def sit(self, match_id: bytes, token: str, request: SitRequest) -> Answer:
        self._called("sit", match_id, token, request)
        return self._answer()

    def sweep(self, limit: int) -> Swept:
        self._called("sweep", limit)
        return Swept(0, 0, 0)

    def close(self) -> None:
        self._called("close")
        self.released.set()

    def leave(
        self, match_id: bytes, seat: int, token: str, signature: bytes | None = None
    ) -> Answer:
        self._called("leave", match_id, seat, token, signature)
        return self._answer()

    def reveal(
        self,
        match_id: bytes,
        seat: int,
        client_seed: bytes,
        seated_hash: bytes,
        signature: bytes | None = None,
    ) -> Answer:
        self._called("reveal", match_id, seat, client_seed, seated_hash, signature)
        return self._answer()

    def act(self, match_id: bytes, token: str, request: ActRequest) -> Answer:
        self._called("act", match_id, token, request)
        return self._answer()

    def view(self, match_id: bytes, token: str | None, at: int | None = None) -> Shown:
        self._called("view", match_id, token, at)
        self._known(match_id)
        return Shown(VIEW, RECEIPT, HEAD, None if token is None else 1)

    def events(self, match_id: bytes, after: int, wait: float) -> Followed:
        self._called("events", match_id, after, wait)
        self._known(match_id)
        if wait > 0 and not self.events_there:
            self.waiting.release()
            self.released.wait(wait)
        return Followed(self.events_there, 7, HEAD, RECEIPT)

    def transcript(self, match_id: bytes) -> bytes:
        self._called("transcript", match_id)
        self._known(match_id)
        return TRANSCRIPT

    def keys(self) -> Sequence[Mapping[str, object]]:
        self._called("keys")
        return [{"key_id": "ab" * 8}]

    def ready(self) -> None:
        self._called("ready")
