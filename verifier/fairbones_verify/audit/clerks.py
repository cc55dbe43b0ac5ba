"""The clerks of an audit: how many there are, what each is at, and for how long.

A clerk that has died or takes too long is let go and another one is hired; what it was at has no
verdict then. All are started afresh (`spawn`): so they are the same on every system, and hold none
of our files open when we are killed.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Iterable, Iterator
from multiprocessing import connection
from typing import Callable, Optional

from .clerk import serve
from .errands import Errand, Order, Result, Unread

GRACE = 2.0  # seconds in which a clerk may still say itself that it was too slow
HIRING = 60.0  # seconds in which a process has to begin
TICK = 0.5
LONGEST_LOOK = 4 * TICK


class NoClerks(Exception):
    """The processes do not even start."""


class Clerk:
    """One process and the pipe to it; `errand` is what it is at, since `since`."""

    def __init__(self, order: Order) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, order), daemon=True)
        self.process.start()
        theirs.close()
        self.ready = False
        self.errand: Optional[Errand] = None
        self.since = 0.0

    def begin(self, errand: Errand, now: float) -> None:
        """Send it off. A pipe that is broken is found when its answer is asked for."""
        self.errand, self.since = errand, now
        with contextlib.suppress(OSError):
            self.pipe.send(errand)

    def answer(self, now: float) -> Result | None:
        """What it says, now that it says something: None for its first word, at its beginning.

        Raises EOFError or OSError when it has died.
        """
        said = self.pipe.recv()
        if not self.ready:
            self.ready, self.since = True, now
            return None
        self.errand = None
        result: Result = said
        return result

    def end(self) -> None:
        """Let it go, whatever it is at."""
        self.pipe.close()
        self.process.kill()
        self.process.join()
        self.process.close()


class Clerks:
    """As many as are needed, `most` at most. `tick` is called now and then."""

    def __init__(self, order: Order, most: int, tick: Callable[[], None] = lambda: None) -> None:
        self.order, self.most, self.tick = order, most, tick
        self.clerks: list[Clerk] = []
        self.clock, self.looked = 0.0, time.monotonic()

    def close(self) -> None:
        """Let all of them go, whatever they are at."""
        for clerk in self.clerks:
            clerk.end()

    def results(self, errands: Iterable[Errand]) -> Iterator[tuple[Errand, Result]]:
        """Every errand with what came of it, in no order."""
        waiting = iter(errands)
        following = next(waiting, None)
        while True:
            while following is not None:
                clerk = self._free()
                if clerk is None:
                    break
                clerk.begin(following, self.clock)
                following = next(waiting, None)
            busy = [clerk for clerk in self.clerks if clerk.errand is not None]
            if not busy:
                return
            pipes = {clerk.pipe: clerk for clerk in busy}
            for pipe in connection.wait(list(pipes), TICK):
                yield from self._heard(pipes[pipe])  # type: ignore[index]
            self._look()
            for clerk in busy:
                yield from self._late(clerk)
            self.tick()

    def one(self, errand: Errand) -> Result:
        """The result of a single errand."""
        ((_, result),) = self.results([errand])
        return result

    def _look(self) -> None:
        """Let the clock go on, but not by a time in which all of us were stopped (Ctrl-Z)."""
        now = time.monotonic()
        self.clock += min(now - self.looked, LONGEST_LOOK)
        self.looked = now

    def _free(self) -> Clerk | None:
        for clerk in self.clerks:
            if clerk.errand is None:
                return clerk
        if len(self.clerks) == self.most:
            return None
        self.clerks.append(Clerk(self.order))
        return self.clerks[-1]

    def _heard(self, clerk: Clerk) -> Iterator[tuple[Errand, Result]]:
        errand = clerk.errand
        try:
            result = clerk.answer(self.clock)
        except (EOFError, OSError):
            if not clerk.ready:
                raise NoClerks from None
            clerk.process.join(1)
            got = f"it ended with {clerk.process.exitcode}"
            result = Unread("source/verifier", "a process that verifies", got).result()
            self._dismiss(clerk)
        if result is not None and errand is not None:
            yield errand, result

    def _late(self, clerk: Clerk) -> Iterator[tuple[Errand, Result]]:
        errand = clerk.errand
        patience = self.order.seconds + GRACE if clerk.ready else HIRING
        if errand is None or self.clock < clerk.since + patience:
            return
        if not clerk.ready:
            raise NoClerks
        self._dismiss(clerk)
        within = f"a verdict within {self.order.seconds} s"
        yield errand, Unread("source/verifier", within, "none", silent=True).result()

    def _dismiss(self, clerk: Clerk) -> None:
        clerk.errand = None
        self.clerks.remove(clerk)
        clerk.end()
