"""A row made ready for play: numbers, flags and the functions its options name (SPEC R3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairbones.core.bones import tile_count

if TYPE_CHECKING:
    from fairbones.core.rules.leads import FirstLead, NextLead
    from fairbones.core.rules.scoring import BreakTie, Points


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one match. Sides are `0 .. sides-1`; `side_of[seat]` (SPEC R2)."""

    seats: int
    sides: int
    side_of: tuple[int, ...]
    set: int
    hand: int
    draws: bool  # whether who cannot play draws
    protected: int
    may_decline: bool
    target: int
    first_lead: FirstLead
    next_lead: NextLead
    points: Points
    break_tie: BreakTie

    @property
    def boneyard(self) -> int:
        """How many tiles nobody is dealt."""
        return tile_count(self.set) - self.seats * self.hand
