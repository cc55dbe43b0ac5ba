"""Where requests are counted: in this process, or for all of them in the Redis that they share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import structlog
from limits import RateLimitItemPerMinute
from limits.strategies import SlidingWindowCounterRateLimiter

from fairbones.ops.rates import Tries
from fairbones.ops.windows import Run, SharedStorage, WindowStorage

# After a failure the shared counts are left alone for so long: every request would wait for them.
PAUSE_SECONDS = 5.0


def memory_windows(clock: Callable[[], float] = time.time) -> Tries:
    """Counts of this process alone."""
    return _Windows(WindowStorage(clock))


def shared_windows(run: Run, clock: Callable[[], float] = time.monotonic) -> Tries:
    """Counts in the Redis where `run` runs scripts: the store's, on a `Wire` without WAIT.

    While it cannot be reached each process counts for itself: nobody is refused for it.
    """
    return _Patient(_Windows(SharedStorage(run)), memory_windows(), clock)


class _Windows:
    """See `Tries`."""

    def __init__(self, storage: WindowStorage | SharedStorage) -> None:
        self._storage = storage
        self._strategy = SlidingWindowCounterRateLimiter(storage)

    def hit(self, item: RateLimitItemPerMinute, key: str, cost: int) -> bool:
        return self._strategy.hit(item, key, cost=cost)

    def window(self, item: RateLimitItemPerMinute, key: str) -> tuple[int, float, int, float]:
        return self._storage.get_sliding_window(item.key_for(key), item.get_expiry())


class _Patient:
    """Asks `shared`, and `own` while that one fails; one request in a while tries it again."""

    def __init__(self, shared: Tries, own: Tries, clock: Callable[[], float]) -> None:
        self._shared, self._own, self._clock = shared, own, clock
        self._guard = threading.Lock()
        self._failing = False
        self._next = 0.0

    def hit(self, item: RateLimitItemPerMinute, key: str, cost: int) -> bool:
        if self._may_ask():
            try:
                answer = self._shared.hit(item, key, cost)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is no reason to refuse
                self._failed(error)
            else:
                self._went_well()
                return answer
        return self._own.hit(item, key, cost)

    def window(self, item: RateLimitItemPerMinute, key: str) -> tuple[int, float, int, float]:
        if not self._failing:
            try:
                return self._shared.window(item, key)
            except Exception as error:  # noqa: BLE001 - as above
                self._failed(error)
        return self._own.window(item, key)

    def _may_ask(self) -> bool:
        if not self._failing:
            return True
        with self._guard:
            now = self._clock()
            if now < self._next:
                return False
            self._next = now + PAUSE_SECONDS
            return True

    def _failed(self, error: Exception) -> None:
        with self._guard:
            self._next = self._clock() + PAUSE_SECONDS
            known, self._failing = self._failing, True
        if not known:
            # The kind alone: a text may name the address with its password.
            structlog.get_logger("rates").warning(
                "requests are counted by each process alone", error=type(error).__name__
            )

    def _went_well(self) -> None:
        if self._failing:
            self._failing = False
            structlog.get_logger("rates").info(
                "requests are counted by all processes together again"
            )
