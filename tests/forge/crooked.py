"""Washes that a house has stacked: any things at any positions, properly salted and sealed."""

from __future__ import annotations

from collections.abc import Sequence

from fairbones.core.bones import tile_bytes
from fairbones.core.match import MatchState, Round
from fairbones.core.protocol.cut import cut
from fairbones.core.protocol.encoding import Tag
from fairbones.core.protocol.shuffle import shuffle
from fairbones.core.protocol.wash import Wash, round_seed, salt, seal, wash_root
from fairbones.core.rules import deal, lead


def stacked(match: bytes, seed: bytes, r: int, tiles: Sequence[int]) -> Wash:
    """The wash of hand r with `tiles` in position order, whatever `seed` would give."""
    salts = tuple(salt(seed, i) for i in range(len(tiles)))
    seals = tuple(seal(match, r, i, salts[i], tile_bytes(tiles[i])) for i in range(len(tiles)))
    return Wash(r, tuple(tiles), salts, seals, wash_root(match, r, seals))


def honest_order(match: bytes, secret: bytes, r: int, things: int = 28) -> list[int]:
    """The tiles of hand r in position order as the server seed gives them (SPEC 4.3)."""
    return shuffle(round_seed(match, secret, r), Tag.WASH_ORDER, r, things)


def positions(state: MatchState, r: int, things: int = 28) -> list[int]:
    """The cut map of hand r (SPEC 5.4)."""
    return shuffle(state.cut_key, Tag.CUT_MAP, r, things)


def dealt_from(state: MatchState, washed: Wash, key: bytes | None = None) -> Round:
    """The hand that a wash gives under a cut, by default the honest one."""
    rules = state.terms.rules
    told = cut(key or state.cut_key, washed.r, len(washed.order), rules.seats, rules.hand)
    hands = [[washed.order[p] for p in held] for held in told.hands]
    first = lead(rules, hands, state.before, state.drawn)
    stock = [washed.order[p] for p in told.boneyard]
    hand = deal(rules, hands, stock, first, state.scores)
    place = {tile: p for p, tile in enumerate(washed.order)}
    seed = round_seed(state.terms.match, state.secret, washed.r)
    return Round(washed.r, seed, washed, told, place, hand)
