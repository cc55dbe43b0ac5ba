"""Chance that is the same on every machine and under every Python, for data that is compared."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Random enough to play with: SHA-256 of a phrase and a counter."""

    def __init__(self, phrase: str) -> None:
        self._phrase = phrase
        self._turns = 0

    def block(self) -> bytes:
        """32 bytes."""
        self._turns += 1
        return hashlib.sha256(f"{self._phrase}/{self._turns}".encode()).digest()

    def below(self, n: int) -> int:
        """A number of `0..n-1`; its tiny bias does not matter here."""
        return int.from_bytes(self.block()[:8], "big") % n

    def choice(self, things: Sequence[T]) -> T:
        """One of the things."""
        return things[self.below(len(things))]

    def chance(self, percent: int) -> bool:
        """True `percent` times of a hundred."""
        return self.below(100) < percent
