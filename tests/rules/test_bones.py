"""Tiles and sets (SPEC R1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core import bones
from fairbones.core.errors import Illegal, Unreadable

TILES = bones.set_tiles(bones.LARGEST_SET)
masks = st.sets(st.sampled_from(TILES)).map(bones.mask_of)


@pytest.mark.parametrize("n", range(bones.LARGEST_SET + 1))
def test_set_holds_every_pair_once(n: int) -> None:
    """A set double-n holds every pair `high-low` with `n >= high >= low >= 0` once."""
    pairs = [(bones.HIGH[tile], bones.LOW[tile]) for tile in bones.set_tiles(n)]
    assert pairs == [(high, low) for high in range(n + 1) for low in range(high + 1)]
    bones.validate_set(n, reversed(bones.set_tiles(n)))


@pytest.mark.parametrize("tile", TILES)
def test_one_tile_in_all_its_forms(tile: int) -> None:
    """Id `high*(high+1)/2 + low`; text `"6-4"`; bytes `low, high`; pips `high + low`."""
    high, low = bones.HIGH[tile], bones.LOW[tile]
    assert tile == high * (high + 1) // 2 + low
    assert tile == bones.tile_id(high, low) == bones.tile_id(low, high)
    assert bones.text(tile) == f"{high}-{low}"
    assert bones.parse(f"{high}-{low}") == bones.parse_loose(f"{low}-{high}") == tile
    assert list(bones.tile_bytes(tile)) == [low, high]
    assert bones.PIPS[tile] == high + low
    suits = {value for value, mask in enumerate(bones.SUIT) if mask >> tile & 1}
    assert suits == {high, low}
    assert bones.DOUBLES >> tile & 1 == (high == low)


def test_no_two_tiles_are_level() -> None:
    """Heavier: more pips, or as many and a higher high half. Lighter: ... a lower low half."""
    assert len(set(bones.HEAVIER)) == len(set(bones.LIGHTER)) == len(TILES)
    heavy, light = bones.parse("6-3"), bones.parse("5-4")
    assert bones.HEAVIER[heavy] > bones.HEAVIER[light]
    assert bones.LIGHTER[heavy] < bones.LIGHTER[light]


@pytest.mark.parametrize(
    "written", ["4-6", "06-4", "6-04", "6-4 ", "6 4", "19-0", "-4", "6-", "٦-4"]
)
def test_other_texts_are_refused(written: str) -> None:
    """Text has the high half first, and nothing else is a tile."""
    with pytest.raises(Unreadable) as caught:
        bones.parse(written)
    assert caught.value.code == "tile/text"


@given(masks)
def test_mask_and_its_tiles(mask: int) -> None:
    """A mask lists its tiles ascending, once, and its pips are theirs."""
    tiles = list(bones.bits(mask))
    assert tiles == sorted(set(tiles))
    assert bones.mask_of(tiles) == mask
    assert bones.pips_of(mask) == sum(bones.HIGH[tile] + bones.LOW[tile] for tile in tiles)


@given(st.sampled_from([6, 9, 12, 15, 18]), st.data())
def test_no_other_tiles_are_a_set(n: int, data: st.DataObject) -> None:
    """One tile instead of another is a duplicate or a stranger; one too few is missing."""
    tiles = list(bones.set_tiles(n))
    place = data.draw(st.integers(0, len(tiles) - 1))
    other = data.draw(st.integers(0, len(tiles) + 5).filter(lambda tile: tile != place))
    changed = [*tiles[:place], other, *tiles[place + 1 :]]
    with pytest.raises(Illegal) as caught:
        bones.validate_set(n, changed)
    foreign = other >= len(tiles)
    assert caught.value.code == ("deal/unknown-tile" if foreign else "deal/duplicate-tile")
    with pytest.raises(Illegal) as caught:
        bones.validate_set(n, tiles[:place] + tiles[place + 1 :])
    assert caught.value.code == "deal/missing-tile"
