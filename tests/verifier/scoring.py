"""What is scored, for the house of the tests (SPEC R8 to R10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from tests.verifier.bones import Tile

Row = dict[str, Any]


class Over(NamedTuple):
    """A hand that is over: why, who went out or caused the block, who led, what is left."""

    reason: str
    seat: int
    leader: int
    hands: list[list[Tile]]
    scores: list[int]


def worth(row: Row, count: int) -> int:
    """What a count scores."""
    if count == 0 or "counting" not in row:
        return 0
    if row["counting"] == "fives":
        return count if count % 5 == 0 else 0
    return (count // 5 if count % 5 == 0 else 0) + (count // 3 if count % 3 == 0 else 0)


def admitted(row: Row, score: int, points: int) -> int:
    """SPEC R9, exact target."""
    return 0 if row["exact_target"] and score + points > row["target"] else points


def alone(row: Row, scores: Sequence[int]) -> int | None:
    """The side that alone has the best score."""
    order = sorted(scores, reverse=row["better"] == "high")
    return None if order[0] == order[1] else list(scores).index(order[0])


def won(row: Row, scores: Sequence[int]) -> int | None:
    """SPEC R9, rule 1."""
    return alone(row, scores) if any(score >= row["target"] for score in scores) else None


def sums_of(over: Over) -> list[int]:
    """The count of each side."""
    sides = len(over.scores)
    pips = [sum(map(sum, hand)) for hand in over.hands]
    return [sum(pips[side::sides]) for side in range(sides)]


def level_sides(row: Row, over: Over) -> list[int]:
    """The sides with the lowest of what is compared."""
    sides, pips = len(over.scores), [sum(map(sum, hand)) for hand in over.hands]
    if row["block_count"] == "side":
        numbers = sums_of(over)
    else:
        numbers = [min(pips[side::sides]) for side in range(sides)]
    return [side for side in range(sides) if numbers[side] == min(numbers)]


def winner_of(row: Row, over: Over) -> int | None:
    """SPEC R8: the winner of a hand."""
    sides, seats = len(over.scores), len(over.hands)
    own = over.seat % sides
    if over.reason == "target":
        return won(row, over.scores)
    if over.reason == "abandoned":
        return None
    if over.reason == "domino" or row["block_winner"] == "causer":
        return own
    level = level_sides(row, over)
    if len(level) == 1:
        return level[0]
    if row["tie"] == "lightest-tile":
        held = [
            (high + low, low, seat % sides)
            for seat, hand in enumerate(over.hands)
            for high, low in hand
            if seat % sides in level
        ]
        return min(held)[2]
    if row["tie"] in ("void", "split"):
        return None
    if row["tie"] == "causer" and own in level:
        return own
    around = [(over.leader + k) % seats % sides for k in range(seats)]
    return next(side for side in around if side in level)


def points_of(row: Row, over: Over, winner: int | None) -> list[int]:
    """SPEC R8: the points of a hand, by side."""
    sums, sides = sums_of(over), len(over.scores)
    points = [0] * sides
    if over.reason in ("target", "abandoned"):
        return points
    if winner is None:
        level = level_sides(row, over)
        if row["tie"] == "split" and over.reason == "blocked":
            for side in level:
                points[side] = (sum(sums) - sum(sums[one] for one in level)) // len(level)
    else:
        others = [sums[side] for side in range(sides) if side != winner]
        if row["score"] == "total":
            points[winner] = sum(sums) if row["count_all"] else sum(others)
        elif row["difference_mode"] == "once":
            points[winner] = max(0, sum(others) - sums[winner])
        else:
            points[winner] = sum(max(0, other - sums[winner]) for other in others)
    if row.get("settlement") == "none":
        points = [0] * sides
    elif row.get("settlement") == "nearest-five":
        points = [number - number % 5 + (5 if number % 5 > 2 else 0) for number in points]
    return [admitted(row, score, one) for score, one in zip(over.scores, points, strict=True)]
