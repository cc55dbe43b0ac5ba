"""The tiles of double-n sets as small integers and sets of tiles as bit masks (SPEC R1).

A tile id is `high*(high+1)/2 + low`, so the ids of a double-n set are `0 .. tile_count(n)-1`
whatever the set: one table serves them all. A set of tiles is an int with bit `id` set.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fairbones.core.errors import Illegal, Unreadable

LARGEST_SET = 18
_TEXT = re.compile(r"(0|[1-9][0-9]?)-(0|[1-9][0-9]?)", re.ASCII)


def tile_count(n: int) -> int:
    """How many tiles a double-`n` set has (SPEC R1)."""
    return (n + 1) * (n + 2) // 2


def tile_id(a: int, b: int) -> int:
    """The id of the tile with the halves `a` and `b`, in either order (SPEC R1)."""
    high, low = (a, b) if a >= b else (b, a)
    return high * (high + 1) // 2 + low


def set_tiles(n: int) -> range:
    """The ids of a double-`n` set, ascending (SPEC R1)."""
    return range(tile_count(n))


_PAIRS = tuple((high, low) for high in range(LARGEST_SET + 1) for low in range(high + 1))

HIGH: tuple[int, ...] = tuple(high for high, _ in _PAIRS)
LOW: tuple[int, ...] = tuple(low for _, low in _PAIRS)
PIPS: tuple[int, ...] = tuple(high + low for high, low in _PAIRS)
# Two orders of SPEC R1, each strict in a set. They are not each other's reverse: of 6-3 and 5-4,
# the 6-3 has the higher high half *and* the lower low half.
HEAVIER: tuple[tuple[int, int], ...] = tuple((high + low, high) for high, low in _PAIRS)
LIGHTER: tuple[tuple[int, int], ...] = tuple((high + low, low) for high, low in _PAIRS)
_TEXTS = tuple(f"{high}-{low}" for high, low in _PAIRS)


def mask_of(tiles: Iterable[int]) -> int:
    """The bit mask of some different tile ids."""
    mask = 0
    for tile in tiles:
        mask |= 1 << tile
    return mask


SUIT: tuple[int, ...] = tuple(
    mask_of(tile for tile, pair in enumerate(_PAIRS) if value in pair)
    for value in range(LARGEST_SET + 1)
)
DOUBLES: int = mask_of(tile_id(value, value) for value in range(LARGEST_SET + 1))


def bits(mask: int) -> Iterator[int]:
    """The tile ids of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


_CHUNK = 10  # tiles looked up at once: the largest set has 19 times as many
_CHUNK_MASK = (1 << _CHUNK) - 1


def _pips_of_all(tiles: Iterable[int]) -> tuple[int, ...]:
    """The pips of every choice of these tiles, by its mask, the first tile being bit 0."""
    sums = [0]
    for tile in tiles:
        sums += [pips + PIPS[tile] for pips in sums]
    return tuple(sums)


_CHUNK_PIPS = tuple(
    _pips_of_all(range(first, first + _CHUNK)) for first in range(0, len(_PAIRS), _CHUNK)
)


def pips_of(mask: int) -> int:
    """The pips of all tiles of a mask."""
    pips = 0
    for chunk in _CHUNK_PIPS:
        if not mask:
            break
        pips += chunk[mask & _CHUNK_MASK]
        mask >>= _CHUNK
    return pips


def text(tile: int) -> str:
    """`"6-4"`: high half first (SPEC R1)."""
    return _TEXTS[tile]


def parse_loose(written: str) -> int:
    """The id of a tile written in either order; Unreadable `tile/text` otherwise (SPEC R1)."""
    found = _TEXT.fullmatch(written)
    if found is None or max(a := int(found[1]), b := int(found[2])) > LARGEST_SET:
        raise Unreadable("tile/text", 'Write a tile as two numbers, like "6-4".', tile=written)
    return tile_id(a, b)


def parse(written: str) -> int:
    """The id of a tile written high half first; Unreadable `tile/text` otherwise (SPEC R1)."""
    tile = parse_loose(written)
    if _TEXTS[tile] != written:
        raise Unreadable("tile/text", f'Write the high half first: "{_TEXTS[tile]}".', tile=written)
    return tile


def tile_bytes(tile: int) -> bytes:
    """Two bytes, low half then high half (SPEC R1)."""
    return bytes((LOW[tile], HIGH[tile]))


def validate_set(n: int, tiles: Iterable[int]) -> None:
    """Refuse anything but every tile of a double-`n` set once, in any order (SPEC R1).

    Illegal `deal/unknown-tile`, `deal/duplicate-tile` or `deal/missing-tile`, in that order.
    """
    dealt = list(tiles)
    wanted = set_tiles(n)
    seen: set[int] = set()
    for tile in dealt:
        if tile not in wanted:
            raise Illegal("deal/unknown-tile", f"A double-{n} set has no tile {tile}.", tile=tile)
    for tile in dealt:
        if tile in seen:
            raise Illegal(
                "deal/duplicate-tile",
                f"A set has every tile once, and {text(tile)} is here twice.",
                tile=text(tile),
            )
        seen.add(tile)
    for tile in wanted:
        if tile not in seen:
            raise Illegal(
                "deal/missing-tile", f"The {text(tile)} of the set is missing.", tile=text(tile)
            )
