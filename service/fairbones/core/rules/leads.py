"""Who sets first (SPEC R4): the tables an option value is looked up in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from fairbones.core.bones import DOUBLES, HEAVIER, bits, mask_of
from fairbones.core.rules.rules import Rules


@dataclass(frozen=True, slots=True)
class Lead:
    """The seat that sets first and the tile it must set; None: any of its tiles."""

    seat: int
    must_set: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the next lead depends on: of a hand its leader, its last seat and its winning side.

    `seat` went out or, after a block, placed the last tile; `winner` None: nobody won.
    """

    leader: int
    seat: int
    winner: int | None


class FirstLead(NamedTuple):
    """The lead of hand 1: from the masks of all hands and the seat that was drawn, if one was."""

    find: Callable[[tuple[int, ...], int | None], Lead]
    drawn: bool = False  # whether a tile is drawn for it (SPEC 4.5)


# From the rules, the masks of the new hands, the last hand's outcome, the seat that was drawn.
NextLead = Callable[[Rules, tuple[int, ...], Outcome, int | None], Lead]


def lead(
    rules: Rules, hands: Sequence[Sequence[int]], before: Outcome | None, drawn: int | None
) -> Lead:
    """The lead of a new hand, from the tile ids dealt to each seat (SPEC R4).

    `before` is the outcome of the hand before it, None for hand 1; `drawn` is the seat that won
    the lead draw, where the rules have one.
    """
    masks = tuple(map(mask_of, hands))
    if before is None:
        return rules.first_lead.find(masks, drawn)
    return rules.next_lead(rules, masks, before, drawn)


def drawn_lead(tiles: Sequence[int]) -> int:
    """The seat that leads by the tile ids that the seats drew: the heaviest (SPEC R4)."""
    return max(range(len(tiles)), key=lambda seat: HEAVIER[tiles[seat]])


def _highest_double(hands: tuple[int, ...], _drawn: int | None) -> Lead:
    dealt = 0
    for mask in hands:
        dealt |= mask
    # Among doubles the highest is the heaviest, so one order serves both sentences of R4. The top
    # double of a set is the highest where it is dealt, so the option `top-double` is the same.
    tile = max(bits(dealt & DOUBLES or dealt), key=HEAVIER.__getitem__)
    return Lead(next(seat for seat, mask in enumerate(hands) if mask >> tile & 1), tile)


def _drawn(_hands: tuple[int, ...], drawn: int | None) -> Lead:
    assert drawn is not None
    return Lead(drawn, None)


def _winner(rules: Rules, hands: tuple[int, ...], before: Outcome, drawn: int | None) -> Lead:
    if before.winner is None:
        return rules.unwon_lead(rules, hands, before, drawn)
    # After a domino the seat is the one that went out; it is on the winning side at once.
    seat = before.seat
    while rules.side_of[seat] != before.winner:
        seat = (seat + 1) % rules.seats
    return Lead(seat, None)


def _rotate(rules: Rules, _hands: tuple[int, ...], before: Outcome, _drawn: int | None) -> Lead:
    return Lead((before.leader + 1) % rules.seats, None)


def _same(_rules: Rules, _hands: tuple[int, ...], before: Outcome, _drawn: int | None) -> Lead:
    return Lead(before.leader, None)


def _double_again(
    _rules: Rules, hands: tuple[int, ...], _before: Outcome, drawn: int | None
) -> Lead:
    return _highest_double(hands, drawn)


def _first_again(rules: Rules, hands: tuple[int, ...], _before: Outcome, drawn: int | None) -> Lead:
    return rules.first_lead.find(hands, drawn)


FIRST_LEADS: Mapping[str, FirstLead] = MappingProxyType(
    {
        "highest-double": FirstLead(_highest_double),
        "top-double": FirstLead(_highest_double),
        "draw-for-lead": FirstLead(_drawn, drawn=True),
    }
)
NEXT_LEADS: Mapping[str, NextLead] = MappingProxyType(
    {"winner": _winner, "rotate": _rotate, "same": _same, "highest-double": _double_again}
)
UNWON_LEADS: Mapping[str, NextLead] = MappingProxyType({"same": _same, "first-lead": _first_again})
