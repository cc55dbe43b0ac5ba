"""What is not listed does not happen, by whatever door it comes (SPEC R6)."""

from __future__ import annotations

import pytest

from fairbones.core.errors import Illegal
from fairbones.core.rules import Action, Give, Lead, Play, apply, compile_rules, deal, resolve


@pytest.mark.parametrize("ruleset", ["block", "middle-eastern", "all-fives"])
@pytest.mark.parametrize("action", [Play(0, "left"), Play(0, "right"), Play(0, "up"), Give(0)])
def test_before_the_first_tile(ruleset: str, action: Action) -> None:
    """No end is there to be named, and nobody owes anybody a tile."""
    options = {"transfer": True} if ruleset == "middle-eastern" else {}
    seats = 4 if ruleset == "middle-eastern" else 2
    rules = compile_rules(resolve(ruleset, seats, options), seats)
    hands = [range(seat * 7, seat * 7 + 7) for seat in range(seats)]
    hand = deal(rules, hands, range(seats * 7, 28), Lead(0, None))
    with pytest.raises(Illegal) as caught:
        apply(hand, action)
    assert caught.value.code == "rules/not-listed"
