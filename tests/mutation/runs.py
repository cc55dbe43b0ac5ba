"""Runs of pytest on some files of a copy, each in a process of its own (`nursery.py`)."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple, Self

# A mutant may take some times what the tests take without it, on a machine that may be busier now.
PATIENCE, SECONDS_MORE = 4, 15
CPU_PATIENCE, CPU_SECONDS_MORE = 2, 4
MEMORY_MAX = 4 << 30  # a loop without an end may fill lists as well
OPTIONS = ["-q", "-x", "--tb=no", "--no-header", "-p", "_hypothesis_pytestplugin"]


class Broken(Exception):
    """The tests cannot judge mutants: they fail without one, or somebody else ends them."""


class Took(NamedTuple):
    """What a course of tests takes without a mutant."""

    clock: float
    cpu: float


class Ended(NamedTuple):
    """A run of pytest: its exit code, None when it was ended, what it said and took."""

    code: int | None
    said: str
    took: Took = Took(0, 0)


class Nursery:
    """The process that the runs are children of."""

    def __init__(self, root: Path, seed: int) -> None:
        self.root, self.seed = root, seed
        script = Path(__file__).with_name("nursery.py")
        self._process = subprocess.Popen(
            [sys.executable, str(script)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()

    def run(self, course: tuple[str, ...], usual: Took | None) -> Ended:
        """Some words for pytest. usual: what they take without a mutant, None where that is asked.

        The seconds are counted and not taken from a clock: what stops us both is no hang of its.
        """
        with tempfile.NamedTemporaryFile("r", errors="replace") as out:
            begun = time.monotonic()
            self._ask(course, usual, out.name)
            pid, waited = int(self._line()), 0
            try:
                while not select.select([self._out], [], [], 1)[0]:
                    waited += 1
                    if usual is not None and waited > PATIENCE * usual.clock + SECONDS_MORE:
                        _end(pid)
                        self._line()
                        return Ended(None, "")
                status, cpu = self._line().split()
            except BaseException:
                _end(pid)
                raise
            code = os.waitstatus_to_exitcode(int(status))
            if code in (-signal.SIGKILL, -signal.SIGTERM):
                raise Broken("the tests were ended by somebody else")
            took = Took(time.monotonic() - begun, float(cpu))
            return Ended(None if code == -signal.SIGXCPU else code, out.read(), took)

    @property
    def _out(self) -> IO[str]:
        assert self._process.stdout is not None
        return self._process.stdout

    def _line(self) -> str:
        line = self._out.readline()
        if not line:
            raise Broken("pytest cannot be loaded")
        return line

    def _ask(self, course: tuple[str, ...], usual: Took | None, out: str) -> None:
        paths = [str(self.root / part) for part in ("service", "verifier", ".")]
        env = {
            "FAIRBONES_SEED": str(self.seed),
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",  # of all that is installed one is needed
            "PYTHONPATH": os.pathsep.join(paths),  # before the checkout that the venv knows
        }
        cpu = None if usual is None else int(CPU_PATIENCE * usual.cpu + CPU_SECONDS_MORE)
        asked = {
            "argv": [*OPTIONS, *course],
            "root": str(self.root),
            "paths": paths,
            "env": env,
            "cpu": cpu,
            "memory": MEMORY_MAX,
            "out": out,
        }
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asked) + "\n")
        self._process.stdin.flush()


def _end(pid: int) -> None:
    """A run, and its own children too."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
