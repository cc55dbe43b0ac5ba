"""Turns at a match: one thread of this process at a time, and no lock kept for idle matches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SPARE_MAX = 64  # where threads are greenlets a lock is dear to make


class Turns:
    """A lock for each match that somebody is at; `waited` is told seconds spent in a queue."""

    def __init__(self, waited: Callable[[float], None]) -> None:
        self._waited = waited
        self._guard = threading.Lock()
        self._locks: dict[bytes, tuple[threading.Lock, int]] = {}
        self._spare: list[threading.Lock] = []

    @contextmanager
    def at(self, match_id: bytes) -> Iterator[None]:
        """Hold the turn at a match; not to be taken twice by one thread."""
        with self._guard:
            lock, users = self._locks.get(match_id) or (self._new(), 0)
            self._locks[match_id] = (lock, users + 1)
        try:
            if not lock.acquire(blocking=False):
                since = time.perf_counter()
                lock.acquire()
                self._waited(time.perf_counter() - since)
            try:
                yield
            finally:
                lock.release()
        finally:
            with self._guard:
                lock, users = self._locks[match_id]
                if users == 1:
                    del self._locks[match_id]
                    if len(self._spare) < SPARE_MAX:
                        self._spare.append(lock)
                else:
                    self._locks[match_id] = (lock, users - 1)

    def _new(self) -> threading.Lock:
        return self._spare.pop() if self._spare else threading.Lock()
