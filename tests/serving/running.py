"""`fairbones serve` as processes of its own, on a file or on a shared store, and who follows it."""

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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
READY = re.compile(r"listening on http://127\.0\.0\.1:(\d+) ")
SERVE = (sys.executable, "-m", "fairbones.cli", "serve")
MODES = ("file", "shared")
BLOCK = {"ruleset": "block", "seats": 2, "rounds_max": 1}
Json = dict[str, Any]


def environment(**ours: object) -> dict[str, str]:
    """That of this process, with no variable of Fairbones but these."""
    plain = {name: it for name, it in os.environ.items() if not name.startswith("FAIRBONES_")}
    path = f"{ROOT / 'service'}{os.pathsep}{ROOT}"
    return plain | {"PYTHONPATH": path} | {f"FAIRBONES_{key}": str(it) for key, it in ours.items()}


class Running:
    """A service in a process group of its own; its log goes to a file."""

    def __init__(self, folder: Path, command: Sequence[str] = SERVE, **ours: object) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.log = folder / "log"
        self._followers: list[Follower] = []
        given: dict[str, object] = {"PORT": 0, "DATA": folder / "data", "GRACE": 5} | ours
        with self.log.open("wb") as errors:
            self.process = subprocess.Popen(
                command,
                env=environment(**given),
                cwd=folder,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )

    def ready(self) -> Running:
        """Wait until it listens."""
        assert self.process.stdout is not None
        found = READY.search(self.process.stdout.readline())
        assert found is not None, self.log.read_text()
        self.port = int(found[1])
        return self

    def children(self) -> list[int]:
        """The worker processes."""
        pid = self.process.pid
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in text.split()]

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> Json:
        """One good answer."""
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        sent = None if body is None else json.dumps(body).encode()
        url = f"http://127.0.0.1:{self.port}{path}"
        asked = urllib.request.Request(url, sent, headers, method=method)
        with urllib.request.urlopen(asked, timeout=20) as answer:
            told: Json = json.loads(answer.read())
        return told

    def open(self, **more: object) -> str:
        """A new match; its address."""
        opened = self.ask("POST", "/v1/matches", {**BLOCK, **more})
        return f"/v1/matches/{opened['event']['match']}"

    def sit(self, match: str, seat: int) -> Json:
        """Somebody takes a seat."""
        body = {"client_seed_commitment": f"{seat + 1:02}" * 32}
        return self.ask("PUT", f"{match}/seats/{seat}", body, token=f"{seat}a" * 32)

    def connect(self) -> socket.socket:
        """A plain connection."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def follow(self, match: str, query: str = "", **headers: str) -> Follower:
        """A stream of the events of a match."""
        client = self.connect()
        named = "".join(f"{name.replace('_', '-')}: {it}\r\n" for name, it in headers.items())
        client.sendall(
            f"GET {match}/events{query} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n"
            f"{named}\r\n".encode()
        )
        self._followers.append(Follower(client))
        return self._followers[-1]

    def lines(self, *levels: str) -> list[Json]:
        """What it has logged at these levels, or at all; a line that is being written left out."""
        told = [json.loads(line) for line in self.log.read_text().split("\n")[:-1]]
        return [line for line in told if not levels or line["level"] in levels]

    def unharmed(self) -> None:
        """Nothing went wrong inside."""
        assert "Traceback" not in self.log.read_text()
        assert self.lines("warning", "error", "critical") == []

    def stop(self) -> None:
        """SIGTERM, and a good end."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0, self.log.read_text()

    def end(self) -> None:
        """The whole group that was started here, however it has fared, and who followed it."""
        for follower in self._followers:
            follower.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@dataclass(slots=True)
class Message:
    """One message of a stream; `id` -1 and no `data` for what is none."""

    id: int
    data: Json
    comment: bool = False


class Follower:
    """A stream as a client has it: the head at once, then message by message."""

    def __init__(self, client: socket.socket) -> None:
        self.client = client
        self._file = client.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.headers: dict[str, str] = {}
        while (line := self._file.readline()) != b"\r\n":
            name, _, value = line.decode().partition(":")
            self.headers[name.lower()] = value.strip()
        self._text = b""

    def next(self) -> Message | None:
        """The next message or comment; None at a clean end."""
        while True:
            while b"\n\n" not in self._text:
                size = int(self._file.readline() or b"-1", 16)
                assert size >= 0, "the stream broke off"
                chunk = self._file.read(size + 2)[:-2]
                if not size:
                    return None
                self._text += chunk
            block, _, self._text = self._text.partition(b"\n\n")
            if block == b":":
                return Message(-1, {}, comment=True)
            fields = dict(line.split(": ", 1) for line in block.decode().split("\n"))
            if "data" in fields:
                return Message(int(fields["id"]), json.loads(fields["data"]))

    def body(self) -> bytes:
        """An answer that is no stream."""
        return self._file.read(int(self.headers.get("content-length", 0)))

    def types(self) -> list[str]:
        """The types of the next message's events."""
        message = self.next()
        assert message is not None
        return [event["type"] for event in message.data["events"]]

    def close(self) -> None:
        """Hang up."""
        self._file.close()
        self.client.close()


def eventually(true: Callable[[], object], seconds: float = 20) -> None:
    """Until it holds."""
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(OSError, urllib.error.URLError):
            if true():
                return
        assert time.monotonic() < deadline
        time.sleep(0.05)
