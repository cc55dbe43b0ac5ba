"""A service with faults, seen from a test: started, killed, started again, always at one port."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from fairbones.keys.keyring import open_keyring
from tests.audit.running import clerks_of, environment
from tests.faults.planting import Plan
from tests.hostile.wire import Answer, Request, parsed
from tests.servers.server import free_port

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 20.0
ANSWER_SECONDS = 20.0


class Refused(Exception):
    """It did not start: the exit code, and what it said."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(code, said)
        self.code = code
        self.said = said


class Service:
    """One service in a process group of its own; threads may use it side by side.

    `settings` are FAIRBONES_* variables without that prefix; `within` are words that run a program
    in surroundings of its own, in the same process.
    """

    def __init__(self, folder: Path, *within: str, **settings: object) -> None:
        self.folder = folder
        self.plan = Plan(folder / "plan")
        self.log = folder / "log"
        self.port = free_port()
        self.starts = 0
        self._within = within
        # What is opened here comes from one address.
        ours = {"DATA": folder / "data", "PORT": self.port, "OPEN_COST": 0}
        self._settings: dict[str, object] = ours | settings
        self._process: subprocess.Popen[str] | None = None
        self._guard = threading.RLock()

    @property
    def data(self) -> Path:
        """Where its matches and keys are."""
        return Path(str(self._settings["DATA"]))

    @property
    def store(self) -> str:
        """The URL of its store; empty: it is a file."""
        return str(self._settings.get("STORE", ""))

    @property
    def pid(self) -> int:
        """The process that all others of it come from."""
        assert self._process is not None
        return self._process.pid

    def workers(self) -> list[int]:
        """The processes that answer."""
        return clerks_of(self.pid)

    def start(self) -> Service:
        """Returns when it listens; `Refused` when it ends instead."""
        if self.store and "KEYS" not in self._settings:
            # A house on a shared store finds its keys and never makes them.
            self.data.mkdir(exist_ok=True)
            open_keyring(self.data / "keys", frozenset())
        named = {f"FAIRBONES_{name}": str(value) for name, value in self._settings.items()}
        words = [sys.executable, "-m", "tests.faults.server", str(self.plan.folder)]
        said = len(self.log.read_text("utf-8")) if self.log.exists() else 0
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*self._within, *words],
                cwd=ROOT,
                env=environment(PYTHONPATH=f"{ROOT / 'service'}{os.pathsep}{ROOT}", **named),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                # So that one signal ends all of it, and nothing else.
                start_new_session=True,
            )
        self.starts += 1
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as ready:
            ready.register(self._process.stdout, selectors.EVENT_READ)
            ready.select(START_SECONDS)
        if "listening" not in self._process.stdout.readline():
            code = self._process.wait(START_SECONDS)
            self.kill()
            raise Refused(code, self.log.read_text("utf-8")[said:])
        return self

    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def revive(self) -> None:
        """Start it again if it has died, and as a supervisor would once more while its store is
        away.
        """
        deadline = time.monotonic() + START_SECONDS
        with self._guard:
            while not self.alive():
                self.kill()
                try:
                    self.start()
                except Refused as refused:
                    if "cannot be reached" not in refused.said or time.monotonic() > deadline:
                        raise

    def kill(self) -> None:
        """SIGKILL for every process of it."""
        with self._guard:
            if self._process is None:
                return
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()

    def stop(self) -> int:
        """As an operator would; its exit code."""
        assert self._process is not None
        self._process.terminate()
        try:
            code = self._process.wait(20)
        finally:
            self.kill()
        return code

    def send(self, request: Request) -> Answer:
        """One request on a connection of its own. OSError when no whole answer comes."""
        raw = b""
        with socket.create_connection(("127.0.0.1", self.port), ANSWER_SECONDS) as line:
            line.sendall(request.raw())
            while data := line.recv(1 << 16):
                raw += data
        head, _, body = raw.partition(b"\r\n\r\n")
        lengths = [it for it in head.lower().split(b"\r\n") if it.startswith(b"content-length:")]
        if not lengths or len(body) != int(lengths[0].split(b":")[1]):
            raise ConnectionError("hung up without a whole answer")
        return parsed(raw)

    def incidents(self) -> list[str]:
        """What it has logged as faults of its own."""
        lines = self.log.read_text("utf-8").splitlines()
        return [line for line in lines if "Traceback" in line or "incident" in line]


@contextlib.contextmanager
def running(folder: Path, *within: str, **settings: object) -> Iterator[Service]:
    """A service that listens, and is gone afterwards."""
    service = Service(folder, *within, **settings)
    try:
        yield service.start()
    finally:
        service.kill()
