"""What is refused before the app is asked, in the shape in which the app refuses.

The app's table of codes is on the other side of a border; tests hold these copies to it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from http import HTTPStatus

from gunicorn.http import errors  # type: ignore[import-untyped]

# As the app dresses its answers; a page of another origin may read what was wrong.
_HEADERS = (
    "Connection: close\r\n"
    "Content-Type: application/problem+json\r\n"
    "Cache-Control: no-store\r\n"
    "Access-Control-Allow-Origin: *\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: cross-origin\r\n"
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n"
    "Referrer-Policy: no-referrer\r\n"
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that names the kind of mistake and repeats nothing of the request."""

    status: int
    code: str
    title: str
    detail: str

    def answer(self, **more: str | int) -> bytes:
        """The whole answer; `more` are further members of the problem."""
        problem = {
            "type": f"urn:fairbones:problem:{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        body = json.dumps(problem | more, separators=(",", ":"))
        line = f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}\r\n"
        return f"{line}{_HEADERS}Content-Length: {len(body)}\r\n\r\n{body}".encode("ascii")


def _malformed(detail: str, status: int = 400) -> Refusal:
    return Refusal(status, "request/malformed", "Malformed request", detail)


HEAD_TOO_LARGE = _malformed("The fields of the head are too many or too long.", 431)
FAULT = Refusal(
    500,
    "service/bug",
    "A fault of the service",
    "Read the match before you repeat the request; tell the operator the `incident`.",
)
_UNLIKE_HTTP = _malformed("The request line or a field of the head breaks HTTP.")
_BAD_LINE = _malformed("The first line is not a method, an address and HTTP/1.1.")
_BAD_FIELD = _malformed("A field of the head breaks HTTP, or contradicts another one.")
_BAD_CHUNK = _malformed("The chunks of the body break HTTP.")
# By name: not every version of gunicorn has all of them.
_BY_ERROR = {
    "InvalidRequestLine": _BAD_LINE,
    "InvalidRequestMethod": _BAD_LINE,
    "InvalidHTTPVersion": _malformed("The version of HTTP is neither 1.1 nor 1.0."),
    "LimitRequestLine": _malformed("The address is too long.", 414),
    "LimitRequestHeaders": HEAD_TOO_LARGE,
    "UnsupportedTransferCoding": _malformed(
        "The only Transfer-Encoding known here is chunked.", 501
    ),
    "ExpectationFailed": _malformed("The only Expect known here is 100-continue.", 417),
    "InvalidHeader": _BAD_FIELD,
    "InvalidHeaderName": _BAD_FIELD,
    "ObsoleteFolding": _BAD_FIELD,
    "InvalidChunkSize": _BAD_CHUNK,
    "InvalidChunkExtension": _BAD_CHUNK,
    "ChunkMissingTerminator": _BAD_CHUNK,
}
# Parse errors that are not the client's.
_OURS = ("ConfigurationProblem", "InvalidResponseHeader", "InvalidResponseHeaderName")


def refusal_of(error: BaseException) -> Refusal:
    """What a client is told of an error that gunicorn ran into."""
    name = type(error).__name__
    if not isinstance(error, errors.ParseException) or name in _OURS:
        return FAULT
    return _BY_ERROR.get(name, _UNLIKE_HTTP)


def too_large(body_max: int) -> Refusal:
    """For a body in chunks; the app itself refuses one that says how long it is."""
    return Refusal(413, "request/too-large", "Body too large", f"Send at most {body_max} bytes.")
