"""The line of play for the house of the tests (SPEC R5): its ends, worked out anew every time.

A line is the list of its plays, (tile, end); the first has no end.
"""

from __future__ import annotations

from typing import NamedTuple

Tile = tuple[int, int]
Plays = list[tuple[Tile, str]]


class End(NamedTuple):
    name: str
    value: int
    weight: int
    open: bool


def ends_of(plays: Plays, spinner: str) -> list[End]:
    """Every end of a line, in order: each arm is walked from its beginning."""
    if not plays:
        return []
    first = plays[0][0]
    arms: dict[str, list[Tile]] = {"left": [], "right": []}
    starts = {"left": first[0], "right": first[1]}
    spinners: list[tuple[str, int]] = []  # the arm and the place in it; "" is the first tile
    for tile, end in plays:
        if end:
            arms[end].append(tile)
        if tile[0] == tile[1] and (spinner == "all" or (spinner == "first" and not spinners)):
            spinners.append((end, len(arms[end]) if end else 0))
            number = "" if len(spinners) == 1 else f"-{len(spinners)}"
            for side in ("up", "down"):
                arms[side + number], starts[side + number] = [], tile[0]
    both = bool(arms["left"]) and bool(arms["right"])
    one = bool(arms["left"]) != bool(arms["right"])
    found = []
    for name, tiles in arms.items():
        value = starts[name]
        for high, low in tiles:
            value = high + low - value
        if tiles:
            weight = 2 if tiles[-1][0] == tiles[-1][1] else 1
        elif name in ("left", "right"):
            # A lone double counts each half once; covered on one side it is the end at the other.
            weight = 2 if one and first[0] == first[1] else 1
        else:
            weight = 0
        is_open = True
        if name not in ("left", "right"):
            at, place = spinners[int(name.partition("-")[2] or 1) - 1]
            is_open = len(arms[at]) > place if at else both
        found.append(End(name, value, weight, is_open))
    return found


def fitting(ends: list[End], tile: Tile, counts: bool) -> list[str]:
    """Where a tile may be played, as it is listed; [""] where nothing lies yet."""
    if not ends:
        return [""]
    names, values = [], set()
    for end in ends:
        if end.open and end.value in tile and (counts or end.value not in values):
            names.append(end.name)
            values.add(end.value)
    return names


def count_of(ends: list[End]) -> int:
    """SPEC R10: the count."""
    return sum(end.value * end.weight for end in ends)
