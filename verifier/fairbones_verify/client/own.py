"""What a seat knows more than the public: its own tiles (SPEC 10, C5 and C8)."""

from __future__ import annotations

from typing import Any

from .. import deal, shape
from ..deal import Tile
from ..games.hand import MOVES, Hand, Step
from ..rules import spoken, step_of
from ..table import Event, Table
from .lies import Lie

OPENING = {"seal": shape.POSITION, "tile": shape.TILE, "salt": shape.HEX32}
NOBODYS: Tile = (99, 99)  # a tile that is not known fits nowhere

Json = dict[str, Any]


class Mine(Hand):
    """A hand as one seat knows it: `tiles` are its own, at positions that only it holds."""

    def __init__(self, hand: Hand, known: dict[int, Tile]) -> None:
        self.__dict__.update(vars(hand.copy()))
        self.tiles = [known.get(place, NOBODYS) for place in range(len(hand.seals))]

    def over(self) -> None:
        """What the others hold is not known, so neither is a block; R7 is asked of the hand."""
        return


def mine(table: Table, seat: int, known: dict[int, Tile]) -> Mine | None:
    """The running hand as `seat` knows it; None while a tile of its own is not shown to it."""
    hand = table.hand
    if hand is None or hand.tiles is not None or not set(hand.hands[seat]) <= set(known):
        return None
    return Mine(hand, known)


def acts(seen: Mine, seat: int) -> bool:
    """Whether the seat is known to be the one to act."""
    return seen.actors() == [seat] and (seen.turn == seat or seen.may_be_given())


def forced(table: Table, seat: int, seen: Mine) -> Step | None:
    """The draw or the pass that the house owes for this seat now (8.2)."""
    due = table.hand is not None and seen.turn == seat and acts(seen, seat)
    if not due or not table.opened["auto_forced"] or table.calls_wait() or table.must_abandon():
        return None
    return seen.forced()


def judge(table: Table, event: Event, seat: int, known: dict[int, Tile]) -> None:
    """C8: what the house does for this seat, held against its own tiles."""
    seen = mine(table, seat, known)
    if seen is None or (table.hand is not None and table.hand.over() is not None):
        return
    name, data, seq = event["type"], event["data"], event["seq"]
    own_step = name in MOVES and data["seat"] == seat
    if own_step and table.is_fixed(event) and acts(seen, seat):
        due = seen.fixed_step()
        if due is not None and step_of(seen, event) != due:
            said = f"event {seq}: the house plays {spoken(step_of(seen, event))} for me, and the"
            raise Lie("C8", f"{said} fixed rule says {spoken(due)}", seq, "rules/fixed-step")
    owed = forced(table, seat, seen)
    if owed is not None and name in ("timed_out", "left", "called"):
        said = f"event {seq}: {name}, although my {owed.type} was due"
        raise Lie("C8", said, seq, "rules/forced-step")
    if name == "gave" and data["to"] == seat == seen.turn and seen.can_play(seat):
        said = f"event {seq}: a tile is given to me although I can play"
        raise Lie("C8", said, seq, "rules/may-not-give")


def waits(table: Table, seat: int, known: dict[int, Tile]) -> None:
    """C8: a head that waits for this seat, which has no choice."""
    seen = mine(table, seat, known)
    owed = None if seen is None else forced(table, seat, seen)
    if owed is not None and table.owed is None and table.waits():
        said = f"the house waits for me, and my {owed.type} is forced"
        raise Lie("C8", said, table.i, "order/unfinished")


def openings(table: Table, seat: int, shown: Any) -> dict[int, Tile]:
    """C5: `you.hand` are all the tiles that the seat holds and no other, each opening its seal."""
    hand = table.hand
    held = set() if hand is None else set(hand.hands[seat])
    if not isinstance(shown, list):
        raise Lie("C5", "my hand is not shown as a list")
    found: dict[int, Tile] = {}
    for one in shown:
        if not isinstance(one, dict) or shape.lowest(shape.members(one, OPENING, "opening")):
            raise Lie("C5", "an opening of my hand has another form")
        place, tile = one["seal"], deal.read(one["tile"])
        if place in held and hand is not None:
            opens = deal.seal(
                table.match, table.round, place, bytes.fromhex(one["salt"]), deal.tile_bytes(tile)
            )
            if opens.hex() != hand.seals[place]:
                said = f"hand {table.round}: the {one['tile']} does not open my position {place}"
                raise Lie("C5", said, table.i - 1, "seal/mismatch")
            if tile not in table.tiles() or tile in found.values() or tile in hand.line.tiles:
                raise Lie("C5", f"I am shown the {one['tile']}, which lies elsewhere too")
        found[place] = tile
    if set(found) != held or len(found) != len(shown):
        said = f"I am shown the positions {sorted(found)}; by the cut I hold {sorted(held)}"
        raise Lie("C5", said, table.i - 1)
    return found
