"""How far an audit has come: on standard error, for people."""

from __future__ import annotations

import time
from typing import Optional, TextIO

SECONDS = 10  # between two lines where they are not written over each other


class Progress:
    """`stream` is None when nothing shall be said."""

    def __init__(self, stream: Optional[TextIO]) -> None:
        self.stream = stream
        self.over = stream is not None and stream.isatty()
        self.begun = self.said = time.monotonic()
        self.what, self.due, self.done, self.fresh = "", 0, 0, 0
        self.counts: dict[str, int] = {}

    def begin(self, what: str, due: int = 0) -> None:
        """A part of the work: `due` are the transcripts it has to do with, 0 where nobody knows."""
        self.what, self.due, self.done, self.fresh = what, due, 0, 0
        self.begun, self.counts = time.monotonic(), {}

    def step(self, word: str = "", fresh: bool = True) -> None:
        """One more is done; `word` is its verdict, `fresh` false when it was known before."""
        self.done += 1
        self.fresh += fresh
        if word:
            self.counts[word] = self.counts.get(word, 0) + 1
        if not self.done % 100:
            self.tick()

    def tick(self) -> None:
        """Say it, if it is time to."""
        now = time.monotonic()
        if now - self.said >= (0.5 if self.over else SECONDS):
            self.said = now
            self._write(self.line(now - self.begun), "\r" if self.over else "\n")

    def end(self) -> None:
        """Say what became of it."""
        self._write(self.line(time.monotonic() - self.begun, over=True), "\n")

    def line(self, gone: float, over: bool = False) -> str:
        """ "verifying: 120 of 4,000, 41.5 a second, about 1 min 33 s left; 1 refuted"."""
        of = f" of {self.due:,}" if self.due else ""
        text = f"{self.what}: {self.done:,}{of}"
        if self.fresh and gone > 0:
            rate = self.fresh / gone
            text += f", {rate:.1f} a second"
            if self.due and not over:
                text += f", about {lasting((self.due - self.done) / rate)} left"
        bad = [
            f"{self.counts[word]:,} {word}" for word in sorted(self.counts) if word != "verified"
        ]
        known = self.done - self.fresh
        bad += [f"{known:,} known before"] if known else []
        return text + ("; " + ", ".join(bad) if bad else "")

    def _write(self, line: str, end: str) -> None:
        if self.stream is None:
            return
        try:
            self.stream.write(f"{line:<79}{end}" if self.over else f"{line}\n")
            self.stream.flush()
        except (OSError, ValueError):  # whoever read it has gone
            self.stream = None


def lasting(seconds: float) -> str:
    """ "1 h 2 min", "3 min 20 s", "12 s"."""
    whole = int(seconds + 0.5)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    if hours:
        return f"{hours:,} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
