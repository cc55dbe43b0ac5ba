"""Actions and lines as text (SPEC R11) and as JSON objects (SPEC R6, listed form).

Nowhere else do they meet either. A tile's own text form is `bones.text`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fairbones.core.bones import parse, parse_loose, text
from fairbones.core.errors import Unreadable
from fairbones.core.rules.actions import (
    CALL,
    DECLINE,
    DRAW,
    END_NAMES,
    GIFTS,
    PASS,
    Action,
    Give,
    Play,
)

_BARE: dict[str, Action] = {"draw": DRAW, "decline": DECLINE, "pass": PASS, "call": CALL}
_NAMES = {type(action): name for name, action in _BARE.items()}
_PLAY = re.compile(
    r"(?P<tile>[0-9]{1,2}-[0-9]{1,2})(?:@(?P<end>[a-z0-9-]+))?(?:\+(?P<claim>[1-9][0-9]{0,3}))?",
    re.ASCII,
)
_SEAT = re.compile(r"(?P<seat>0|[1-9][0-9]?):(?P<play>.+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class GiveAt:
    """A gift as it is sent: by the position of its seal, for a tile's name would publish it."""

    seal: int


def action_to_json(action: Action, place: Mapping[int, int]) -> dict[str, object]:
    """`{"type":"play","tile":"6-4","end":"left"}`, `{"type":"give","seal":17}`, and so on.

    `place` maps a tile id to its position in the wash. A hand's first tile has no `end`.
    """
    if isinstance(action, Give):
        return {"type": "give", "seal": place[action.tile]}
    if not isinstance(action, Play):
        return {"type": _NAMES[type(action)]}
    written: dict[str, object] = {"type": "play", "tile": text(action.tile)}
    if action.end is not None:
        written["end"] = action.end
    if action.claim is not None:
        written["claim"] = action.claim
    return written


def action_from_json(written: object) -> Action | GiveAt:
    """The action of a JSON object; a tile may be written low half first.

    Unreadable `action/shape` for any other type or field, `tile/text` for the text of a tile.
    That a game has such an end, and that the tile fits there, is for `admit` to judge.
    """
    if not isinstance(written, dict):
        raise _shapeless("An action is an object.")
    kind = written.get("type")
    fields = set(written)
    if isinstance(kind, str) and kind in _BARE:
        if fields != {"type"}:
            raise _shapeless(f"A {kind} has no field but type.")
        return _BARE[kind]
    if kind == "give":
        seal = written.get("seal")
        if fields != {"type", "seal"} or type(seal) is not int or seal < 0:
            raise _shapeless("A gift has a type and the seal of the tile, a whole number.")
        return GiveAt(seal)
    if kind != "play":
        raise _shapeless("The type of an action is play, draw, decline, give, pass or call.")
    if not {"type", "tile"} <= fields <= {"type", "tile", "end", "claim"}:
        raise _shapeless(
            "A play has a type, a tile, an end (but for a first tile) and perhaps a claim."
        )
    tile, end, claim = written["tile"], written.get("end"), written.get("claim")
    if not isinstance(tile, str) or ("end" in fields and not isinstance(end, str)):
        raise _shapeless("The tile and the end of a play are text.")
    if "claim" in fields and (type(claim) is not int or claim < 1):
        raise _shapeless("A claim is a whole number from 1 on; claim nothing by leaving it out.")
    return Play(parse_loose(tile), end, claim)


def write_action(action: Action) -> str:
    """`6-4@left+10`, `give 6-4`, `draw` and so on (SPEC R11)."""
    if isinstance(action, Give):
        return f"give {text(action.tile)}"
    if not isinstance(action, Play):
        return _NAMES[type(action)]
    end = "" if action.end is None else f"@{action.end}"
    claim = "" if action.claim is None else f"+{action.claim}"
    return f"{text(action.tile)}{end}{claim}"


def parse_action(written: str) -> Action:
    """The action of its text form (SPEC R11); Unreadable `action/text` or `tile/text`."""
    if written in _BARE:
        return _BARE[written]
    if written.startswith("give "):
        return GIFTS[parse(written[len("give ") :])]
    found = _PLAY.fullmatch(written)
    if found is None or found["end"] not in (None, *END_NAMES):
        raise Unreadable(
            "action/text",
            'Write an action like "6-4", "6-4@left", "6-4@left+10", "give 6-4", "draw", '
            '"decline", "pass" or "call".',
            action=written,
        )
    claim = found["claim"]
    return Play(parse(found["tile"]), found["end"], None if claim is None else int(claim))


def write_line(plays: Iterable[tuple[int, Play]]) -> str:
    """`0:4-1 1:1-1@right`: who played what, in the order of play (SPEC R11)."""
    return " ".join(f"{seat}:{write_action(play)}" for seat, play in plays)


def parse_line(written: str) -> tuple[tuple[int, Play], ...]:
    """The plays of a line's text form (SPEC R11); Unreadable as `parse_action`."""
    plays: list[tuple[int, Play]] = []
    for move in written.split(" ") if written else ():
        found = _SEAT.fullmatch(move)
        play = parse_action(found["play"]) if found else None
        if found is None or not isinstance(play, Play):
            raise Unreadable("action/text", 'Write a line like "0:4-1 1:1-1@right".', line=move)
        plays.append((int(found["seat"]), play))
    return tuple(plays)


def _shapeless(message: str) -> Unreadable:
    return Unreadable("action/shape", message)
