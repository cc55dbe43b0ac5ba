"""The line of play: its ends, what fits them, what they count (SPEC R5, R10)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..deal import Tile


@dataclass
class End:
    """One end of the line.

    value: what a tile needs to fit. weight: how often the value is counted. is_open: whether a
    tile may be played here. double: the double that is this end itself, if one is.
    """

    name: str
    value: int
    weight: int
    is_open: bool
    double: Tile | None


class Line:
    """The tiles of a hand in the order of play, and the ends that they make.

    spinner: "first", "all" or "none", which doubles have four sides. counts: whether the game
    counts; in one that does not, of several open ends with one value the first stands for all.
    """

    def __init__(self, spinner: str = "none", counts: bool = False) -> None:
        self.spinner, self.counts = spinner, counts
        self.tiles: list[Tile] = []
        self.ends: list[End] = []
        self.spinners = 0

    def copy(self) -> Line:
        """Another line with the same tiles on it."""
        other = Line(self.spinner, self.counts)
        other.tiles, other.spinners = list(self.tiles), self.spinners
        other.ends = [replace(end) for end in self.ends]
        return other

    def end(self, name: str | None) -> End | None:
        """The end with this name."""
        return next((end for end in self.ends if end.name == name), None)

    def open_ends(self) -> list[End]:
        """Where a tile may be played, in the order of ends."""
        return [end for end in self.ends if end.is_open]

    def twin(self, name: str) -> str | None:
        """R6, listed form: the earlier open end that stands for this one."""
        asked = self.end(name)
        if self.counts or asked is None:
            return None
        for end in self.open_ends():
            if end.name == name:
                return None
            if end.value == asked.value:
                return end.name
        return None

    def places(self, tile: Tile) -> list[str | None]:
        """R6: the ends at which a tile can be played, as they are listed; [None] for the first."""
        if not self.tiles:
            return [None]
        fitting = [end.name for end in self.open_ends() if end.value in tile]
        return [name for name in fitting if self.twin(name) is None]

    def fits(self, tile: Tile) -> bool:
        """R5: whether one half of a tile equals the value of an open end."""
        return not self.tiles or any(end.value in tile for end in self.ends if end.is_open)

    def lay(self, tile: Tile, name: str | None) -> None:
        """R5: a tile is played at an end. The first tile makes `left` and `right`."""
        high, low = tile
        double = tile if high == low else None
        if not self.tiles:
            self.ends = [End("left", high, 1, True, double), End("right", low, 1, True, double)]
        else:
            end = self.end(name) or self.ends[0]
            covered = end.double
            end.value = low if high == end.value else high
            end.weight, end.double = 1 if double is None else 2, double
            self._uncovered(covered)
        self.tiles.append(tile)
        if double is not None and self._spins():
            self.spinners += 1
            number = "" if self.spinners == 1 else f"-{self.spinners}"
            for side in ("up", "down"):
                self.ends.append(End(side + number, high, 0, False, None))

    def _spins(self) -> bool:
        return self.spinner == "all" or (self.spinner == "first" and not self.spinners)

    def _uncovered(self, covered: Tile | None) -> None:
        """One side of a double was covered: by the other it is an end, or its arms open."""
        if covered is None:
            return
        across = [end for end in self.ends if end.double == covered]
        for end in across:
            end.weight = 2
        for end in self.ends:
            if not across and not end.is_open and end.value == covered[0]:
                end.is_open = True

    def count(self) -> int:
        """R10: the sum over the ends of value times weight."""
        return sum(end.value * end.weight for end in self.ends)

    def used_up(self, tiles: list[Tile]) -> bool:
        """R7, `early_block`: whether every tile with an open end's value lies on the line."""
        return all(tile in self.tiles for tile in tiles if self.fits(tile))
