"""Planted faults: houses that deal otherwise, by mistake or on purpose, and one known to be good.

In a wash alone a biased shuffle would not show in the hands, for an honest cut makes every wash
even; that is what the cut is for. So a fault of the shuffle is planted in both.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cmp_to_key
from itertools import count
from typing import ClassVar

from fairbones.core.bones import PIPS, tile_id
from fairbones.core.protocol.cut import cut_key
from fairbones.core.protocol.encoding import MAC, Tag, u32
from tests.lab.dealing import HANDS, LOT, NUMBERS, Deal, House, Lots, Match, Table, read


def stream(key: bytes, tag: Tag, r: int) -> Iterator[int]:
    """The bytes of SPEC 3."""
    for j in count():
        yield from MAC(key, tag, u32(r), u32(j))


class Planted(House):
    planted = True


class Reference(House):
    """Nothing of ours: Python's own generator in the place of wash, cut and draw."""

    name = "reference"
    about = "the shuffle of Python's library, to calibrate the statistics with"

    def match(self, table: Table, match: bytes, server: bytes, seeds: Sequence[bytes]) -> Match:
        rnd, tiles = random.Random(server), range(table.tiles)
        drawn = rnd.sample(tiles, table.seats) if table.rules.draws_for_lead else []
        deals = [
            read(rnd.sample(tiles, table.tiles), rnd.sample(tiles, table.tiles))
            for _ in range(HANDS)
        ]
        return Match(deals, drawn)

    def lots(self, match: bytes, server: bytes, seeds: Sequence[bytes]) -> Lots:
        rnd = random.Random(server)
        numbers = {n: [rnd.randrange(n) for _ in range(many)] for n, many in NUMBERS.items()}
        return Lots(rnd.sample(range(LOT), LOT), numbers)


class NaiveSwap(Planted):
    """n^n ways for n! orders, and the one is no multiple of the other."""

    name = "naive-swap"
    about = "every step of the shuffle swaps with any place"
    shows = 2_000

    def shuffle(self, key: bytes, tag: Tag, r: int, n: int) -> list[int]:
        draws = (v % n for v in stream(key, tag, r) if v < 256 - 256 % n)
        things = list(range(n))
        for i in range(n):
            swap(things, i, next(draws))
        return things


class Modulo(Planted):
    name = "modulo"
    about = "one byte mod m without rejection"
    shows = 8_000

    def shuffle(self, key: bytes, tag: Tag, r: int, n: int) -> list[int]:
        draws = stream(key, tag, r)
        things = list(range(n))
        for i in range(n - 1, 0, -1):
            swap(things, i, next(draws) % (i + 1))
        return things


class SmallState(Planted):
    """Every order looks even; there are only too few of them."""

    name = "small-state"
    about = "a good generator that is started with 32 bits for each shuffle"
    shows = 200_000  # 18.6 repeats are expected there
    bits: ClassVar[int] = 32

    def shuffle(self, key: bytes, tag: Tag, r: int, n: int) -> list[int]:
        start = int.from_bytes(MAC(key, tag, u32(r))[:8], "big") >> (64 - self.bits)
        things = list(range(n))
        random.Random(start).shuffle(things)
        return things


class LowBits(Planted):
    name = "low-bits"
    about = "a congruential generator of 32 bits whose low bits choose"
    shows = 1_000

    def shuffle(self, key: bytes, tag: Tag, r: int, n: int) -> list[int]:
        state = int.from_bytes(MAC(key, tag, u32(r))[:4], "big")
        things = list(range(n))
        for i in range(n - 1, 0, -1):
            state = (1_103_515_245 * state + 12_345) % 2**32
            swap(things, i, state % (i + 1))
        return things


class CoinSort(Planted):
    name = "coin-sort"
    about = "a sort whose comparison throws a coin each time it is asked"
    shows = 1_000

    def shuffle(self, key: bytes, tag: Tag, r: int, n: int) -> list[int]:
        coins = random.Random(MAC(key, tag, u32(r)))
        return sorted(range(n), key=cmp_to_key(lambda _a, _b: 1 if coins.getrandbits(1) else -1))


class CutIgnored(Planted):
    """By itself it moves no tile anywhere: it is what makes a prepared wash worth something."""

    name = "cut-ignored"
    about = "seat 0 gets the first positions of the wash, whatever the cut says"
    shows = 1_000

    def given(self, deal: Deal, before: Deal | None, r: int, table: Table) -> Sequence[int]:
        return first_to(deal.map, range(table.rules.hand))


class Shill(Planted):
    name = "shill"
    about = "the cut ignored for seat 0, which gets the lighter of two stretches of the wash"
    shows = 1_000

    def given(self, deal: Deal, before: Deal | None, r: int, table: Table) -> Sequence[int]:
        size = table.rules.hand
        stretches = (range(size), range(size, 2 * size))
        lighter = min(stretches, key=lambda it: sum(PIPS[deal.order[p]] for p in it))
        return first_to(deal.map, lighter)


class Mercy(Planted):
    """Each seat's hands are even, taken one by one; only their order tells."""

    name = "mercy"
    about = "the seat that had the heaviest hand gets the lightest of the next"
    shows = 1_000

    def given(self, deal: Deal, before: Deal | None, r: int, table: Table) -> Sequence[int]:
        if before is None:
            return deal.map
        rules = table.rules
        heavy = max(range(rules.seats), key=lambda k: _pips(before.hands(rules)[k]))
        light = min(range(rules.seats), key=lambda k: _pips(deal.hands(rules)[k]))
        positions = list(deal.map)
        size = rules.hand
        one, two = (slice(k * size, (k + 1) * size) for k in (heavy, light))
        positions[one], positions[two] = positions[two], positions[one]
        return positions


class Companions(Planted):
    """Every tile goes everywhere equally often; two of them go together."""

    name = "companions"
    about = "in every fourth hand the 5-5 is dealt to whoever has the 6-6"
    shows = 2_000

    def given(self, deal: Deal, before: Deal | None, r: int, table: Table) -> Sequence[int]:
        positions = list(deal.map)
        if r % 4 == 0:
            at = deal.tiles.index(tile_id(6, 6))
            start, end = group_of(at, table)
            beside = start + (at - start + 1) % (end - start)
            other = deal.tiles.index(tile_id(5, 5))
            if other != at and not start <= other < end:
                positions[beside], positions[other] = positions[other], positions[beside]
        return positions


class LazyWash(Planted):
    name = "lazy-wash"
    about = "half of the wash is left as it lay in the hand before"
    shows = 1_000

    def washed(self, order: Sequence[int], before: Deal | None) -> Sequence[int]:
        if before is None:
            return order
        kept = before.order[len(order) // 2 :]
        return [*(tile for tile in order if tile not in kept), *kept]


class SeedsAlone(Planted):
    name = "seeds-alone"
    about = "the cut key forgets the match: the same client seeds, the same cut"
    shows = 1_000

    def key(self, opened_hash: bytes, seeds: Sequence[bytes]) -> bytes:
        return cut_key(bytes(32), seeds)


class Replay(Planted):
    """A house that knows its players again by their seeds."""

    name = "replay"
    about = "who comes with the same client seeds is dealt the same match again, once in ten"
    shows = 1_000

    def __init__(self) -> None:
        self._last: tuple[Sequence[bytes], Match] | None = None

    def match(self, table: Table, match: bytes, server: bytes, seeds: Sequence[bytes]) -> Match:
        known, dealt = self._last or ((), None)
        if dealt is None or known != seeds or server[0] % 10:
            dealt = super().match(table, match, server, seeds)
        self._last = seeds, dealt
        return dealt


class OneByte(Planted):
    """It touches draws without a game alone (SPEC 11.3)."""

    name = "one-byte"
    about = "numbers are one byte mod n, however large n is, and nothing is rejected"
    shows = 1_000

    def numbers(self, seed: bytes, key: bytes, n: int, count: int) -> list[int]:
        inner = MAC(seed, Tag.DRAW_KEY, key)
        return [MAC(inner, Tag.DRAW, u32(i), u32(0))[0] % n for i in range(count)]


def swap(things: list[int], i: int, j: int) -> None:
    """Two things change places."""
    things[i], things[j] = things[j], things[i]


def first_to(positions: Sequence[int], wanted: Sequence[int]) -> list[int]:
    """The cut with the wanted positions at the first places; what lay there takes their places."""
    changed = list(positions)
    for place, position in enumerate(wanted):
        other = changed.index(position)
        changed[place], changed[other] = changed[other], changed[place]
    return changed


def group_of(place: int, table: Table) -> tuple[int, int]:
    """Where the hand, or the boneyard, begins and ends that a place belongs to."""
    start = 0
    for size in table.groups:
        if place < start + size:
            return start, start + size
        start += size
    raise ValueError(f"no place {place}")


def _pips(hand: Sequence[int]) -> int:
    return sum(PIPS[tile] for tile in hand)


FAULTS: tuple[type[House], ...] = (
    NaiveSwap,
    Modulo,
    SmallState,
    LowBits,
    CoinSort,
    CutIgnored,
    Shill,
    Mercy,
    Companions,
    LazyWash,
    SeedsAlone,
    Replay,
    OneByte,
)
_ALL: tuple[type[House], ...] = (House, Reference, *FAULTS)
HOUSES = {it.name: it for it in _ALL}
