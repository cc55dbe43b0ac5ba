"""A claim is of one point at least: who claims nothing says nothing (SPEC R10)."""

from __future__ import annotations

import pytest

from fairbones.core.errors import Illegal
from fairbones.core.rules import Lead, Play, admit, compile_rules, deal, resolve


def test_a_claim_of_no_points_is_refused() -> None:
    rules = compile_rules(resolve("all-fives", 2, {"muggins": True}), 2)
    # 6-4 makes ten, so that there is something to claim.
    hand = deal(rules, [[25, *range(6)], range(6, 13)], range(13, 25), Lead(0, None))
    assert admit(hand, 0, Play(25, None, 10)) == Play(25, None, 10)
    for claim in (0, -5, 15):
        with pytest.raises(Illegal) as caught:
            admit(hand, 0, Play(25, None, claim))
        assert caught.value.code == "rules/claim"
