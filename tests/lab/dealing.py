"""Deals out of the service's own protocol: the seeds come from a phrase, all else from the code.

A match has its server seed, its round seeds and sealed washes, its client seeds and its cut
(SPEC 4, 5). Matches come in pairs with the same client seeds, so that what must not depend on them
can be looked at. A planted fault is a `House` that does one of the steps otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple
from unittest.mock import patch

from fairbones.core.bones import set_tiles, tile_bytes, tile_count
from fairbones.core.protocol.cut import cut, cut_key
from fairbones.core.protocol.draws import draw_numbers, draw_order
from fairbones.core.protocol.encoding import H, Tag, u32
from fairbones.core.protocol.shuffle import shuffle
from fairbones.core.protocol.wash import Wash, round_seed, server_seed_hash, wash
from fairbones.core.rules import Rules, compile_rules, resolve
from tests.forge.dice import Dice

HANDS = 4  # hands of a match
LOT = 12  # things of an order without a game (SPEC 11.2)
# Numbers without a game (SPEC 11.3): how many of each are drawn. 100 of 256 leaves a large rest,
# 300 takes four bytes.
NUMBERS = {6: 16, 100: 8, 300: 16}


@dataclass(frozen=True, slots=True)
class Table:
    """Which game is dealt, to how many seats, from which set."""

    ruleset: str = "draw"
    seats: int = 4
    set: int = 6

    def __str__(self) -> str:
        return f"{self.ruleset} for {self.seats}, double-{self.set}"

    @property
    def slug(self) -> str:
        """Its name in that of a file."""
        return f"{self.ruleset}-{self.seats}-{self.set}"

    @property
    def rules(self) -> Rules:
        """The compiled row, with the published options."""
        return _rules(self)

    @property
    def tiles(self) -> int:
        """How many tiles the set has."""
        return tile_count(self.set)

    @property
    def groups(self) -> tuple[int, ...]:
        """The places of a deal by who gets them: the seats, and the boneyard if there is one."""
        rules = self.rules
        return (rules.hand,) * rules.seats + ((rules.boneyard,) if rules.boneyard else ())


@cache
def _rules(table: Table) -> Rules:
    return compile_rules(resolve(table.ruleset, table.seats, {"set": table.set}), table.seats)


@cache
def _things(n: int) -> tuple[bytes, ...]:
    return tuple(tile_bytes(tile) for tile in set_tiles(n))


class Deal(NamedTuple):
    """One hand: tiles by position of the wash, positions by place of the deal, tiles by place."""

    order: Sequence[int]
    map: Sequence[int]
    tiles: Sequence[int]

    def hands(self, rules: Rules) -> list[Sequence[int]]:
        """The tiles of each seat."""
        return [self.tiles[k * rules.hand : (k + 1) * rules.hand] for k in range(rules.seats)]


class Match(NamedTuple):
    """What one match was dealt; `drawn` are the tiles of the draw for the lead, if there is one."""

    deals: list[Deal]
    drawn: list[int]


class Lots(NamedTuple):
    """An order, and numbers by how many there are to draw from."""

    order: list[int]
    numbers: dict[int, list[int]]


class House:
    """Deals as the service does. The steps that a dishonest house would bend are methods."""

    name: ClassVar[str] = "honest"
    about: ClassVar[str] = "the protocol as it stands"
    planted: ClassVar[bool] = False
    shows: ClassVar[int] = 0  # deals from which on the statistics have to reject it

    def shuffle(self, key: bytes, tag: Tag, r: int, n: int) -> list[int]:
        """The one shuffle (SPEC 3)."""
        return shuffle(key, tag, r, n)

    def key(self, opened_hash: bytes, seeds: Sequence[bytes]) -> bytes:
        """The cut key (SPEC 5.3)."""
        return cut_key(opened_hash, seeds)

    def washed(self, order: Sequence[int], before: Deal | None) -> Sequence[int]:
        """The order that the house makes of a wash."""
        return order

    def given(self, deal: Deal, before: Deal | None, r: int, table: Table) -> Sequence[int]:
        """The positions by place that the house makes of a cut."""
        return deal.map

    def numbers(self, seed: bytes, key: bytes, n: int, count: int) -> list[int]:
        """Numbers without a game (SPEC 11.3)."""
        return draw_numbers(seed, key, n, count)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """A planted house's shuffle in the service's own wash and cut; the honest is left alone.

        Nobody opens the seals of a planted house: without salts its washes take half the time.
        """
        protocol = "fairbones.core.protocol"
        with ExitStack() as stack:
            if self.planted:
                stack.enter_context(patch(f"{protocol}.wash.shuffle", self.shuffle))
                stack.enter_context(patch(f"{protocol}.cut.shuffle", self.shuffle))
                stack.enter_context(patch(f"{protocol}.wash.salt", lambda *_: b""))
            yield

    def match(self, table: Table, match: bytes, server: bytes, seeds: Sequence[bytes]) -> Match:
        """One match from its seeds: everything is washed before the seeds are looked at."""
        rules = table.rules
        first = 0 if rules.draws_for_lead else 1
        washes = [wash_hand(table, match, server, r) for r in range(first, HANDS + 1)]
        opened_hash = H(Tag.EVENT, server_seed_hash(match, server), *(it.root for it in washes))
        key = self.key(opened_hash, seeds)
        drawn: list[int] = []
        if rules.draws_for_lead:
            order = washes.pop(0).order
            drawn = [order[p] for (p,) in cut(key, 0, table.tiles, rules.seats, 1).hands]
        deals: list[Deal] = []
        for r, washed in enumerate(washes, 1):
            before = deals[-1] if deals else None
            honest = deal_hand(table, self.washed(washed.order, before), key, r)
            positions = self.given(honest, before, r, table)
            deals.append(read(honest.order, positions))
        return Match(deals, drawn)

    def lots(self, match: bytes, server: bytes, seeds: Sequence[bytes]) -> Lots:
        """One draw of each kind (SPEC 11)."""
        key = self.key(H(Tag.EVENT, server_seed_hash(match, server)), seeds)
        washed = wash(match, round_seed(match, server, 1), 1, [u32(it) for it in range(LOT)])
        order = draw_order(washed.order, list(cut(key, 1, LOT, 0, 0).boneyard))
        return Lots(order, {n: self.numbers(server, key, n, many) for n, many in NUMBERS.items()})


def wash_hand(table: Table, match: bytes, server: bytes, r: int) -> Wash:
    """The sealed wash of hand `r` (SPEC 4.2, 4.3)."""
    return wash(match, round_seed(match, server, r), r, _things(table.set))


def deal_hand(table: Table, order: Sequence[int], key: bytes, r: int) -> Deal:
    """The cut of hand `r`, and which tiles it deals (SPEC 5.4)."""
    rules = table.rules
    dealt = cut(key, r, table.tiles, rules.seats, rules.hand)
    return read(order, [position for part in (*dealt.hands, dealt.boneyard) for position in part])


def read(order: Sequence[int], positions: Sequence[int]) -> Deal:
    """The tiles of a wash, seen through a cut."""
    return Deal(order, positions, [order[position] for position in positions])


def twins(
    house: House, table: Table, phrase: str, many: int
) -> Iterator[tuple[Match, Match, Lots]]:
    """Pairs of matches with equal client seeds, and a draw beside each; the same for a phrase."""
    dice = Dice(f"lab {phrase}")
    with house.at_work():
        for _ in range(many):
            seeds = [dice.block() for _ in range(table.seats)]
            one, two = (
                house.match(table, dice.block()[:16], dice.block(), seeds) for _ in range(2)
            )
            yield one, two, house.lots(dice.block()[:16], dice.block(), seeds)
