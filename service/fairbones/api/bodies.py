"""A request's body: declared, small, JSON, and of the fields that the call takes."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from flask import request
from marshmallow import ValidationError
from werkzeug.exceptions import ClientDisconnected

from fairbones.api.schemas.fields import Fault, StrictSchema, first_fault
from fairbones.api.strict_json import read_object
from fairbones.core.errors import Unreadable


def read_body(schema: StrictSchema, body_max: int, *, optional: bool = False) -> Any:
    """The body as `schema` loads it; `optional` reads no body as an empty object.

    Unreadable `request/...` or `json/...`. Nothing is read before its declared length is known
    to be within the limit.
    """
    sent = request.environ
    length = request.content_length
    if "HTTP_TRANSFER_ENCODING" in sent:
        raise Unreadable("request/length-required", "Send Content-Length, not a body in chunks.")
    if length is not None and length > body_max:
        raise Unreadable("request/too-large", f"Send at most {body_max} bytes.", maximum=body_max)
    if not length:
        if optional:
            return load(schema, {})
        raise Unreadable("request/body-missing", "Send a JSON object.")
    # Nearly every client writes it just so.
    if sent.get("CONTENT_TYPE") != "application/json":
        _admit_type()
    if sent.get("HTTP_CONTENT_ENCODING", "identity").lower() != "identity":
        raise Unreadable("request/encoding", "Send the body without Content-Encoding.")
    return load(schema, read_object(_read(length)))


def _read(length: int) -> bytes:
    """The body; BadRequest when it breaks off."""
    stream = request.environ["wsgi.input"]
    if type(stream) is not io.BytesIO:
        return request.get_data(cache=False)
    # It is here already, as our server has it before it calls: no need for the guards of a socket.
    body = stream.read(length)
    if len(body) < length:
        raise ClientDisconnected
    return body


def _admit_type() -> None:
    charset = request.mimetype_params.get("charset", "utf-8")
    if request.mimetype != "application/json" or charset.lower() != "utf-8":
        raise Unreadable("request/media-type", "Send Content-Type: application/json.")


def load(schema: StrictSchema, members: Mapping[str, object]) -> Any:
    """Fields as the schema loads them; the first fault as Unreadable `request/...`."""
    quick = schema.quick(members)
    if quick is not None:
        return quick
    try:
        return schema.load(members)
    except ValidationError as error:
        path, fault = first_fault(error.messages)
        raise refusal(path, fault, "body") from None


def refusal(path: str, fault: Fault, place: str) -> Unreadable:
    """A fault at a field: `field` is its path, `in` is body, query or header."""
    named = {"in": place, "field": path}
    expected = {} if fault.expected is None else {"expected": fault.expected}
    return Unreadable(fault.code, f"{path}: {fault.text}", **named, **expected)
