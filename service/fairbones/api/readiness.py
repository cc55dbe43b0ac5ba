"""What a failed write says about the next one: a store does not see beforehand whether there is
room on its disk.
"""

from __future__ import annotations

import time
from collections.abc import Callable

# Codes of a store that answers but takes nothing.
_TAKES_NOTHING = frozenset(("store/full", "store/read-only"))
# So long a failed write is believed. Who is not ready gets no requests that could show otherwise.
BELIEVED_SECONDS = 10.0


class Readiness:
    """Remembers when the store last took nothing, for each code; `clock` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._since: dict[str, float] = {}

    def failed(self, code: str) -> None:
        """The store refused a request with this code."""
        if code in _TAKES_NOTHING:
            self._since[code] = self._clock()

    def kept(self) -> None:
        """The store took a write: whatever the reason was, it is over."""
        # Others may note a failure in this very moment.
        for code in tuple(self._since):
            self._since.pop(code, None)

    @property
    def trouble(self) -> str | None:
        """Why the store takes nothing, as far as is known."""
        now = self._clock()
        known = [(since, code) for code, since in self._since.copy().items()]
        believed = [it for it in known if now - it[0] < BELIEVED_SECONDS]
        return max(believed)[1] if believed else None
