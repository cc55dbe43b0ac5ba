"""Every error as `application/problem+json` (RFC 9457): from a code to an answer, in one place."""

from __future__ import annotations

import json
import logging
import secrets
import traceback
from collections.abc import Mapping

from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from fairbones.api.codes import CODES, Row
from fairbones.api.front import front
from fairbones.api.limits import RETRY_AFTER_SECONDS
from fairbones.core.errors import (
    Conflict,
    FairbonesError,
    Forbidden,
    Illegal,
    Missing,
    Stale,
    Unreadable,
)

MEDIA_TYPE = "application/problem+json"

_log = logging.getLogger("fairbones.api")

# For a code that is not in the table: the class still says what kind of wrong it is.
_BY_CLASS: tuple[tuple[type[FairbonesError], int, str], ...] = (
    (Unreadable, 422, "Unreadable"),
    (Illegal, 422, "Illegal"),
    (Stale, 409, "Stale"),
    (Conflict, 409, "Conflict"),
    (Forbidden, 403, "Forbidden"),
    (Missing, 404, "Missing"),
)

# What is wrong inside: a full disk, a key that does not fit.
_STORE, _HOUSE = "store/", "house/"

# The most letters that a member repeats of a request, as a tile or as the name of an option.
_REPEATED_MAX = 128

# What Flask and Werkzeug refuse themselves.
_BY_STATUS = {
    404: "route/unknown",
    405: "request/method",
    413: "request/too-large",
    415: "request/media-type",
}


def problem(
    row: Row, detail: str | None = None, details: Mapping[str, object] | None = None
) -> Response:
    """The answer of a row; a detail cannot displace a member of the standard."""
    members: dict[str, object] = {
        "type": row.uri,
        "title": row.title,
        "status": row.status,
        "detail": detail or row.remedy,
        "code": row.code,
    }
    members = {**{name: _cut(value) for name, value in (details or {}).items()}, **members}
    order = ("type", "title", "status", "detail", "code")
    body = {name: members.pop(name) for name in order} | members
    answer = Response(json.dumps(body, separators=(",", ":")), row.status, mimetype=MEDIA_TYPE)
    # A problem is about one moment: nobody keeps it.
    answer.headers["Cache-Control"] = "no-store"
    if row.status == 401:
        realm = "openings" if row.code.startswith("auth/api-key") else "seat"
        answer.headers["WWW-Authenticate"] = f'Bearer realm="{realm}"'
    if row.status == 503:
        answer.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    if row.status == 429 and "retry_after" in body:
        answer.headers["Retry-After"] = str(body["retry_after"])
    return answer


def _cut(value: object) -> object:
    """A member of the answer: what was sent is not sent back at length."""
    return value[:_REPEATED_MAX] if isinstance(value, str) else value


def refused(error: FairbonesError) -> Response:
    """A refusal of the house or of the edge; without a known kind it is a fault of ours."""
    row = CODES.get(error.code)
    if error.code.startswith((_STORE, _HOUSE)):
        # The text is for the operator: it may name files, servers and keys.
        _log.error("not able to serve: %s", error.code)
        if error.code.startswith(_STORE):
            at = front()
            at.ops.meter.store_failed(error.code)
            at.readiness.failed(error.code)
        return problem(row or CODES["service/not-ready"])
    if error.code.startswith("rate/"):
        front().ops.meter.limited(error.code)
    if row is None:
        for kind, status, title in _BY_CLASS:
            if isinstance(error, kind):
                row = Row(error.code, status, title, "", "")
                break
        else:
            return fault(error)
    return problem(row, error.message, error.details)


def unserved(error: HTTPException) -> Response:
    """What Flask refused before a view was asked: an address, a method, a broken request."""
    status = error.code or 500
    if status >= 500:
        return fault(error)
    row = CODES[_BY_STATUS.get(status, "request/malformed")]
    if not (isinstance(error, MethodNotAllowed) and error.valid_methods):
        return problem(row)
    methods = ", ".join(sorted(error.valid_methods))
    answer = problem(row, f"This address has the methods {methods}: use one of them.")
    answer.headers["Allow"] = methods
    return answer


def fault(error: BaseException) -> Response:
    """500, told to the log by place alone: a message or a value might be a secret."""
    incident = secrets.token_hex(8)
    places = [
        f"{frame.filename}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    # A FairbonesError's code is a constant of the source, so it may be told.
    kind = error.code if isinstance(error, FairbonesError) else type(error).__name__
    _log.error(
        "incident %s: %s in %s, at %s",
        incident,
        kind,
        request.endpoint or "no endpoint",
        " < ".join(reversed(places)) or "an unknown place",
    )
    row = CODES["service/bug"]
    return problem(row, row.remedy, {"incident": incident})


def register_problems(app: Flask) -> None:
    """From now on nothing leaves the application as HTML."""
    app.register_error_handler(FairbonesError, refused)
    app.register_error_handler(HTTPException, unserved)
    app.register_error_handler(Exception, fault)
