"""Who sets first (SPEC R4): the tables an option value is looked up in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from fairbones.core.bones import DOUBLES, HEAVIER, bits, mask_of

if TYPE_CHECKING:
    from fairbones.core.rules.endings import Finish
    from fairbones.core.rules.hand import Hand
    from fairbones.core.rules.rules import Rules
    from fairbones.core.rules.scoring import Settlement


@dataclass(frozen=True, slots=True)
class Lead:
    """The seat that sets first and the tile it must set; None: any of its tiles."""

    seat: int
    must_set: int | None


FirstLead = Callable[[tuple[int, ...]], Lead]
NextLead = Callable[["Rules", "Hand", "Finish", "Settlement"], Lead]


def first_lead(rules: Rules, hands: Sequence[Sequence[int]]) -> Lead:
    """The lead of hand 1, from the tile ids dealt to each seat (SPEC R4)."""
    return rules.first_lead(tuple(mask_of(tiles) for tiles in hands))


def next_lead(rules: Rules, hand: Hand, finish: Finish, settlement: Settlement) -> Lead:
    """The lead of the hand after this one, which was settled (SPEC R4)."""
    return rules.next_lead(rules, hand, finish, settlement)


def _highest_double(hands: tuple[int, ...]) -> Lead:
    dealt = 0
    for mask in hands:
        dealt |= mask
    # Among doubles the highest is the heaviest, so one order serves both sentences of R4.
    tile = max(bits(dealt & DOUBLES or dealt), key=HEAVIER.__getitem__)
    return Lead(next(seat for seat, mask in enumerate(hands) if mask >> tile & 1), tile)


def _winner(rules: Rules, hand: Hand, finish: Finish, settlement: Settlement) -> Lead:
    winner = settlement.winner
    if winner is None:
        return Lead(hand.leader, None)
    # After a domino the seat is the one that went out; it is on the winning side at once.
    seat = finish.seat
    while rules.side_of[seat] != winner:
        seat = (seat + 1) % rules.seats
    return Lead(seat, None)


FIRST_LEADS: Mapping[str, FirstLead] = MappingProxyType({"highest-double": _highest_double})
NEXT_LEADS: Mapping[str, NextLead] = MappingProxyType({"winner": _winner})
