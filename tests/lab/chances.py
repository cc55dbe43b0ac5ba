"""What an honest deal does, exactly: chances and variances as fractions of whole numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from math import comb, perm


def doubles_in_a_hand(tiles: int, doubles: int, hand: int) -> list[Fraction]:
    """By number of doubles: the chance of a hand of that size (hypergeometric)."""
    return [
        Fraction(comb(doubles, k) * comb(tiles - doubles, hand - k), comb(tiles, hand))
        for k in range(hand + 1)
    ]


@cache
def pips_in_a_hand(pips: tuple[int, ...], hand: int) -> list[Fraction]:
    """By sum of pips: the chance of a hand of that size; every choice of tiles is counted."""
    ways = [[0] * (sum(pips) + 1) for _ in range(hand + 1)]
    ways[0][0] = 1
    for weight in pips:
        for size in range(hand, 0, -1):
            fewer, row = ways[size - 1], ways[size]
            for total in range(weight, len(row)):
                row[total] += fewer[total - weight]
    return [Fraction(many, comb(len(pips), hand)) for many in ways[hand]]


def first_dealt(ranked: Iterable[int], tiles: int, dealt: int) -> dict[int, Fraction]:
    """By tile: the chance that it is the first of the ranked tiles that is dealt at all.

    With tiles ranked by "highest double, else heaviest tile" it is the lead of SPEC R4; with one
    tile a seat, ranked by weight, it is the draw for the lead (SPEC 4.5).
    """
    none = [Fraction(comb(tiles - k, dealt), comb(tiles, dealt)) for k in range(tiles + 1)]
    return {tile: none[k] - none[k + 1] for k, tile in enumerate(ranked)}


def pair_variances(tiles: int, hands: int, hand: int) -> tuple[Fraction, Fraction]:
    """The variances of the pairs that lie in one hand, seen along the two kinds of directions.

    The counts of the pairs are not independent: all pairs of a deal are `hands * C(hand, 2)`, and
    two pairs that share a tile go together. But the deal treats all tiles alike, so the covariance
    of two pairs depends on the number of tiles they share alone, and has three eigenspaces: the
    sum (which is fixed), the directions that come from single tiles (`tiles - 1` of them), and
    those that no sum over tiles explains (`tiles * (tiles - 3) / 2`). Here are the eigenvalues of
    the last two; that of the first is 0.
    """
    one = Fraction(hands * perm(hand, 2), perm(tiles, 2))
    shared = Fraction(hands * perm(hand, 3), perm(tiles, 3))
    apart = Fraction(
        hands * perm(hand, 4) + hands * (hands - 1) * perm(hand, 2) ** 2, perm(tiles, 4)
    )
    own, with_one, with_none = one - one**2, shared - one**2, apart - one**2
    of_tiles = own + (tiles - 4) * with_one - (tiles - 3) * with_none
    return of_tiles, own - 2 * with_one + with_none


def pips_product_variance(pips: Sequence[int], seats: int, hand: int) -> Fraction:
    """The variance, for two deals, of the sum over seats of (pips - mean) * (pips - mean)."""
    tiles = len(pips)
    mean = Fraction(sum(pips), tiles)
    spread = sum(((weight - mean) ** 2 for weight in pips), Fraction()) / (tiles - 1)
    own = spread * Fraction(hand * (tiles - hand), tiles)
    other = -spread * Fraction(hand * hand, tiles)
    return seats * own**2 + seats * (seats - 1) * other**2


def same_group_variance(groups: Sequence[int], counted: int) -> Fraction:
    """The variance of how many tiles two deals put into the same of the first `counted` groups."""
    tiles = sum(groups)
    total = Fraction(0)
    for a in range(counted):
        for b in range(counted):
            both = Fraction(groups[a] if a == b else 0) - Fraction(groups[a] * groups[b], tiles)
            total += both**2
    return total / (tiles - 1)


def merged(
    observed: Sequence[int], expected: Sequence[float], least: float
) -> list[tuple[int, float]]:
    """Neighbouring cells put together until each expects at least `least`.

    It looks at what is expected only: cells chosen by what was seen would spoil the statistic.
    """
    cells: list[tuple[int, float]] = []
    seen, awaited = 0, 0.0
    for here, wanted in zip(observed, expected, strict=True):
        seen, awaited = seen + here, awaited + wanted
        if awaited >= least and awaited > 0:
            cells.append((seen, awaited))
            seen, awaited = 0, 0.0
    if cells:
        last = cells.pop()
        cells.append((last[0] + seen, last[1] + awaited))
    return cells
