"""A stub house as a process of its own, for tests that start and end one."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READY = re.compile(
    r"fairbones is listening on (http://127\.0\.0\.1:(\d+)) "
    r"\((?:data: (.*)|store: redis://nowhere, workers: \d+)\)\n"
)
# The stub house keeps nothing: what is named here is never asked.
SHARED = {"STORE": "redis://nowhere", "WORKERS": "1"}


class Service:
    """A stub house in a process group of its own; its log goes to a file."""

    def __init__(self, data: Path, log: Path, *, shared: bool, **variables: str) -> None:
        self.data = data
        self.shared = shared
        self.log = log
        plain = {key: it for key, it in os.environ.items() if not key.startswith("FAIRBONES_")}
        given = {"PORT": "0", "DATA": str(data), "GRACE": "5"}
        given |= (SHARED if shared else {}) | variables
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "tests.config.stub_house"],
                cwd=ROOT,
                env=plain
                | {f"FAIRBONES_{key}": value for key, value in given.items()}
                | {"PYTHONPATH": f"{ROOT / 'service'}{os.pathsep}{ROOT}"},
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
                start_new_session=True,
            )

    def ready(self) -> Service:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = READY.fullmatch(line)
        assert found, line + self.log.read_text()
        self.url, self.port = found[1], int(found[2])
        assert found[3] == (None if self.shared else str(self.data))
        return self

    def get(self, path: str, timeout: float = 10) -> str:
        with urllib.request.urlopen(self.url + path, timeout=timeout) as answer:
            return str(answer.read().decode())

    def worker(self) -> int:
        return int(self.get("/pid"))

    def children(self) -> list[int]:
        pid = self.process.pid
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in text.split()]

    def lines(self) -> list[dict[str, object]]:
        # Without a last line that is still being written.
        return [json.loads(line) for line in self.log.read_text().split("\n")[:-1]]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=10)

    def end(self) -> None:
        # The whole group that was started here, however it has fared.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


Start = Callable[..., Service]


def eventually(true: Callable[[], object], seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError, urllib.error.URLError):
            if true():
                return
        assert time.monotonic() < deadline
        time.sleep(0.05)


def answer_of(client: socket.socket) -> bytes:
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while chunk := client.recv(65_536):
            answer += chunk
    return answer
