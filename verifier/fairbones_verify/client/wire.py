"""One house over HTTP: one connection, answers bounded in size and time, requests repeated."""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import socket
import time
from typing import Any, NamedTuple

from .. import __version__, sources
from ..strictjson import MAX_BYTES, read
from .clock import sleepless
from .lies import Lie, Refused, Unreachable

Json = dict[str, Any]

TRIES = 5
BETWEEN = (429, 500, 502, 503, 504)  # said by what stands before a house, or by one in trouble
PATIENCE = 15.0  # seconds that a house may say nothing, beside those it was asked to wait
MOST_PAUSE = 5.0
MOST_AFTER = 30.0  # seconds that are waited because an answer asks for it

pause = time.sleep
_running = sleepless()


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
    """Milliseconds of a clock that only runs forward, also while the machine sleeps."""
    return _running()


class Request(NamedTuple):
    """What is asked; `wait` are the seconds that the house may take for it."""

    method: str
    path: str
    data: bytes | None
    headers: dict[str, str]
    wait: float


class Got(NamedTuple):
    """An answer as it came. kind: its Content-Type. after: its Retry-After."""

    status: int
    data: bytes
    kind: str = ""
    after: str = ""

    def trouble(self) -> str:
        """Why it is no word of a house, and may be another one when it is asked for again."""
        if self.status in BETWEEN:
            return f"it says {self.status}"
        if not 200 <= self.status < 300:
            return ""
        # What is JSON and has a false form is the house's own word, and so a lie (C6).
        json_, text = self.kind.partition(";")[0].strip().lower(), self.data.lstrip()
        foreign = json_ not in ("", "application/json") or not text or text.startswith(b"<")
        return "what answers is no house" if foreign else ""

    def wait(self, attempt: int) -> float:
        """Seconds before it is asked for again."""
        plain = min(MOST_PAUSE, 0.1 * 4.0**attempt)
        asked = float(self.after) if re.fullmatch("[0-9]{1,9}", self.after) else 0.0
        return max(plain, min(MOST_AFTER, asked))


class Wire:
    """The house at an http or https address.

    patience: seconds that it may say nothing. most: those that a request may take in all, tried
    again or not, beside those that the house was asked to wait.
    """

    def __init__(
        self, url: str, patience: float = PATIENCE, most: float = sources.SECONDS_IN_ALL
    ) -> None:
        try:
            parts = sources.address(url)
        except sources.Problem as problem:
            raise Unreachable(problem.args[2]) from None
        self.secure, self.host = parts.scheme == "https", parts.hostname or ""
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
        end, rest = time.monotonic() + self.most + wait, 0.0
        for attempt in range(TRIES):
            if time.monotonic() + rest > end:
                break
            pause(rest)
            asked = now()
            try:
                got = sources.within(end - time.monotonic(), lambda: self._once(request, end))
            except sources.TooSlow:
                self._drop()
                raise Unreachable(f"{self.host} is too slow") from None
            except (OSError, http.client.HTTPException, ValueError) as error:
                self.close()
                reason, rest = error, Got(0, b"").wait(attempt)
                continue
            trouble = got.trouble()
            if trouble:
                reason, rest = trouble, got.wait(attempt)
                continue
            if 200 <= got.status < 300:
                return Answer(got.data, asked, now())
            if 300 <= got.status < 400:
                said = f"{self.host} sends everybody elsewhere ({got.status})"
                raise Unreachable(f"{said}: give the address of the house itself")
            raise refusal(got.status, got.data)
        raise Unreachable(f"{self.host} does not answer: {reason}")

    def _once(self, asked: Request, end: float) -> Got:
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
        said = answer.headers
        return Got(answer.status, got, said.get("Content-Type", ""), said.get("Retry-After", ""))

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
