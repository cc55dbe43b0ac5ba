"""Other programs, started and always ended by us; and the signals that end ourselves."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Self

LINES_KEPT = 4000
GRACE = 8.0  # seconds that a child has to end when asked


class Trouble(Exception):
    """The demo cannot go on; one sentence for the reader."""


class Interrupted(Exception):
    """A signal asked us to end."""

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.signum = signum


class Signals:
    """Within it, the first signal, or the end of our time, becomes an exception; not in `held`."""

    _ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._held = 0
        self._caught: list[int] = []

    def __enter__(self) -> Self:
        self._before = {
            signum: signal.signal(signum, self._catch)
            for signum in (*self._ENDING, signal.SIGALRM)
            if signal.getsignal(signum) is not signal.SIG_IGN
        }
        signal.setitimer(signal.ITIMER_REAL, self._seconds)
        return self

    def __exit__(self, *_error: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for signum, handler in self._before.items():
            signal.signal(signum, handler)

    def _catch(self, signum: int, _frame: FrameType | None) -> None:
        if self._held:
            self._caught.append(signum)
        else:
            self._raise(signum)

    def _raise(self, signum: int) -> None:
        self.hold()  # one is enough
        if signum == signal.SIGALRM:
            raise Trouble(f"this took longer than {self._seconds:g} seconds and was broken off")
        raise Interrupted(signum)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """What is begun here is finished; a signal that came meanwhile takes effect after it."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1
        if self._caught and not self._held:
            self._raise(self._caught.pop(0))

    def hold(self) -> None:
        """From here on nothing interrupts."""
        self._held += 1


class Child:
    """A running program whose output, both streams, is read all the time."""

    def __init__(self, name: str, process: subprocess.Popen[str]) -> None:
        self.name = name
        self.process = process
        self._lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._news = threading.Condition()
        self._silent = False
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            for line in stream:
                with self._news:
                    self._lines.append(line.rstrip("\n"))
                    self._news.notify_all()
        with self._news:
            self._silent = True
            self._news.notify_all()

    def wait_for(self, beginning: str, seconds: float) -> str:
        """The first line that begins so; `Trouble` if the child ends or is silent instead."""

        def found() -> str | None:
            return next((line for line in self._lines if line.startswith(beginning)), None)

        with self._news:
            self._news.wait_for(lambda: found() is not None or self._silent, seconds)
            line = found()
        if line is None:
            raise self.trouble("did not start")
        return line

    def finish(self, seconds: float) -> tuple[int, str]:
        """Its exit code and everything it wrote; `Trouble` if it does not end by itself."""
        try:
            code = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise self.trouble(f"has not ended within {seconds:g} seconds") from None
        self._reader.join(seconds)
        return code, self.output()

    def output(self) -> str:
        with self._news:
            return "\n".join(self._lines)

    def trouble(self, what: str) -> Trouble:
        """One sentence and the last lines it wrote."""
        code = self.process.poll()
        ended = f" (it ended with exit code {code})" if code is not None else ""
        last = "".join(f"\n  | {line}" for line in self.output().splitlines()[-8:])
        return Trouble(f"the {self.name} {what}{ended}{last}")

    def stop(self, grace: float = GRACE) -> None:
        """End it; one that does not is ended with all that it has started, its whole session."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(grace)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self._reader.join(grace)


class Children:
    """Everybody we started, so that nobody is left behind."""

    def __init__(self, signals: Signals) -> None:
        self._signals = signals
        self._running: list[Child] = []

    def start(self, name: str, argv: Sequence[str], folder: Path, env: Mapping[str, str]) -> Child:
        """Start a program in a session of its own: Ctrl-C reaches it through us, in order."""
        with self._signals.held():
            try:
                process = subprocess.Popen(
                    argv,
                    cwd=folder,
                    env=env,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    encoding="utf-8",
                    errors="replace",
                    start_new_session=True,
                )
            except OSError as error:
                raise Trouble(f"the {name} cannot be started: {error}") from error
            child = Child(name, process)
            self._running.append(child)
        return child

    def run(
        self, name: str, argv: Sequence[str], folder: Path, env: Mapping[str, str], seconds: float
    ) -> tuple[int, str]:
        """Start a program and wait for its exit code and output."""
        return self.start(name, argv, folder, env).finish(seconds)

    def stop_all(self) -> None:
        """The last one first."""
        while self._running:
            self._running.pop().stop()
