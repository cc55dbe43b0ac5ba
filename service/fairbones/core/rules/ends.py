"""The open ends of what lies on the table, the one idea of every game (docs/decisions/0001).

An end has a name, a value, a weight and is open or not (SPEC R5). Every end there can be is made
once and knows what is asked of it after each move, so that a line is a few look-ups. Lines are in
`lines`.
"""

from __future__ import annotations

from collections.abc import Callable

from fairbones.core.bones import LARGEST_SET, SUIT, bits
from fairbones.core.rules.actions import END_NAMES, PLAYS, Play


class Listed(dict[int, tuple[Play, ...]]):
    """The plays of sets of tiles somewhere, by mask, found when first asked for.

    Those of one tile or two are kept, and the others put together from them: there are too many.
    """

    __slots__ = ("_of",)

    def __init__(self, of: Callable[[int], tuple[Play, ...]]) -> None:
        """`of`: the plays of one tile id, in the order of SPEC R6."""
        super().__init__()
        self._of = of

    def __missing__(self, mask: int) -> tuple[Play, ...]:
        more = mask & (mask - 1)
        more &= more - 1
        if more:
            return self[mask ^ more] + self[more]
        found = self[mask] = tuple(play for tile in bits(mask) for play in self._of(tile))
        return found


class End:
    """One end: a tile fits that has a half of `value` pips; it counts `value * weight`.

    `suits` is the mask of the tiles that can be played there now, `plays` the plays there by tile
    id, `listed(mask)` those of the tiles of a mask, ascending. There is one `End` for each set of
    values, so equal ends are the same object.
    """

    __slots__ = ("count", "listed", "name", "open", "plays", "suits", "value", "weight")

    def __init__(self, name: str, value: int, weight: int, open_: bool) -> None:
        self.name = name
        self.value = value
        self.weight = weight
        self.open = open_
        self.count = value * weight
        self.suits = SUIT[value] if open_ else 0
        self.plays: tuple[Play, ...] = PLAYS[name]
        self.listed: Callable[[int], tuple[Play, ...]] = Listed(self.plays_of).__getitem__

    def plays_of(self, tile: int) -> tuple[Play, ...]:
        """The play of a tile here, whether or not it fits."""
        return (self.plays[tile],)

    def __reduce__(self) -> tuple[object, ...]:
        """What it is copied and pickled as: the one end of these values."""
        return _end, (self.name, self.value, self.weight, self.open)

    def __repr__(self) -> str:
        closed = "" if self.open else ", closed"
        return f"End({self.name} {self.value}x{self.weight}{closed})"


Ends = tuple[End, ...]
Table = tuple[tuple[End, ...], ...]  # by the end's place in the protocol's order, then by value


def _every(weight: int, open_: bool) -> Table:
    values = range(LARGEST_SET + 1)
    return tuple(tuple(End(name, v, weight, open_) for v in values) for name in END_NAMES)


SINGLE = _every(1, open_=True)  # a tile lies there along the line
DOUBLE = _every(2, open_=True)  # a double lies there, crosswise
BARE = _every(0, open_=True)  # a side of a spinner that is open and has no tile yet
CLOSED = _every(0, open_=False)  # a side of a spinner that is not open yet


def _end(name: str, value: int, weight: int, open_: bool) -> End:
    kinds = {(1, True): SINGLE, (2, True): DOUBLE, (0, True): BARE, (0, False): CLOSED}
    return kinds[weight, open_][END_NAMES.index(name)][value]
