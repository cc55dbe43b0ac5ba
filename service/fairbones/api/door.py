"""The door: every request gets its id, is counted, and is refused when there are too many."""

from __future__ import annotations

import re
import secrets
import time
from typing import Any

import structlog
from flask import Flask, Response, request
from werkzeug.middleware.proxy_fix import ProxyFix

from fairbones.api.front import front_of

REQUEST_ID = "X-Request-ID"
# Where whoever logs the request after the application finds its id.
ENVIRON_ID = "fairbones.request_id"
REPLAYED = "Idempotent-Replayed"
_WRITE = frozenset(("POST", "PUT", "DELETE"))
_SINCE = "fairbones.since"
# Whoever watches the service has to get through when nobody else does.
UNLIMITED = frozenset(("/livez", "/readyz", "/metrics"))

_SANE = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
# The log keeps nothing that may be 32 random bytes, so such an id would be none; it may be a token.
_SECRET = re.compile(r"[A-Za-z0-9_-]{43}")


def register_door(app: Flask) -> None:
    """Everything that comes to the application comes through here; after `set_up`.

    A view's answer is counted when it is made: what is streamed afterwards is not timed.
    """
    at = front_of(app)
    ops = at.ops
    if ops.proxies:
        # How many have added whom they got the request from is known; which scheme the first one
        # spoke is the word of the last.
        fixed = ProxyFix(app.wsgi_app, x_for=ops.proxies, x_proto=1)
        app.wsgi_app = fixed  # type: ignore[method-assign]

    def arrived(_endpoint: str | None, _values: dict[str, Any] | None) -> None:
        environ = request.environ
        environ[_SINCE] = time.perf_counter()
        environ[ENVIRON_ID] = name = request_id(environ.get("HTTP_X_REQUEST_ID"))
        structlog.contextvars.bind_contextvars(request_id=name)
        if ops.rates is not None and request.path not in UNLIMITED:
            ops.rates.request(address(), environ.get("HTTP_AUTHORIZATION"))

    def left(answer: Response) -> Response:
        environ, rule = request.environ, request.url_rule
        if answer.status_code < 300 and request.method in _WRITE and REPLAYED not in answer.headers:
            at.readiness.kept()
        answer.headers.add(REQUEST_ID, environ[ENVIRON_ID])
        ops.meter.answered(
            None if rule is None else rule.rule,
            environ["REQUEST_METHOD"],
            answer.status_code,
            time.perf_counter() - environ[_SINCE],
        )
        if answer.is_streamed:
            # Its lines are still to come.
            answer.call_on_close(_forget)
        else:
            # The thread goes on to serve others.
            _forget()
        return answer

    # Before all else: reading the values of an address may refuse it already. And after all else.
    app.url_value_preprocessor(arrived)
    app.after_request(left)


def request_id(sent: str | None) -> str:
    """The id that a client sent, or a new one where there is none or none that a log can keep."""
    if sent is not None and _SANE.fullmatch(sent) and not _SECRET.search(sent):
        return sent
    return secrets.token_hex(8)


def address() -> str:
    """Who asks, as far as the trusted proxies say; behind a socket file everybody is one."""
    return (request.remote_addr or "local")[:64]


def _forget() -> None:
    structlog.contextvars.unbind_contextvars("request_id")
