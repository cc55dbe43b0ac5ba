"""Ears that remember what they hear (`fairbones.house.ports.Ears`)."""

from __future__ import annotations

import queue

SECONDS = 20


class Heard:
    """Ears that remember in which order they heard what."""

    def __init__(self) -> None:
        self.said: queue.Queue[object] = queue.Queue()

    def ring(self, match_id: bytes) -> None:
        self.said.put(int.from_bytes(match_id, "big"))

    def ring_all(self) -> None:
        self.said.put("all")

    def deaf(self, deaf: bool) -> None:
        self.said.put("deaf" if deaf else "ready")

    def next(self) -> object:
        """What was heard next; waits for it."""
        return self.said.get(timeout=SECONDS)
