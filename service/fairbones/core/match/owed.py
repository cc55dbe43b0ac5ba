"""What follows an event without a choice (SPEC 8.2), asked after every event of a step."""

from __future__ import annotations

from fairbones.core.bones import text
from fairbones.core.match.dealing import deal_round, draw_lead
from fairbones.core.match.state import IDLE_LIMIT, MatchState, Round, Stage
from fairbones.core.match.steps import Data, Draft, abandon, move
from fairbones.core.match.times import by_the_house
from fairbones.core.protocol.wash import round_seed
from fairbones.core.rules import Finish, MatchEnd, finish, fixed, settle, to_act


def owed(state: MatchState) -> Draft | None:
    """The next event of the step, or None when the match waits for somebody."""
    if state.stage is not Stage.PLAYING:
        return None
    if state.round is None:
        return _between(state)
    hand = state.round.hand
    if state.fixed_due:
        return move(state.round, to_act(hand), fixed(hand))
    over = finish(hand)
    if over is not None:
        return _round_ended(state, state.round, over)
    if min(state.idle) >= IDLE_LIMIT:
        return abandon(state, state.round)
    if hand.window is not None:
        return None  # the step of a play ends with it: opponents may call (SPEC 8.8)
    action = by_the_house(state, state.round)
    return None if action is None else move(state.round, to_act(hand), action)


def _between(state: MatchState) -> Draft:
    """No hand is in progress: the lead draw, the next deal or the end of the match."""
    if state.match_end is not None:
        return _match_ended(state, state.match_end)
    if state.terms.rules.draws_for_lead and state.drawn is None:
        return _lead_drawn(state)
    return _dealt(state)


def _lead_drawn(state: MatchState) -> Draft:
    terms = state.terms
    washed, leader = draw_lead(state)
    return Draft(
        "lead_drawn",
        {
            "seals": [seal.hex() for seal in washed.seals],
            "round_seed": round_seed(terms.match, state.secret, 0).hex(),
            "lead": leader,
        },
    )


def _dealt(state: MatchState) -> Draft:
    dealt = deal_round(state)
    data: Data = {
        "round": dealt.number,
        "seals": [seal.hex() for seal in dealt.wash.seals],
        "hand_size": state.terms.rules.hand,
        "lead": dealt.hand.leader,
        "aside": [],
    }
    if dealt.hand.must_set is not None:
        data["must_set"] = text(dealt.hand.must_set)
    return Draft("dealt", data, dealt)


def _round_ended(state: MatchState, dealt: Round, over: Finish) -> Draft:
    settled = settle(state.terms.rules, dealt.hand, over)
    data: Data = {
        "round": dealt.number,
        "reason": over.reason,
        "counts": list(settled.counts),
        "points": list(settled.points),
        "scores": [a + b for a, b in zip(state.scores, settled.points, strict=True)],
        "round_seed": dealt.seed.hex(),
    }
    if settled.winner is not None:
        data["winner"] = settled.winner
    return Draft("round_ended", data)


def _match_ended(state: MatchState, end: MatchEnd) -> Draft:
    data: Data = {
        "reason": end.reason,
        "scores": list(state.scores),
        "server_seed": state.secret.hex(),
    }
    if end.winner is not None:
        data["winner"] = end.winner
    return Draft("match_ended", data)
