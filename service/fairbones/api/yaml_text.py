"""YAML as a person would write it, from plain values; the reader's parser is any YAML 1.2 one.

The runtime needs no YAML library for one file. What comes out: block style, short lists of scalars
in a row, paragraphs as literal blocks, long sentences folded, quotes only where a word would be
read as something else.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping

Value = object

# Words that some parser reads as a boolean, a null or a number are quoted, and so is punctuation.
_PLAIN = re.compile(r"[A-Za-z/][A-Za-z0-9_./{}()<>;\-]*(?: [A-Za-z0-9_./()<>;\-]+)*[.?]?", re.ASCII)
_READ_AS_OTHER = frozenset(["true", "false", "yes", "no", "on", "off", "null", "y", "n"])
_ROW_MAX = 88
_LINE_MAX = 100


def yaml_text(value: Mapping[str, Value]) -> str:
    """The whole document."""
    return "\n".join(_block(value, "")) + "\n"


def _scalar(value: Value) -> str:
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _READ_AS_OTHER
        return value if plain else json.dumps(value, ensure_ascii=False)
    if value == {}:
        return "{}"
    if value == []:
        return "[]"
    if isinstance(value, bool):
        return "true" if value else "false"
    assert isinstance(value, int | float), value
    return f"{value:g}" if isinstance(value, float) else str(value)


def _row(value: Value) -> str | None:
    """A short list of scalars in one line."""
    if not isinstance(value, list) or any(isinstance(item, dict | list) and item for item in value):
        return None
    row = "[" + ", ".join(_in_row(item) for item in value) + "]"
    return row if len(row) <= _ROW_MAX else None


def _in_row(value: Value) -> str:
    # Inside brackets, braces and commas are no text.
    if isinstance(value, str) and re.search(r"[{}\[\],]", value):
        return json.dumps(value, ensure_ascii=False)
    return _scalar(value)


def _block(value: Value, indent: str) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, member in value.items():
            yield from _entry(f"{indent}{_scalar(name)}:", member, indent + "  ")
    else:
        assert isinstance(value, list)
        for item in value:
            if isinstance(item, dict | list) and item and _row(item) is None:
                inner = list(_block(item, indent + "  "))
                yield f"{indent}- {inner[0].lstrip()}"
                yield from inner[1:]
            else:
                yield from _entry(f"{indent}-", item, indent + "  ")


def _entry(head: str, value: Value, indent: str) -> Iterator[str]:
    if isinstance(value, str) and _literal(value):
        yield f"{head} |-"
        yield from (f"{indent}{line}".rstrip() for line in value.split("\n"))
        return
    if isinstance(value, str) and len(head) + len(value) > _LINE_MAX:
        lines = textwrap.wrap(
            value, _LINE_MAX - len(indent), break_long_words=False, break_on_hyphens=False
        )
        # A reader joins the lines with single spaces again.
        if len(lines) > 1 and " ".join(lines) == value:
            yield f"{head} >-"
            yield from (f"{indent}{line}" for line in lines)
            return
    row = _row(value)
    if row is not None:
        yield f"{head} {row}"
    elif isinstance(value, Mapping | list) and value:
        yield head
        yield from _block(value, indent)
    else:
        yield f"{head} {_scalar(value)}"


def _literal(text: str) -> bool:
    """Several lines that can stand as they are: no line begins or ends with a space."""
    lines = text.split("\n")
    return len(lines) > 1 and all(line == line.strip() for line in lines) and bool(lines[-1])
