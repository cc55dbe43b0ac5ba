"""The fixed rule for a seat whose time is up or that has left (SPEC R6)."""

from __future__ import annotations

from fairbones.core.bones import HEAVIER, bits
from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import DRAW, GIFTS, PASS, Action, Play
from fairbones.core.rules.hand import Hand, giver
from fairbones.core.rules.moves import scored


def fixed(hand: Hand) -> Action:
    """The heaviest tile at the first end it fits, claiming all; else draw, give, pass (SPEC R6).

    Illegal `rules/hand-over` when the hand is over: then nobody is waited for.
    """
    if hand.over is not None:
        raise Illegal("rules/hand-over", "The hand is over: nobody is on turn.")
    if hand.fits:
        play = hand.table.plays(1 << _heaviest(hand.fits))[0]
        claim = scored(hand, play) if hand.rules.muggins else 0
        return Play(play.tile, play.end, claim) if claim else play
    if hand.drawable:
        return DRAW
    seat = giver(hand)
    return PASS if seat is None else GIFTS[_heaviest(hand.hands[seat])]


def _heaviest(mask: int) -> int:
    return max(bits(mask), key=HEAVIER.__getitem__)
