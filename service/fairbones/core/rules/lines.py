"""How a line of play grows, and what can be played at it (SPEC R5, R6, docs/decisions/0001).

There are two kinds. A game that does not count its ends has few lines: each is made once and
remembers where every play leads. A game that counts them has more than are worth remembering: each
is worked out from ends that know their answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType

from fairbones.core.bones import (
    DOUBLES,
    HIGH,
    LARGEST_SET,
    LOW,
    PIPS,
    bits,
    mask_of,
    set_tiles,
)
from fairbones.core.rules.actions import CLAIMED, PLACE_BITS, PLACE_MASK, PLAYS, Play, place_of
from fairbones.core.rules.ends import BARE, CLOSED, DOUBLE, SINGLE, End, Ends, Listed

_FIRST = PLAYS[None]
_CODE = attrgetter("code")
_EVERY_TILE = mask_of(set_tiles(LARGEST_SET))
_LEFT, _RIGHT = 0, 1  # places in the protocol's order; two for each spinner follow
_SIDES = 2


class PlainLine:
    """The two ends of a game that does not count them; every line there is exists once.

    `suits` is the mask of the tiles that fit an open end, every tile while nothing lies there.
    `plays(mask)` are the listed plays of the tiles of a mask, all of which fit, in the order of
    SPEC R6. `after(code)` is the line after the play of that code, None when no such play is
    listed here; equal ends are one action, at the first of them.
    """

    __slots__ = ("after", "ends", "plays", "suits")
    count = 0

    def __init__(self, ends: Ends) -> None:
        self.ends = ends
        self.suits = _suits(ends) if ends else _EVERY_TILE
        self.after: Callable[[int], PlainLine | None] = _After(self).__getitem__
        self.plays: Callable[[int], tuple[Play, ...]] = Listed(self._plays).__getitem__

    def lists(self, code: int) -> bool:
        """Whether the play of that code is listed for who holds its tile."""
        return self.after(code) is not None

    def __reduce__(self) -> tuple[object, ...]:
        """What it is copied and pickled as: the one line with these ends."""
        return plain_line, (self.ends,)

    def __repr__(self) -> str:
        return f"PlainLine({self.ends!r})"

    def _plays(self, tile: int) -> tuple[Play, ...]:
        if not self.ends:
            return (_FIRST[tile],)
        return tuple(self.ends[place].plays[tile] for place in self._places(tile))

    def _places(self, tile: int) -> list[int]:
        """The places of the ends at which a play of the tile is listed."""
        places = [place for place, end in enumerate(self.ends) if end.suits >> tile & 1]
        return places[:1] if self.ends[_LEFT].value == self.ends[_RIGHT].value else places

    def _grown(self, code: int) -> PlainLine | None:
        tile, place = place_of(code)
        if code & CLAIMED:
            return None
        if not self.ends:
            return plain_line(_opened(tile)) if place < 0 else None
        if place not in self._places(tile):
            return None
        ends = list(self.ends)
        ends[place] = SINGLE[place][PIPS[tile] - ends[place].value]
        return plain_line(tuple(ends))


class _After(dict[int, PlainLine | None]):
    """Where the plays of a line lead, found when first asked for."""

    __slots__ = ("_line",)

    def __init__(self, line: PlainLine) -> None:
        super().__init__()
        self._line = line

    def __missing__(self, code: int) -> PlainLine | None:
        found = self._line._grown(code)
        if found is not None:  # what is not listed is without end, and is not kept
            self[code] = found
        return found


class CountedLine:
    """The ends of a game that counts them, those of spinners too; the same names as `PlainLine`.

    `count` is the sum of value times weight (SPEC R10). Equal ends are different actions here.
    """

    __slots__ = ("count", "ends", "lone", "most", "suits")

    def __init__(self, ends: Ends, most: int, lone: bool = False) -> None:
        """`most`: how many ends there may be; `lone`: a double is all there is (SPEC R5)."""
        self.ends = ends
        self.most = most
        self.lone = lone
        suits = count = 0
        for end in ends:
            suits |= end.suits
            count += end.count
        self.suits = suits if ends else _EVERY_TILE
        self.count = count

    def plays(self, mask: int) -> tuple[Play, ...]:
        """The listed plays of the tiles of a mask, all of which fit, in the order of SPEC R6."""
        if not self.ends:
            return tuple([_FIRST[tile] for tile in bits(mask)])
        found: tuple[Play, ...] = ()
        for end in self.ends:
            fitting = end.suits & mask
            if fitting:
                found += end.listed(fitting)
        # Codes are in the order of tiles, those of one tile in the order of its ends.
        return found if len(found) < 2 else tuple(sorted(found, key=_CODE))

    def lists(self, code: int) -> bool:
        """Whether the play of that code is listed for who holds its tile."""
        tile, place = place_of(code)
        if place < 0 or code & CLAIMED:
            return not self.ends and not code & CLAIMED
        return place < len(self.ends) and self.ends[place].suits >> tile & 1 == 1

    def after(self, code: int) -> CountedLine | None:
        """The line after the play of that code; None when no such play is listed here."""
        ends, tile, place = self.ends, code >> PLACE_BITS, (code & PLACE_MASK) - 1
        if place < 0 or place >= len(ends):
            return self._opened(code)
        end = ends[place]
        if not end.suits >> tile & 1:  # with a claim the code is that of no tile
            return None
        grown = list(ends)
        if self.lone:
            # It is covered on one side now, and is itself the end at the other.
            grown[1 - place] = DOUBLE[1 - place][end.value]
        elif end.weight == 2:
            _open_arms(grown, end.value)
        if DOUBLES >> tile & 1:
            grown[place] = DOUBLE[place][end.value]
            grown += self._arms(ends, tile)
        else:
            grown[place] = SINGLE[place][PIPS[tile] - end.value]
        return CountedLine(tuple(grown), self.most)

    def _opened(self, code: int) -> CountedLine | None:
        tile, place = place_of(code)
        if self.ends or place >= 0 or code & CLAIMED:
            return None
        ends = _opened(tile)
        double = DOUBLES >> tile & 1 == 1
        return CountedLine(ends + self._arms(ends, tile) if double else ends, self.most, double)

    def _arms(self, ends: Ends, tile: int) -> Ends:
        """The two further ends of one more spinner, closed."""
        if len(ends) >= self.most:
            return ()
        return CLOSED[len(ends)][HIGH[tile]], CLOSED[len(ends) + 1][HIGH[tile]]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CountedLine):
            return NotImplemented
        mine, its = (self.ends, self.most, self.lone), (other.ends, other.most, other.lone)
        return mine == its

    def __hash__(self) -> int:
        return hash(self.ends)

    def __repr__(self) -> str:
        return f"CountedLine({self.ends!r}, {self.most}, {self.lone})"


Line = PlainLine | CountedLine


def _suits(ends: Ends) -> int:
    suits = 0
    for end in ends:
        suits |= end.suits
    return suits


def _opened(tile: int) -> Ends:
    return SINGLE[_LEFT][HIGH[tile]], SINGLE[_RIGHT][LOW[tile]]


def _open_arms(ends: list[End], value: int) -> None:
    """A double of that value is covered on its second side: if it has further ones, they open."""
    for place, arm in enumerate(ends):
        if not arm.open and arm.value == value:
            ends[place] = BARE[place][value]


_PLAIN: dict[Ends, PlainLine] = {}


def plain_line(ends: Ends) -> PlainLine:
    """The line with those two ends, or none before the first tile."""
    known = _PLAIN.get(ends)
    if known is None:
        known = _PLAIN[ends] = PlainLine(ends)
    return known


# (whether the game counts, `spinner`) -> the line before the first tile.
EMPTY: Mapping[tuple[bool, str], Line] = MappingProxyType(
    {
        (False, "none"): plain_line(()),
        (True, "none"): CountedLine((), _SIDES),
        (True, "first"): CountedLine((), _SIDES + 2),
        (True, "all"): CountedLine((), _SIDES + 2 * (LARGEST_SET + 1)),
    }
)
