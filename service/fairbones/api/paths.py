"""What stands in an address: a match and a seat. Anything else there names nothing: 404."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask

from fairbones.core.errors import Missing

_MATCH = re.compile(r"[0-9a-f]{32}", re.ASCII)
_SEAT = re.compile(r"[0-9]|[1-5][0-9]|6[0-3]", re.ASCII)

MATCH_ID: dict[str, object] = {
    "in": "path",
    "name": "match_id",
    "required": True,
    "description": "The id of the match, as in its events.",
    "schema": {"$ref": "#/components/schemas/Hex16"},
    "example": "000102030405060708090a0b0c0d0e0f",
}
SEAT_NUMBER: dict[str, object] = {
    "in": "path",
    "name": "seat",
    "required": True,
    "description": "The number of the seat; seats count from 0.",
    "schema": {"type": "integer", "minimum": 0, "maximum": 63},
    "example": 0,
}


def _read(_: str | None, values: dict[str, Any] | None) -> None:
    if not values:
        return
    if "match_id" in values:
        if _MATCH.fullmatch(values["match_id"]) is None:
            raise Missing("match/unknown", "A match id is 32 lowercase hexadecimal digits.")
        values["match_id"] = bytes.fromhex(values["match_id"])
    if "seat" in values:
        if _SEAT.fullmatch(values["seat"]) is None:
            raise Missing("seat/unknown", "A seat is a number from 0.")
        values["seat"] = int(values["seat"])


def register_paths(app: Flask) -> None:
    """Views are handed a match as bytes and a seat as a number."""
    app.url_value_preprocessor(_read)
