"""Canonical JSON: the one spelling of a value (SPEC 6.2).

The house only ever writes; what it writes must be what every verifier would write back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache

EVENT_BYTES_MAX = 65_536
EVENT_DEPTH_MAX = 8
STRING_BYTES_MAX = 16_384
LIST_MAX = 4_096
INTEGER_MAX = 2**53 - 1

_KEY = re.compile(r"[a-z0-9_]{1,32}", re.ASCII)


_write = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def _check(value: object, depth: int) -> None:
    """Raise `ValueError` for anything outside the strict subset: a slip here is for ever."""
    # Most values are short and plain, which is quickly seen.
    plain = type(value) is str and len(value) <= STRING_BYTES_MAX and value.isascii()
    if plain or isinstance(value, bool):
        return
    if isinstance(value, int):
        if not 0 <= value <= INTEGER_MAX:
            raise ValueError(f"integer out of range: {value}")
    elif isinstance(value, str):
        if len(value.encode("utf-8")) > STRING_BYTES_MAX:  # a lone surrogate raises here
            raise ValueError("string too long")
    elif depth > EVENT_DEPTH_MAX:
        raise ValueError("nested too deep")
    elif isinstance(value, Mapping):
        _check_keys(value)
        for item in value.values():
            _check(item, depth + 1)
    elif isinstance(value, (list, tuple)):
        if len(value) > LIST_MAX:
            raise ValueError("list too long")
        for item in value:
            _check(item, depth + 1)
    else:
        raise ValueError(f"not in the canonical subset: {type(value).__name__}")


def _check_keys(value: Mapping[object, object]) -> None:
    for key in value:
        if not isinstance(key, str) or not _is_key(key):
            raise ValueError(f"bad key: {key!r}")


@lru_cache(maxsize=256)
def _is_key(key: str) -> bool:
    return _KEY.fullmatch(key) is not None  # events use some sixty keys, again and again


def canonical(value: Mapping[str, object]) -> bytes:
    """The canonical bytes of an object; `ValueError` outside the subset or its limits.

    Keys are ASCII, so sorting by code point is RFC 8785's order; the standard encoder's escapes
    are RFC 8785's for this subset (`tests/protocol` compares them character by character).
    """
    _check(value, 1)
    data = _write(value).encode("utf-8")
    if len(data) > EVENT_BYTES_MAX:
        raise ValueError(f"{len(data)} bytes are more than {EVENT_BYTES_MAX}")
    return data
