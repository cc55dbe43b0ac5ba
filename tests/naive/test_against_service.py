"""Random hands of every ruleset: the service's engine and the naive one agree at every step."""

from __future__ import annotations

import random

import pytest

from fairbones.core import rules
from tests.naive.rows import PUBLISHED
from tests.naive.side_by_side import play
from tests.perft.service_engine import ServiceEngine


@pytest.mark.parametrize("ruleset", sorted(PUBLISHED))
def test_random_hands(ruleset: str, seed: random.Random) -> None:
    """Legal lists, ends, counts, points, calls, the end, its settlement and the next lead."""
    for _ in range(12):
        play(ServiceEngine(), seed, ruleset)


class LeftBeforeRight(ServiceEngine):
    """An engine that forgets one end of the line now and then."""

    def legal(self, state: rules.Hand) -> tuple[rules.Action, ...]:
        actions = rules.legal(state)
        return actions[:-1] if len(state.line) == 2 and len(actions) > 1 else actions


class OneShort(ServiceEngine):
    """An engine that pays a pip less for a hand."""

    def settled(self, state: rules.Hand) -> dict[str, object]:
        settled = super().settled(state)
        return settled | {"counts": [count + 1 for count in settled["counts"]]}


@pytest.mark.parametrize(
    "faulty", [LeftBeforeRight(), OneShort()], ids=lambda it: type(it).__name__
)
def test_planted_fault_is_found(faulty: ServiceEngine, seed: random.Random) -> None:
    """What one of the engines does otherwise does not pass."""
    with pytest.raises(AssertionError, match="after"):
        for _ in range(40):
            play(faulty, seed, "all-fives")
