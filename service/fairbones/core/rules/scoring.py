"""What a hand that is over pays (SPEC R8): the tables an option value is looked up in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from fairbones.core.bones import LIGHTER, bits, pips_of

if TYPE_CHECKING:
    from fairbones.core.rules.endings import Finish
    from fairbones.core.rules.hand import Hand
    from fairbones.core.rules.rules import Rules


@dataclass(frozen=True, slots=True)
class Settlement:
    """The winning side or None, the points by side and the pips left by seat (SPEC R8)."""

    winner: int | None
    points: tuple[int, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Tie:
    """A blocked hand whose lowest count several sides share; everything by side but `hands`."""

    rules: Rules
    tied: tuple[int, ...]
    totals: tuple[int, ...]
    hands: tuple[int, ...]  # masks by seat
    leader: int
    causer: int


Award = tuple[int | None, tuple[int, ...]]  # the winning side, the points by side
Points = Callable[[int, Sequence[int]], int]  # own count, the other sides' -> the winner's points
BreakTie = Callable[[Tie], Award]


def settle(rules: Rules, hand: Hand, finish: Finish) -> Settlement:
    """Who won a hand that is over, and its points (SPEC R8)."""
    counts = tuple(pips_of(mask) for mask in hand.hands)
    totals = tuple(
        sum(count for seat, count in enumerate(counts) if rules.side_of[seat] == side)
        for side in range(rules.sides)
    )
    if finish.reason == "domino":
        award = _won(rules, rules.side_of[finish.seat], totals)
    else:
        lowest = min(totals)
        tied = tuple(side for side, total in enumerate(totals) if total == lowest)
        if len(tied) == 1:
            award = _won(rules, tied[0], totals)
        else:
            award = rules.break_tie(Tie(rules, tied, totals, hand.hands, hand.leader, finish.seat))
    return Settlement(*award, counts)


def _won(rules: Rules, side: int, totals: tuple[int, ...]) -> Award:
    others = totals[:side] + totals[side + 1 :]
    points = [0] * rules.sides
    points[side] = rules.points(totals[side], others)
    return side, tuple(points)


def _total(_own: int, others: Sequence[int]) -> int:
    return sum(others)


def _difference_once(own: int, others: Sequence[int]) -> int:
    return max(0, sum(others) - own)


def _difference_each(own: int, others: Sequence[int]) -> int:
    return sum(max(0, other - own) for other in others)


def _void(tie: Tie) -> Award:
    return None, (0,) * tie.rules.sides


def _starter(tie: Tie) -> Award:
    seats = tie.rules.seats
    met = (tie.rules.side_of[(tie.leader + step) % seats] for step in range(seats))
    return _won(tie.rules, next(side for side in met if side in tie.tied), tie.totals)


def _causer(tie: Tie) -> Award:
    side = tie.rules.side_of[tie.causer]
    return _won(tie.rules, side, tie.totals) if side in tie.tied else _starter(tie)


def _split(tie: Tie) -> Award:
    rest = sum(total for side, total in enumerate(tie.totals) if side not in tie.tied)
    share = rest // len(tie.tied)  # the remainder is nobody's
    return None, tuple(share if side in tie.tied else 0 for side in range(tie.rules.sides))


def _lightest_tile(tie: Tie) -> Award:
    held = (
        (LIGHTER[tile], tie.rules.side_of[seat])
        for seat, mask in enumerate(tie.hands)
        if tie.rules.side_of[seat] in tie.tied
        for tile in bits(mask)
    )
    return _won(tie.rules, min(held)[1], tie.totals)


POINTS: Mapping[tuple[str, str], Points] = MappingProxyType(
    {
        ("total", "once"): _total,
        ("total", "per-opponent"): _total,
        ("difference", "once"): _difference_once,
        ("difference", "per-opponent"): _difference_each,
    }
)
TIES: Mapping[str, BreakTie] = MappingProxyType(
    {
        "void": _void,
        "starter": _starter,
        "causer": _causer,
        "split": _split,
        "lightest-tile": _lightest_tile,
    }
)
