"""The service's engine finds as many sequences of actions as the naive engine did."""

from __future__ import annotations

import pytest

from tests.perft.corpus import Entry, load
from tests.perft.engine import Counts, Start, count
from tests.perft.service_engine import ServiceEngine

ENTRIES = load()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_counts(entry: Entry) -> None:
    """Every depth, and the ends among them by reason."""
    assert count(ServiceEngine(), entry.start, len(entry.counts.sequences)) == entry.counts


def test_one_tile_elsewhere_is_noticed() -> None:
    """A deal in which two seats have swapped a tile has other counts, nearly always."""
    tried = noticed = 0
    for entry in ENTRIES:
        if entry.start.must_set is not None or entry.start.played:
            continue
        hands = [list(held) for held in entry.start.hands]
        hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
        other: Start = entry.start._replace(hands=hands)
        depth = len(entry.counts.sequences)
        tried += 1
        noticed += count(ServiceEngine(), other, depth) != Counts(*entry.counts)
    assert noticed > 0.9 * tried > 30
