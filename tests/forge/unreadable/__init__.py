"""Documents this protocol does not know (threat T20): never a verdict on them, never a crash."""

from __future__ import annotations

from collections.abc import Iterator

from tests.forge.scenario import Scenario
from tests.forge.unreadable import fields, rows, spelling

PARTS = (
    spelling.bytes_and_depth,
    spelling.not_json,
    spelling.ambiguous,
    spelling.not_canonical,
    spelling.precedence,
    fields.documents,
    fields.every_type,
    fields.ranges,
    fields.unsupported,
    rows.ranges,
    rows.rulesets,
    fields.sizes,
)


def scenarios() -> Iterator[Scenario]:
    """All of them."""
    for part in PARTS:
        yield from part()
