"""The verifier's rule book finds as many sequences of actions as the naive engine did."""

from __future__ import annotations

import pytest

from fairbones_verify.games.hand import Hand, Step
from tests.perft.corpus import Entry, load, shallow
from tests.perft.engine import count
from tests.perft.verifier_engine import VerifierEngine

ENTRIES = load()
# It looks at every hand anew after every step, so that it is fast enough for one match.
MOST = 400


def differs(engine: VerifierEngine, entry: Entry, most: int) -> bool:
    """Whether the engine counts otherwise, at the depths with at most so many sequences."""
    depth = shallow(entry.counts, most)
    sequences, ended = count(engine, entry.start, depth)
    return (sequences, ended) != (entry.counts.sequences[:depth], entry.counts.ended[:depth])


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_counts(entry: Entry) -> None:
    """Every depth that is not too wide, and the ends among them by reason."""
    assert not differs(VerifierEngine(), entry, MOST)


class NeverDeclines(VerifierEngine):
    """An engine to which may-play means must-play."""

    def legal(self, state: Hand) -> list[Step]:
        return [step for step in super().legal(state) if step.type != "declined"]


def test_planted_fault_is_found() -> None:
    """An engine that never declines counts otherwise where that is allowed, and only there."""
    found = [entry.start.options for entry in ENTRIES if differs(NeverDeclines(), entry, MOST)]
    assert len(found) > 3
    assert all(options.get("drawn_tile") == "may-play" for options in found)
