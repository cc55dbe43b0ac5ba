"""Strict JSON: one text, one reading (no duplicate keys, floats, nulls, negatives, deep nesting).

The stock parser takes duplicate keys and NaN, and dies of deep nesting; this one says what is
wrong by code. Spacing and the order of keys are free.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from typing import Final, NoReturn

from fairbones.core.errors import Unreadable

DEPTH_MAX: Final = 8
NUMBER_MAX: Final = 2**53 - 1

_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*"?', re.DOTALL)
_BRACKETS = re.compile(rb"[\[\]{}]")
# Only a key that could be one of ours, or nearly, is worth repeating to the caller.
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]{1,32}")


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
    except _NoNumber:
        raise _misplaced(text) from None
    except json.JSONDecodeError as error:
        raise Unreadable(
            "json/syntax", f"{error.msg} at character {error.pos}.", at=error.pos
        ) from None
    if not isinstance(value, dict):
        raise Unreadable("json/not-object", "Send a JSON object: {...}.")
    # A null and half a character can only come as these letters, so most bodies are not walked.
    if b"null" in raw or b"\\u" in raw:
        _walk(value, "")
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
        # Counted once: to count each name anew is a second of work for thousands of them.
        times = Counter(name for name, _ in pairs)
        twice = next(name for name, count in times.items() if count > 1)
        shown = {"key": twice} if _PLAIN_KEY.fullmatch(twice) else {}
        raise Unreadable("json/duplicate-key", "Give every key once.", **shown)
    return members


class _NoNumber(Exception):
    """A number that we do not take; the parser does not say where it stands."""


def _whole(digits: str) -> int:
    # The length first: Python refuses to read thousands of digits with an error of its own.
    if digits[0] == "-" or len(digits) > 16 or (number := int(digits)) > NUMBER_MAX:
        return _no_number(digits)
    return number


def _no_number(_: str) -> NoReturn:
    raise _NoNumber


def _misplaced(text: str) -> Unreadable:
    """The refusal of the first such number: the text is read once more, to look for it."""
    try:
        place = _marked(_LENIENT.decode(text), "")
    except json.JSONDecodeError:  # nor is it JSON, further on
        place = None
    where, named = _told(place or "")
    return Unreadable(
        "json/number", f"{where}: send whole numbers from 0 to {NUMBER_MAX}.", **named
    )


def _mark(_: str) -> object:
    return _NoNumber


def _whole_or_mark(digits: str) -> object:
    try:
        return _whole(digits)
    except _NoNumber:
        return _NoNumber


def _marked(value: object, path: str) -> str | None:
    """The path of the first mark, None where there is none."""
    if value is _NoNumber:
        return path
    found = (_marked(member, _below(path, name)) for name, member in _inside(value))
    return next((place for place in found if place is not None), None)


def _inside(value: object) -> Iterable[tuple[str, object]]:
    """The members of an object or the items of an array, by name."""
    if isinstance(value, dict):
        return value.items()
    return ((str(at), item) for at, item in enumerate(value)) if isinstance(value, list) else ()


def _below(path: str, name: str) -> str:
    shown = name if _PLAIN_KEY.fullmatch(name) else "?"
    return f"{path}.{shown}" if path else shown


def _told(path: str) -> tuple[str, dict[str, str]]:
    """A place as a sentence begins with it, and as the members that name it."""
    return (path, {"in": "body", "field": path}) if path else ("The body", {})


def _walk(value: object, path: str) -> None:
    where, named = _told(path)
    if value is None:
        raise Unreadable("json/null", f"{where}: leave it out when it has no value.", **named)
    if isinstance(value, str) and any("\ud800" <= each <= "\udfff" for each in value):
        raise Unreadable(
            "json/surrogate", f"{where}: escape both halves of a surrogate pair.", **named
        )
    for name, member in _inside(value):
        _walk(name, path)
        _walk(member, _below(path, name))


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_int=_whole,
    parse_float=_no_number,
    parse_constant=_no_number,
)
_LENIENT = json.JSONDecoder(parse_int=_whole_or_mark, parse_float=_mark, parse_constant=_mark)
