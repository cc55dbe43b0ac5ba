"""SPEC R5: the tiles on the table, and what is seen by looking at them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.naive.tiles import Tile, is_double


class End(NamedTuple):
    """An end of the line (SPEC R5)."""

    name: str
    value: int
    weight: int
    open: bool


@dataclass(frozen=True, eq=False)
class Laid:
    """A tile on the table: at which end it was laid, against which tile, what looks outwards."""

    tile: Tile
    end: str | None
    against: Laid | None
    outer: int


@dataclass
class Table:
    """Laid tiles in the order of play; nothing else is remembered."""

    spinner: str
    laid: list[Laid] = field(default_factory=list)

    def copy(self) -> Table:
        return Table(self.spinner, list(self.laid))

    def spinners(self) -> list[Laid]:
        """The doubles with four sides, in the order they were played."""
        doubles = [one for one in self.laid if is_double(one.tile)]
        return {"none": [], "first": doubles[:1], "all": doubles}[self.spinner]

    def beyond(self, one: Laid, end: str) -> Laid | None:
        """The tile that lies against that one on the way to that end."""
        for other in self.laid:
            if other.against is one and other.end == end:
                return other
        return None

    def outermost(self, start: Laid, end: str) -> Laid:
        """The last tile on the way from a tile to an end: itself, if nothing lies there."""
        while (further := self.beyond(start, end)) is not None:
            start = further
        return start

    def covered(self, one: Laid) -> int:
        """How many of the two sides along the line are covered: arms are not looked at."""
        if one.end is None:
            across = [self.beyond(one, "left"), self.beyond(one, "right")]
        else:
            across = [one.against, self.beyond(one, one.end)]
        return sum(other is not None for other in across)

    def ends(self) -> list[End]:
        """Every end in the order of ends, open or closed."""
        if not self.laid:
            return []
        found = [self._end_of_line("left"), self._end_of_line("right")]
        for number, spinner in enumerate(self.spinners(), 1):
            behind = "" if number == 1 else f"-{number}"
            found += [self._arm(spinner, side + behind) for side in ("up", "down")]
        return found

    def _end_of_line(self, name: str) -> End:
        first = self.laid[0]
        last = self.outermost(first, name)
        if last is not first:
            return _end_at(name, last)
        high, low = first.tile
        # A lone double counts its two halves once, as left and as right; with one side covered
        # it counts both at the other side.
        both = is_double(first.tile) and self.covered(first) == 1
        return End(name, high if name == "left" else low, 2 if both else 1, True)

    def _arm(self, spinner: Laid, name: str) -> End:
        last = self.outermost(spinner, name)
        if last is not spinner:
            return _end_at(name, last)
        return End(name, spinner.tile[0], 0, self.covered(spinner) == 2)

    def places(self, tile: Tile) -> list[End]:
        """The open ends a tile fits, in order."""
        return [end for end in self.ends() if end.open and end.value in tile]

    def lay(self, tile: Tile, name: str | None) -> None:
        """Put the tile at that end, which it has to fit; the first tile at none."""
        if name is None:
            assert not self.laid
            self.laid.append(Laid(tile, None, None, tile[0]))
            return
        (end,) = [end for end in self.places(tile) if end.name == name]
        high, low = tile
        outer = low if end.value == high else high
        self.laid.append(Laid(tile, name, self._root_to(name), outer))

    def _root_to(self, name: str) -> Laid:
        """The outermost tile on the way to an end, from wherever that way begins."""
        if name in ("left", "right"):
            return self.outermost(self.laid[0], name)
        _, _, number = name.partition("-")
        return self.outermost(self.spinners()[int(number or "1") - 1], name)

    def count(self) -> int:
        """The count of the line (SPEC R10)."""
        return sum(end.value * end.weight for end in self.ends())


def _end_at(name: str, last: Laid) -> End:
    """The end behind a tile that was laid at one; a double lies crosswise and counts twice."""
    return End(name, last.outer, 2 if is_double(last.tile) else 1, True)
