"""The fixed rule for a seat whose time is up or that has left (SPEC R6)."""

from __future__ import annotations

from fairbones.core.bones import HEAVIER, SUIT, bits
from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import DRAW, PASS, PLAYS, Action
from fairbones.core.rules.endings import finish
from fairbones.core.rules.hand import Hand, fitting


def fixed(hand: Hand) -> Action:
    """The heaviest tile at the first end it fits, else draw, else pass (SPEC R6).

    Illegal `rules/hand-over` when the hand is over: then nobody is waited for.
    """
    if finish(hand) is not None:
        raise Illegal("rules/hand-over", "The hand is over: nobody is on turn.")
    fits = fitting(hand)
    if not fits:
        return DRAW if hand.drawable else PASS
    tile = max(bits(fits), key=HEAVIER.__getitem__)
    if not hand.ends:
        return PLAYS[None][tile]
    name = next(end.name for end in hand.ends if SUIT[end.value] >> tile & 1)
    return PLAYS[name][tile]
