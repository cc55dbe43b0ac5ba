"""What is counted over many deals. Tallies add up, so that a run can be shared and taken up again.

A grid is a flat list of counts, row by row. Everything counted is a whole number; what it means is
said in `judging`.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import combinations, pairwise

from fairbones.core.bones import DOUBLES, PIPS, set_tiles
from fairbones.core.rules import drawn_lead, lead
from tests.lab.dealing import LOT, NUMBERS, Deal, Lots, Match, Table


def shapes(table: Table) -> dict[str, tuple[int, int]]:
    """The grids by name: rows and columns."""
    tiles, seats, hand = table.tiles, table.seats, table.rules.hand
    square = (tiles, tiles)
    pips = sum(PIPS[tile] for tile in set_tiles(table.set))
    return {
        "wash": square,  # position x tile
        "wash draws": square,  # step of the shuffle x what was drawn
        "cut": square,  # place x position
        "cut draws": square,
        "deal": square,  # place x tile
        "pairs": square,  # tile x heavier id in the same hand
        "doubles": (seats, hand + 1),
        "pips": (seats, pips + 1),
        "lead": (seats, tiles),  # who sets first x the tile that decides it
        # Places of one hand x places of the other that the same tile (or position) went to.
        "next wash": square,
        "next cut": square,
        "next deal": square,
        "twin cut": square,
        "twin deal": square,
        "next pips": (1, 3),  # sums over seats of a * b, of a + b, and of 1
        "order": (LOT, LOT),  # place x thing
        **{f"numbers {n}": (1, n) for n in NUMBERS},
        "number pairs": (6, 6),
    }


class Tally:
    """Counts over the deals of one house at one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.deals = 0
        self.grids = {
            name: [0] * (rows * columns) for name, (rows, columns) in shapes(table).items()
        }
        self.prints = array("Q")  # 64 bits of every order and every cut, to find repeated ones
        self.nexts = 0  # pairs of deals that follow each other in a match
        self.twins = 0  # pairs of deals of the same number in two matches with equal client seeds
        self.leads = 0
        self.lots = 0

    def include(self, other: Tally) -> None:
        """Add what another tally has counted."""
        for name, cells in other.grids.items():
            self.grids[name] = [a + b for a, b in zip(self.grids[name], cells, strict=True)]
        self.prints.extend(other.prints)
        self.deals += other.deals
        self.nexts += other.nexts
        self.twins += other.twins
        self.leads += other.leads
        self.lots += other.lots

    def count(self, one: Match, two: Match, lots: Lots) -> None:
        """Two matches with equal client seeds, and a draw of each kind."""
        for match in (one, two):
            self._match(match)
        for a, b in zip(one.deals, two.deals, strict=True):
            self.twins += 1
            moved(self.grids["twin cut"], a.map, b.map)
            moved(self.grids["twin deal"], a.tiles, b.tiles)
        self._lots(lots)

    def _match(self, match: Match) -> None:
        rules = self.table.rules
        pips: list[list[int]] = []
        for deal in match.deals:
            hands = deal.hands(rules)
            pips.append([sum(PIPS[tile] for tile in hand) for hand in hands])
            self._deal(deal, hands, pips[-1])
            if not rules.draws_for_lead:
                first = lead(rules, hands, None, None)
                assert first.must_set is not None
                self._lead(first.seat, first.must_set)
        if match.drawn:
            seat = drawn_lead(match.drawn)
            self._lead(seat, match.drawn[seat])
        sums = self.grids["next pips"]
        for a, b in pairwise(match.deals):
            self.nexts += 1
            moved(self.grids["next wash"], a.order, b.order)
            moved(self.grids["next cut"], a.map, b.map)
            moved(self.grids["next deal"], a.tiles, b.tiles)
        for had, has in pairwise(pips):
            for x, y in zip(had, has, strict=True):
                sums[0] += x * y
                sums[1] += x + y
                sums[2] += 1

    def _deal(self, deal: Deal, hands: Sequence[Sequence[int]], pips: Sequence[int]) -> None:
        grids, tiles = self.grids, self.table.tiles
        self.deals += 1
        for name, things in (("wash", deal.order), ("cut", deal.map)):
            placed(grids[name], things)
            placed(grids[f"{name} draws"], drawn(things))
            self.prints.append(fingerprint(things))
        placed(grids["deal"], deal.tiles)
        doubles, weights, pairs = grids["doubles"], grids["pips"], grids["pairs"]
        columns, width = len(hands[0]) + 1, len(weights) // len(hands)
        for seat, hand in enumerate(hands):
            held = sum(DOUBLES >> tile & 1 for tile in hand)
            doubles[seat * columns + held] += 1
            weights[seat * width + pips[seat]] += 1
            for a, b in combinations(sorted(hand), 2):
                pairs[a * tiles + b] += 1

    def _lead(self, seat: int, tile: int) -> None:
        self.leads += 1
        self.grids["lead"][seat * self.table.tiles + tile] += 1

    def _lots(self, lots: Lots) -> None:
        self.lots += 1
        placed(self.grids["order"], lots.order)
        for n, numbers in lots.numbers.items():
            cells = self.grids[f"numbers {n}"]
            for number in numbers:
                cells[number] += 1
        small = lots.numbers[6]
        for a, b in zip(small[::2], small[1::2], strict=True):
            self.grids["number pairs"][6 * a + b] += 1


def placed(cells: list[int], things: Sequence[int]) -> None:
    """Count which thing lies at which place."""
    for start, thing in zip(range(0, len(cells), len(things)), things, strict=True):
        cells[start + thing] += 1


def moved(cells: list[int], before: Sequence[int], after: Sequence[int]) -> None:
    """Count where each thing lay before and where it lies after."""
    where = [0] * len(after)
    for place, thing in enumerate(after):
        where[thing] = place
    placed(cells, [where[thing] for thing in before])


def drawn(things: Sequence[int]) -> list[int]:
    """What a Fisher-Yates shuffle drew at each step, found in its result (SPEC 3).

    Step i takes one of i + 1 places. Whatever made the list: if all lists are equally likely, so
    are the draws of a step, and those of two steps know nothing of each other.
    """
    left = list(range(len(things)))
    where = list(left)
    draws = [0] * len(things)
    for i in range(len(things) - 1, 0, -1):
        draws[i] = j = where[things[i]]
        left[j] = last = left[i]
        where[last] = j
    return draws


def fingerprint(things: Iterable[int]) -> int:
    """64 bits of a list; the chance that two differ and look alike is part of the judgement."""
    return int.from_bytes(blake2b(bytes(things), digest_size=8).digest(), "big")
