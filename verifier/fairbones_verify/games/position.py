"""A hand as somebody would set it up on a table: tiles by name, one action after another.

The verifier itself has no need of this. It is for counting, for worked cases and for curious
readers: `begin`, then `actions` and `act` until there are no actions, then `result`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ..deal import Tile
from . import points
from .hand import Hand, Step


class Result(NamedTuple):
    """The end of a hand: why, who won, the points of the settlement, the scores after it."""

    reason: str
    winner: int | None
    counts: list[int]
    points: list[int]
    scores: list[int]


def begin(
    row: dict[str, Any],
    hands: Sequence[Sequence[Tile]],
    boneyard: Sequence[Tile],
    lead: int,
    must_set: Tile | None = None,
    scores: Sequence[int] | None = None,
) -> Hand:
    """A hand before its first tile.

    row: a whole row (R3). hands: the tiles of each seat. boneyard: front first. lead: the seat that
    sets. must_set: what it must set, if anything. scores: of the sides, before this hand.
    """
    tiles = [tile for hand in (*hands, boneyard) for tile in hand]
    places = iter(range(len(tiles)))
    dealt = [[next(places) for _ in hand] for hand in hands]
    given = None if scores is None else list(scores)
    return Hand(row, dealt, list(places), lead, tiles, must_set, scores=given)


def to_act(hand: Hand) -> int:
    """R6: the seat to act."""
    (seat,) = hand.actors()
    return seat


def actions(hand: Hand, seat: int | None = None, left: Collection[int] = ()) -> list[Step]:
    """R6: what is listed for a seat, in the order of the rules; [] when the hand is over.

    seat: who asks, the seat to act if nobody is named. left: the seats that have left, which are
    not listed a call.
    """
    if hand.over() is not None:
        return []
    asks = to_act(hand) if seat is None else seat
    listed = hand.legal() if asks == to_act(hand) else []
    return [*listed, Step("called")] if hand.may_call(asks) and asks not in left else listed


def act(hand: Hand, step: Step, seat: int | None = None) -> int:
    """A listed action happens, with a claim or without; the result is what it is credited.

    seat: who acts, the seat to act if nobody is named; only a call needs it.
    """
    actor = to_act(hand) if seat is None else seat
    if step.type == "called":
        taken = hand.counted(actor, hand.missed)
        hand.call(actor, taken)
        return taken
    if step.type == "drew":
        hand.draw(actor, hand.boneyard[0])
    elif step.tile is None:
        hand.skip(actor, step.type == "passed")
    elif step.type == "gave":
        hand.give(actor, hand.turn, place_of(hand, actor, step.tile))
    else:
        score = hand.score(actor, step.tile, step.end)
        earned = hand.counted(actor, (step.claim or 0) if hand.muggins else score)
        place = place_of(hand, actor, step.tile)
        hand.play(actor, place, step.tile, step.end, step.claim, earned)
        return earned
    return 0


def place_of(hand: Hand, seat: int, tile: Tile) -> int:
    """Where a tile lies in a seat's hand."""
    return hand.hands[seat][(hand.held(seat) or []).index(tile)]


def result(hand: Hand) -> Result | None:
    """R7 and R8: how the hand has ended; None while it goes on."""
    reason = hand.over()
    if reason is None:
        return None
    end = hand.ended(reason)
    winner = points.winner(hand.row, end)
    paid = points.points(hand.row, end, winner)
    after = [score + more for score, more in zip(hand.scores, paid)]
    return Result(reason, winner, list(end.counts), paid, after)
