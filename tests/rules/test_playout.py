"""Playing out is stepping, faster (SPEC R6, R7)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    CALL,
    Action,
    Hand,
    Pass,
    Play,
    Rules,
    apply,
    legal,
    play_out,
)

Deal = Callable[[Rules], Hand]


def test_playing_out_is_stepping(rules: Rules, deal_one: Deal, seed: random.Random) -> None:
    """The same choices from the same lists lead to the same hand."""
    dealt = deal_one(rules)
    offered: list[tuple[Action, ...]] = []
    numbers = [seed.random() for _ in range(2000)]

    def choose(actions: Sequence[Action]) -> Action:
        offered.append(tuple(actions))
        return actions[int(numbers[len(offered) - 1] * len(actions))]

    ended = play_out(dealt, choose)
    hand, lists = dealt, []
    while actions := legal(hand):
        lists.append(actions)
        hand = apply(hand, actions[int(numbers[len(lists) - 1] * len(actions))])
    assert offered == lists
    assert ended.but(turn=0) == hand.but(turn=0)
    assert ended.over == hand.over is not None


@pytest.mark.parametrize("wrong", [Play(20, "middle"), Play(0, None, 5), Pass(), CALL])
def test_a_choice_that_is_not_listed_is_refused(
    rules: Rules, deal_one: Deal, wrong: Action
) -> None:
    """Whoever chooses cannot make a rule."""

    def choose(actions: Sequence[Action]) -> Action:
        return actions[0] if wrong in actions else wrong

    with pytest.raises(Illegal) as caught:
        play_out(deal_one(rules), choose)
    assert caught.value.code == "rules/not-listed"
