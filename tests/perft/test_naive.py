"""The files of counts are those of the naive engine, and they reach what they should."""

from __future__ import annotations

import pytest

from tests.perft.corpus import Entry, load, shallow
from tests.perft.engine import count
from tests.perft.naive_engine import NaiveEngine
from tests.perft.tables import TABLES, deals

ENTRIES = load()
BY_NAME = {entry.name: entry for entry in ENTRIES}


def test_files_hold_the_deals_of_the_tables() -> None:
    """Neither more nor fewer, and dealt as the tables say."""
    made = [deal for table in TABLES for deal in deals(table)]
    assert {entry.name: entry.start for entry in ENTRIES} == dict(made)
    assert len(ENTRIES) == len(made)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_counts(entry: Entry) -> None:
    """The first depths; `python -m tests.perft --check` compares all."""
    depth = shallow(entry.counts, 100)
    sequences, ended = count(NaiveEngine(), entry.start, depth)
    assert sequences == entry.counts.sequences[:depth]
    assert ended == entry.counts.ended[:depth]


def test_every_way_to_end_is_reached() -> None:
    """Counts that never come to the end of a hand would not say much about it."""
    reasons: dict[str, set[str]] = {}
    for entry in ENTRIES:
        for ended in entry.counts.ended:
            reasons.setdefault(entry.start.ruleset, set()).update(ended)
    for ruleset in (
        "block",
        "block-partners",
        "draw",
        "blocking",
        "middle-eastern",
        "latin-american",
    ):
        assert reasons[ruleset] == {"domino", "blocked"}, ruleset
    for ruleset in ("all-fives", "fives-and-threes"):
        assert reasons[ruleset] == {"target", "domino", "blocked"}, ruleset
    assert {entry.start.seats for entry in ENTRIES} == set(range(2, 9))
