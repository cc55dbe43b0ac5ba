"""What one caller may use up: bytes of a body, seconds of waiting, threads that wait."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from fairbones.core.errors import FairbonesError

RETRY_AFTER_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """`body_max` in bytes, `wait_max` in seconds, `waiters` in requests that wait at a time.

    A waiting request holds a thread, so `waiters` is at most half of the threads: the other half
    always answers. A stream of events that has been silent for `heartbeat` seconds says so.
    """

    body_max: int = 65_536
    wait_max: float = 30.0
    waiters: int = 16
    heartbeat: float = 15.0


class Busy(FairbonesError):
    """As many requests wait as may; this one is not let in, at once."""


class WaitingRoom:
    """Counts the requests that wait for events; never blocks anybody at the door."""

    def __init__(self, places: int) -> None:
        self._places = threading.BoundedSemaphore(places) if places > 0 else None
        self.closed = threading.Event()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Hold one place while waiting; Busy `service/busy` when none is free."""
        if self._places is None or not self._places.acquire(blocking=False):
            raise Busy("service/busy", "Too many readers wait: try again, or ask without wait.")
        try:
            yield
        finally:
            self._places.release()
