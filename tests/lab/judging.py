"""Statistics of a tally, each with the distribution that it has when all deals are equally likely.

The counts in a grid are not independent of each other, since a deal fills every row and every
column once. Each statistic below is a sum of squares in directions that are uncorrelated and have
equal variance, divided by that variance: so it has the chi-square distribution with as many degrees
of freedom as there are directions, and not a chi-square's shape at some other scale.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import factorial, log

from fairbones.core.bones import DOUBLES, HEAVIER, PIPS, set_tiles
from tests.lab import chances
from tests.lab.dealing import LOT, NUMBERS
from tests.lab.tails import ln_chi_square, ln_poisson
from tests.lab.tally import Tally
from tests.lab.verdict import Finding

LEAST = 25.0  # deals that a cell of a distribution has to expect
# With few degrees of freedom counts that are whole numbers can hit what is expected to the point
# and mean nothing by it; with many a fit that is too good is as strange as one that is too bad.
BOTH_TAILS = 20


def judge(tally: Tally) -> list[Finding]:
    """Every statistic of a tally, in the order of the page."""
    return [*_washes(tally), *_deals(tally), *_leads(tally), *_relations(tally), *_lots(tally)]


def finding(name: str, value: float, freedom: int) -> Finding:
    """A statistic that has the chi-square distribution."""
    lower, upper = ln_chi_square(value, freedom)
    if freedom < BOTH_TAILS:
        return Finding(name, value, freedom, upper)
    return Finding(name, value, freedom, min(0.0, log(2) + min(lower, upper)))


# ---------------------------------------------------------------- the statistics


def grid(cells: Sequence[int], tiles: int, deals: int) -> tuple[float, int]:
    """Thing x place of permutations: with rows and columns fixed, (n-1)^2 directions are left."""
    awaited = deals / tiles
    squares = sum((seen - awaited) ** 2 for seen in cells)
    return squares / awaited * (tiles - 1) / tiles, (tiles - 1) ** 2


def grouped(cells: Sequence[int], groups: Sequence[int], deals: int) -> tuple[float, int]:
    """Thing x group of places, from a grid of place x thing."""
    tiles = sum(groups)
    total, place = 0.0, 0
    for size in groups:
        awaited = deals * size / tiles
        rows = cells[place * tiles : (place + size) * tiles]
        for thing in range(tiles):
            total += (sum(rows[thing::tiles]) - awaited) ** 2 / awaited
        place += size
    return total * (tiles - 1) / tiles, (tiles - 1) * (len(groups) - 1)


def steps(cells: Sequence[int], tiles: int, deals: int) -> tuple[float, int]:
    """What each step of a shuffle drew: step i has i + 1 places, the steps are independent."""
    total = 0.0
    for i in range(1, tiles):
        awaited = deals / (i + 1)
        total += sum((seen - awaited) ** 2 for seen in row(cells, tiles, i)[: i + 1]) / awaited
    return total, tiles * (tiles - 1) // 2


def low_draws(cells: Sequence[int], tiles: int, deals: int) -> tuple[float, int]:
    """Whether draws lean to the places that a byte without rejection would favour.

    Of 256 bytes, place v of m gets one more when v < 256 mod m. Each step's share of such places is
    weighed by how much more they would get: one direction, and the one in which that fault lies.
    """
    total, variance = 0.0, 0.0
    for i in range(1, tiles):
        m = i + 1
        rest, weight = 256 % m, m / 256
        share = rest / m
        total += weight * (sum(row(cells, tiles, i)[:rest]) - deals * share)
        variance += weight**2 * deals * share * (1 - share)
    return (total**2 / variance, 1) if variance else (0.0, 0)


def pairs(cells: Sequence[int], tiles: int, hands: int, hand: int, deals: int) -> tuple[float, int]:
    """Pairs in one hand, in the directions that single tiles do not explain."""
    awaited = deals * hands * hand * (hand - 1) / (tiles * (tiles - 1))
    off = [[0.0] * tiles for _ in range(tiles)]
    for a in range(tiles):
        for b in range(a + 1, tiles):
            off[a][b] = off[b][a] = cells[a * tiles + b] - awaited
    explained = [sum(line) / (tiles - 2) for line in off]
    squares = sum(
        (off[a][b] - explained[a] - explained[b]) ** 2
        for a in range(tiles)
        for b in range(a + 1, tiles)
    )
    variance = float(chances.pair_variances(tiles, hands, hand)[1])
    return squares / (deals * variance), tiles * (tiles - 3) // 2


def fit(
    observed: Sequence[int], shares: Sequence[Fraction], least: float = LEAST
) -> tuple[float, int]:
    """How well counts fit a distribution; cells that expect too little are put together."""
    total = sum(observed)
    impossible = [seen for seen, share in zip(observed, shares, strict=True) if seen and not share]
    if impossible:
        raise ValueError("something was dealt that cannot be dealt")
    cells = chances.merged(observed, [float(share) * total for share in shares], least)
    value = sum((seen - awaited) ** 2 / awaited for seen, awaited in cells)
    return value, max(len(cells) - 1, 0)


def same_group(
    cells: Sequence[int], groups: Sequence[int], seats: int, times: int
) -> tuple[float, int]:
    """How many tiles go to the same seat in two deals: one direction."""
    tiles, place, same = sum(groups), 0, 0
    for size in groups[:seats]:
        for one in range(place, place + size):
            same += sum(row(cells, tiles, one)[place : place + size])
        place += size
    awaited = times * sum(size * size for size in groups[:seats]) / tiles
    variance = times * float(chances.same_group_variance(groups, seats))
    return (same - awaited) ** 2 / variance, 1


def pips_product(
    sums: Sequence[int], weights: Sequence[int], seats: int, hand: int, times: int
) -> tuple[float, int]:
    """Whether a heavy hand is followed by a heavy one: the correlation, as one direction."""
    mean = Fraction(sum(weights) * hand, len(weights))
    total = sums[0] - mean * sums[1] + mean**2 * sums[2]
    variance = times * chances.pips_product_variance(weights, seats, hand)
    return float(total**2 / variance), 1


def repeats(prints: Sequence[int], tiles: int) -> tuple[int, float]:
    """How many orders and cuts had been there before, and how many are expected."""
    lists = len(prints)
    alike = 1 / factorial(tiles) + 2.0**-64
    return lists - len(set(prints)), lists * (lists - 1) / 2 * alike


def row(cells: Sequence[int], columns: int, number: int) -> Sequence[int]:
    """One row of a grid."""
    return cells[number * columns : (number + 1) * columns]


# ---------------------------------------------------------------- what they are asked of


def _washes(tally: Tally) -> Iterator[Finding]:
    """The house's half, the players' half, and whether any of it came twice."""
    tiles, deals, grids = tally.table.tiles, tally.deals, tally.grids
    yield finding("wash: tile x position", *grid(grids["wash"], tiles, deals))
    yield finding("wash: steps of the shuffle", *steps(grids["wash draws"], tiles, deals))
    yield finding("wash: low draws", *low_draws(grids["wash draws"], tiles, deals))
    yield finding("cut: position x place", *grid(grids["cut"], tiles, deals))
    yield finding("cut: position x seat", *grouped(grids["cut"], tally.table.groups, deals))
    yield finding("cut: steps of the shuffle", *steps(grids["cut draws"], tiles, deals))
    yield finding("cut: low draws", *low_draws(grids["cut draws"], tiles, deals))
    seen, awaited = repeats(tally.prints, tiles)
    yield Finding("wash and cut: repeats", seen, 0, ln_poisson(seen, awaited))


def _deals(tally: Tally) -> Iterator[Finding]:
    """Who gets what."""
    table, deals, grids = tally.table, tally.deals, tally.grids
    tiles, seats, hand = table.tiles, table.seats, table.rules.hand
    weights = tuple(PIPS[tile] for tile in set_tiles(table.set))
    yield finding("deal: tile x place", *grid(grids["deal"], tiles, deals))
    yield finding("deal: tile x seat", *grouped(grids["deal"], table.groups, deals))
    yield finding("deal: pairs in a hand", *pairs(grids["pairs"], tiles, seats, hand, deals))
    doubles = chances.doubles_in_a_hand(tiles, table.set + 1, hand)
    for seat in range(seats):
        value, freedom = fit(row(grids["doubles"], hand + 1, seat), doubles)
        yield finding(f"deal: doubles of seat {seat}", value, freedom)
    pips = chances.pips_in_a_hand(weights, hand)
    for seat in range(seats):
        value, freedom = fit(row(grids["pips"], len(pips), seat), pips)
        yield finding(f"deal: pips of seat {seat}", value, freedom)


def _leads(tally: Tally) -> Iterator[Finding]:
    """Who sets first, and the tile that decides it (SPEC R4, 4.5)."""
    table, cells = tally.table, tally.grids["lead"]
    tiles, seats = table.tiles, table.seats
    by_seat = [sum(row(cells, tiles, seat)) for seat in range(seats)]
    yield finding("lead: seat", *fit(by_seat, [Fraction(1, seats)] * seats))
    ranked = sorted(set_tiles(table.set), key=HEAVIER.__getitem__, reverse=True)
    dealt = seats
    if not table.rules.draws_for_lead:
        ranked.sort(key=lambda tile: not DOUBLES >> tile & 1)  # stable: doubles come first
        dealt = seats * table.rules.hand
    shares = chances.first_dealt(ranked, tiles, dealt)
    value, freedom = fit(
        [sum(cells[tile::tiles]) for tile in ranked], [shares[tile] for tile in ranked]
    )
    if freedom:  # where every tile is dealt the same tile always leads
        yield finding("lead: tile", value, freedom)


def _relations(tally: Tally) -> Iterator[Finding]:
    """Hands of one match, and hands of two matches with equal client seeds."""
    table, grids = tally.table, tally.grids
    tiles, groups, seats = table.tiles, table.groups, table.seats
    weights = tuple(PIPS[tile] for tile in set_tiles(table.set))
    for which, words, times in (
        ("next", "next hand", tally.nexts),
        ("twin", "same client seeds", tally.twins),
    ):
        for what in ("wash", "cut", "deal"):
            if f"{which} {what}" in grids:
                yield finding(f"{words}: {what}", *grid(grids[f"{which} {what}"], tiles, times))
        for what, cells in (("position", "cut"), ("tile", "deal")):
            value, freedom = same_group(grids[f"{which} {cells}"], groups, seats, times)
            yield finding(f"{words}: {what} to the same seat", value, freedom)
    sums, hand = grids["next pips"], table.rules.hand
    yield finding("next hand: pips", *pips_product(sums, weights, seats, hand, tally.nexts))


def _lots(tally: Tally) -> Iterator[Finding]:
    """Draws without a game (SPEC 11)."""
    grids, lots = tally.grids, tally.lots
    for n in NUMBERS:
        yield finding(f"numbers of {n}", *fit(grids[f"numbers {n}"], [Fraction(1, n)] * n, 0.0))
    yield finding("numbers of 6: pairs", *fit(grids["number pairs"], [Fraction(1, 36)] * 36, 0.0))
    cells = grids["order"]
    yield finding("order: thing x place", *grid(cells, LOT, lots))
    for word, place in (("first", 0), ("last", LOT - 1)):
        value, freedom = fit(row(cells, LOT, place), [Fraction(1, LOT)] * LOT, 0.0)
        yield finding(f"order: {word} place", value, freedom)
