"""Query parameters: declared, read strictly, and described by the same rows."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import request

from fairbones.api.bodies import refusal
from fairbones.api.schemas.fields import (
    RANGE,
    REPEATED,
    SEQ_MAX,
    TYPE,
    UNKNOWN,
    Fault,
    out_of_range,
)
from fairbones.core.errors import Unreadable
from fairbones.core.match import Stage


@dataclass(frozen=True, slots=True)
class Number:
    """A query parameter that is one. An application may set another `maximum` (`read_query`)."""

    name: str
    written: re.Pattern[str]
    read: Callable[[str], float]
    default: float | None
    minimum: float
    maximum: float
    kind: str  # the JSON type it is described with
    meaning: str

    def described(self) -> dict[str, object]:
        """As OpenAPI has it."""
        schema: dict[str, object] = {
            "type": self.kind,
            "minimum": self.minimum,
            "maximum": self.maximum,
        }
        if self.default is not None:
            schema["default"] = self.default
        return _described(self.name, self.meaning, schema)

    def of(self, written: str, maximum: float, name: str = "", place: str = "query") -> float:
        """Its value; Unreadable `request/type` or `request/range`.

        `name` and `place` are where it stood, when that was not the query.
        """
        name = name or self.name
        if self.written.fullmatch(written) is None:
            raise refusal(name, Fault(TYPE, f"{self.kind} expected.", self.kind), place)
        # Longer ones are out of range without being read.
        value = self.read(written) if len(written) <= _LONGEST else math.inf
        if not self.minimum <= value <= maximum:
            raise refusal(name, out_of_range(self.minimum, maximum), place)
        return value


@dataclass(frozen=True, slots=True)
class Word:
    """A query parameter that is one of a few words, or a name that the house has given.

    A name is handed on as it is: whether there is such a thing says the house alone.
    """

    name: str
    meaning: str
    one_of: tuple[str, ...] = ()
    pattern: str = ""
    default: None = None
    maximum: float = 0

    def described(self) -> dict[str, object]:
        """As OpenAPI has it."""
        schema: dict[str, object] = {"type": "string"}
        if self.one_of:
            schema["enum"] = list(self.one_of)
        else:
            schema["pattern"] = f"^{self.pattern}$"
        return _described(self.name, self.meaning, schema)

    def of(self, written: str, _: float) -> str:
        """Its value; Unreadable `request/range`."""
        if not self.one_of or written in self.one_of:
            return written
        *others, last = self.one_of
        wanted = f"{', '.join(others)} or {last}"
        raise refusal(self.name, Fault(RANGE, f"{wanted} expected.", wanted), "query")


Parameter = Number | Word


def _described(name: str, meaning: str, schema: dict[str, object]) -> dict[str, object]:
    return {
        "in": "query",
        "name": name,
        "required": False,
        "description": meaning,
        "schema": schema,
    }


_LONGEST = 20
_WHOLE = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_SECONDS = re.compile(r"(?!-0(?:\.0+)?$)-?(0|[1-9][0-9]*)(\.[0-9]{1,3})?", re.ASCII)

AFTER = Number(
    "after",
    _WHOLE,
    int,
    -1,
    -1,
    SEQ_MAX,
    "integer",
    "The seq of the last event you hold; -1 asks for all.",
)
AT = Number(
    "at",
    _WHOLE,
    int,
    None,
    0,
    SEQ_MAX,
    "integer",
    "The seq of a past event: the view as it was then. Absent: the view now.",
)
WAIT = Number(
    "wait",
    _SECONDS,
    float,
    0,
    0,
    30,
    "number",
    "Seconds to wait for an event when there is none yet, with at most three decimals. "
    "An installation may allow fewer or more.",
)

LIMIT = Number(
    "limit",
    _WHOLE,
    int,
    20,
    1,
    100,
    "integer",
    "The most matches to answer with.",
)
STATUS = Word(
    "status",
    "Only matches of this status, as of their last touch. `joining`: only those whose time to join "
    "is not over.",
    one_of=tuple(stage.value for stage in Stage),
)
RULESET = Word("ruleset", "Only matches of this ruleset.", pattern="[a-z0-9-]{1,32}")
CURSOR = Word(
    "cursor",
    "The `cursor` of the page before, with the same `status` and `ruleset`. Absent: the first "
    "page.",
    pattern="[A-Za-z0-9_-]{1,128}",
)


def read_query(
    allowed: Mapping[str, Parameter], maxima: Mapping[str, float]
) -> dict[str, float | str | None]:
    """Every allowed parameter, with its default when it is not there.

    `maxima` replaces the maximum of a parameter where an installation sets one.
    """
    if not request.query_string.isascii():  # our server lets none through; another might
        raise Unreadable("request/malformed", "Percent-encode what is not ASCII in the address.")
    sent = request.args
    for name in sent:
        if name not in allowed:
            known = ", ".join(allowed) or "none"
            raise refusal(name, Fault(UNKNOWN, f"this call's parameters: {known}."), "query")
        if len(sent.getlist(name)) > 1:
            raise refusal(name, Fault(REPEATED, "give it once."), "query")
    return {
        name: parameter.of(sent[name], maxima.get(name, parameter.maximum))
        if name in sent
        else parameter.default
        for name, parameter in allowed.items()
    }
