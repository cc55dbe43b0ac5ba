"""One house over HTTP: one connection, answers bounded in size and time, requests repeated."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time
import urllib.parse
from typing import Any, NamedTuple

from .. import __version__, sources
from ..strictjson import MAX_BYTES, read
from .lies import Lie, Refused, Unreachable

Json = dict[str, Any]

TRIES = 5
PATIENCE = 15.0  # seconds that a house may say nothing, beside those it was asked to wait
MOST_PAUSE = 5.0


class Answer(NamedTuple):
    """What came back: its bytes, and when it was asked for and heard (ms of a clock that only
    runs forward)."""

    data: bytes
    asked: int
    heard: int

    def json(self) -> Json:
        """The object, read as strictly as a transcript: what programs read differently, is none."""
        value, _, flaws = read(self.data, depth=64)
        if flaws:
            raise Lie("C6", f"an answer cannot be read: {flaws[0].expected}", None, flaws[0].code)
        assert isinstance(value, dict)
        return value


def now() -> int:
    """Milliseconds of a clock that only runs forward."""
    return time.monotonic_ns() // 1_000_000


class Request(NamedTuple):
    """What is asked; `wait` are the seconds that the house may take for it."""

    method: str
    path: str
    data: bytes | None
    headers: dict[str, str]
    wait: float


class Wire:
    """The house at an http or https address.

    patience: seconds that it may say nothing. most: those that a request may take in all, tried
    again or not, beside those that the house was asked to wait.
    """

    def __init__(
        self, url: str, patience: float = PATIENCE, most: float = sources.SECONDS_IN_ALL
    ) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreachable(f"{url}: no http or https address")
        self.secure, self.host = parts.scheme == "https", parts.hostname
        self.port, self.below = parts.port, parts.path.rstrip("/")
        self.patience, self.most = patience, most
        self._line: http.client.HTTPConnection | None = None

    def ask(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        token: str | None = None,
        wait: float = 0.0,
    ) -> Answer:
        """One request; repeated when it or its answer got lost, which changes nothing."""
        headers = {"Accept": "application/json", "User-Agent": f"fairbones-verify/{__version__}"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        data = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            data = json.dumps(body, separators=(",", ":")).encode("utf-8")
        reason: object = "no answer"
        request = Request(method, self.below + path, data, headers, wait)
        end = time.monotonic() + self.most + wait
        for attempt in range(TRIES):
            if attempt:
                time.sleep(min(MOST_PAUSE, 0.1 * 4**attempt))
            asked = now()
            try:
                status, got = sources.within(
                    end - time.monotonic(), lambda: self._once(request, end)
                )
            except sources.TooSlow:
                self._drop()
                raise Unreachable(f"{self.host} is too slow") from None
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.close()
                reason = error
                continue
            if status == 503:
                reason = "it is busy"
                continue
            if 200 <= status < 300:
                return Answer(got, asked, now())
            raise refusal(status, got)
        raise Unreachable(f"{self.host} does not answer: {reason}")

    def _once(self, asked: Request, end: float) -> tuple[int, bytes]:
        if self._line is None:
            kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
            self._line = kind(self.host, self.port, timeout=self.patience)
        line = self._line
        try:
            if line.sock is None:
                line.connect()
            line.sock.settimeout(self.patience + asked.wait)
            line.request(asked.method, asked.path, body=asked.data, headers=asked.headers)
            answer = line.getresponse()
            with answer:  # `read1` does not say itself that this was all of it
                got = sources.body(answer, end)
                if len(got) > MAX_BYTES:
                    raise http.client.HTTPException("an answer without end")
        except BaseException:
            line.close()
            raise
        if self._line is not line:  # dropped meanwhile; cut off headers may look like an answer
            line.close()
        return answer.status, got

    def _drop(self) -> None:
        """Whoever still reads from the connection finds its end."""
        line, self._line = self._line, None
        if line is not None and isinstance(line.sock, socket.socket):
            with contextlib.suppress(OSError):
                socket.socket.shutdown(line.sock, socket.SHUT_RDWR)
            line.close()

    def close(self) -> None:
        """Let the connection go; the next request makes another."""
        if self._line is not None:
            self._line.close()
            self._line = None


def refusal(status: int, data: bytes) -> Refused:
    """A problem document in words; anything else is one without a code."""
    value, _, flaws = read(data, depth=64)
    problem = value if isinstance(value, dict) and not flaws else {}
    code, detail = (str(problem.get(name, ""))[:200] for name in ("code", "detail"))
    return Refused(status, code or "none", detail, problem, data)
