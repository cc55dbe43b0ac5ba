"""How a line grows (SPEC R5): the table that the options `counting` and `spinner` choose from."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from fairbones.core.bones import HIGH, LOW, PIPS, SUIT
from fairbones.core.rules.actions import LEFT, RIGHT, arm_names
from fairbones.core.rules.ends import End, Ends, Grower, Kind, Shape

_SIDES = 2  # ends before the arms of spinners: left and right


def _double(tile: int) -> bool:
    return HIGH[tile] == LOW[tile]


def _line_opened_by(tile: int) -> Shape:
    return Shape((End(LEFT, HIGH[tile]), End(RIGHT, LOW[tile])))


def _line_grown(shape: Shape, place: int, tile: int) -> Shape:
    """A line whose ends are not counted: nothing but values."""
    ends = shape.ends
    end = ends[place]
    grown = End(end.name, PIPS[tile] - end.value)
    return Shape((*ends[:place], grown, *ends[place + 1 :]))


def _arms(ends: Ends, tile: int) -> Ends:
    """The two further ends of one more spinner, closed."""
    up, down = arm_names((len(ends) - _SIDES) // 2 + 1)
    return (End(up, HIGH[tile], 0, False), End(down, HIGH[tile], 0, False))


def _counted(spinners: int) -> Grower:
    """Lines whose ends are counted, with at most so many spinners."""

    def arms(ends: Ends, tile: int) -> Ends:
        room = len(ends) < _SIDES + 2 * spinners
        return _arms(ends, tile) if room and _double(tile) else ()

    def opened_by(tile: int) -> Shape:
        ends = (End(LEFT, HIGH[tile]), End(RIGHT, LOW[tile]))
        return Shape(ends + arms(ends, tile), lone=_double(tile))

    def grown(shape: Shape, place: int, tile: int) -> Shape:
        ends = list(shape.ends)
        end = ends[place]
        if shape.lone:
            # It is covered on one side now, and is itself the end at the other.
            other = 1 - place
            ends[other] = ends[other]._replace(weight=2)
        elif end.weight == 2:
            # A double is covered on its second side: if it has further sides, they open.
            for i, arm in enumerate(ends):
                if not arm.open and arm.value == end.value:
                    ends[i] = arm._replace(open=True)
        ends[place] = End(end.name, PIPS[tile] - end.value, 2 if _double(tile) else 1)
        return Shape((*ends, *arms(shape.ends, tile)))

    return Grower(opened_by, grown, distinct=True)


_UNCOUNTED = Kind(Grower(_line_opened_by, _line_grown, distinct=False))

# (whether the game counts, `spinner`) -> how its lines grow.
KINDS: Mapping[tuple[bool, str], Kind] = MappingProxyType(
    {
        (False, "none"): _UNCOUNTED,
        (True, "none"): Kind(_counted(0)),
        (True, "first"): Kind(_counted(1)),
        (True, "all"): Kind(_counted(len(SUIT))),
    }
)
