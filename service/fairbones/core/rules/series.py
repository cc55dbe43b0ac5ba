"""From hands to a match (SPEC R9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from fairbones.core.rules.rules import Rules

# By `better`: the best of some scores.
BEST: Mapping[str, Callable[[Sequence[int]], int]] = MappingProxyType({"high": max, "low": min})


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """Why a match is over and the side that won it; None: a draw."""

    reason: Literal["target", "rounds", "abandoned"]
    winner: int | None


def won(rules: Rules, scores: Sequence[int]) -> int | None:
    """The side that has won by reaching the target, or None (SPEC R9, rule 1)."""
    return _alone_best(rules, scores) if max(scores) >= rules.target else None


def after_hand(
    rules: Rules, scores: Sequence[int], round_number: int, rounds_max: int
) -> MatchEnd | None:
    """Whether the match is over after hand `round_number` (from 1), scores by side (SPEC R9)."""
    winner = won(rules, scores)
    if winner is not None:
        return MatchEnd("target", winner)
    if round_number >= rounds_max:
        return MatchEnd("rounds", _alone_best(rules, scores))
    return None


def abandoned(rules: Rules, scores: Sequence[int]) -> MatchEnd:
    """The end of a match that was given up, scores by side (SPEC R9)."""
    return MatchEnd("abandoned", _alone_best(rules, scores))


def _alone_best(rules: Rules, scores: Sequence[int]) -> int | None:
    best = rules.best(scores)
    return scores.index(best) if scores.count(best) == 1 else None
