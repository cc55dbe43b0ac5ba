"""SPEC R1: the tiles, each a (high, low) pair."""

from __future__ import annotations

import re

Tile = tuple[int, int]


def tile_set(n: int) -> list[Tile]:
    """Every tile of a set double-n, in the order of their ids (SPEC R1)."""
    return [(high, low) for high in range(n + 1) for low in range(high + 1)]


def tile_id(tile: Tile) -> int:
    high, low = tile
    return high * (high + 1) // 2 + low


def pips(tile: Tile) -> int:
    high, low = tile
    return high + low


def is_double(tile: Tile) -> bool:
    high, low = tile
    return high == low


def heaviest(tiles: list[Tile]) -> Tile:
    """More pips are heavier; of as many pips, the higher high half (SPEC R1)."""
    return max(tiles, key=lambda tile: (pips(tile), tile[0]))


def lightest(tiles: list[Tile]) -> Tile:
    """Fewer pips are lighter; of as many pips, the lower low half (SPEC R1)."""
    return min(tiles, key=lambda tile: (pips(tile), tile[1]))


def text(tile: Tile) -> str:
    high, low = tile
    return f"{high}-{low}"


def read(written: str) -> Tile:
    """The tile of a text such as "6-4"; ValueError for anything else (SPEC R1, R11)."""
    found = re.fullmatch(r"(0|[1-9][0-9]?)-(0|[1-9][0-9]?)", written, re.ASCII)
    if found is None or int(found[1]) < int(found[2]):
        raise ValueError(f"{written!r} is no tile")
    return int(found[1]), int(found[2])
