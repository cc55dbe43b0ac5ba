"""Faults of a running service: what is planted in it, where it happens, and that it did happen.

Tests and the service under test share one folder. A test writes a plan there; the service looks
for it at every point it passes, and notes each fault before it happens.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from fairbones.store.points import Point

BEFORE_REPLY = "before-reply"
"""The request is done and its answer is made; nobody has heard of it."""
POINTS: tuple[str, ...] = (*Point, BEFORE_REPLY)

Then = Literal["kill", "kill-worker", "hang-up", "break", "sleep"]
"""SIGKILL for the whole service or for this process; the connection ended without an answer; an
error of the disk, there and whenever it comes there again; a pause.
"""


@dataclass(frozen=True, slots=True)
class Fault:
    """What happens the `nth` time that a process comes to a point.

    `seconds`: how long a pause is.
    """

    point: str
    then: Then = "kill"
    nth: int = 1
    seconds: float = 0.0


class Plan:
    """The folder in which a test and its service meet."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._number = 0

    # The side of the test.

    def plant(self, fault: Fault) -> None:
        """From now on the service has this fault and no other; its counting begins anew."""
        self._number += 1
        self._put("plan", json.dumps({"number": self._number, **asdict(fault)}))

    def clear(self) -> None:
        """No fault any more."""
        (self.folder / "plan").unlink(missing_ok=True)

    def hit(self) -> bool:
        """Whether the fault that was planted last has happened."""
        return self.has_happened(self._number)

    @contextlib.contextmanager
    def planted(self, fault: Fault) -> Iterator[None]:
        """Inside, the service has this fault; one that never happened fails the test."""
        self.plant(fault)
        yield
        self.clear()
        assert self.hit(), f"the service never came to {fault}"

    def set_clock(self, milliseconds: int) -> None:
        """The clock of the service is so far ahead of ours, or behind."""
        self._put("clock", str(milliseconds))

    def _put(self, name: str, text: str) -> None:
        """All at once: a service may read at any moment."""
        beside = self.folder / f"{name}.new"
        beside.write_text(text)
        beside.replace(self.folder / name)

    # The side of the service.

    def current(self) -> tuple[int, Fault] | None:
        """What is planted, with its number."""
        told: dict[str, Any]
        try:
            told = json.loads((self.folder / "plan").read_bytes())
        except FileNotFoundError:
            return None
        return told.pop("number"), Fault(**told)

    def has_happened(self, number: int) -> bool:
        """Whether the fault with this number has; it does not come again after a restart."""
        path = self.folder / "hits"
        return path.exists() and str(number) in path.read_text().splitlines()

    def happens(self, number: int) -> None:
        """This one comes now; what is written outlives a SIGKILL."""
        notes = os.open(self.folder / "hits", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(notes, b"%d\n" % number)
        os.close(notes)

    def clock(self) -> int:
        """How many milliseconds the clock is ahead."""
        try:
            return int((self.folder / "clock").read_bytes())
        except FileNotFoundError:
            return 0
