"""SPEC R9 and R10: what a play scores, and which side has won by its score."""

from __future__ import annotations

from tests.naive.rows import Row, option


def score_of(row: Row, count: int, goes_out: bool) -> int:
    """What a play scores that leaves that count (SPEC R10)."""
    points = 0
    if count > 0 and row["counting"] == "fives" and count % 5 == 0:
        points = count
    if count > 0 and row["counting"] == "fives-and-threes":
        for whole in (5, 3):
            if count % whole == 0:
                points += count // whole
    return points + option(row, "out_points") if goes_out else points


def counted(row: Row, score: int, points: int) -> int:
    """The points, or 0 where they would carry the score past an exact target (SPEC R9)."""
    if row["exact_target"] and score + points > row["target"]:
        return 0
    return points


def alone_best(row: Row, scores: list[int]) -> int | None:
    """The side that alone has the best score."""
    best = max(scores) if row["better"] == "high" else min(scores)
    return scores.index(best) if scores.count(best) == 1 else None


def match_winner(row: Row, scores: list[int]) -> int | None:
    """The side that has won the match by the scores: R9, rule 1."""
    return alone_best(row, scores) if max(scores) >= row["target"] else None
