"""Every problem code an answer may carry: status, cause and remedy, once.

The rules of this table: a code never changes its meaning; a code has one status (only what is
refused before the application, `request/malformed`, may have a nearer one of HTTP's); the cause
says what is so, the remedy what a client does about it. `docs/errors.md`, the problem answers of
`openapi.yaml` and every answer itself are made from these rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from fairbones.api.codes.matches import MATCH, SEAT, SIGNATURE
from fairbones.api.codes.requests import BODY, CALLER, RATE, REQUEST
from fairbones.api.codes.row import Row
from fairbones.api.codes.rules import RULES
from fairbones.api.codes.service import SERVICE
from fairbones.api.codes.store import STORE

__all__ = ["CODES", "Row", "codes_of"]

CODES: Mapping[str, Row] = MappingProxyType(
    {
        row.code: row
        for row in (
            *(*BODY, *REQUEST, *CALLER, *RATE),
            *(*MATCH, *SEAT, *SIGNATURE, *RULES),
            *(*SERVICE, *STORE),
        )
    }
)


def codes_of(family: str, /, *, but: Iterable[str] = ()) -> tuple[str, ...]:
    """Every code of a family such as `json`, in the order of the table."""
    left_out = frozenset(but)
    return tuple(c for c in CODES if c.startswith(f"{family}/") and c not in left_out)
