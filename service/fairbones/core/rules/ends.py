"""The open ends of what lies on the table, the one idea of every game (docs/decisions/0001).

An end has a name and a value. Ends stand in the protocol's order; for a line that is `left`,
then `right` (SPEC R5). They are flyweights: a game makes no new end, it looks one up.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairbones.core.bones import HIGH, LARGEST_SET, LOW, PIPS, SUIT

LEFT = "left"
RIGHT = "right"
LINE_NAMES = (LEFT, RIGHT)


@dataclass(frozen=True, slots=True)
class End:
    """One open end: a tile fits that has a half of `value` pips."""

    name: str
    value: int


Ends = tuple[End, ...]

_EVERY = {name: tuple(End(name, value) for value in range(LARGEST_SET + 1)) for name in LINE_NAMES}
_LEFT = _EVERY[LEFT]
_RIGHT = _EVERY[RIGHT]


def line_ends(left: int, right: int) -> Ends:
    """The two ends of a line with these values."""
    return (_LEFT[left], _RIGHT[right])


def opened_by(tile: int) -> Ends:
    """The ends after the first tile: its high half left, its low half right (SPEC R5)."""
    return (_LEFT[HIGH[tile]], _RIGHT[LOW[tile]])


def extend(ends: Ends, name: str | None, tile: int) -> Ends | None:
    """The ends after `tile` was played at the end of that name (SPEC R5).

    None when there is no such end, when the tile does not fit there, or when an earlier end has
    the same value and should have been named (SPEC R6, listed form).
    """
    for index, end in enumerate(ends):
        if end.name != name:
            continue
        if not SUIT[end.value] >> tile & 1:
            return None
        for earlier in ends[:index]:
            if earlier.value == end.value:
                return None
        # The half that does not touch: a double leaves the value as it was.
        grown = _EVERY[end.name][PIPS[tile] - end.value]
        return (*ends[:index], grown, *ends[index + 1 :])
    return None


def distinct(ends: Ends) -> Ends:
    """The ends a play may name: of two equal ends only the first (SPEC R6, listed form)."""
    if len(ends) == 2:  # a line, nearly always
        return ends if ends[0].value != ends[1].value else ends[:1]
    seen: list[End] = []
    values = 0
    for end in ends:
        if not values >> end.value & 1:
            values |= 1 << end.value
            seen.append(end)
    return tuple(seen)
