"""A call is between two turns: who is on turn next has drawn nothing yet (SPEC R6, R10)."""

from __future__ import annotations

import random

from fairbones.core.rules import DECLINE, Play, compile_rules, legal, resolve
from tests.rules.games import dealt, steps


def test_nobody_may_decline_who_has_not_drawn(seed: random.Random) -> None:
    options = {"muggins": True, "drawn_tile": "may-play", "target": 150}
    rules = compile_rules(resolve("all-fives", 2, options), 2)
    calls = declined = 0
    for _ in range(40):
        for step in steps(dealt(rules, seed), seed):
            if step.action is None or isinstance(step.action, Play):
                calls += step.action is None
                assert not step.after.drawn
                assert DECLINE not in legal(step.after)
            declined += step.action == DECLINE
    assert calls
    assert declined


def test_the_time_for_calls_is_that_of_the_row() -> None:
    row = resolve("all-fives", 2, {"muggins": True, "call_seconds": 7})
    assert compile_rules(row, 2).call_ms == 7_000
    assert compile_rules(resolve("all-fives", 2, {}), 2).call_ms == 0
