"""Who sets the first tile of a hand, and which (SPEC R4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

from ..deal import Tile, first_lead, weight


class Lead(NamedTuple):
    """seat: who leads. must_set: what it must set. must: whether there is a tile it must set.

    `seat` and `must_set` are None where the tiles have to be known and are not.
    """

    seat: int | None
    must_set: Tile | None = None
    must: bool = False


class Before(NamedTuple):
    """The hand before: why it ended, who went out or caused the block, who led, which side won."""

    reason: str
    seat: int
    leader: int
    winner: int | None


class Asked(NamedTuple):
    """What the lead may depend on.

    hands: the tiles dealt to each seat, where known. seats, sides: how many there are. drawn: the
    seat that drew the heaviest tile before hand 1. before: the last hand; None for hand 1.
    """

    row: dict[str, Any]
    hands: Sequence[Sequence[Tile]] | None
    seats: int
    sides: int
    drawn: int | None = None
    before: Before | None = None


def draws_for_lead(row: dict[str, Any]) -> bool:
    """SPEC 4.5: whether each seat draws a tile before the deal."""
    return row.get("first_lead") == "draw-for-lead"


def drawn_lead(tiles: Sequence[Tile]) -> int:
    """R4: the seat that drew the heaviest tile; `tiles` by seat."""
    return max(range(len(tiles)), key=lambda seat: weight(tiles[seat]))


def lead(asked: Asked) -> Lead:
    """R4: the lead of a hand."""
    if asked.before is None:
        return FIRST[asked.row["first_lead"]](asked)
    return NEXT[asked.row["next_lead"]](asked, asked.before)


def _by_double(asked: Asked) -> Lead:
    """The highest double of all hands, else the heaviest tile.

    Where the double of the set's highest number is held it is the highest one, so `top-double`
    says the same.
    """
    found = None if asked.hands is None else first_lead(asked.hands)
    return Lead(None, None, True) if found is None else Lead(found[0], found[1], True)


def _by_draw(asked: Asked) -> Lead:
    return Lead(asked.drawn)


FIRST: dict[str, Callable[[Asked], Lead]] = {
    "highest-double": _by_double,
    "top-double": _by_double,
    "draw-for-lead": _by_draw,
}


def _after_winner(asked: Asked, before: Before) -> Lead:
    """After a domino `before.seat` went out and is on the winning side: one sentence for both."""
    if before.winner is None:
        if asked.row.get("no_winner_lead") == "first-lead":
            return FIRST[asked.row["first_lead"]](asked)
        return Lead(before.leader)
    around = [(before.seat + step) % asked.seats for step in range(asked.seats)]
    own = [seat for seat in around if seat % asked.sides == before.winner]
    return Lead(own[0] if own else before.leader)


NEXT: dict[str, Callable[[Asked, Before], Lead]] = {
    "winner": _after_winner,
    "rotate": lambda asked, before: Lead((before.leader + 1) % asked.seats),
    "same": lambda _, before: Lead(before.leader),
    "highest-double": lambda asked, _: _by_double(asked),
}
