"""Hands of random matches, the ground most tests of the rules stand on."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from fairbones.core.bones import tile_count
from fairbones.core.rules import Hand, Rules, apply, compile_rules, deal, lead, legal, resolve

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
    ("block", 6, {"set": 9, "hand": 9}),
    ("draw", 8, {"set": 12, "early_block": True, "count_all": True}),
    ("block-partners", 4, {"block_count": "lowest-individual", "next_lead": "rotate"}),
    ("blocking", 2, {"early_block": True}),
    ("middle-eastern", 4, {}),
    ("middle-eastern", 4, {"transfer": True}),
    (
        "middle-eastern",
        4,
        {"transfer": True, "last_tile_transfer": "exempt", "set": 15, "hand": 34},
    ),
    ("middle-eastern", 4, {"transfer": True, "direction": "clockwise"}),
    ("latin-american", 4, {"count_all": True}),
    ("all-fives", 2, {}),
    ("all-fives", 3, {"spinner": "all", "early_block": True, "win_at": "at-once", "target": 40}),
    ("all-fives", 4, {"partners": True, "muggins": True, "exact_target": True, "target": 50}),
    ("all-fives", 2, {"muggins": True, "spinner": "none", "set": 18, "better": "low"}),
    ("fives-and-threes", 2, {"target": 20}),
    ("fives-and-threes", 4, {"partners": True}),
    ("fives-and-threes", 4, {"partners": True, "goes_out": "seat", "spinner": "all"}),
    ("fives-and-threes", 5, {"out_points": 0, "win_at": "hand-end", "exact_target": False}),
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
        tiles = list(range(tile_count(rules.set)))
        seed.shuffle(tiles)
        size = rules.hand
        hands = [tiles[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
        led = lead(rules, hands, None, seed.randrange(rules.seats))
        if seed.random() < 0.5:
            led = type(led)(seed.randrange(rules.seats), None)
        return deal(rules, hands, tiles[rules.seats * size :], led)

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
