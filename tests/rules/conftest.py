"""Hands of random matches, the ground most tests of the rules stand on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from fairbones.core.rules import Hand, Rules, apply, compile_rules, deal, first_lead, legal, resolve

Deal = Callable[[Rules], Hand]
Walk = Callable[[Hand], Iterator[Hand]]

# Every option that changes how a hand is played or scored, in some mixture.
_ROWS: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("block", 2, {}),
    ("block", 2, {"score": "difference", "tie": "causer", "hand": 3}),
    ("block", 3, {"score": "difference", "difference_mode": "per-opponent", "tie": "split"}),
    ("block", 4, {"tie": "lightest-tile"}),
    ("block", 4, {"partners": True, "tie": "starter"}),
    ("draw", 2, {}),
    ("draw", 2, {"drawn_tile": "may-play", "protected": 2, "tie": "starter"}),
    ("draw", 3, {"protected": 1, "score": "difference"}),
    ("draw", 4, {"drawn_tile": "may-play", "hand": 3, "tie": "lightest-tile"}),
    ("draw", 4, {"partners": True, "protected": 2, "tie": "causer"}),
    ("draw", 4, {"hand": 1, "tie": "split"}),
)


@pytest.fixture(params=_ROWS, ids=lambda row: f"{row[0]}-{row[1]}-{'-'.join(row[2]) or 'plain'}")
def rules(request: pytest.FixtureRequest) -> Rules:
    """Rules of a published row, once for every mixture of options above."""
    ruleset, seats, options = request.param
    return compile_rules(resolve(ruleset, seats, options), seats)


@pytest.fixture
def deal_one(seed: random.Random) -> Deal:
    """A hand dealt at random, led as hand 1 or, as often, as a later hand with any tile."""

    def dealt(rules: Rules) -> Hand:
        tiles = list(range(28))
        seed.shuffle(tiles)
        size = rules.hand
        hands = [tiles[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
        lead = first_lead(rules, hands)
        if seed.random() < 0.5:
            lead = type(lead)(seed.randrange(rules.seats), None)
        return deal(rules, hands, tiles[rules.seats * size :], lead)

    return dealt


@pytest.fixture
def walk(seed: random.Random) -> Walk:
    """Every position of a hand played at random from the given one to its end."""

    def walked(hand: Hand) -> Iterator[Hand]:
        yield hand
        while actions := legal(hand):
            hand = apply(hand, seed.choice(actions))
            yield hand

    return walked
