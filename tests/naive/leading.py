"""SPEC R4: who sets first, and whether with a certain tile."""

from __future__ import annotations

from typing import NamedTuple

from tests.naive.rows import Row, option, side_of
from tests.naive.tiles import Tile, heaviest, is_double


class Lead(NamedTuple):
    """The seat that leads, and the tile it must set, if there is one."""

    seat: int
    must_set: Tile | None


class Before(NamedTuple):
    """The hand before: who led it, who went out or caused the block, which side won it."""

    leader: int
    reason: str
    seat: int
    winner: int | None


def drawn_lead(tiles: list[Tile]) -> int:
    """The seat that wins the draw for the lead."""
    return tiles.index(heaviest(tiles))


def _holder(hands: list[list[Tile]], tile: Tile) -> Lead:
    return Lead(next(seat for seat, held in enumerate(hands) if tile in held), tile)


def highest_double(hands: list[list[Tile]]) -> Lead:
    """The highest double of all hands; without a double, the heaviest tile."""
    held = [tile for tiles in hands for tile in tiles]
    doubles = [tile for tile in held if is_double(tile)]
    return _holder(hands, heaviest(doubles or held))


def first_lead(row: Row, hands: list[list[Tile]], drawn: int | None) -> Lead:
    """The lead of hand 1; `drawn` is the seat that won the draw for it."""
    if row["first_lead"] == "draw-for-lead":
        assert drawn is not None
        return Lead(drawn, None)
    top = (row["set"], row["set"])
    if row["first_lead"] == "top-double" and any(top in held for held in hands):
        return _holder(hands, top)
    return highest_double(hands)


def winners_lead(row: Row, seats: int, before: Before) -> int:
    """The seat that leads after a hand that a side won."""
    if before.reason == "domino":
        return before.seat
    order = [(before.seat + step) % seats for step in range(seats)]
    return next(seat for seat in order if side_of(row, seat) == before.winner)


def later_lead(row: Row, hands: list[list[Tile]], before: Before, drawn: int | None) -> Lead:
    """The lead of a hand after hand 1."""
    if row["next_lead"] == "rotate":
        return Lead((before.leader + 1) % len(hands), None)
    if row["next_lead"] == "same":
        return Lead(before.leader, None)
    if row["next_lead"] == "highest-double":
        return highest_double(hands)
    if before.winner is not None:
        return Lead(winners_lead(row, len(hands), before), None)
    if option(row, "no_winner_lead") == "first-lead":
        return first_lead(row, hands, drawn)
    return Lead(before.leader, None)
