"""A row made ready for play: numbers, flags and the functions its options name (SPEC R3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fairbones.core.bones import tile_count

if TYPE_CHECKING:
    from fairbones.core.rules.leads import FirstLead, NextLead
    from fairbones.core.rules.lines import Line
    from fairbones.core.rules.scoring import BreakTie, Compared, Points, Rounded, WinBlock


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one match. Sides are `0 .. sides-1`; `side_of[seat]` (SPEC R2)."""

    seats: int
    sides: int
    side_of: tuple[int, ...]
    set: int
    hand: int
    after: tuple[int, ...]  # by seat: the seat after it
    empty: Line  # before the first tile; it knows how lines grow
    plain: bool  # whether a play does no more than move a tile and the turn
    draws: bool  # whether who cannot play draws
    protected: int
    may_decline: bool
    early_block: bool
    side_out: bool  # whether a domino needs the whole side to be out, and more than one seat is
    giver: tuple[int, ...]  # by seat: who gives it a tile when it cannot play; () without transfer
    last_exempt: bool  # whether a seat with one tile gives nothing
    scores: tuple[int, ...]  # what a play scores, by the count of the line; () without counting
    out_points: int
    muggins: bool
    call_ms: int  # how long a step of the house waits after a play (SPEC 8.8); 0: not at all
    target: int
    exact: bool
    at_once: bool
    best: Callable[[Sequence[int]], int]  # the best of some scores
    first_lead: FirstLead
    next_lead: NextLead
    unwon_lead: NextLead  # after a hand that nobody won, where the winner would lead
    win_block: WinBlock
    compared: Compared
    points: Points
    rounded: Rounded
    break_tie: BreakTie

    @property
    def boneyard(self) -> int:
        """How many tiles nobody is dealt."""
        return tile_count(self.set) - self.seats * self.hand

    @property
    def counts(self) -> bool:
        """Whether plays score (SPEC R10)."""
        return bool(self.scores)

    @property
    def transfer(self) -> bool:
        """Whether a seat that cannot play is given a tile (SPEC R6, 3)."""
        return bool(self.giver)

    @property
    def draws_for_lead(self) -> bool:
        """Whether the lead of hand 1 is drawn before the deal (SPEC 4.5)."""
        return self.first_lead.drawn
