"""What can be claimed where points have to be (SPEC R10)."""

from __future__ import annotations

import random

from fairbones.core.rules import Action, Hand, Play, scored


def claiming(hand: Hand, action: Action, rnd: random.Random) -> Action:
    """A play with a claim, where one can be made: all of its score, a part of it, or nothing."""
    if not isinstance(action, Play) or not hand.rules.muggins:
        return action
    score = scored(hand, action)
    claim = rnd.choice((score, rnd.randint(0, score))) or None
    return Play(action.tile, action.end, claim)
