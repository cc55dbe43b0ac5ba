"""The open ends of what lies on the table, the one idea of every game (docs/decisions/0001).

An end has a name, a value, a weight and is open or not (SPEC R5). All ends together are a
`Line`: what can be asked of a line without knowing the tiles in its middle. Lines are flyweights
that remember where each play leads, so that a position met before costs one look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from fairbones.core.bones import LARGEST_SET, SUIT, mask_of, set_tiles
from fairbones.core.rules.actions import CLAIMED, PLAYS, Play, split

REMEMBERED_MAX = 100_000  # answers of all lines of one kind together

_EVERY_TILE = mask_of(set_tiles(LARGEST_SET))


class End(NamedTuple):
    """One end: a tile fits that has a half of `value` pips; it counts `value * weight`."""

    name: str
    value: int
    weight: int = 1
    open: bool = True


Ends = tuple[End, ...]


@dataclass(frozen=True, slots=True)
class Shape:
    """The ends of a line, and whether a double is all there is of it (SPEC R5, lone double)."""

    ends: Ends
    lone: bool = False


class Grower(NamedTuple):
    """How the lines of a game grow; each its own few lines in `growing`."""

    opened_by: Callable[[int], Shape]
    grown: Callable[[Shape, int, int], Shape]  # the shape, the place of the end, the tile
    distinct: bool  # whether equal ends are different actions all the same (SPEC R6)


class Line:
    """The ends of what lies on the table, in the protocol's order.

    `suits` is the mask of the tiles that fit an open end, every tile while nothing lies there.
    `count` is what a game that counts adds up (SPEC R10). `after[code]` is the line after the
    play of that code, or None when no such play is listed here; `plays[mask]` are the listed plays
    of the tiles of a mask, all of which fit, in the order of SPEC R6.
    """

    __slots__ = ("after", "count", "kind", "plays", "shape", "suits")

    def __init__(self, kind: Kind, shape: Shape | None) -> None:
        self.kind = kind
        self.shape = shape
        self.suits = _EVERY_TILE if shape is None else _suits(shape.ends)
        self.count = 0 if shape is None else sum(end.value * end.weight for end in shape.ends)
        self.after = _After(self)
        self.plays = _Plays(self)

    @property
    def ends(self) -> Ends:
        """All ends, the closed ones too; none before the first tile."""
        return () if self.shape is None else self.shape.ends

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Line):
            return NotImplemented
        return self.kind is other.kind and self.shape == other.shape

    def __hash__(self) -> int:
        return hash(self.shape)

    def __repr__(self) -> str:
        return f"Line({self.shape!r})"

    def _listed(self, code: int) -> Line | None:
        if code & CLAIMED:
            return None
        tile, name = split(code)
        if self.shape is None:
            return self.kind.line(self.kind.grower.opened_by(tile)) if name is None else None
        place = next((i for i, end in enumerate(self.ends) if end.name == name), None)
        if place is None or place not in self._places(tile):
            return None
        return self.kind.line(self.kind.grower.grown(self.shape, place, tile))

    def _plays(self, tile: int) -> tuple[Play, ...]:
        if self.shape is None:
            return (PLAYS[None][tile],)
        return tuple(PLAYS[self.ends[place].name][tile] for place in self._places(tile))

    def _places(self, tile: int) -> list[int]:
        """The places of the ends at which a play of the tile is listed (SPEC R6)."""
        places: list[int] = []
        values: set[int] = set()
        for place, end in enumerate(self.ends):
            if end.open and SUIT[end.value] >> tile & 1:
                if self.kind.grower.distinct or end.value not in values:
                    places.append(place)
                values.add(end.value)
        return places


class _After(dict[int, "Line | None"]):
    """Where the plays of a line lead, found when first asked for."""

    __slots__ = ("line",)

    def __init__(self, line: Line) -> None:
        super().__init__()
        self.line = line

    def __missing__(self, code: int) -> Line | None:
        self.line.kind.remember()
        found = self[code] = self.line._listed(code)
        return found


class _Plays(dict[int, tuple[Play, ...]]):
    """The plays of sets of tiles at a line, found when first asked for."""

    __slots__ = ("line",)

    def __init__(self, line: Line) -> None:
        super().__init__()
        self.line = line

    def __missing__(self, mask: int) -> tuple[Play, ...]:
        self.line.kind.remember()
        if mask & (mask - 1):
            found: tuple[Play, ...] = ()
            rest = mask
            while rest:
                bit = rest & -rest
                rest ^= bit
                found += self[bit]
        else:
            found = self.line._plays(mask.bit_length() - 1)
        self[mask] = found
        return found


class Kind:
    """All lines that grow in one way. `empty` is the one before the first tile.

    What is remembered is bounded: when it is much, it is forgotten and found again.
    """

    __slots__ = ("_lines", "empty", "grower", "remembered")

    def __init__(self, grower: Grower) -> None:
        self.grower = grower
        self.remembered = 0
        self.empty = Line(self, None)
        self._lines: dict[Shape | None, Line] = {None: self.empty}

    def line(self, shape: Shape) -> Line:
        """The line of that shape."""
        known = self._lines.get(shape)
        if known is None:
            known = self._lines[shape] = Line(self, shape)
        return known

    def remember(self) -> None:
        """One more answer is about to be remembered: all others are forgotten if they are many."""
        self.remembered += 1
        if self.remembered > REMEMBERED_MAX:
            self.remembered = 0
            # Hands hold lines for long: what such a line remembers must not keep the others.
            lines, self._lines = self._lines, {None: self.empty}
            for line in list(lines.values()):
                line.after.clear()
                line.plays.clear()


def _suits(ends: Ends) -> int:
    suits = 0
    for end in ends:
        if end.open:
            suits |= SUIT[end.value]
    return suits
