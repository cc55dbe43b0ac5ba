"""Following a match over HTTP, as anybody may: what a seat and a spectator have in common."""

from __future__ import annotations

import time
from typing import Callable

from ..table import Event
from .guard import Guard
from .lies import Gap, Lie, Refused, Unreachable
from .wire import Answer, Wire

LONG_POLL = 20  # seconds
PAUSE = 0.2  # between two looks, where a house lets nobody wait


class Follower:
    """Asks the house of one match, and tells the guard each answer. Good for a spectator.

    `last` is the last answer as it came: evidence, when it was a lie.
    """

    def __init__(self, wire: Wire, guard: Guard) -> None:
        self.wire, self.guard = wire, guard
        self.address = f"/v1/matches/{guard.chronicle.match}"
        self.last = b""
        self.watching: Callable[[int], object] | None = None  # told the seq of the first new event
        self.longest: float = LONG_POLL

    def begin(self) -> None:
        """The keys, and all events so far."""
        self._hear("keys", self.wire.ask("GET", "/v1/keys"))
        self.follow(0)

    def follow(self, wait: float) -> list[Event]:
        """The events after the head; `wait` seconds for one, when there is none."""
        long = min(wait, self.longest)
        if wait > long == 0:
            time.sleep(PAUSE)
        query = f"?after={self.guard.chronicle.head}&wait={long:g}"
        try:
            answer = self.wire.ask("GET", f"{self.address}/events{query}", wait=long)
        except Refused as refused:
            if refused.code != "request/range" or not long:
                raise
            self.longest = long // 2  # this house lets nobody wait for so long
            return self.follow(wait)
        return self._hear("events", answer)

    def verify(self) -> None:
        """C7."""
        answer = self.wire.ask("GET", f"{self.address}/transcript")
        self.last = answer.data
        self.guard.hear("transcript", answer.data)

    def other_story(self) -> bytes:
        """What the house tells when it is asked for everything again: evidence, after a lie."""
        try:
            return self.wire.ask("GET", f"{self.address}/transcript").data
        except (Refused, Unreachable):
            return b""

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
