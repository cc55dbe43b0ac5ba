"""Answers from pieces: what the house wrote canonically is passed on byte for byte (SPEC 6.2).

An event or a receipt read and written again could differ by a byte and hash to something else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from flask import Response

from fairbones.house.messages import Answer

NO_STORE = "no-store"
REVALIDATE = "no-cache"

_write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def encoded(value: object) -> bytes:
    """A JSON-ready value as compact UTF-8."""
    return _write(value).encode()


def listed(events: Iterable[bytes]) -> bytes:
    """Canonical events as one JSON array."""
    return b"[" + b",".join(events) + b"]"


def spliced(**members: bytes) -> bytes:
    """A JSON object of members that are JSON already."""
    return b"{" + b",".join(b'"%b":%b' % (name.encode(), it) for name, it in members.items()) + b"}"


def with_receipt(view: Mapping[str, object], receipt: bytes) -> bytes:
    """A view with the receipt of the head it shows."""
    return encoded(view)[:-1] + b',"receipt":' + receipt + b"}"


def answer(body: bytes, status: int = 200, *, cache: str = NO_STORE) -> Response:
    """A JSON answer."""
    made = Response(body, status, mimetype="application/json")
    made.headers["Cache-Control"] = cache
    return made


def stepped(done: Answer, status: int = 200) -> Response:
    """What a request that moves a match answers."""
    return answer(
        spliced(events=listed(done.events), receipt=done.receipt, view=encoded(done.view)), status
    )
