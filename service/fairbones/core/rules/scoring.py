"""What a hand that is over pays (SPEC R8): the tables an option value is looked up in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from fairbones.core.bones import LIGHTER, bits, pips_of
from fairbones.core.rules.counting import creditable
from fairbones.core.rules.leads import Outcome
from fairbones.core.rules.series import won

if TYPE_CHECKING:
    from fairbones.core.rules.hand import Finish, Hand
    from fairbones.core.rules.rules import Rules


class Settlement(NamedTuple):
    """The winning side or None, the points by side and the pips left by seat (SPEC R8)."""

    winner: int | None
    points: tuple[int, ...]
    counts: tuple[int, ...]


class Block(NamedTuple):
    """A blocked hand; everything by side but `hands` and `counts`."""

    rules: Rules
    counts: tuple[int, ...]  # by seat
    totals: tuple[int, ...]
    hands: tuple[int, ...]  # masks by seat
    leader: int
    causer: int


Award = tuple[int | None, tuple[int, ...]]  # the winning side, the points by side
Points = Callable[[int, Sequence[int]], int]  # own count, the other sides' -> the winner's points
Rounded = Callable[[tuple[int, ...]], tuple[int, ...]]  # points by side -> what is paid of them
WinBlock = Callable[[Block], Award]
Compared = Callable[[Block], tuple[int, ...]]  # what is compared of each side
BreakTie = Callable[[Block, tuple[int, ...]], Award]  # the block, the tied sides


def counts(hand: Hand) -> tuple[int, ...]:
    """The pips left in each seat's hand (SPEC R8)."""
    return tuple(map(pips_of, hand.hands))


def settle(rules: Rules, hand: Hand, finish: Finish) -> Settlement:
    """Who won a hand that is over, and its points (SPEC R8)."""
    pips = counts(hand)
    totals = pips
    if rules.sides < rules.seats:
        totals = tuple(sum(pips[side :: rules.sides]) for side in range(rules.sides))
    if finish.reason == "domino":
        winner, points = _won(rules, rules.side_of[finish.seat], totals)
    elif finish.reason == "blocked":
        block = Block(rules, pips, totals, hand.hands, hand.leader, finish.seat)
        winner, points = rules.win_block(block)
    else:
        return Settlement(won(rules, hand.scores), (0,) * rules.sides, pips)
    return Settlement(winner, _paid(rules, hand.scores, points), pips)


def outcome(hand: Hand, finish: Finish, settlement: Settlement) -> Outcome:
    """What the lead of the next hand depends on (SPEC R4)."""
    return Outcome(hand.leader, finish.seat, settlement.winner)


def _paid(rules: Rules, scores: tuple[int, ...], points: tuple[int, ...]) -> tuple[int, ...]:
    """Points of sides as the row rounds them, none that would go past an exact target."""
    points = rules.rounded(points)
    if not rules.exact:
        return points
    return tuple(creditable(rules, scores, side, each) for side, each in enumerate(points))


def _won(rules: Rules, side: int, totals: tuple[int, ...]) -> Award:
    others = totals[:side] + totals[side + 1 :]
    points = [0] * rules.sides
    points[side] = rules.points(totals[side], others)
    return side, tuple(points)


def _total(_own: int, others: Sequence[int]) -> int:
    return sum(others)


def _all_tiles(own: int, others: Sequence[int]) -> int:
    return own + sum(others)


def _difference_once(own: int, others: Sequence[int]) -> int:
    return max(0, sum(others) - own)


def _difference_each(own: int, others: Sequence[int]) -> int:
    return sum(max(0, other - own) for other in others)


def _as_counted(points: tuple[int, ...]) -> tuple[int, ...]:
    return points


def _nearest_five(points: tuple[int, ...]) -> tuple[int, ...]:
    return tuple((each + 2) // 5 * 5 for each in points)


def _nothing(points: tuple[int, ...]) -> tuple[int, ...]:
    return (0,) * len(points)


def _causer_wins(block: Block) -> Award:
    return _won(block.rules, block.rules.side_of[block.causer], block.totals)


def _lowest_wins(block: Block) -> Award:
    compared = block.rules.compared(block)
    lowest = min(compared)
    tied = tuple(side for side, count in enumerate(compared) if count == lowest)
    if len(tied) == 1:
        return _won(block.rules, tied[0], block.totals)
    return block.rules.break_tie(block, tied)


def _side_counts(block: Block) -> tuple[int, ...]:
    return block.totals


def _lowest_of_side(block: Block) -> tuple[int, ...]:
    sides = block.rules.sides
    return tuple(min(block.counts[side::sides]) for side in range(sides))


def _void(block: Block, _tied: tuple[int, ...]) -> Award:
    return None, (0,) * block.rules.sides


def _starter(block: Block, tied: tuple[int, ...]) -> Award:
    rules = block.rules
    met = (rules.side_of[(block.leader + step) % rules.seats] for step in range(rules.seats))
    return _won(rules, next(side for side in met if side in tied), block.totals)


def _causer(block: Block, tied: tuple[int, ...]) -> Award:
    side = block.rules.side_of[block.causer]
    return _won(block.rules, side, block.totals) if side in tied else _starter(block, tied)


def _split(block: Block, tied: tuple[int, ...]) -> Award:
    rest = sum(total for side, total in enumerate(block.totals) if side not in tied)
    share = rest // len(tied)  # the remainder is nobody's
    return None, tuple(share if side in tied else 0 for side in range(block.rules.sides))


def _lightest_tile(block: Block, tied: tuple[int, ...]) -> Award:
    side_of = block.rules.side_of
    held = (
        (LIGHTER[tile], side_of[seat])
        for seat, mask in enumerate(block.hands)
        if side_of[seat] in tied
        for tile in bits(mask)
    )
    return _won(block.rules, min(held)[1], block.totals)


# By `score`, `difference_mode` and `count_all`; a difference leaves no choice for the last.
POINTS: Mapping[tuple[str, str, bool], Points] = MappingProxyType(
    {
        ("total", "once", False): _total,
        ("total", "once", True): _all_tiles,
        ("total", "per-opponent", False): _total,
        ("total", "per-opponent", True): _all_tiles,
        ("difference", "once", False): _difference_once,
        ("difference", "per-opponent", False): _difference_each,
    }
)
SETTLEMENTS: Mapping[str, Rounded] = MappingProxyType(
    {"pips": _as_counted, "nearest-five": _nearest_five, "none": _nothing}
)
BLOCK_WINNERS: Mapping[str, WinBlock] = MappingProxyType(
    {"lowest": _lowest_wins, "causer": _causer_wins}
)
BLOCK_COUNTS: Mapping[str, Compared] = MappingProxyType(
    {"side": _side_counts, "lowest-individual": _lowest_of_side}
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
