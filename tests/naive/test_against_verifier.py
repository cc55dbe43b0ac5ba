"""Random hands of every ruleset: the verifier and the naive engine agree at every step."""

from __future__ import annotations

import random
from typing import Any

import pytest

from fairbones_verify.games.hand import Hand
from tests.naive.rows import PUBLISHED
from tests.naive.side_by_side import play
from tests.perft.verifier_engine import VerifierEngine


@pytest.mark.parametrize("ruleset", sorted(PUBLISHED))
def test_random_hands(ruleset: str, seed: random.Random) -> None:
    """Legal lists, ends, counts, points, calls, the end, its settlement and the next lead."""
    for _ in range(8):
        play(VerifierEngine(), seed, ruleset)


class ForgetsTheSpinner(VerifierEngine):
    """An engine that tells only of the two ends of the line."""

    def seen(self, state: Hand) -> dict[str, Any]:
        seen = super().seen(state)
        return seen | {"ends": seen["ends"][:2]}


def test_planted_fault_is_found(seed: random.Random) -> None:
    """What the verifier does otherwise does not pass."""
    with pytest.raises(AssertionError, match="after"):
        for _ in range(40):
            play(ForgetsTheSpinner(), seed, "all-fives")
