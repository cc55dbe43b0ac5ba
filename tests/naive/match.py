"""SPEC R9: a match, hand after hand."""

from __future__ import annotations

from typing import NamedTuple

from tests.naive.actions import Action
from tests.naive.hand import Hand
from tests.naive.leading import Before, drawn_lead, first_lead, later_lead
from tests.naive.rows import Row, sides
from tests.naive.scores import alone_best, match_winner
from tests.naive.settling import Settlement, settle
from tests.naive.tiles import Tile


class MatchEnd(NamedTuple):
    """Why the match is over, and which side won it."""

    reason: str
    winner: int | None


def after_hand(row: Row, scores: list[int], number: int, rounds_max: int) -> MatchEnd | None:
    """Whether the match ends after hand `number`."""
    winner = match_winner(row, scores)
    if winner is not None:
        return MatchEnd("target", winner)
    if number == rounds_max:
        return MatchEnd("rounds", alone_best(row, scores))
    return None


def abandoned(row: Row, scores: list[int]) -> MatchEnd:
    """How a match ends that is given up."""
    return MatchEnd("abandoned", alone_best(row, scores))


class Match:
    """A match that is told each deal and each action."""

    def __init__(
        self, row: Row, seats: int, rounds_max: int, drawn: list[Tile] | None = None
    ) -> None:
        self.row, self.seats, self.rounds_max = row, seats, rounds_max
        self.drawn = None if drawn is None else drawn_lead(drawn)
        self.scores = [0] * sides(row, seats)
        self.number = 0
        self.before: Before | None = None
        self.hand: Hand | None = None
        self.settlement: Settlement | None = None
        self.end: MatchEnd | None = None

    def deal(self, hands: list[list[Tile]], boneyard: list[Tile]) -> Hand:
        """The next hand, from the tiles each seat is dealt and the boneyard in order."""
        assert self.hand is None
        assert self.end is None
        if self.before is None:
            lead = first_lead(self.row, hands, self.drawn)
        else:
            lead = later_lead(self.row, hands, self.before, self.drawn)
        self.number += 1
        held = [list(tiles) for tiles in hands]
        self.hand = Hand(
            self.row, held, list(boneyard), lead.seat, lead.must_set, list(self.scores)
        )
        return self.hand

    def act(self, seat: int, action: Action) -> Action:
        """Take an action; when it ends the hand, settle it."""
        assert self.hand is not None
        listed = self.hand.take(seat, action)
        reason = self.hand.finish()
        if reason is not None:
            self._over(self.hand, reason)
        return listed

    def _over(self, hand: Hand, reason: str) -> None:
        self.settlement = settle(hand)
        paid = zip(hand.scores, self.settlement.points, strict=True)
        self.scores = [score + points for score, points in paid]
        out = hand.out()
        seat = hand.causer() if out is None else out
        self.before = Before(hand.leader, reason, seat, self.settlement.winner)
        self.hand = None
        self.end = after_hand(self.row, self.scores, self.number, self.rounds_max)
