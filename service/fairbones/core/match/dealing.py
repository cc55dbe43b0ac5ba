"""Wash and cut joined to tiles: the only place where protocol and rules meet (SPEC 4.3, 5.4)."""

from __future__ import annotations

from fairbones.core.bones import set_tiles, tile_bytes
from fairbones.core.match.state import MatchState, Round
from fairbones.core.protocol.cut import cut
from fairbones.core.protocol.wash import Wash, round_seed, wash
from fairbones.core.rules import Rules, deal, drawn_lead, lead


def things(rules: Rules) -> list[bytes]:
    """The bytes of a hand's tiles in id order; what is set aside would be left out here."""
    return [tile_bytes(tile) for tile in set_tiles(rules.set)]


def wash_hand(match: bytes, server_seed: bytes, r: int, rules: Rules) -> Wash:
    """The wash of hand `r`; of the lead draw for `r` = 0 (SPEC 4.3, 4.5)."""
    return wash(match, round_seed(match, server_seed, r), r, things(rules))


def draw_lead(state: MatchState) -> tuple[Wash, int]:
    """The wash that the lead is drawn from and the seat that draws the heaviest (SPEC 4.5)."""
    terms = state.terms
    washed = wash_hand(terms.match, state.secret, 0, terms.rules)
    drawn = cut(state.cut_key, 0, len(washed.order), terms.seats, 1)  # one tile a seat
    return washed, drawn_lead([washed.order[position] for (position,) in drawn.hands])


def deal_round(state: MatchState) -> Round:
    """The next hand: who holds what, who leads (SPEC R4)."""
    rules = state.terms.rules
    r = state.rounds + 1
    seed = round_seed(state.terms.match, state.secret, r)
    washed = wash(state.terms.match, seed, r, things(rules))
    dealt = cut(state.cut_key, r, len(washed.order), rules.seats, rules.hand)
    hands = [[washed.order[p] for p in positions] for positions in dealt.hands]
    first = lead(rules, hands, state.before, state.drawn)
    stock = [washed.order[p] for p in dealt.boneyard]
    hand = deal(rules, hands, stock, first, state.scores)
    place = {tile: p for p, tile in enumerate(washed.order)}
    return Round(r, seed, washed, dealt, place, hand)
