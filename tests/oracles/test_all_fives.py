"""SPEC R5 to R8 and R10, All Fives for two: against `all-fives-domino`.

Its rounds cannot be dealt from outside: their hands and boneyard are replaced (`fives_peer`).
"""

from __future__ import annotations

import random

import pytest

from fairbones.core.rules import compile_rules, resolve, settle
from tests.oracles import engines

engines.wanted()

from tests.oracles import fives_peer  # noqa: E402
from tests.oracles.following import Unlike, follow  # noqa: E402

DEALS = 150


@pytest.mark.parametrize(("spinner", "double"), [("first", True), ("none", False)])
def test_hands_are_played_and_counted_alike(
    spinner: str, double: bool, seed: random.Random
) -> None:
    """Legal plays, draws, turns, every count, the end and what it pays.

    Hands led by a double have our spinner, other hands none, as there. Where all that is legal is
    the fourth side of the spinner, which it does not list, a hand is compared up to that point.
    """
    options = {"protected": fives_peer.LAST_TILES, "spinner": spinner}
    rules = compile_rules(resolve("all-fives", 2, options), 2)
    reasons, ended, scored, arms = set(), 0, 0, 0
    for _ in range(DEALS):
        lot, leads = fives_peer.led(rules, seed, double=double)
        table = fives_peer.Table(lot)
        _, hand = follow(rules, lot, table, seed, leads)
        scored += any(hand.scores)
        arms += any(play.end in ("up", "down") for _, play, _ in hand.line)
        if hand.over is None:
            assert spinner == "first", lot
            continue
        ended += 1
        reasons.add(hand.over.reason)
        to_five = tuple((paid + 2) // 5 * 5 for paid in table.award())
        assert settle(rules, hand, hand.over).points == to_five, lot
    assert reasons == {"domino", "blocked"}
    assert scored > DEALS / 2
    assert ended == DEALS if spinner == "none" else ended > DEALS / 2
    assert (arms > DEALS / 4) == double


def test_a_difference_would_be_found(seed: random.Random) -> None:
    """What is played without a spinner is not what is played there."""
    options = {"protected": fives_peer.LAST_TILES, "spinner": "none"}
    rules = compile_rules(resolve("all-fives", 2, options), 2)
    with pytest.raises(Unlike, match="legal plays"):
        for _ in range(50):
            lot, leads = fives_peer.led(rules, seed, double=True)
            follow(rules, lot, fives_peer.Table(lot), seed, leads)
