"""How fast many bots may move, all together."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Tempo:
    """A `Pace` for many seats: at most `rate` moves a second; 0: as fast as they can."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._gap = 1 / rate if rate else 0.0
        self._clock = clock
        self._guard = threading.Lock()
        self._next = 0.0

    def __call__(self, _hand: int) -> float:
        """Seconds until the moment that is kept for the caller's move."""
        if not self._gap:
            return 0.0
        with self._guard:
            now = self._clock()
            moment = max(now, self._next)
            self._next = moment + self._gap
        return moment - now
