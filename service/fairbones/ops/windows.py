"""Windows that slide, for the strategies of `limits`: kept by one process, or by all in a Redis.

The library's own memory starts a thread a hundred times a second and looks at every caller each
time, and two of its threads may count as one. This one forgets in passing, and counts under a lock.
Its own client for Redis knows other addresses than FAIRBONES_STORE, so only its scripts are used.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from limits.storage import RedisStorage, Storage
from limits.storage.base import SlidingWindowCounterSupport

# More callers than this in two minutes are an attack, of which the oldest half is forgotten.
CALLERS_MAX = 100_000


class _Sliding(Storage, SlidingWindowCounterSupport):
    """What the library asks of every storage; the strategy that is used asks for none of it."""

    STORAGE_SCHEME = None

    @property
    def base_exceptions(self) -> type[Exception]:
        return Exception

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        raise NotImplementedError

    def get(self, key: str) -> int:
        raise NotImplementedError

    def get_expiry(self, key: str) -> float:
        raise NotImplementedError

    def check(self) -> bool:
        raise NotImplementedError

    def reset(self) -> int | None:
        raise NotImplementedError

    def clear(self, key: str) -> None:
        raise NotImplementedError

    def clear_sliding_window(self, key: str, expiry: int) -> None:
        raise NotImplementedError


class WindowStorage(_Sliding):
    """Counts by key in windows of `expiry` seconds since the epoch; `clock` says the seconds."""

    def __init__(
        self, clock: Callable[[], float] = time.time, callers_max: int = CALLERS_MAX
    ) -> None:
        super().__init__()
        self._clock = clock
        self._callers_max = callers_max
        self._guard = threading.Lock()
        # The number of the window last counted in, its count, and that of the one before.
        self._counts: dict[tuple[str, int], tuple[int, int, int]] = {}

    def acquire_sliding_window_entry(
        self, key: str, limit: int, expiry: int, amount: int = 1
    ) -> bool:
        """Whether there was room for so many; then they are counted."""
        now = self._clock()
        with self._guard:
            previous, share, current = self._seen(key, expiry, now)
            if int(previous * share) + current + amount > limit:
                return False
            # The end of the order is for whoever has just come.
            self._counts.pop((key, expiry), None)
            self._counts[key, expiry] = (int(now // expiry), current + amount, previous)
            if len(self._counts) > self._callers_max:
                self._forget(now)
        return True

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """As the library asks: counts before and now, each with the seconds that it will count."""
        now = self._clock()
        with self._guard:
            previous, share, current = self._seen(key, expiry, now)
        return previous, share * expiry, current, share * expiry + expiry

    def reset(self) -> int | None:
        """Forget everybody; how many there were."""
        with self._guard:
            forgotten = len(self._counts)
            self._counts.clear()
        return forgotten

    def _seen(self, key: str, expiry: int, now: float) -> tuple[int, float, int]:
        """The count of the window before, how much of it counts still, and of this one."""
        number = int(now // expiry)
        last, current, previous = self._counts.get((key, expiry), (number, 0, 0))
        if last == number - 1:
            current, previous = 0, current
        elif last != number:
            current = previous = 0
        return previous, 1 - now % expiry / expiry, current

    def _forget(self, now: float) -> None:
        old = [it for it, (number, _, _) in self._counts.items() if number < now // it[1] - 1]
        for it in old or list(self._counts)[: len(self._counts) // 2]:
            del self._counts[it]


@dataclass(frozen=True, slots=True)
class Script:
    """One of the library's scripts, and the name that a server that has seen it knows it by."""

    text: bytes
    sha: bytes


class Run(Protocol):
    """Runs a script on keys of one slot, on whichever server holds it: `Wire.run` of the store."""

    def __call__(self, script: Any, keys: Sequence[bytes], *args: bytes | int | str) -> Any: ...


def _script(text: bytes) -> Script:
    return Script(text, hashlib.sha1(text, usedforsecurity=False).hexdigest().encode())


_TAKE = _script(RedisStorage.SCRIPT_ACQUIRE_SLIDING_WINDOW)
_LOOK = _script(RedisStorage.SCRIPT_SLIDING_WINDOW)


class SharedStorage(_Sliding):
    """Windows that begin with the first request in them; the server forgets them by itself."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self._run = run

    def acquire_sliding_window_entry(
        self, key: str, limit: int, expiry: int, amount: int = 1
    ) -> bool:
        """As `WindowStorage`; raises whatever `run` raises."""
        return bool(self._run(_TAKE, _pair(key), limit, expiry, amount))

    def get_sliding_window(self, key: str, expiry: int) -> tuple[int, float, int, float]:
        """As `WindowStorage`; raises whatever `run` raises."""
        previous, previous_left, current, current_left = self._run(_LOOK, _pair(key), expiry)
        return (
            int(previous or 0),
            max(0, previous_left) / 1000,
            int(current or 0),
            max(0, current_left) / 1000,
        )


def _pair(key: str) -> tuple[bytes, bytes]:
    """The keys of the last window and of this one, on one slot of a Cluster."""
    name = f"fb:rate:{{{key}}}".encode()
    return name + b"/-1", name
