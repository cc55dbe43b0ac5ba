"""Bots beside a service: `fairbones serve --bots SECONDS` starts them as a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

PAUSE_SECONDS = 5.0  # before bots that ended are started again


class Filler:
    """Bots that fill the open seats of matches that have waited so long, for as long as wanted.

    They end by themselves when the caller is gone, however it went, for then their standard input
    does. They never exit with the code by which gunicorn's parent knows a worker that cannot start,
    and know nothing of the service's settings, which may hold a password.
    """

    def __init__(
        self, seconds: float, address: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._words = ("bots", address, f"--fill={seconds:g}", "--beside")
        self._clock = clock
        self._due: float | None = None  # when to start them again
        self._wanted = True
        self.process = self._started()

    def look(self) -> str | None:
        """Called now and then: starts them again a pause after they ended; what there is to say."""
        if not self._wanted or self.process.poll() is None:
            return None
        if self._due is None:
            self._due = self._clock() + PAUSE_SECONDS
            return f"the bots have ended, and are started again in {PAUSE_SECONDS:g} seconds"
        if self._clock() >= self._due:
            self._due = None
            self._let_go()
            self.process = self._started()
        return None

    def terminate(self) -> None:
        """Ask them to end, and start none again; nothing, when they have ended."""
        self._wanted = False
        self.process.terminate()

    def _let_go(self) -> None:
        if self.process.stdin is not None:
            self.process.stdin.close()

    def _started(self) -> subprocess.Popen[bytes]:
        plain = {name: it for name, it in os.environ.items() if not name.startswith("FAIRBONES_")}
        return subprocess.Popen(
            [sys.executable, "-m", "fairbones.cli", *self._words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            env=plain,
        )


def beside(seconds: float, address: str) -> Filler:
    """Start bots beside the service at this address; `look` after them, and `terminate` them."""
    return Filler(seconds, address)
