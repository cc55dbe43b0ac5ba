"""Chances and variances against all deals of a small set, counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations

import pytest

from fairbones.core.bones import DOUBLES, HEAVIER, PIPS, set_tiles
from fairbones.core.rules import compile_rules, drawn_lead, lead, resolve
from tests.lab import chances, judging
from tests.lab.tally import drawn, moved, placed

WEIGHTS = (0, 1, 2, 5, 9)
TILES = len(WEIGHTS)
HANDS, HAND = 2, 2
EVERY = [*permutations(range(TILES))]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def counted(things: Sequence[int]) -> list[int]:
    """The grid of one deal."""
    cells = [0] * len(things) ** 2
    placed(cells, things)
    return cells


def test_hands_are_counted() -> None:
    """Doubles and pips of a hand, against every hand of a double-three set."""
    tiles = set_tiles(3)
    hands = [*combinations(tiles, 4)]
    doubles = Counter(sum(DOUBLES >> tile & 1 for tile in hand) for hand in hands)
    pips = Counter(sum(PIPS[tile] for tile in hand) for hand in hands)
    told = chances.doubles_in_a_hand(10, 4, 4)
    assert told == [Fraction(doubles[k], len(hands)) for k in range(5)]
    weighed = chances.pips_in_a_hand(tuple(PIPS[tile] for tile in tiles), 4)
    assert weighed == [Fraction(pips[k], len(hands)) for k in range(len(weighed))]
    assert sum(weighed) == 1


def test_the_first_dealt_of_ranked_tiles() -> None:
    """The tile that leads (SPEC R4), against every choice of dealt tiles, by the rules' own code.

    The double-six set of one hand of 3: 3,276 of them.
    """
    rules = compile_rules(resolve("draw", 2, {"hand": 1}), 2)
    tiles = set_tiles(6)
    ranked = sorted(tiles, key=lambda it: (DOUBLES >> it & 1, HEAVIER[it]), reverse=True)
    hands = [*combinations(tiles, 3)]
    found = Counter(lead(rules, [hand], None, None).must_set for hand in hands)
    told = chances.first_dealt(ranked, 28, 3)
    assert told == {tile: Fraction(found[tile], len(hands)) for tile in tiles}
    drawn_tiles = Counter(hand[drawn_lead(hand)] for hand in hands)
    weighed = chances.first_dealt(sorted(tiles, key=HEAVIER.__getitem__, reverse=True), 28, 3)
    assert weighed == {tile: Fraction(drawn_tiles[tile], len(hands)) for tile in tiles}


def test_pairs_have_these_variances() -> None:
    """Both kinds of directions, each against every deal of five tiles to two hands of two."""
    expected = Fraction(HANDS * HAND * (HAND - 1), TILES * (TILES - 1))
    off_tiles, off_pairs = Fraction(), Fraction()
    for deal in EVERY:
        off = dict.fromkeys(combinations(range(TILES), 2), -expected)
        for k in range(HANDS):
            first, second = sorted(deal[k * HAND : (k + 1) * HAND])
            off[first, second] += 1
        by_tile = [
            sum((value for pair, value in off.items() if tile in pair), Fraction()) / (TILES - 2)
            for tile in range(TILES)
        ]
        for (a, b), value in off.items():
            off_tiles += (by_tile[a] + by_tile[b]) ** 2
            off_pairs += (value - by_tile[a] - by_tile[b]) ** 2
    of_tiles, of_pairs = chances.pair_variances(TILES, HANDS, HAND)
    assert off_tiles / len(EVERY) == of_tiles * (TILES - 1)
    assert off_pairs / len(EVERY) == of_pairs * Fraction(TILES * (TILES - 3), 2)


def test_where_all_is_dealt_tiles_explain_nothing() -> None:
    """Then each tile has as many companions in every deal, and that variance is none."""
    assert chances.pair_variances(28, 4, 7)[0] == 0
    assert chances.pair_variances(28, 4, 7)[1] > 0


# The mean of chi-square is its degrees of freedom. Over all deals, one by one, it has to be that
# exactly: a statistic with a wrong variance has another mean.


def test_the_mean_of_a_grid() -> None:
    values = [judging.grid(counted(deal), TILES, 1) for deal in EVERY]
    assert {freedom for _, freedom in values} == {16}
    assert mean([value for value, _ in values]) == pytest.approx(16)


@pytest.mark.parametrize("groups", [(2, 2, 1), (1, 4), (1, 1, 1, 1, 1)])
def test_the_mean_of_a_grid_by_seat(groups: tuple[int, ...]) -> None:
    values = [judging.grouped(counted(deal), groups, 1) for deal in EVERY]
    assert mean([value for value, _ in values]) == pytest.approx(values[0][1])


def test_the_mean_of_the_steps() -> None:
    """What a shuffle drew is found in its result: all ways to draw are met, once each."""
    draws = [drawn(deal) for deal in EVERY]
    assert len({tuple(it) for it in draws}) == len(EVERY)
    assert all(0 <= j <= i for it in draws for i, j in enumerate(it))
    values = [judging.steps(counted(it), TILES, 1) for it in draws]
    assert mean([value for value, _ in values]) == pytest.approx(values[0][1]) == 10
    low = [judging.low_draws(counted(it), TILES, 1) for it in draws]
    assert mean([value for value, _ in low]) == pytest.approx(1)


def test_the_mean_of_the_pairs() -> None:
    values = []
    for deal in EVERY:
        cells = [0] * TILES**2
        for k in range(HANDS):
            a, b = sorted(deal[k * HAND : (k + 1) * HAND])
            cells[a * TILES + b] += 1
        values.append(judging.pairs(cells, TILES, HANDS, HAND, 1))
    assert mean([value for value, _ in values]) == pytest.approx(values[0][1]) == 5


@pytest.mark.parametrize(("groups", "seats"), [((2, 2, 1), 2), ((3, 2), 2), ((1, 1, 3), 2)])
def test_the_mean_of_the_same_seat(groups: tuple[int, ...], seats: int) -> None:
    """One deal may stay as it is: only how the other lies to it matters."""
    values = []
    for deal in EVERY:
        cells = [0] * TILES**2
        moved(cells, range(TILES), deal)
        values.append(judging.same_group(cells, groups, seats, 1)[0])
    assert mean(values) == pytest.approx(1)


def test_the_mean_of_pips_after_pips() -> None:
    deals = {(*sorted(deal[:2]), *sorted(deal[2:4])) for deal in EVERY}
    hands = [[sum(WEIGHTS[t] for t in it[:2]), sum(WEIGHTS[t] for t in it[2:])] for it in deals]
    values = []
    for had in hands:
        for has in hands:
            pairs = [*zip(had, has, strict=True)]
            sums = [sum(x * y for x, y in pairs), sum(x + y for x, y in pairs), HANDS]
            values.append(judging.pips_product(sums, WEIGHTS, HANDS, HAND, 1)[0])
    assert mean(values) == pytest.approx(1)


def test_the_mean_of_a_fit() -> None:
    shares = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6), Fraction(0)]
    total = Fraction()
    for cell, share in enumerate(shares[:3]):
        value, freedom = judging.fit([int(it == cell) for it in range(4)], shares, 0.0)
        total += share * Fraction(value).limit_denominator(1000)
        assert freedom == 2  # what cannot happen is no cell
    assert total == 2


def test_cells_are_merged_by_what_is_expected() -> None:
    """Never by what is seen, and nothing is lost."""
    cells = chances.merged([1, 2, 3, 4, 5], [10.0, 20.0, 30.0, 5.0, 4.0], 25.0)
    assert cells == [(3, 30.0), (12, 39.0)]
    assert chances.merged([1, 2], [1.0, 2.0], 25.0) == []
    with pytest.raises(ValueError, match="cannot be dealt"):
        judging.fit([3, 1], [Fraction(1), Fraction(0)])
