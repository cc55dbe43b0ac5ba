"""A small client of the HTTP API: standard library only, one connection, strict JSON."""

from __future__ import annotations

import http.client
import json
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from fairbones.bots.lies import Problem, Stopped, Unreachable

Json = dict[str, Any]

FIRST_PAUSE = 0.1  # seconds before the second try; twice as long before each one after it
LONGEST_PAUSE = 5.0
AGAIN = (429, 502, 503, 504)  # not now, which may be said by a proxy too
ANSWER_BYTES_MAX = 33_554_432  # no answer is longer than a transcript may be (SPEC 6.2)


class Client:
    """Not for sharing between threads. Every call may raise `Unreachable` or its `Problem`.

    `patience` is how many seconds an answer may take, on top of what was asked to wait. A request
    without a good answer is sent again until `endure` seconds have passed since its first try;
    once `halt` is set the next try raises `Stopped`. `again` is told why, whenever the service was
    not there and is asked again. `api_key` goes with what is opened.
    """

    def __init__(
        self,
        url: str,
        patience: float = 10.0,
        endure: float = 1.0,
        halt: threading.Event | None = None,
        again: Callable[[str], None] = lambda _: None,
        api_key: str | None = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Unreachable(f"{url!r} is not the address of a service")
        secure = parts.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        self._connection = kind(parts.hostname, parts.port, timeout=patience)
        self._prefix = parts.path.rstrip("/")
        self._patience = patience
        self._endure = endure
        self._halt = halt or threading.Event()
        self._again = again
        self._api_key = api_key

    def joining(self, cursor: str | None = None) -> Json:
        """A page of the matches that wait for players."""
        asked = {"status": "joining", "limit": 100} | ({"cursor": cursor} if cursor else {})
        return self._json("GET", f"/v1/matches?{urlencode(asked)}")

    def open(self, wanted: Mapping[str, object]) -> Json:
        """A new match; a key makes the same request sent twice open one."""
        key = secrets.token_urlsafe(16)
        return self._json("POST", "/v1/matches", wanted, token=self._api_key, key=key)

    def sit(self, match: str, seat: int, token: str, wanted: Mapping[str, object]) -> Json:
        return self._json("PUT", f"/v1/matches/{match}/seats/{seat}", wanted, token)

    def reveal(self, match: str, seat: int, wanted: Mapping[str, object]) -> Json:
        """A seed proves itself: no token goes with it, and the answer shows the public view."""
        return self._json("PUT", f"/v1/matches/{match}/seats/{seat}/seed", wanted)

    def act(self, match: str, token: str, wanted: Mapping[str, object]) -> Json:
        return self._json("POST", f"/v1/matches/{match}/actions", wanted, token)

    def view(self, match: str, token: str | None = None) -> Json:
        return self._json("GET", f"/v1/matches/{match}", token=token)

    def events(self, match: str, after: int, wait: int = 0) -> Json:
        path = f"/v1/matches/{match}/events?after={after}&wait={wait}"
        return self._json("GET", path, wait=wait)

    def transcript(self, match: str) -> bytes:
        """The bytes as served; what they say is for a verifier to judge."""
        return self._ask("GET", f"/v1/matches/{match}/transcript")

    def house_keys(self) -> list[Json]:
        keys: list[Json] = self._json("GET", "/v1/keys")["keys"]
        return keys

    def close(self) -> None:
        self._connection.close()

    def _json(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        token: str | None = None,
        wait: float = 0,
        key: str | None = None,
    ) -> Json:
        return read_object(self._ask(method, path, body, token, wait, key))

    def _ask(
        self,
        method: str,
        path: str,
        body: Mapping[str, object] | None = None,
        token: str | None = None,
        wait: float = 0,
        key: str | None = None,
    ) -> bytes:
        """One request. It may be sent again: the API makes every one of ours a no-op then."""
        headers = {"Accept": "application/json"}
        payload = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            payload = json.dumps(body).encode("ascii")
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if key is not None:
            headers["Idempotency-Key"] = key
        until = time.monotonic() + self._endure
        pause = FIRST_PAUSE
        while True:
            if self._halt.is_set():
                raise Stopped("told to stop")
            try:
                status, retry_after, answer = self._exchange(
                    method, self._prefix + path, payload, headers, self._patience + wait
                )
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                text = str(error) or type(error).__name__
                refusal = Unreachable(f"the service does not answer {method} {path}: {text}")
            else:
                if status < 400:
                    return answer
                refusal = _problem(status, answer)
                # Who has no place to wait in can ask without.
                if status not in AGAIN or (wait and refusal.code == "service/busy"):
                    raise refusal
                pause = max(pause, retry_after)
            if time.monotonic() + pause > until:
                raise refusal
            if not isinstance(refusal, Problem):
                self._again(str(refusal))
            # Many that were refused at one moment must not come back at one moment.
            self._halt.wait(pause * (1 + secrets.randbelow(250) / 1000))
            pause = min(LONGEST_PAUSE, 2 * pause)

    def _exchange(
        self,
        method: str,
        path: str,
        payload: bytes | None,
        headers: Mapping[str, str],
        timeout: float,
    ) -> tuple[int, float, bytes]:
        self._connection.timeout = timeout
        if self._connection.sock is not None:
            self._connection.sock.settimeout(timeout)
        self._connection.request(method, path, payload, headers)
        response = self._connection.getresponse()
        answer = response.read(ANSWER_BYTES_MAX + 1)
        if len(answer) > ANSWER_BYTES_MAX:
            raise Unreachable(f"the answer to {method} {path} does not end")
        asked = response.headers.get("Retry-After", "")
        return response.status, float(asked) if asked.isdecimal() else 0.0, answer


def read_object(answer: bytes) -> Json:
    """A JSON object without duplicate keys or floats, or `Unreachable`."""

    def refuse(_text: str) -> object:
        raise ValueError("a number that is not whole")

    def once(pairs: list[tuple[str, Any]]) -> Json:
        read = dict(pairs)
        if len(read) != len(pairs):
            raise ValueError("a key twice")
        return read

    try:
        told = json.loads(answer, parse_float=refuse, parse_constant=refuse, object_pairs_hook=once)
        if not isinstance(told, dict):
            raise ValueError("not an object")
    except (ValueError, RecursionError) as error:
        raise Unreachable(f"the answer of the service is not readable: {error}") from error
    return told


def _problem(status: int, answer: bytes) -> Problem:
    try:
        told = read_object(answer)
    except Unreachable:
        told = {}
    text = told.get("detail") or told.get("title") or http.client.responses.get(status, "refused")
    return Problem(status, str(told.get("code", "no-code")), str(text))
