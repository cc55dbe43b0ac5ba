"""Following a match over HTTP, as anybody may: what a seat and a spectator have in common."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any, Callable

from ..table import Event
from .admission import excused, lost
from .guard import Guard
from .lies import Gap, HistoryLost, Lie, NoGame, Refused, Unreachable
from .wire import Answer, Wire

pause = time.sleep
LONG_POLL = 20  # seconds
PAUSE = 0.5  # seconds at least between two requests for the same, when nothing has happened
AFTER = 20.0  # seconds that a house has for its transcript, once it was found to lie
GRACE = 5.0  # seconds in which a house that is back may still be shown what it lost, and say so


class Follower:
    """Asks the house of one match, and tells the guard each answer. Good for a spectator.

    `last` is the last answer as it came: evidence, when it was a lie. `other` is the transcript as
    the house served it after the lie, b"" where it did not.
    """

    def __init__(self, wire: Wire, guard: Guard) -> None:
        self.wire, self.guard = wire, guard
        self.address = f"/v1/matches/{guard.chronicle.match}"
        self.last = self.other = b""
        self.watching: Callable[[int], object] | None = None  # told the seq of the first new event
        self.stopping: Callable[[Lie], object] | None = None  # told a lie before anything is asked
        self.unsaved = ""  # why what was seen last is not in the keep
        self.longest: float = LONG_POLL
        self.grace = GRACE
        self._at, self._since = -1, dict[object, float]()  # when what was asked, at this head

    def watch(self, seconds: float) -> None:
        """As a spectator, to the end of the match or of the time."""
        end = time.monotonic() + seconds
        with self.attending():
            self.begin()
            while not self.guard.over and time.monotonic() < end:
                self.follow(max(0.0, min(LONG_POLL, end - time.monotonic()) // 1))
            self.verify()

    def begin(self) -> None:
        """The keys, and all events so far."""
        self._hear("keys", self.wire.ask("GET", "/v1/keys"))
        self.follow(0)
        if self.guard.table.draw:
            raise NoGame(
                "this match is a draw (SPEC 11): there is no game to play or to follow;"
                " verify its transcript"
            )

    @contextlib.contextmanager
    def attending(self) -> Iterator[None]:
        """What the house admits itself is no lie, but `HistoryLost` (SPEC 8.7)."""
        chronicle = self.guard.chronicle
        try:
            yield
        except (Lie, Refused) as stop:
            if isinstance(stop, Lie) and self.stopping is not None:
                self.stopping(stop)
            void = self._admitted(stop)
            if void is None:
                raise
            raise HistoryLost(void["seq"], chronicle.head) from stop
        if lost(chronicle.events[-1]):
            raise HistoryLost(chronicle.head, chronicle.head - 1)

    def _admitted(self, stop: Lie | Refused) -> Event | None:
        """Whoever is on turn shows the house what it lost; so it may take a moment to say so."""
        end = time.monotonic() + self.grace
        back = isinstance(stop, Lie) and stop.obligation == "C12"
        while True:
            self.other = self.other_story()
            void = excused(self.guard, stop, self.other)
            if void is not None or not back or time.monotonic() > end:
                return void
            time.sleep(PAUSE)

    def follow(self, wait: float) -> list[Event]:
        """The events after the head; `wait` seconds for one, when there is none."""
        long = min(wait, self.longest)
        query = f"?after={self.guard.chronicle.head}&wait={long:g}"
        try:
            answer = self.ask("GET", f"{self.address}/events{query}", wait=long)
        except Refused as refused:
            if refused.code != "request/range" or not long:
                raise
            self.longest = long // 2  # this house lets nobody wait for so long
            self._since.clear()
            return self.follow(wait)
        return self._hear("events", answer)

    def ask(
        self,
        method: str,
        path: str,
        body: dict[str, Any] | None = None,
        token: str | None = None,
        wait: float = 0.0,
    ) -> Answer:
        """One request. The same at the same head is not asked again at once: whatever a house
        answers, nobody runs in circles."""
        head, what = self.guard.chronicle.head, (method, path.partition("?")[0], json.dumps(body))
        if head != self._at:
            self._at, self._since = head, {}
        rest = self._since.get(what, 0.0) + PAUSE - time.monotonic()
        if what in self._since and rest > 0:
            pause(rest)
        self._since[what] = time.monotonic()
        return self.wire.ask(method, path, body, token, wait)

    def verify(self) -> None:
        """C7."""
        answer = self.wire.ask("GET", f"{self.address}/transcript")
        self.last = answer.data
        self.guard.hear("transcript", answer.data)

    def other_story(self) -> bytes:
        """What the house tells when it is asked for everything again: evidence, after a lie."""
        before, self.wire.most = self.wire.most, min(self.wire.most, AFTER)
        try:
            return self.wire.ask("GET", f"{self.address}/transcript").data
        except (Refused, Unreachable):
            return b""
        finally:
            self.wire.most = before

    def _hear(self, to: str, answer: Answer) -> list[Event]:
        self.last = answer.data
        body, before = answer.json(), self.guard.chronicle.head
        try:
            self.guard.hear(to, body, answer.asked, answer.heard)
        except Gap as gap:
            if to == "events":
                said = f"the events after {gap.after} are left out of an answer"
                raise Lie("C12", said, gap.after + 1) from None
            self.follow(0)
            self.last = answer.data
            try:
                self.guard.hear(to, body, answer.asked, answer.heard)
            except Gap:
                raise Lie("C12", "a head is signed, and its events are not to be had") from None
        new = self.guard.chronicle.events[before + 1 :]
        if new and self.watching is not None:
            self.watching(before + 1)
        return new
