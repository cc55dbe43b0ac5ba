"""Points in play (SPEC R10): what a play scores, what is credited of it, what a call takes."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from fairbones.core.bones import LARGEST_SET
from fairbones.core.rules.actions import END_NAMES
from fairbones.core.rules.rules import Rules

_COUNT_MAX = len(END_NAMES) * 2 * LARGEST_SET  # no line has more ends, no end counts more


def _fives(count: int) -> int:
    return count if count % 5 == 0 else 0


def _fives_and_threes(count: int) -> int:
    return (0 if count % 5 else count // 5) + (0 if count % 3 else count // 3)


# By `counting`: what each count scores; 0 scores 0 by either rule.
SCORES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        "fives": tuple(map(_fives, range(_COUNT_MAX + 1))),
        "fives-and-threes": tuple(map(_fives_and_threes, range(_COUNT_MAX + 1))),
    }
)


class Window(NamedTuple):
    """The time for calls after a play of `seat`, that did not claim `missed` (SPEC R10)."""

    seat: int
    missed: int


def creditable(rules: Rules, scores: tuple[int, ...], side: int, points: int) -> int:
    """What is counted of points that a side made: all or nothing (SPEC R9, exact target)."""
    return 0 if rules.exact and scores[side] + points > rules.target else points


def added(scores: tuple[int, ...], side: int, points: int) -> tuple[int, ...]:
    """The scores with points for one side."""
    return (*scores[:side], scores[side] + points, *scores[side + 1 :])
