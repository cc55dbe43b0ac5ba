"""SPEC R5 to R8, block for four: against `dominoes`, with nothing left out."""

from __future__ import annotations

import copy
import random

import pytest

from fairbones.core.bones import HIGH, LOW, set_tiles
from fairbones.core.errors import Illegal
from fairbones.core.rules import Hand, Play, admit, compile_rules, resolve, settle
from tests.oracles import engines

engines.wanted()

from tests.oracles import dominoes_peer  # noqa: E402
from tests.oracles.following import Unlike, Word, follow, lot_of  # noqa: E402

DEALS = 300
OPTIONS: dict[str, dict[str, object]] = {"block": {}, "block-partners": {"count_all": True}}
RULES = {name: compile_rules(resolve(name, 4, OPTIONS[name]), 4) for name in OPTIONS}


@pytest.mark.parametrize("ruleset", OPTIONS)
def test_hands_of_four_are_played_alike(ruleset: str, seed: random.Random) -> None:
    """Legal plays, turns and passes, the end and who made it, what is left; of partners, points."""
    rules = RULES[ruleset]
    reasons = set()
    for _ in range(DEALS):
        lot = lot_of(seed, rules)
        table = dominoes_peer.Table(lot, rules.sides)
        _, hand = follow(rules, lot, table, seed)
        assert hand.over is not None
        reasons.add(hand.over.reason)
        if rules.sides == 2:
            paid = settle(rules, hand, hand.over).points
            assert paid == dominoes_peer.points(table.game), lot
    assert reasons == {"domino", "blocked"}


class _Judged(dominoes_peer.Table):
    """Before each play every tile of the set is tried at both ends, by both engines."""

    tried = 0

    def named(self, hand: Hand, play: Play) -> Word:
        if hand.line and self.tried < len(hand.line):
            self.tried = len(hand.line)
            for tile in set_tiles(6):
                for end in ("left", "right"):
                    ours = _admitted(hand, Play(tile, end))
                    assert ours == self._made(tile, end), (hand.line, hand.hands, tile, end)
        return super().named(hand, play)

    def _made(self, tile: int, end: str) -> bool:
        trial = copy.deepcopy(self.game)
        try:
            trial.make_move(dominoes_peer.LIBRARY.Domino(HIGH[tile], LOW[tile]), end == "left")
        except (
            dominoes_peer.LIBRARY.NoSuchDominoException,
            dominoes_peer.LIBRARY.EndsMismatchException,
        ):
            return False
        return True


def _admitted(hand: Hand, play: Play) -> bool:
    try:
        admit(hand, hand.turn, play)
    except Illegal:
        return False
    return True


def test_what_is_not_legal_is_refused_alike(seed: random.Random) -> None:
    """SPEC R6: of the 56 plays of a turn the same ones are taken, equal ends by either name."""
    rules = RULES["block"]
    for _ in range(8):
        lot = lot_of(seed, rules)
        table = _Judged(lot, rules.sides)
        follow(rules, lot, table, seed)
        assert table.tried > 6


class _Blind(dominoes_peer.Table):
    """It overlooks the right end."""

    def listed(self) -> list[Word]:
        right = {(tile, False) for tile in set_tiles(6)}
        return [word for word in super().listed() if word not in right]


class _Ahead(dominoes_peer.Table):
    """It is a seat ahead."""

    def turn(self) -> int:
        return (super().turn() + 1) % 4


@pytest.mark.parametrize(("other", "what"), [(_Blind, "legal plays"), (_Ahead, "who plays")])
def test_a_difference_would_be_found(
    other: type[dominoes_peer.Table], what: str, seed: random.Random
) -> None:
    rules = RULES["block"]
    with pytest.raises(Unlike, match=what):
        for _ in range(20):
            lot = lot_of(seed, rules)
            follow(rules, lot, other(lot, rules.sides), seed)
