"""Readers that wait for a match to move.

A bell has a number of rings per match; a reader notes the number *before* it looks at the match
and waits for a higher one, so a ring between the look and the wait is never missed. Each match has
its own condition: a ring wakes those who wait for this match and nobody else.
"""

from __future__ import annotations

import threading

# While appends of other processes may go unheard, a reader looks by itself so often.
DEAF_SECONDS = 1.0
# A reader that hears of everything still looks once in so long: a lost ring costs no more.
POLL_SECONDS = 15.0


class _Line:
    """Those who wait for one match."""

    __slots__ = ("changed", "readers", "rings")

    def __init__(self, guard: threading.RLock) -> None:
        self.changed = threading.Condition(lock=guard)
        self.rings = 0
        self.readers = 0


class Bell:
    """Rings when a match has grown (`ports.Ears`). Keeps nothing for matches nobody waits for."""

    def __init__(self) -> None:
        # A condition asks a plain lock whether it is held by trying to take it; where threads are
        # greenlets that lets the next one run, in the middle of waking the others.
        self._guard = threading.RLock()
        self._lines: dict[bytes, _Line] = {}
        self._deaf = False
        self.closed = False

    @property
    def poll_seconds(self) -> float:
        """How long a reader may rely on being told."""
        return DEAF_SECONDS if self._deaf else POLL_SECONDS

    def listen(self, match_id: bytes) -> int:
        """Start to wait for a match; returns the number of rings so far. Pair with `leave`."""
        with self._guard:
            line = self._lines.get(match_id)
            if line is None:
                line = self._lines[match_id] = _Line(self._guard)
            line.readers += 1
            return line.rings

    def leave(self, match_id: bytes) -> None:
        """Stop waiting."""
        with self._guard:
            line = self._lines[match_id]
            line.readers -= 1
            if not line.readers:
                del self._lines[match_id]

    def wait(self, match_id: bytes, heard: int, seconds: float) -> int:
        """Until there are more rings than `heard`, or `seconds` have passed; the number now."""
        with self._guard:
            line = self._lines[match_id]
            if not self.closed:
                line.changed.wait_for(lambda: line.rings != heard or self.closed, max(0.0, seconds))
            return line.rings

    def ring(self, match_id: bytes) -> None:
        """The match has grown."""
        with self._guard:
            line = self._lines.get(match_id)
            if line is not None:
                line.rings += 1
                line.changed.notify_all()

    def ring_all(self) -> None:
        """Any match may have grown."""
        with self._guard:
            for line in self._lines.values():
                line.rings += 1
                line.changed.notify_all()

    def deaf(self, deaf: bool) -> None:
        """Whether appends of other processes may go unheard; a change is a reason to look."""
        if deaf != self._deaf:
            self._deaf = deaf
            self.ring_all()

    def close(self) -> None:
        """The service stops: nobody waits any more, now or later."""
        self.closed = True
        self.ring_all()
