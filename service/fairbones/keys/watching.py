"""Keys that are added while the service runs are found without a restart.

Every process reads the folder again when it needs a key that it does not hold, before it says
which keys there are, and before it begins something with the newest: a listing of a small folder
each time, a read of its files when a name is new. So a match that one process opened under a new
key is signed by any other that sees the same folder, at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

import structlog

from fairbones.core.errors import FairbonesError


class Watch(Protocol):
    """Looks whether keys were added, and hands them to who holds keys."""

    def look(self) -> None:
        """Raises `FairbonesError` when the folder cannot be read or the database be told."""

    def glance(self) -> None:
        """The same, but what is held goes on to be used when that fails."""


class _Unwatched:
    """The keys are these for good."""

    def look(self) -> None:
        """Nothing is added."""

    def glance(self) -> None:
        """Nothing is added."""


UNWATCHED: Watch = _Unwatched()


class FolderWatch:
    """Reads when the names in a folder have changed; threads may ask side by side."""

    def __init__(
        self, names: Callable[[], frozenset[str]], read: Callable[[], None], seen: frozenset[str]
    ) -> None:
        """`read` is called under a lock; when it raises, the next look tries again."""
        self._names = names
        self._read = read
        self._seen = seen
        self._lock = threading.Lock()
        self._trouble = ""

    def look(self) -> None:
        """See `Watch.look`."""
        if self._names() == self._seen:
            return
        with self._lock:
            found = self._names()
            if found != self._seen:
                self._read()
                self._seen, self._trouble = found, ""

    def glance(self) -> None:
        """See `Watch.glance`; the log is told once of each trouble."""
        try:
            self.look()
        except FairbonesError as error:
            if error.message != self._trouble:
                self._trouble = error.message
                structlog.get_logger("keys").warning(
                    "the keys could not be read again", why=str(error)
                )
