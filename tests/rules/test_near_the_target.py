"""Playing out is stepping where points would go past an exact target, or end the hand (SPEC R9)."""

from __future__ import annotations

import random

import pytest

from fairbones.core.rules import Play, apply, compile_rules, credited, legal, resolve
from fairbones.core.rules.playout import play_out
from tests.rules.games import dealt

ROWS: list[tuple[str, int, dict[str, object]]] = [
    ("all-fives", 2, {"target": 50, "exact_target": True}),
    ("all-fives", 2, {"target": 50, "exact_target": True, "win_at": "at-once"}),
    ("all-fives", 4, {"target": 50, "win_at": "at-once"}),
    ("fives-and-threes", 2, {"target": 61}),
    ("fives-and-threes", 3, {"target": 61, "exact_target": False}),
]


@pytest.mark.parametrize(("ruleset", "seats", "options"), ROWS)
def test_playing_out_is_stepping(
    ruleset: str, seats: int, options: dict[str, object], seed: random.Random
) -> None:
    rules = compile_rules(resolve(ruleset, seats, options), seats)
    dropped = ended = 0
    for _ in range(30):
        scores = tuple(rules.target - seed.randint(1, 12) for _ in range(rules.sides))
        start = dealt(rules, seed, scores)
        lot = seed.random()
        out = play_out(start, random.Random(lot).choice)
        hand, choose = start, random.Random(lot).choice
        while actions := legal(hand):
            action = choose(actions)
            after = apply(hand, action)
            if isinstance(action, Play) and rules.scores[after.table.count]:
                dropped += credited(hand, action) == 0
            hand = after
        ended += hand.over is not None and hand.over.reason == "target"
        assert out.scores == hand.scores
        assert out.over == hand.over
        assert out.hands == hand.hands
    assert not rules.exact or dropped
    assert not rules.at_once or ended
