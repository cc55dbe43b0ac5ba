"""SPEC R6 and R11: what a seat may do, and how that is written."""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.naive.tiles import Tile, read, text

BARE = ("draw", "decline", "pass", "call")


class Action(NamedTuple):
    """One action; a play of the first tile has no end, a play that claims nothing no claim."""

    kind: str
    tile: Tile | None = None
    end: str | None = None
    claim: int | None = None


class Refused(Exception):
    """The rules do not allow this, and nothing has changed."""


def write(action: Action) -> str:
    """The text form of an action (SPEC R11)."""
    if action.tile is None:
        return action.kind
    if action.kind == "give":
        return f"give {text(action.tile)}"
    at = "" if action.end is None else f"@{action.end}"
    claim = "" if action.claim is None else f"+{action.claim}"
    return text(action.tile) + at + claim


def read_action(written: str) -> Action:
    """The action of a text; ValueError for anything that R11 does not write."""
    if written in BARE:
        return Action(written)
    if written.startswith("give "):
        return Action("give", read(written.removeprefix("give ")))
    found = re.fullmatch(
        r"([0-9]+-[0-9]+)(?:@(left|right|(?:up|down)(?:-(?:[2-9]|[1-9][0-9]+))?))?(?:\+([1-9][0-9]*))?",
        written,
        re.ASCII,
    )
    if found is None:
        raise ValueError(f"{written!r} is no action")
    claim = None if found[3] is None else int(found[3])
    return Action("play", read(found[1]), found[2], claim)


def write_line(plays: list[tuple[int, Action]]) -> str:
    """The text form of a line (SPEC R11)."""
    return " ".join(f"{seat}:{write(action)}" for seat, action in plays)
