"""Strict fields: no conversion, every fault by code.

A number is not read from text, true is not 1, and what is wrong is a `Fault` instead of a
sentence, so that the answer can name code, field and what was expected.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields

MISSING: Final = "request/missing-field"
RANGE: Final = "request/range"
REPEATED: Final = "request/repeated-field"
TYPE: Final = "request/type"
UNKNOWN: Final = "request/unknown-field"

SEQ_MAX: Final = 2**32 - 1  # a seq is signed as u32 (SPEC 6.4)


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one field; `expected` in a few words for programs and people."""

    code: str
    text: str
    expected: str | None = None


def wrong(fault: Fault, field: str | None = None) -> ValidationError:
    """The fault as marshmallow carries it, by default at the field that raises it."""
    return ValidationError({field: [fault]}) if field is not None else ValidationError([fault])


def wrong_type(expected: str) -> Fault:
    """Another JSON type than the field has."""
    return Fault(TYPE, f"{expected} expected.", expected)


def out_of_range(minimum: float, maximum: float) -> Fault:
    """A number outside its range."""
    least, most = _plain(minimum), _plain(maximum)
    return Fault(RANGE, f"{least} to {most} expected.", f"{least}..{most}")


def _plain(number: float) -> str:
    """Without a fraction that is none, and without an exponent."""
    return str(int(number)) if number == int(number) else str(number)


def first_fault(messages: object, path: str = "") -> tuple[str, Fault]:
    """The first fault of a ValidationError, unknown fields before others, and its dotted path."""
    faults = list(_faults(messages, path))
    return min(faults, key=lambda it: it[1].code != UNKNOWN)


def _faults(messages: object, path: str) -> list[tuple[str, Fault]]:
    if isinstance(messages, Fault):
        return [(path, messages)]
    if isinstance(messages, Mapping):
        return [
            fault
            for name, inner in messages.items()
            for fault in _faults(inner, path if name == "_schema" else _below(path, str(name)))
        ]
    assert isinstance(messages, list)
    return [fault for inner in messages for fault in _faults(inner, path)]


def _below(path: str, name: str) -> str:
    # A member may be called anything; more than this of it is noise.
    return f"{path}.{name[:64]}" if path else name[:64]


class StrictSchema(Schema):
    """An object of known members."""

    class Meta:
        unknown = RAISE

    def quick(self, _members: Mapping[str, object]) -> Any:
        """What `load` returns where that is plain to see; None: ask `load`."""
        return None

    # Marshmallow hands on whatever stands here; a Fault says more than its sentences.
    error_messages: dict[str, Any] = {  # noqa: RUF012 - an instance variable of the base
        "unknown": Fault(UNKNOWN, "not a field of this call."),
        "type": wrong_type("object"),
    }


class Strict(fields.Field[Any], ABC):
    """A field that takes one JSON type as it is."""

    default_error_messages: dict[str, Any] = {  # noqa: RUF012 - as above
        "required": Fault(MISSING, "send it.")
    }

    def _deserialize(self, value: Any, *_: object, **__: object) -> Any:
        fault = self.fault(value)
        if fault is not None:
            raise wrong(fault)
        return self.loaded(value)

    @abstractmethod
    def fault(self, value: object) -> Fault | None:
        """What is wrong with a value, if anything."""

    def loaded(self, value: Any) -> Any:
        """What the view is handed."""
        return value


class Whole(Strict):
    """A whole number from `minimum` to `maximum`."""

    def __init__(self, minimum: int, maximum: int, meaning: str, **more: Any) -> None:
        super().__init__(
            metadata={"description": meaning, "minimum": minimum, "maximum": maximum}, **more
        )
        self.minimum, self.maximum = minimum, maximum

    def fault(self, value: object) -> Fault | None:
        if type(value) is not int:
            return wrong_type("integer")
        if self.minimum <= value <= self.maximum:
            return None
        return out_of_range(self.minimum, self.maximum)


class Flag(Strict):
    """true or false."""

    def __init__(self, meaning: str, **more: Any) -> None:
        super().__init__(metadata={"description": meaning}, **more)

    def fault(self, value: object) -> Fault | None:
        return None if isinstance(value, bool) else wrong_type("boolean")


class Text(Strict):
    """A string of one pattern; `words` say to people what matches it."""

    def __init__(self, pattern: str, words: str, meaning: str, **more: Any) -> None:
        super().__init__(metadata={"description": meaning, "pattern": f"^{pattern}$"}, **more)
        self.pattern = re.compile(pattern, re.ASCII)
        self.words = words

    def fault(self, value: object) -> Fault | None:
        if not isinstance(value, str):
            return wrong_type("string")
        if self.pattern.fullmatch(value):
            return None
        return Fault(RANGE, f"{self.words} expected.", self.words)


class Name(Text):
    """A name that the house has given to something: whether there is one such, it says alone."""

    def fault(self, value: object) -> Fault | None:
        return None if isinstance(value, str) else wrong_type("string")


class Hex(Text):
    """Bytes of one length as lowercase hex; the view is handed the bytes."""

    def __init__(self, length: int, meaning: str, **more: Any) -> None:
        words = f"{2 * length} lowercase hexadecimal digits"
        super().__init__(f"[0-9a-f]{{{2 * length}}}", words, meaning, **more)

    def loaded(self, value: str) -> bytes:
        return bytes.fromhex(value)


class HexText(Hex):
    """The same, handed on as the text it is."""

    def loaded(self, value: str) -> Any:
        return value


class Secret(Text):
    """Bytes whose number is only bounded, as lowercase hex; no fault repeats them."""

    def __init__(self, least: int, most: int, meaning: str, **more: Any) -> None:
        words = f"{least} to {most} bytes as lowercase hexadecimal digits"
        super().__init__(f"(?:[0-9a-f]{{2}}){{{least},{most}}}", words, meaning, **more)

    def loaded(self, value: str) -> bytes:
        return bytes.fromhex(value)


class Verbatim(Strict):
    """An object that the house reads itself, described by the component `described_by`."""

    def __init__(self, described_by: str, meaning: str, **more: Any) -> None:
        super().__init__(metadata={"description": meaning}, **more)
        self.described_by = described_by

    def fault(self, value: object) -> Fault | None:
        return None if isinstance(value, dict) else wrong_type("object")
