"""The service as it is shipped, as a process of its own behind whatever a test puts before it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tests.deploy.texts import BIN, ROOT
from tests.servers.server import until

READY = re.compile(r"listening on (http://127\.0\.0\.1:(\d+)) ")
OPENING = {"ruleset": "draw", "seats": 2, "options": {"target": 50}}


def environment(**settings: str) -> dict[str, str]:
    """This one's, with no other FAIRBONES_ variables than these."""
    plain = {key: it for key, it in os.environ.items() if not key.startswith("FAIRBONES_")}
    return plain | {f"FAIRBONES_{key}": it for key, it in settings.items()}


def make_keys(folder: Path) -> None:
    """The keys of a house, made as an operator makes them."""
    subprocess.run(
        [BIN / "fairbones", "keys", "create"],
        env=environment(KEYS=str(folder)),
        check=True,
        capture_output=True,
        timeout=60,
    )


class Service:
    """`fairbones serve`, or what else runs it; `stop` and `start` keep the port."""

    def __init__(self, argv: Sequence[str], log: Path, settings: Mapping[str, str]) -> None:
        self._argv = list(argv)
        self._log = log
        self.settings = dict(settings)
        self._process: subprocess.Popen[str] | None = None
        self.port = int(self.settings.get("PORT", "0"))
        # On standard output, after the line that says where it listens; known once it is stopped.
        self.said = ""

    def start(self) -> None:
        """Returns when it serves."""
        self.settings["PORT"] = str(self.port)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._argv,
                cwd=ROOT,
                env=environment(**self.settings),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                start_new_session=True,
            )
        if not self.port:
            assert self._process.stdout is not None
            line = self._process.stdout.readline()
            found = READY.search(line)
            assert found, line + self.log()
            self.port = int(found[2])
        until(self._ready, 30, self._argv[0])

    def stop(self) -> None:
        """As an operator would."""
        assert self._process is not None
        self._process.terminate()
        self._process.wait(30)
        assert self._process.stdout is not None
        self.said = self._process.stdout.read()
        self._let_go()

    def close(self) -> None:
        """The whole group that was started, however it has fared."""
        if self._process is not None and self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(10)
        self._let_go()

    def log(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def get(self, path: str) -> tuple[int, str]:
        return fetch(f"http://127.0.0.1:{self.port}{path}")

    def _ready(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log()
        with contextlib.suppress(OSError):
            return self.get("/readyz")[0] == 200
        return False

    def _let_go(self) -> None:
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()


def fetch(
    url: str, body: object = None, headers: Mapping[str, str] | None = None, method: str = ""
) -> tuple[int, str]:
    """Status and body of an answer, whatever the status."""
    request = urllib.request.Request(url, method=method or None, headers=dict(headers or {}))
    if body is not None:
        request.data = body if isinstance(body, bytes) else json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.read().decode()


@contextlib.contextmanager
def service(
    folder: Path, *, before: Sequence[str] = (), argv: Sequence[str] = (), **settings: str
) -> Iterator[Service]:
    """A service whose files are under `folder`; `settings` without FAIRBONES_."""
    wanted = {"DATA": str(folder / "house"), "GRACE": "3", "LOG_LEVEL": "info"} | settings
    command = argv or (sys.executable, "-m", "fairbones.cli", "serve")
    it = Service([*before, *command], folder / "service.log", wanted)
    try:
        it.start()
        yield it
    finally:
        it.close()
