"""Real servers on loopback to measure: started on a free port, ended by their own pid."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairbones.keys.keyring import open_keyring

PATIENCE_SECONDS = 20.0
SERVICE = ("fairbones.cli", "serve")
_READY = re.compile(r"listening on http://127\.0\.0\.1:(\d+) ")


@dataclass(frozen=True, slots=True)
class Server:
    """Where it listens and the pid of gunicorn's parent."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def workers(self) -> list[int]:
        """The pids of the processes that answer."""
        return [int(it) for it in _children(self.pid).read_text().split()]

    def cpu(self) -> float:
        """The seconds that they have had of a core."""
        return sum(_ticks(pid) for pid in self.workers()) / os.sysconf("SC_CLK_TCK")


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


def _children(pid: int) -> Path:
    return Path(f"/proc/{pid}/task/{pid}/children")


def on_a_shared_store(url: str, keys: Path, workers: int = 2) -> dict[str, object]:
    """The variables of a service in Redis mode, whose keys are made here; for `server`."""
    open_keyring(keys, frozenset())
    return {"STORE": url, "KEYS": keys, "WORKERS": workers}


@contextmanager
def server(
    data: Path, variables: Mapping[str, object], module: Sequence[str] = SERVICE
) -> Iterator[Server]:
    """`python -m MODULE ...` with FAIRBONES_* variables, told without that prefix."""
    ours: dict[str, object] = {"PORT": 0, "DATA": data, "LOG_LEVEL": "error", **variables}
    plain = {name: it for name, it in os.environ.items() if not name.startswith("FAIRBONES_")}
    process = subprocess.Popen(
        [sys.executable, "-m", *module],
        env=plain | {f"FAIRBONES_{name}": str(it) for name, it in ours.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        found = _READY.search(process.stdout.readline())
        if found is None:
            raise RuntimeError(f"python -m {' '.join(module)} did not start")
        yield Server(int(found[1]), process.pid)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def rss(pid: int) -> int:
    """The resident bytes of a process."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Rss:\s+(\d+) kB", text, re.M)
    assert found is not None
    return 1024 * int(found[1])
