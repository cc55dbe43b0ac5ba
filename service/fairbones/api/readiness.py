"""What a failed write says about the next one: `/readyz` only reads, and reading still works on a
full disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable

# Codes of a store that answers but takes nothing.
_TAKES_NOTHING = frozenset(("store/full", "store/read-only"))
# So long a failed write is believed. Who is not ready gets no requests that could show otherwise.
BELIEVED_SECONDS = 10.0


class Readiness:
    """Remembers the last write that the store had no room for; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: tuple[str, float] | None = None

    def failed(self, code: str) -> None:
        """The store refused a request with this code."""
        if code in _TAKES_NOTHING:
            self._last = (code, self._clock())

    @property
    def trouble(self) -> str | None:
        """Why the store takes nothing, as far as is known."""
        last = self._last
        if last is None or self._clock() - last[1] >= BELIEVED_SECONDS:
            return None
        return last[0]
