"""Wash and cut joined to tiles: the only place where protocol and rules meet (SPEC 4.3, 5.4)."""

from __future__ import annotations

from fairbones.core.bones import set_tiles, tile_bytes
from fairbones.core.match.state import MatchState, Round
from fairbones.core.protocol.cut import cut
from fairbones.core.protocol.wash import Wash, round_seed, wash
from fairbones.core.rules import Rules, deal, first_lead


def things(rules: Rules) -> list[bytes]:
    """The bytes of a hand's tiles in id order; what is set aside would be left out here."""
    return [tile_bytes(tile) for tile in set_tiles(rules.set)]


def wash_hand(match: bytes, server_seed: bytes, r: int, rules: Rules) -> Wash:
    """The wash of hand `r` (SPEC 4.3)."""
    return wash(match, round_seed(match, server_seed, r), r, things(rules))


def deal_round(state: MatchState) -> Round:
    """The next hand: who holds what, who leads (SPEC R4)."""
    rules = state.terms.rules
    r = state.rounds + 1
    seed = round_seed(state.terms.match, state.secret, r)
    washed = wash(state.terms.match, seed, r, things(rules))
    dealt = cut(state.cut_key, r, len(washed.order), rules.seats, rules.hand)
    hands = [[washed.order[p] for p in positions] for positions in dealt.hands]
    lead = state.lead or first_lead(rules, hands)
    hand = deal(rules, hands, [washed.order[p] for p in dealt.boneyard], lead)
    place = {tile: p for p, tile in enumerate(washed.order)}
    return Round(r, seed, washed, dealt, place, hand)
