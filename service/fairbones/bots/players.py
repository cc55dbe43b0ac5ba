"""Who to play against: each chooses one of the listed actions."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Action = Mapping[str, Any]
Player = Callable[[Sequence[Action]], Action]


def heavy_first(actions: Sequence[Action]) -> Action:
    """Get rid of pips: the heaviest bone that fits, else what is listed first (draw, then pass)."""
    plays = [action for action in actions if action["type"] == "play"]
    if not plays:
        return actions[0]
    return max(plays, key=_weight)  # the first of several, so left before right


def at_random(actions: Sequence[Action]) -> Action:
    """Any of them, all equally likely."""
    return secrets.choice(actions)


def claim(score: int) -> int | None:
    """What a play claims that scores so much: mostly all of it; nobody counts right for ever."""
    return score if score and secrets.randbelow(3) else secrets.randbelow(score or 1) or None


def speaks_up() -> bool:
    """Whether somebody who saw that points were missed says so."""
    return secrets.randbelow(2) == 0


def _weight(action: Action) -> tuple[int, int]:
    """Heavier as SPEC R1 has it: more pips, then the higher high half."""
    halves = [int(half) for half in action["tile"].split("-")]
    return sum(halves), max(halves)


PLAYERS: Mapping[str, Player] = {"heavy-first": heavy_first, "random": at_random}
