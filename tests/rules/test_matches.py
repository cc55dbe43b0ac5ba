"""Whole matches of every ruleset, by the rules alone (SPEC R4, R7 to R9)."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.bones import bits, tile_count
from fairbones.core.rules import (
    Outcome,
    Pass,
    Play,
    after_hand,
    drawn_lead,
    finish,
    forced,
    outcome,
    settle,
    won,
)
from fairbones.core.rules.rulesets import RULESETS
from tests.rules.games import Game, dealt, games, steps


def play_out(game: Game, rnd: random.Random, rounds_max: int) -> str:
    """A match to its end, every hand at random; the reason it ended for."""
    rules = game.rules
    tiles = tile_count(rules.set)
    drawn = drawn_lead(rnd.sample(range(tiles), rules.seats))
    scores: tuple[int, ...] = (0,) * rules.sides
    before: Outcome | None = None
    for number in range(1, rounds_max + 1):
        hand = dealt(rules, rnd, scores, before, drawn)
        passes = 0
        for step in steps(hand, rnd):
            hand = step.after
            passes = passes + 1 if isinstance(step.action, Pass) else 0
            assert passes < rules.seats * 2  # a hand does not go round without a move
            seen = [*hand.stock, *(tile for mask in hand.hands for tile in bits(mask))]
            seen += [play.tile for _, play, _ in hand.line]
            assert sorted(seen) == list(range(tiles))
            # Nothing is said of a play, and nothing is left to choose in the rest.
            assert not isinstance(forced(hand), Play)
        end = finish(hand)
        assert end is not None
        settlement = settle(rules, hand, end)
        assert all(points >= 0 for points in settlement.points)
        if end.reason == "target":
            assert settlement.winner == won(rules, hand.scores)
            assert not any(settlement.points)
        scores = tuple(map(sum, zip(hand.scores, settlement.points, strict=True)))
        if rules.exact:
            assert max(scores) <= rules.target
        before = outcome(hand, end, settlement)
        over = after_hand(rules, scores, number, rounds_max)
        if over is not None:
            if end.reason == "target":
                assert (over.reason, over.winner) == ("target", settlement.winner)
            return over.reason
        assert end.reason != "target"
    raise AssertionError("a match has no more hands than it says")


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_every_match_ends(ruleset: str) -> None:
    """SPEC R9: "Otherwise, if hand `rounds_max` was played, it ends"; the target ends it before."""
    reasons: set[str] = set()

    @given(games((ruleset,)), st.randoms(use_true_random=False), st.integers(1, 12))
    def matches(game: Game, rnd: random.Random, rounds_max: int) -> None:
        reasons.add(play_out(game, rnd, rounds_max))

    matches()
    assert reasons == {"target", "rounds"}
