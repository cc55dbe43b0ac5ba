"""When a hand is over, and what is left in it (SPEC R7, R8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fairbones.core.bones import SUIT, pips_of
from fairbones.core.rules.hand import Hand


@dataclass(frozen=True, slots=True)
class Finish:
    """Why a hand is over, and the seat that placed its last tile.

    After a domino that is the seat that went out, after a block the causer (SPEC R4, R7).
    """

    reason: Literal["domino", "blocked"]
    seat: int


def finish(hand: Hand) -> Finish | None:
    """How the hand has ended, or None while it goes on (SPEC R7)."""
    causer = hand.causer
    if causer is None:
        return None  # before the first tile nobody is out and nothing is blocked
    hands = hand.hands
    if not hands[causer]:
        return Finish("domino", causer)
    suits = 0
    for end in hand.ends:
        suits |= SUIT[end.value]
    for mask in hands:
        if mask & suits:
            return None
    return None if hand.drawable else Finish("blocked", causer)


def counts(hand: Hand) -> tuple[int, ...]:
    """The pips left in each seat's hand (SPEC R8)."""
    return tuple(pips_of(mask) for mask in hand.hands)
