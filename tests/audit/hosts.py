"""Services for an audit: one that says whatever a test wants, and a real house."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.audit.running import environment

READY = re.compile(r"listening on (http://127\.0\.0\.1:\d+) ")
Answer = Callable[["Asked"], None]


class Asked(BaseHTTPRequestHandler):
    """One request; `server.answer` says what comes of it."""

    server: Host

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        with contextlib.suppress(OSError):
            self.server.answer(self)

    def say(self, data: bytes | dict[str, Any], status: int = 200, **headers: str) -> None:
        body = json.dumps(data).encode() if isinstance(data, dict) else data
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


class Host(ThreadingHTTPServer):
    """Answers with `answer`; `asked` are the paths, in order."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Asked)
        self.answer, self.asked = answer, list[str]()
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def host(answer: Answer) -> Iterator[Host]:
    server = Host(answer)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def page(names: list[str], cursor: str | None = None, at: int = 5) -> dict[str, Any]:
    """A page of a list."""
    told: dict[str, Any] = {"matches": [{"id": name, "opened_at": at} for name in names], "now": 9}
    return told if cursor is None else {**told, "cursor": cursor}


def listing(transcripts: dict[str, bytes], size: int = 100) -> Answer:
    """An honest service with these matches."""

    def answer(asked: Asked) -> None:
        names = list(transcripts)
        found = re.fullmatch(r"/v1/matches\?limit=100(?:&cursor=([0-9]+))?", asked.path)
        if found is not None:
            start = int(found[1] or 0)
            more = str(start + size) if start + size < len(names) else None
            asked.say(page(names[start : start + size], more))
            return
        name = asked.path.removeprefix("/v1/matches/").removesuffix("/transcript")
        if name in transcripts:
            asked.say(transcripts[name])
        else:
            asked.say({"code": "match/unknown"}, 404)

    return answer


def dripping(asked: Asked, seconds: float = 60) -> None:
    """An answer that comes in drops."""
    asked.send_response(200)
    asked.end_headers()
    for _ in range(int(seconds * 5)):
        asked.wfile.write(b" ")
        time.sleep(0.2)


@contextlib.contextmanager
def real(data: Path) -> Iterator[str]:
    """`fairbones serve` on a free port, ended by its own pid; its address."""
    ours = {"FAIRBONES_PORT": "0", "FAIRBONES_DATA": str(data), "FAIRBONES_LOG_LEVEL": "error"}
    with (data.parent / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "fairbones.cli", "serve"],
            env=environment(**ours),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert process.stdout is not None
    try:
        found = READY.search(process.stdout.readline())
        assert found is not None, (data.parent / "log").read_text()
        yield found[1]
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
