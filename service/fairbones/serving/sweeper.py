"""Applies deadlines of matches that nobody touches, now and then, in a thread of its own."""

from __future__ import annotations

import secrets
import threading
import time
import traceback
from collections.abc import Callable
from typing import Protocol

import structlog

from fairbones.core.errors import FairbonesError

# Matches in one look; when there are more the next look comes at once.
LIMIT = 100
# Between two looks that follow each other, for those who play meanwhile.
BREATH_SECONDS = 0.05
STOP_SECONDS = 5.0


class Swept(Protocol):
    """What a sweep did."""

    @property
    def matches(self) -> int: ...

    @property
    def steps(self) -> int: ...

    @property
    def failed(self) -> int: ...


class Sweeper:
    """Calls `sweep(limit)` about every `seconds`; 0: never.

    Processes that were started together do not sweep together: each waits from half to one and a
    half of `seconds`. What goes wrong is logged, and the next look tries again.
    """

    def __init__(self, sweep: Callable[[int], Swept], seconds: float) -> None:
        self._sweep = sweep
        self._seconds = seconds
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._log = structlog.get_logger("sweep")

    def start(self) -> None:
        """Begin, with a pause."""
        if self._seconds > 0:
            self._thread = threading.Thread(target=self._run, name="sweeper", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """End soon; does not wait."""
        self._over.set()

    def join(self) -> None:
        """After `stop`: until a look that has begun is done, but not for ever."""
        if self._thread is not None:
            self._thread.join(STOP_SECONDS)

    def _run(self) -> None:
        while not self._over.wait(self._pause()):
            while self._looked() and not self._over.wait(BREATH_SECONDS):
                pass

    def _pause(self) -> float:
        return self._seconds * (0.5 + secrets.randbelow(1_000) / 1_000)

    def _looked(self) -> bool:
        """One look; whether there is more to be done at once."""
        since = time.monotonic()
        try:
            swept = self._sweep(LIMIT)
        except FairbonesError as error:
            self._log.warning("could not look for deadlines", code=error.code)
            return False
        except Exception as error:  # noqa: BLE001 - it must look again, whatever it was
            frames = traceback.extract_tb(error.__traceback__)
            places = [f"{frame.filename}:{frame.lineno}" for frame in reversed(frames)]
            self._log.error(
                "could not look for deadlines", kind=type(error).__name__, at=" < ".join(places)
            )
            return False
        if swept.steps or swept.failed:
            self._log.info(
                "applied deadlines",
                matches=swept.matches,
                steps=swept.steps,
                failed=swept.failed,
                ms=round((time.monotonic() - since) * 1000, 1),
            )
        return swept.matches >= LIMIT and swept.failed < swept.matches
