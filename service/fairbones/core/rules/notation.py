"""Actions as JSON objects, the only place where they meet text (SPEC R6, listed form)."""

from __future__ import annotations

from fairbones.core.bones import parse_loose, text
from fairbones.core.errors import Unreadable
from fairbones.core.rules.actions import DECLINE, DRAW, PASS, Action, Play

_BARE: dict[str, Action] = {"draw": DRAW, "decline": DECLINE, "pass": PASS}
_NAMES = {type(action): name for name, action in _BARE.items()}


def action_to_json(action: Action) -> dict[str, object]:
    """`{"type":"play","tile":"6-4","end":"left"}`, or `{"type":"draw"}` and so on.

    A hand's first tile has no `end`.
    """
    if not isinstance(action, Play):
        return {"type": _NAMES[type(action)]}
    written: dict[str, object] = {"type": "play", "tile": text(action.tile)}
    if action.end is not None:
        written["end"] = action.end
    return written


def action_from_json(written: object) -> Action:
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
    if kind != "play":
        raise _shapeless("The type of an action is play, draw, decline or pass.")
    if not {"type", "tile"} <= fields <= {"type", "tile", "end"}:
        raise _shapeless("A play has a type, a tile and, but for a first tile, an end.")
    tile, end = written["tile"], written.get("end")
    if not isinstance(tile, str) or ("end" in fields and not isinstance(end, str)):
        raise _shapeless("The tile and the end of a play are text.")
    return Play(parse_loose(tile), end)


def _shapeless(message: str) -> Unreadable:
    return Unreadable("action/shape", message)
