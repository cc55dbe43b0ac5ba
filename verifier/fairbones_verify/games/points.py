"""Counting: what a play scores, the settlement of a hand, the match (SPEC R8 to R10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

from ..deal import Tile, lightness

# R10: what a count above 0 scores.
COUNTING: dict[str, Callable[[int], int]] = {
    "fives": lambda count: 0 if count % 5 else count,
    "fives-and-threes": lambda count: sum(count // n for n in (3, 5) if count % n == 0),
}

# R8: what the end of a hand pays, of the points that it is worth.
SETTLEMENTS: dict[str, Callable[[int], int]] = {
    "nearest-five": lambda points: (points + 2) // 5 * 5,
    "none": lambda _: 0,
    "as it is": lambda points: points,
}


def sides_of(row: dict[str, Any], seats: int) -> int:
    """R2: how many sides sit at the table."""
    return 2 if row["partners"] else seats


def by_side(counts: Sequence[int], sides: int) -> list[int]:
    """R8: a side's count is the sum of its seats' counts."""
    return [sum(counts[side::sides]) for side in range(sides)]


def scored(row: dict[str, Any], count: int) -> int:
    """R10: what a line with this count scores; 0 in a game that does not count."""
    if "counting" not in row or count == 0:
        return 0
    return COUNTING[row["counting"]](count)


def credit(row: dict[str, Any], score: int, points: int) -> int:
    """R9, `exact_target`: what is counted of `points` for a side that has `score`."""
    return 0 if row["exact_target"] and score + points > row["target"] else points


class Ended(NamedTuple):
    """How a hand ended.

    reason: that of `round_ended`. seat: who played or gave last (domino), or placed the last tile
    (blocked). leader: who set the first tile. hands: the tiles left to each seat, or empty lists
    where they are not known. counts: their pips, by seat. scores: of the sides before the
    settlement, plays and calls included.
    """

    reason: str
    seat: int
    leader: int
    hands: Sequence[Sequence[Tile]]
    counts: Sequence[int]
    scores: Sequence[int]

    @property
    def sides(self) -> int:
        return len(self.scores)

    def around(self) -> list[int]:
        """The side of every seat in turn order from the leader."""
        seats = len(self.counts)
        return [(self.leader + step) % seats % self.sides for step in range(seats)]


def compared(row: dict[str, Any], end: Ended) -> list[int]:
    """R8: what is compared in a blocked hand, by side."""
    if row["block_count"] == "lowest-individual":
        return [min(end.counts[side :: end.sides]) for side in range(end.sides)]
    return by_side(end.counts, end.sides)


def tied(row: dict[str, Any], end: Ended) -> list[int]:
    """R8: the sides with the lowest of what is compared."""
    numbers = compared(row, end)
    return [side for side, number in enumerate(numbers) if number == min(numbers)]


def _starter(end: Ended, level: list[int]) -> int | None:
    return next(side for side in end.around() if side in level)


def _causer(end: Ended, level: list[int]) -> int | None:
    own = end.seat % end.sides
    return own if own in level else _starter(end, level)


def _lightest(end: Ended, level: list[int]) -> int | None:
    held = [(tile, seat % end.sides) for seat, hand in enumerate(end.hands) for tile in hand]
    return min((lightness(tile), side) for tile, side in held if side in level)[1]


# R8: who wins when several sides have the lowest count.
TIES: dict[str, Callable[[Ended, list[int]], int | None]] = {
    "void": lambda _, __: None,
    "split": lambda _, __: None,
    "starter": _starter,
    "causer": _causer,
    "lightest-tile": _lightest,
}


def winner(row: dict[str, Any], end: Ended) -> int | None:
    """R8: the side that wins a hand, or None."""
    if end.reason == "target":
        return won(row, end.scores)
    causer_wins = end.reason == "blocked" and row["block_winner"] == "causer"
    if end.reason == "domino" or causer_wins:
        return end.seat % end.sides
    if end.reason != "blocked":
        return None
    level = tied(row, end)
    return level[0] if len(level) == 1 else TIES[row["tie"]](end, level)


def points(row: dict[str, Any], end: Ended, winner: int | None) -> list[int]:
    """R8: what each side scores at the end of a hand that `winner` won."""
    paid = [0] * end.sides
    counts = by_side(end.counts, end.sides)
    if end.reason not in ("domino", "blocked"):
        return paid
    if winner is not None and winner < end.sides:
        paid[winner] = _of_winner(row, counts, winner)
    elif winner is None and end.reason == "blocked" and row["block_winner"] == "lowest":
        level = tied(row, end)
        if row["tie"] == "split" and len(level) > 1:
            rest = sum(count for side, count in enumerate(counts) if side not in level)
            for side in level:
                paid[side] = rest // len(level)
    settled = SETTLEMENTS[row.get("settlement", "as it is")]
    return [credit(row, score, settled(earned)) for score, earned in zip(end.scores, paid)]


def _of_winner(row: dict[str, Any], counts: list[int], winner: int) -> int:
    own = counts[winner]
    others = [count for side, count in enumerate(counts) if side != winner]
    if row["score"] == "total":
        return sum(others) + (own if row["count_all"] else 0)
    if row["difference_mode"] == "once":
        return max(0, sum(others) - own)
    return sum(max(0, other - own) for other in others)


# The match.


def best(row: dict[str, Any], scores: Sequence[int]) -> int | None:
    """R9: the side that alone has the best score, or None."""
    top = min(scores) if row["better"] == "low" else max(scores)
    return list(scores).index(top) if list(scores).count(top) == 1 else None


def won(row: dict[str, Any], scores: Sequence[int]) -> int | None:
    """R9, rule 1: the side that has won the match by these scores, or None."""
    return best(row, scores) if max(scores) >= row["target"] else None


def match_end(
    row: dict[str, Any], scores: Sequence[int], reason: str, hand: int, hands: int
) -> tuple[str, int | None] | None:
    """R9: how the match ends after hand number `hand` of at most `hands`: (reason, winner).

    None when another hand is dealt. `reason` is that of the hand.
    """
    if reason == "abandoned":
        return "abandoned", best(row, scores)
    if won(row, scores) is not None:
        return "target", won(row, scores)
    return ("rounds", best(row, scores)) if hand >= hands else None
