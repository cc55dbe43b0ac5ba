"""SPEC R5 to R8, block for two and for partners: against OpenSpiel's domino games."""

from __future__ import annotations

import random

from fairbones.core.rules import compile_rules, resolve, settle
from tests.oracles import engines

engines.wanted()

from tests.oracles import spiel_peer  # noqa: E402
from tests.oracles.following import follow, lot_of  # noqa: E402

DEALS = 200


def test_hands_of_two_are_played_and_paid_alike(seed: random.Random) -> None:
    """All of it: legal plays, turns, the end, the points. (Who goes out against a lone 0-0 wins 0
    points here, and is no winner there.)"""
    rules = compile_rules(resolve("block", 2, {}), 2)
    reasons = set()
    for _ in range(DEALS):
        lot = lot_of(seed, rules)
        table = spiel_peer.Table(spiel_peer.BLOCK, lot)
        _, hand = follow(rules, lot, table, seed)
        assert hand.over is not None
        reasons.add(hand.over.reason)
        paid = settle(rules, hand, hand.over).points
        assert paid == spiel_peer.points(table.state), lot
    assert reasons == {"domino", "blocked"}


def test_hands_of_partners_are_played_alike(seed: random.Random) -> None:
    """Legal plays, turns, the end and what is left; the points of blocked hands."""
    rules = compile_rules(resolve("block-partners", 4, {}), 4)
    reasons, disputed = set(), 0
    for _ in range(DEALS):
        lot = lot_of(seed, rules)
        table = spiel_peer.Table(spiel_peer.TEAM, lot)
        _, hand = follow(rules, lot, table, seed)
        assert hand.over is not None
        reasons.add(hand.over.reason)
        ours = settle(rules, hand, hand.over)
        theirs = spiel_peer.points(table.state)[:2]
        if hand.over.reason == "blocked":
            assert ours.points == theirs, lot
        elif ours.points != theirs:
            # It pays the lighter team, and here the one that went out is the heavier.
            assert ours.winner is not None
            own = sum(ours.counts[ours.winner :: 2])
            assert own >= sum(ours.counts[1 - ours.winner :: 2]), lot
            disputed += 1
    assert reasons == {"domino", "blocked"}
    assert 0 < disputed < DEALS / 2
