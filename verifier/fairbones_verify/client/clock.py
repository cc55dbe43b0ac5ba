"""Time by the client's own clock (SPEC 10, C11): the one time that is not the house's word.

The two clocks need not agree on the hour. What is compared are spans: an event that was not there
when an answer was asked for came about after that moment.
"""

from __future__ import annotations

import sys
import time
from typing import Callable

from ..games.hand import MOVES
from ..table import Event, Table
from .lies import Lie

TOLERANCE = 1000  # milliseconds, and a hundredth of the span: clocks run differently
JUMP = 100  # milliseconds by which the hour may run ahead of a clock without any having stopped

Milliseconds = Callable[[], int]


class Mended:
    """A clock that stands still while the machine sleeps, put forward by what the hour says it
    missed. So a span over a sleep is not too short, and C11 accuses nobody for it. (Over an hour
    that was set it is too long, and C11 says nothing.)
    """

    def __init__(self, running: Milliseconds, hour: Milliseconds) -> None:
        self._running, self._hour = running, hour
        self._apart = hour() - running()
        self._missed = 0

    def __call__(self) -> int:
        running = self._running()
        apart, before = self._hour() - running, self._apart
        self._apart = apart
        if apart - before > JUMP:
            self._missed += apart - before
        return running + self._missed


def sleepless(system: str = sys.platform) -> Milliseconds:
    """A clock that only runs forward, and goes on while the machine sleeps."""
    # Darwin has the one that goes on under this name; Linux has the one that stands still.
    name = "CLOCK_MONOTONIC" if system == "darwin" else "CLOCK_BOOTTIME"
    number = getattr(time, name, None)
    if number is not None and hasattr(time, "clock_gettime"):
        return lambda: int(time.clock_gettime(number) * 1000)
    return Mended(lambda: time.monotonic_ns() // 1_000_000, lambda: time.time_ns() // 1_000_000)


class Clock:
    """Milliseconds of any clock that only runs forward, and never stands still."""

    def __init__(self) -> None:
        self._asked: int | None = None  # when the last answer was asked for
        self._not_before: dict[int, int] = {}
        self._seen: dict[int, int] = {}

    def note(self, new: list[Event], asked: int | None, heard: int | None) -> None:
        """An answer showed these events for the first time."""
        for event in new:
            if self._asked is not None:
                self._not_before[event["seq"]] = self._asked
            if heard is not None:
                self._seen[event["seq"]] = heard
        self._asked = asked

    def judge(self, table: Table, event: Event, seat: int | None) -> None:
        """A wait that the house calls over cannot be longer than it was here."""
        heard = self._seen.get(event["seq"])
        since = self._began(table, event, seat)
        if since is None or heard is None or since["seq"] not in self._not_before:
            return
        claimed = event["at"] - since["at"]
        most = heard - self._not_before[since["seq"]]
        if most + TOLERANCE + claimed // 100 < claimed:
            said = (
                f"event {event['seq']}: {event['type']} after {claimed} ms, says the house; by my"
                f" clock it was at most {most} ms"
            )
            raise Lie("C11", said, event["seq"])

    def _began(self, table: Table, event: Event, seat: int | None) -> Event | None:
        """The event that the wait began at, for what ends a wait against somebody's will."""
        name, data = event["type"], event["data"]
        if name == "timed_out" and data["seat"] == seat:
            return wait_of(table, event["seq"])
        if name == "voided" and data["reason"] in ("seats-missing", "seeds-missing"):
            kind = {"seats-missing": "opened", "seeds-missing": "seated"}[data["reason"]]
            return max((e for e in table.events if e["type"] == kind), key=lambda e: int(e["seq"]))
        return None

    def late(self, table: Table, seat: int, now: int | None) -> bool:
        """Whether a move of the seat is certainly late: its wait had begun when it was seen."""
        since = wait_of(table, len(table.events))
        if now is None or since is None or since["seq"] not in self._seen or table.hand is None:
            return False
        return now > self._seen[since["seq"]] + table.deadline(seat) - int(since["at"])


def wait_of(table: Table, before: int) -> Event | None:
    """8.4: the event at which the wait before event `before` began."""
    for event in reversed(table.events[:before]):
        if event["type"] in MOVES or event["type"] == "dealt":
            return event
    return None
