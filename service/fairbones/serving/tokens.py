"""So many tokens for all processes that are forked from here."""

from __future__ import annotations

import os


class Tokens:
    """A pipe is the count: who reads a byte has a token, and nobody else has that one."""

    def __init__(self, count: int) -> None:
        self._reading, self._writing = os.pipe()
        os.set_blocking(self._reading, False)
        os.write(self._writing, b"x" * count)

    def take(self) -> bool:
        """Whether there was one left."""
        try:
            return bool(os.read(self._reading, 1))
        except BlockingIOError:
            return False
