"""Headers that every answer carries: for browsers of other origins, and against all browsers.

No cookies and no credentials exist here, so any page may call (a game client is a page); a seat's
token is a header that only its own client can set.
"""

from __future__ import annotations

from flask import Flask, Response, request

from fairbones.api.front import front_of

_ALWAYS = (
    ("Access-Control-Allow-Origin", "*"),
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "no-referrer"),
    # Also a page that isolates itself from other origins may ask.
    ("Cross-Origin-Resource-Policy", "cross-origin"),
)
_ANSWERED = (
    *_ALWAYS,
    (
        "Access-Control-Expose-Headers",
        "ETag, Location, Retry-After, Idempotent-Replayed, WWW-Authenticate, Allow, X-Request-ID",
    ),
)
_REQUEST_HEADERS = (
    "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-ID"
)
# Two years. Not for subdomains: they are not ours to speak for.
_TLS_ONLY = "max-age=63072000"
_PREFLIGHT_SECONDS = "7200"  # the longest any browser keeps it


def _dress(answer: Response) -> Response:
    headers = answer.headers
    if request.method == "OPTIONS" and answer.status_code < 400:
        headers.extend(_ALWAYS)
        headers.remove("Content-Type")  # there is no content
        # The routes themselves say which methods an address has.
        headers["Access-Control-Allow-Methods"] = headers.get("Allow", "GET")
        headers["Access-Control-Allow-Headers"] = _REQUEST_HEADERS
        headers["Access-Control-Max-Age"] = _PREFLIGHT_SECONDS
    else:
        headers.extend(_ANSWERED)
    # An address that answers by token is never one thing for all, not even its refusals.
    values = request.view_args
    if values and "match_id" in values:
        headers["Vary"] = "Authorization"
    return answer


def _promise_tls(answer: Response) -> Response:
    if request.scheme == "https":
        answer.headers["Strict-Transport-Security"] = _TLS_ONLY
    return answer


def register_headers(app: Flask) -> None:
    """Dress every answer of the application."""
    app.after_request(_dress)
    if front_of(app).ops.proxies:
        # Nobody else is believed when he says that the client speaks TLS with him.
        app.after_request(_promise_tls)
