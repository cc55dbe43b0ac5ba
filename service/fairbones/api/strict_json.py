"""Strict JSON: one text, one reading (no duplicate keys, floats, nulls, negatives, deep nesting).

The stock parser takes duplicate keys and NaN, and dies of deep nesting; this one says what is
wrong by code. Spacing and the order of keys are free.
"""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn

from fairbones.core.errors import Unreadable

DEPTH_MAX: Final = 8
NUMBER_MAX: Final = 2**53 - 1

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
_PLAIN_KEY = re.compile(r"[a-z0-9_]{1,32}")


def read_object(raw: bytes) -> dict[str, object]:
    """The JSON object in `raw`; Unreadable `json/...` otherwise."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable("json/utf8", "The body is not UTF-8.", at=error.start) from None
    if text.startswith("\ufeff"):
        raise Unreadable("json/utf8", "Leave the byte order mark out.", at=0)
    _measure_depth(raw)
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise Unreadable(
            "json/syntax", f"{error.msg} at character {error.pos}.", at=error.pos
        ) from None
    if not isinstance(value, dict):
        raise Unreadable("json/not-object", "Send a JSON object: {...}.")
    # A null and half a character can only come as these letters, so most bodies are not walked.
    if b"null" in raw or b"\\u" in raw:
        _walk(value)
    return value


def _measure_depth(raw: bytes) -> None:
    """Before parsing, for the parser recurses; brackets inside strings do not count."""
    if raw.count(b"[") + raw.count(b"{") <= DEPTH_MAX:
        return
    depth = 0
    for bracket in _BRACKETS.findall(_STRINGS.sub(b"", raw)):
        depth += 1 if bracket in b"[{" else -1
        if depth > DEPTH_MAX:
            raise Unreadable("json/depth", f"Nest at most {DEPTH_MAX} deep.", maximum=DEPTH_MAX)


def _members(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        # Only a key that could be one of ours is worth repeating to the caller.
        shown = {"key": twice} if _PLAIN_KEY.fullmatch(twice) else {}
        raise Unreadable("json/duplicate-key", "Give every key once.", **shown)
    return members


def _whole(digits: str) -> int:
    # The length first: Python refuses to read thousands of digits with an error of its own.
    if digits[0] == "-" or len(digits) > 16 or (number := int(digits)) > NUMBER_MAX:
        return _no_number(digits)
    return number


def _no_number(_: str) -> NoReturn:
    raise Unreadable("json/number", f"Send whole numbers from 0 to {NUMBER_MAX}.")


def _walk(value: object) -> None:
    if value is None:
        raise Unreadable("json/null", "Leave a member out when it has no value.")
    if isinstance(value, str):
        if any("\ud800" <= character <= "\udfff" for character in value):
            raise Unreadable("json/surrogate", "Escape both halves of a surrogate pair.")
    elif isinstance(value, dict):
        for name, member in value.items():
            _walk(name)
            _walk(member)
    elif isinstance(value, list):
        for item in value:
            _walk(item)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_int=_whole,
    parse_float=_no_number,
    parse_constant=_no_number,
)
