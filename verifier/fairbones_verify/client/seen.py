"""What a seat sees by its own reckoning (SPEC 10, C13)."""

from __future__ import annotations

from typing import Any

from .. import deal
from ..deal import Tile
from ..games.hand import Hand, Step
from ..table import Table
from . import own

Json = dict[str, Any]
NAMES = {
    "played": "play",
    "drew": "draw",
    "passed": "pass",
    "declined": "decline",
    "gave": "give",
}


def action(step: Step, known: dict[int, Tile]) -> Json:
    """A step as the action that is sent for it."""
    said: Json = {"type": NAMES[step.type]}
    if step.type == "gave":
        said["seal"] = next(place for place, tile in known.items() if tile == step.tile)
    elif step.tile is not None:
        said["tile"] = deal.written(step.tile)
        if step.end is not None:
            said["end"] = step.end
    return said


def legal(table: Table, seat: int, known: dict[int, Tile]) -> list[Json] | None:
    """R6: what the seat may do at the head; None while its own tiles are not all known to it.

    Of a seat that may have to give a tile: the gifts, whether or not they are due.
    """
    seen = own.mine(table, seat, known)
    if seen is None or table.hand is None or table.hand.over() is not None or seat in table.left:
        return [] if seen is not None or table.hand is None or seat in table.left else None
    held = {place: known[place] for place in table.hand.hands[seat]}
    actions: list[Json] = []
    if own.acts(seen, seat):
        step = seen.forced() if seen.turn == seat else None
        if step is None or not table.opened["auto_forced"]:
            actions = [action(one, held) for one in seen.legal()]
    if seen.may_call(seat):
        actions.append({"type": "call"})
    return actions


def may_give(table: Table, seat: int) -> bool:
    """Whether the seat is the one that gives, if the seat on turn cannot play."""
    hand = table.hand
    return hand is not None and hand.may_be_given() and hand.left_of(hand.turn) == seat != hand.turn


def line(table: Table) -> list[Json]:
    """The plays of the running hand as a view has them."""
    plays: list[Json] = []
    for event in reversed(table.events[: table.i]):
        if event["type"] == "dealt":
            break
        if event["type"] == "played":
            data = event["data"]
            members = ("seat", "tile", "seal", "end", "points")
            plays.insert(0, {name: data[name] for name in members if name in data})
    return plays


def outlook(table: Table, seat: int, known: dict[int, Tile], actions: list[Json]) -> Json:
    """What a chooser is shown: all of it reckoned here, nothing taken from an answer."""
    hand = table.hand
    assert hand is not None
    return {
        "seat": seat,
        "round": table.round,
        "hand": [deal.written(known[place]) for place in hand.hands[seat]],
        "line": line(table),
        "ends": [{"end": end.name, "value": end.value} for end in hand.line.open_ends()],
        "counts": [len(places) for places in hand.hands],
        "boneyard": len(hand.boneyard),
        "scores": list(hand.scores),
        "turn": hand.turn,
        "row": dict(table.row),
        "legal": actions,
    }


def worth(hand: Hand, seat: int, play: Json) -> int:
    """R10: what a play scores, and so may claim."""
    return hand.score(seat, deal.read(play["tile"]), play.get("end"))
