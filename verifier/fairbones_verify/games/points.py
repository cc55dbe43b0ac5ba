"""Counting: the settlement of a hand and the match (SPEC R8, R9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..deal import Tile, lightness


def sides_of(row: dict[str, Any], seats: int) -> int:
    """R2: how many sides sit at the table."""
    return 2 if row["partners"] else seats


def by_side(counts: Sequence[int], sides: int) -> list[int]:
    """R8: a side's count is the sum of its seats' counts."""
    return [sum(counts[side::sides]) for side in range(sides)]


def tied(counts: Sequence[int]) -> list[int]:
    """The sides with the lowest count."""
    return [side for side, count in enumerate(counts) if count == min(counts)]


def winner(
    row: dict[str, Any],
    counts: Sequence[int],
    hands: Sequence[Sequence[Tile]],
    reason: str,
    causer: int,
    leader: int,
) -> int | None:
    """R8: the side that wins a hand, or None. `counts` are by side, `hands` by seat."""
    sides, seats = len(counts), len(hands)
    if reason == "domino":
        return causer % sides
    level = tied(counts)
    if reason != "blocked":
        return None
    if len(level) == 1:
        return level[0]
    if row["tie"] == "causer" and causer % sides in level:
        return causer % sides
    if row["tie"] in ("starter", "causer"):
        turns = [(leader + step) % seats for step in range(seats)]
        return next(seat % sides for seat in turns if seat % sides in level)
    if row["tie"] == "lightest-tile":
        held = [(tile, seat % sides) for seat, tiles in enumerate(hands) for tile in tiles]
        return min((lightness(tile), side) for tile, side in held if side in level)[1]
    return None


def points(
    row: dict[str, Any], counts: Sequence[int], reason: str, winner: int | None
) -> list[int]:
    """R8: what each side scores in a hand that `winner` won. `counts` are by side."""
    scored = [0] * len(counts)
    if winner is not None and winner < len(counts):
        own = counts[winner]
        others = [count for side, count in enumerate(counts) if side != winner]
        if row["score"] == "total":
            scored[winner] = sum(others)
        elif row["difference_mode"] == "once":
            scored[winner] = max(0, sum(others) - own)
        else:
            scored[winner] = sum(max(0, other - own) for other in others)
    elif winner is None and reason == "blocked" and row["tie"] == "split":
        level = tied(counts)
        rest = sum(count for side, count in enumerate(counts) if side not in level)
        if len(level) > 1:
            for side in level:
                scored[side] = rest // len(level)
    return scored


def best(scores: Sequence[int]) -> int | None:
    """The side that alone has the highest score, or None."""
    top = [side for side, score in enumerate(scores) if score == max(scores)]
    return top[0] if len(top) == 1 else None


def match_end(
    row: dict[str, Any], scores: Sequence[int], reason: str, hand: int, hands: int
) -> tuple[str, int | None] | None:
    """R9: how the match ends after hand number `hand` of at most `hands`: (reason, winner).

    None when another hand is dealt. `reason` is that of the hand.
    """
    if reason == "abandoned":
        return "abandoned", best(scores)
    if max(scores) >= row["target"] and best(scores) is not None:
        return "target", best(scores)
    return ("rounds", best(scores)) if hand >= hands else None


def next_lead(winner: int | None, causer: int, leader: int, sides: int, seats: int) -> int:
    """R4, later hands: the seat that sets next.

    After a domino the causer went out and is on the winning side, so one sentence serves both.
    """
    if winner is None:
        return leader
    turns = [(causer + step) % seats for step in range(seats)]
    return next((seat for seat in turns if seat % sides == winner), leader)
