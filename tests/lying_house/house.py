"""The service with a tongue of its own: over real HTTP it tells one lie, in its chain or an answer.

Its clock stands still until it is moved, and its chance is counted: a lie falls on the same tile
every time.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from unittest import mock

from fairbones.core.match import MatchState, deadline, open_match
from fairbones.core.match.commands import Command, Open
from fairbones.core.match.evolve import begin, evolve
from fairbones.core.match.owed import owed
from fairbones.core.match.steps import Draft
from fairbones.core.match.table import TABLE
from fairbones.core.protocol import chain
from fairbones.house import desk, kept, openings
from fairbones_verify.client import wire
from tests.client.houses import Json, Loopback

NOON = 1_798_800_000_000
Start = Callable[..., Any]
FROM = re.compile("/from/([a-z0-9]+)(/.*)")


@dataclass
class Told:
    """What may be lied about. state: as the house believes it, before the event.

    type: "" where the step is over; a lie may go on. meant: the house believes the lie itself.
    instead: what it believes after the event, where its own mind would refuse that. believe: what
    it believes besides.
    """

    state: MatchState
    command: Command | Open
    type: str
    data: Json
    at: int
    meant: bool = False
    instead: Callable[[MatchState], MatchState] | None = None
    believe: Callable[[MatchState], MatchState] = lambda state: state


@dataclass
class Asked:
    """A request and the answer that the lie may change. seat: who asks, None when nobody knows."""

    house: LyingHouse
    method: str
    path: str
    seat: int | None
    status: int
    body: Json


class LyingHouse(Loopback):
    """bend: changes an event before it is written. twist: changes an answer before it is sent.

    `lies` are the seqs of the events that were bent; `twisted` how many answers were. `minded`:
    what the house makes of its own chain before it decides.
    """

    def __init__(
        self,
        folder: Path,
        bend: Callable[[LyingHouse, Told], object] = lambda _house, _told: None,
        twist: Callable[[Asked], object] = lambda _asked: None,
    ) -> None:
        self._drawn = 0
        super().__init__(folder, self._entropy)
        self.bend, self.twist = bend, twist
        self.lies: list[int] = []
        self.twisted = 0
        self.memory: Json = {}  # what a lie has to remember
        self._minds: dict[bytes, MatchState] = {}  # what it believes after each of its events
        self.minded: Callable[[MatchState], MatchState] = lambda state: state
        self._patches = (
            mock.patch.object(desk, "decide", self._decide),
            mock.patch.object(openings, "open_match", self._open),
            mock.patch.object(kept, "evolve", self._remembered),
        )

    def _entropy(self, n: int, /) -> bytes:
        self._drawn += 1
        return hashlib.sha256(b"chance 8 %d" % self._drawn).digest()[:n]

    def _now(self) -> int:
        return NOON + self.ahead

    def everybodys_clock(self) -> mock._patch[Callable[[], int]]:
        """While it is started, the clients' own clocks go with the house's: so time that passes
        need not be waited for."""
        return mock.patch.object(wire, "now", self._now)

    def __enter__(self) -> Self:
        for patch in self._patches:
            patch.start()
        return super().__enter__()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        super().__exit__(kind, error, at)
        for patch in self._patches:
            patch.stop()

    # What is written

    def _open(self, command: Open) -> tuple[chain.Event, MatchState]:
        honest, state = open_match(command)
        data = json.loads(json.dumps(dict(honest.data)))
        told = Told(state, command, "opened", data, command.now)
        self.bend(self, told)
        event = chain.seal_event(command.match, 0, chain.NO_PREV, command.now, "opened", told.data)
        if event.hash != honest.hash:
            self.lies.append(0)
        return event, begin(event, command.server_seed)

    def _decide(
        self, state: MatchState, command: Command
    ) -> tuple[tuple[chain.Event, ...], MatchState]:
        state, at = self.minded(state), max(command.now, state.at)
        draft: Draft | None = TABLE[state.stage, type(command)](state, command)
        events: list[chain.Event] = []
        while True:
            told = Told(state, command, "", {}, at)
            if draft is not None:
                told.type, told.data = draft.type, json.loads(json.dumps(dict(draft.data)))
            self.bend(self, told)
            if not told.type:
                return tuple(events), state
            event = self._event(state, told.type, told.data, told.at)
            state = told.believe(self._believed(state, draft, event, told, at))
            at = max(at, told.at)
            events.append(event)
            state = replace(state, seq=event.seq, head=event.hash, at=event.at)
            self._minds[event.hash] = state
            draft = owed(state)

    def _remembered(self, state: MatchState, event: chain.Event) -> MatchState:
        """Whoever reads the chain from the store is told what the house believes, too: else it
        would be chance what the views say."""
        mind = self._minds.get(event.hash)
        return evolve(state, event) if mind is None else mind

    def _believed(
        self, state: MatchState, draft: Draft | None, event: chain.Event, told: Told, at: int
    ) -> MatchState:
        """The house goes on from what is true, unless the lie can be believed as well."""
        if told.instead is not None:
            self.lies.append(event.seq)
            return told.instead(state)
        if draft is None:
            self.lies.append(event.seq)
            return evolve(state, event)
        honest = self._event(state, draft.type, dict(draft.data), at)
        if event.hash == honest.hash:
            return evolve(state, honest)
        self.lies.append(event.seq)
        if told.meant:
            return evolve(state, event)
        return evolve(state, honest)

    @staticmethod
    def _event(state: MatchState, type_: str, data: Json, at: int) -> chain.Event:
        return chain.seal_event(state.terms.match, state.seq + 1, state.head, at, type_, data)

    def receipt(self, match: str, seq: int, hashed: bytes, key_id: str | None = None) -> Json:
        """Whatever the house likes to sign, under its own key."""
        name, raw = key_id or self.signer.key_id, bytes.fromhex(match)
        signature = self.signer.sign(chain.receipt_message(raw, seq, hashed), name)
        said: Json = json.loads(chain.receipt(raw, seq, hashed, name, signature))
        return said

    # What is answered

    def wsgi(self) -> Any:
        return self._answer

    def _answer(self, environ: Json, start: Start) -> Iterable[bytes]:
        seat = self._who(environ)
        kept: list[Any] = []

        def starting(*said: Any) -> Callable[[bytes], object]:
            kept.extend(said[:2])
            return lambda _data: None

        data = b"".join(self.app(environ, starting))
        status, headers = kept
        told = Asked(
            self, environ["REQUEST_METHOD"], environ["PATH_INFO"], seat, int(status[:3]), {}
        )
        if "json" in dict(headers).get("Content-Type", ""):
            told.body = json.loads(data)
            self.twist(told)
            spelled = json.dumps(
                told.body, ensure_ascii=False, sort_keys=True, separators=(",", ":")
            )
            if json.loads(data) != told.body:
                self.twisted += 1
                data = spelled.encode()
        headers = [one for one in headers if one[0].lower() != "content-length"]
        start(f"{told.status} X", [*headers, ("Content-Length", str(len(data)))])
        return [data]

    @staticmethod
    def _who(environ: Json) -> int | None:
        """Everybody came by an address of their own; a real house would find other ways to tell."""
        found = FROM.match(environ["PATH_INFO"])
        if found is None:
            return None
        environ["PATH_INFO"] = found[2]
        return None if found[1] == "spectator" else int(found[1])

    def door(self, name: object) -> str:
        """The address for a seat, or for the `spectator`."""
        return f"{self.url}/from/{name}"

    # Time

    def state(self, match: str) -> MatchState:
        """What the house believes."""
        return self.house._desk.fresh(bytes.fromhex(match)).state

    def skip(self, match: str, silent: set[int]) -> None:
        """Where the match waits for nobody but silent seats, their time is over at once."""
        state = self.state(match)
        waited = [*state.free_seats()] if state.turn is None else [state.turn]
        if state.turn is None and not waited:
            waited = [*state.unrevealed()]
        due = deadline(state)
        if due is not None and waited and set(waited) <= silent:
            self.ahead = max(self.ahead, due - NOON + 1)
            self.house.view(bytes.fromhex(match), None)
