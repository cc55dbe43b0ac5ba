"""The text form of actions and lines (SPEC R11)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..deal import read, written
from .hand import Step

WORDS = {"drew": "draw", "declined": "decline", "passed": "pass", "called": "call"}

_HALF = "0|[1-9][0-9]?"
_TILE = f"(?P<tile>(?:{_HALF})-(?:{_HALF}))"
_END = "(?:@(?P<end>left|right|(?:up|down)(?:-(?:[2-9]|1[0-9]))?))?"
_PLAY = re.compile(_TILE + _END + r"(?:\+(?P<claim>[1-9][0-9]*))?")
_GIFT = re.compile("give " + _TILE)


def text_of(step: Step) -> str:
    """An action as text: "6-4", "6-4@left", "6-4@left+10", "draw", "give 6-4"."""
    if step.tile is None:
        return WORDS[step.type]
    tile = written(step.tile)
    if step.type == "gave":
        return f"give {tile}"
    end = "" if step.end is None else f"@{step.end}"
    return tile + end + ("" if step.claim is None else f"+{step.claim}")


def step_from(text: str) -> Step | None:
    """The action that a text names, or None where it names none."""
    for kind, word in WORDS.items():
        if text == word:
            return Step(kind)
    gift, play = _GIFT.fullmatch(text), _PLAY.fullmatch(text)
    found = gift or play
    if found is None:
        return None
    high, low = read(found["tile"])
    if not 18 >= high >= low:
        return None
    if play is None:
        return Step("gave", (high, low))
    claim = None if play["claim"] is None else int(play["claim"])
    return Step("played", (high, low), play["end"], claim)


def line_of(plays: Iterable[tuple[int, Step]]) -> str:
    """A line as text: (seat, play) in the order of play; "" for the empty line."""
    return " ".join(f"{seat}:{text_of(play)}" for seat, play in plays)
