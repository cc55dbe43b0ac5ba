"""A house of its own with one match, and the wash of a hand that may have been another.

Two worlds draw the same chance, have the same clock and are asked the same. In one of them two
positions of a hand's wash are exchanged. The cut is held equal: it would follow from `opened`,
which commits to every wash, so here it follows from the seats' seeds alone.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, NamedTuple

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from fairbones.api.front import front_of, set_up
from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.core.match import MatchState, Round, dealing, evolve
from fairbones.core.protocol import cut
from fairbones.core.protocol.chain import Event, read_event
from fairbones.core.protocol.wash import Wash, seal, wash, wash_root
from fairbones.house.kept import Kept
from fairbones.house.service import House
from fairbones.keys.signer import ReceiptSigner
from fairbones.keys.vault import SeedVault
from tests.api.table import NOON, token_of
from tests.house.memory_store import MemoryStore

Json = dict[str, Any]
_HEX = re.compile(r"[0-9a-f]{64,}")


class Exchange(NamedTuple):
    """Two positions of the wash of hand `r` whose tiles have changed places."""

    r: int
    p: int
    q: int

    @property
    def places(self) -> tuple[int, int]:
        """The two positions."""
        return self.p, self.q


def exchanged(made: Wash, match: bytes, things: Sequence[bytes], swap: Exchange) -> Wash:
    """The wash with two tiles exchanged: positions and salts stay, seals follow the tiles."""
    order, seals = list(made.order), list(made.seals)
    order[swap.p], order[swap.q] = order[swap.q], order[swap.p]
    for place in swap.places:
        thing = things[order[place]]
        seals[place] = seal(match, made.r, place, made.salts[place], thing)
    return replace(
        made, order=tuple(order), seals=tuple(seals), root=wash_root(match, made.r, seals)
    )


class Washes:
    """`dealing.wash` of whichever world is asked just now."""

    def __init__(self) -> None:
        self._swap: Exchange | None = None

    def __call__(self, match: bytes, seed: bytes, r: int, things: Sequence[bytes]) -> Wash:
        made = wash(match, seed, r, things)
        if self._swap is None or self._swap.r != r:
            return made
        return exchanged(made, match, things, self._swap)

    @contextmanager
    def of(self, swap: Exchange | None) -> Iterator[None]:
        """As long as it lasts, that world deals."""
        self._swap = swap
        try:
            yield
        finally:
            self._swap = None


WASHES = Washes()


def hold_the_cut(patch: pytest.MonkeyPatch) -> None:
    """Deal from `WASHES`, by a cut of the seats' seeds alone."""
    patch.setattr(dealing, "wash", WASHES)
    patch.setattr(evolve, "cut_key", lambda _hash, seeds: cut.cut_key(bytes(32), seeds))


@cache
def _edge(number: int) -> Flask:
    return build_api(House(MemoryStore(), _vault(), _signer(), lambda: 0, bytes), Limits())


@cache
def _signer() -> ReceiptSigner:
    return ReceiptSigner((bytes(range(32, 64)),))


def _vault() -> SeedVault:
    return SeedVault((bytes(range(32)),))


@dataclass(frozen=True)
class Request:
    """What a viewer asks, in the hashes of whichever world it is asked in.

    `token` is a seat's; `body` and `headers` are made of that world.
    """

    method: str
    address: str  # `{}` is the match's
    token: str | None = None
    body: Callable[[World], object] | None = None
    headers: Callable[[World], Mapping[str, str]] | None = None


class Answer(NamedTuple):
    """All that a client can tell answers apart by, with the world's own hashes by their names."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: str
    length: int


class World:
    """One house, one match, its events so far, and the hashes that are this world's alone."""

    def __init__(self, number: int, swap: Exchange | None) -> None:
        self.now = NOON
        self.swap = swap
        self.store = MemoryStore()
        self._drawn = 0
        self.house = House(self.store, _vault(), _signer(), lambda: self.now, self._entropy)
        self.app = _edge(number)
        self.match = b""
        self.events: list[Event] = []
        self._names: dict[str, str] = {}
        self._steps = 0

    def _entropy(self, n: int, /) -> bytes:
        self._drawn += 1
        return hashlib.sha256(b"chance %d" % self._drawn).digest()[:n]

    def ask(self, request: Request, now: int) -> TestResponse:
        """One request at one moment; afterwards the events are those of the store."""
        self.now = now
        # Its own id for each request would tell any two answers apart.
        headers = {"X-Request-ID": "same"}
        if request.headers is not None:
            headers |= request.headers(self)
        if request.token is not None:
            headers["Authorization"] = f"Bearer {request.token}"
        body: Json = {} if request.body is None else {"json": request.body(self)}
        if front_of(self.app).house is not self.house:
            set_up(self.app, self.house, Limits())
        address = request.address.format(f"/v1/matches/{self.match.hex()}")
        with WASHES.of(self.swap):
            answer = self.app.test_client(use_cookies=False).open(
                address, method=request.method, headers=headers, **body
            )
        self._look()
        return answer

    def _look(self) -> None:
        """Read what was appended, and name the hashes in it."""
        if not self.match and self.store.matches:
            self.match = next(iter(self.store.matches))
        if not self.match:
            return
        steps = self.store.matches[self.match].steps
        for step in steps[self._steps :]:
            for event in map(read_event, step.events):
                self.events.append(event)
                self._name(event)
            for number, value in enumerate(_HEX.findall(step.receipt.decode())):
                self._names.setdefault(value, f"receipt {step.head_seq} {number}")
        self._steps = len(steps)

    def _name(self, event: Event) -> None:
        self._names[event.hash.hex()] = f"event {event.seq}"
        data: Json = dict(event.data)
        for member in ("signature", "client_seed_commitment"):
            if member in data:
                self._names[data[member]] = f"{member} {event.seq}"
        for member in ("washes", "seals"):
            for place, value in enumerate(data.get(member, ())):
                self._names[value] = f"{member} {event.seq} {place}"

    def named(self, text: str) -> str:
        """A text with this world's hashes by name, each as long as it was."""

        def name(found: re.Match[str]) -> str:
            value = found.group()
            return f"<{self._names[value]}>".center(len(value)) if value in self._names else value

        return _HEX.sub(name, text)

    def told(self, answer: TestResponse) -> Answer:
        """An answer as it is compared."""
        headers = tuple((name, self.named(value)) for name, value in answer.headers)
        return Answer(answer.status_code, headers, self.named(answer.text), len(answer.data))

    def stated(self, after: int) -> list[tuple[int, str, str]]:
        """Moment, type and data of the events from a seq on, with hashes by name."""
        return [(e.at, e.type, self.named(repr(e.data))) for e in self.events[after:]]

    def moves(self, seat: int) -> list[Json]:
        """The legal actions of a seat as it is shown them, calls apart; it was asked just now."""
        if self.state.round is None:
            return []
        with WASHES.of(self.swap):
            shown: Json = dict(self.house.view(self.match, token_of(seat)).view)
        return [it for it in shown["you"]["legal_actions"] if it["type"] != "call"]

    @property
    def kept(self) -> Kept:
        """The match as the house remembers it."""
        with WASHES.of(self.swap):
            return self.house._desk.fresh(self.match)

    @property
    def state(self) -> MatchState:
        """The state at the head."""
        return self.kept.state

    def before(self, seq: int) -> MatchState:
        """The state before an event."""
        kept = self.kept
        with WASHES.of(self.swap):
            return kept.state if seq > kept.state.seq else kept.before(seq)

    @property
    def dealt(self) -> Round:
        """The hand in progress, which must be there."""
        found = self.state.round
        assert found is not None
        return found
