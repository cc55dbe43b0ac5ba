"""Playing out, nobody plays what somebody else holds, even where it fits (SPEC R6)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from fairbones.core.errors import Illegal
from fairbones.core.rules import Action, Lead, Play, compile_rules, deal, play_out, resolve


def test_a_tile_of_another_seat_is_refused() -> None:
    rules = compile_rules(resolve("block", 2, {}), 2)
    hand = deal(rules, [range(7), range(7, 14)], range(14, 28), Lead(0, None))

    asked: list[Sequence[Action]] = []

    def choose(actions: Sequence[Action]) -> Action:
        asked.append(actions)
        return Play(7, None) if len(asked) == 1 else actions[0]

    with pytest.raises(Illegal) as caught:
        play_out(hand, choose)
    assert caught.value.code == "rules/not-listed"
    assert len(asked) == 1
    assert Play(7, None) not in asked[0]
