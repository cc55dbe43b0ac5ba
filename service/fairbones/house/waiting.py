"""Readers that wait for a match to move.

A bell has a number of rings per match; a reader notes the number *before* it looks at the match
and waits for a higher one, so a ring between the look and the wait is never missed.
"""

from __future__ import annotations

import threading
from collections import defaultdict


class Bell:
    """Rings when a match has grown. Keeps nothing for matches nobody waits for."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._rings: dict[bytes, int] = {}
        self._waiting: defaultdict[bytes, int] = defaultdict(int)

    def listen(self, match_id: bytes) -> int:
        """Start to wait for a match; returns the number of rings so far. Pair with `leave`."""
        with self._changed:
            self._waiting[match_id] += 1
            return self._rings.setdefault(match_id, 0)

    def leave(self, match_id: bytes) -> None:
        """Stop waiting."""
        with self._changed:
            self._waiting[match_id] -= 1
            if not self._waiting[match_id]:
                del self._waiting[match_id]
                self._rings.pop(match_id, None)

    def wait(self, match_id: bytes, heard: int, seconds: float) -> int:
        """Until there are more rings than `heard`, or `seconds` have passed; the number now."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._rings.get(match_id, heard) != heard, max(0.0, seconds)
            )
            return self._rings.get(match_id, heard)

    def ring(self, match_id: bytes) -> None:
        """The match has grown."""
        with self._changed:
            if match_id in self._rings:
                self._rings[match_id] += 1
                self._changed.notify_all()
