"""A hand set up on a table (games/position.py), where the cases of tests/cases do not ask."""

from __future__ import annotations

from fairbones_verify.games.hand import Step
from fairbones_verify.games.position import act, actions, begin
from tests.verifier.rows import published

CALLED = Step("called")


def test_r10_a_call_is_listed_for_an_opponent_that_has_not_left() -> None:
    """SPEC R10: who has left is listed nothing any more, a call neither."""
    row = {**published("all-fives", 3), "muggins": True}
    hand = begin(row, [[(5, 5), (6, 0)], [(6, 5)], [(5, 4)]], [], 0)
    act(hand, Step("played", (5, 5)))
    assert CALLED not in actions(hand, 0)
    assert actions(hand, 1)[-1] == CALLED
    assert actions(hand, 2) == [CALLED]
    assert actions(hand, 2, left=[2]) == []
    assert CALLED not in actions(hand, 1, left=[1, 2])
    assert CALLED in actions(hand, 1, left=[2])
