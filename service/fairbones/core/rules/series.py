"""From hands to a match (SPEC R9)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fairbones.core.rules.rules import Rules


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """Why a match is over and the side that won it; None: a draw."""

    reason: Literal["target", "rounds", "abandoned"]
    winner: int | None


def after_hand(
    rules: Rules, scores: Sequence[int], round_number: int, rounds_max: int
) -> MatchEnd | None:
    """Whether the match is over after hand `round_number` (from 1), scores by side (SPEC R9)."""
    best = _alone_highest(scores)
    if best is not None and scores[best] >= rules.target:
        return MatchEnd("target", best)
    if round_number >= rounds_max:
        return MatchEnd("rounds", best)
    return None


def abandoned(scores: Sequence[int]) -> MatchEnd:
    """The end of a match that was given up, scores by side (SPEC R9)."""
    return MatchEnd("abandoned", _alone_highest(scores))


def _alone_highest(scores: Sequence[int]) -> int | None:
    highest = max(scores)
    sides = [side for side, score in enumerate(scores) if score == highest]
    return sides[0] if len(sides) == 1 else None
