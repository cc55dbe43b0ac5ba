"""SPEC R8: what the end of a hand pays."""

from __future__ import annotations

from typing import NamedTuple

from tests.naive.hand import Hand
from tests.naive.rows import Row, option, side_of, sides
from tests.naive.scores import counted, match_winner
from tests.naive.tiles import Tile, lightest, pips


class Settlement(NamedTuple):
    """Who won the hand, the points by side, the counts by seat."""

    winner: int | None
    points: list[int]
    counts: list[int]


class Settling:
    """A hand that is over, seen by its sides."""

    def __init__(
        self, row: Row, hands: list[list[Tile]], leader: int, causer: int, scores: list[int]
    ) -> None:
        self.row, self.leader, self.causer, self.scores = row, leader, causer, scores
        self.seats = range(len(hands))
        self.all_sides = range(sides(row, len(hands)))
        self.held: list[list[Tile]] = [[] for _ in self.all_sides]
        self.seat_counts = [sum(pips(tile) for tile in held) for held in hands]
        for seat in self.seats:
            self.held[side_of(row, seat)] += hands[seat]
        self.counts = [sum(pips(tile) for tile in held) for held in self.held]

    def compared(self, side: int) -> int:
        """What is compared in a blocked hand."""
        if self.row["block_count"] == "side":
            return self.counts[side]
        own = [seat for seat in self.seats if side_of(self.row, seat) == side]
        return min(self.seat_counts[seat] for seat in own)

    def lowest(self) -> list[int]:
        """The sides that have the lowest of what is compared."""
        least = min(self.compared(side) for side in self.all_sides)
        return [side for side in self.all_sides if self.compared(side) == least]

    def block_winner(self) -> int | None:
        """The side that wins a blocked hand."""
        if self.row["block_winner"] == "causer":
            return side_of(self.row, self.causer)
        tied = self.lowest()
        if len(tied) == 1:
            return tied[0]
        if self.row["tie"] in ("void", "split"):
            return None
        if self.row["tie"] == "lightest-tile":
            best = lightest([tile for side in tied for tile in self.held[side]])
            return next(side for side in tied if best in self.held[side])
        if self.row["tie"] == "causer" and side_of(self.row, self.causer) in tied:
            return side_of(self.row, self.causer)
        order = [(self.leader + step) % len(self.seats) for step in self.seats]
        return next(side_of(self.row, seat) for seat in order if side_of(self.row, seat) in tied)

    def points_of(self, winner: int) -> int:
        """The points of a winner."""
        own = self.counts[winner]
        others = [self.counts[side] for side in self.all_sides if side != winner]
        if self.row["score"] == "total":
            return sum(others) + (own if self.row["count_all"] else 0)
        if self.row["difference_mode"] == "once":
            return max(0, sum(others) - own)
        return sum(max(0, other - own) for other in others)

    def split(self) -> list[int]:
        """What the tied sides share."""
        tied = self.lowest()
        rest = sum(self.counts[side] for side in self.all_sides if side not in tied)
        return [rest // len(tied) if side in tied else 0 for side in self.all_sides]

    def settle(self, reason: str, out: int | None) -> Settlement:
        """Winner, points and counts of a hand that ended for that reason."""
        points = [0 for _ in self.all_sides]
        if reason == "target":
            return Settlement(match_winner(self.row, self.scores), points, self.seat_counts)
        if reason == "domino":
            assert out is not None
            winner: int | None = side_of(self.row, out)
        else:
            winner = self.block_winner()
        if winner is not None:
            points[winner] = self.points_of(winner)
        elif self.row["tie"] == "split":
            points = self.split()
        if option(self.row, "settlement") == "nearest-five":
            points = [(one + 2) // 5 * 5 for one in points]
        if option(self.row, "settlement") == "none":
            points = [0 for _ in points]
        points = [
            counted(self.row, score, one) for score, one in zip(self.scores, points, strict=True)
        ]
        return Settlement(winner, points, self.seat_counts)


def settle(hand: Hand) -> Settlement:
    """The settlement of a hand that is over."""
    reason = hand.finish()
    assert reason is not None
    # Only before the first tile can there be no causer, and then there is no block.
    causer = hand.causer() if hand.plays else hand.leader
    settling = Settling(hand.row, hand.hands, hand.leader, causer, hand.scores)
    return settling.settle(reason, hand.out())
