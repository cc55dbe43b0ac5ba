"""One hand in progress and the one step that moves it on (SPEC R5, R6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fairbones.core.bones import SUIT, mask_of
from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import Action, Draw, Pass, Play
from fairbones.core.rules.ends import Ends, extend, opened_by
from fairbones.core.rules.leads import Lead
from fairbones.core.rules.rules import Rules


@dataclass(frozen=True, slots=True)
class Hand:
    """Everything the rest of a hand depends on, and the line it came from.

    `hands` holds a mask of tile ids by seat; `stock` the boneyard in the order of drawing, its
    protected tail included; `line` who played what, in the order of play.
    """

    rules: Rules
    hands: tuple[int, ...]
    stock: tuple[int, ...]
    ends: Ends  # none before the first tile
    leader: int
    turn: int
    must_set: int | None  # of the first tile only
    causer: int | None  # the seat that placed the last tile
    drawn: bool  # whether the seat on turn has drawn in this turn
    line: tuple[tuple[int, Play], ...]

    @property
    def drawable(self) -> int:
        """How many tiles of the boneyard may still be drawn (SPEC R6)."""
        rules = self.rules
        return max(0, len(self.stock) - rules.protected) if rules.draws else 0


def deal(rules: Rules, hands: Sequence[Sequence[int]], stock: Sequence[int], lead: Lead) -> Hand:
    """A hand before its first tile: tile ids by seat, the boneyard in the order of drawing.

    That these are the tiles of a set is the caller's to know (`bones.validate_set`).
    """
    return Hand(
        rules=rules,
        hands=tuple(mask_of(tiles) for tiles in hands),
        stock=tuple(stock),
        ends=(),
        leader=lead.seat,
        turn=lead.seat,
        must_set=lead.must_set,
        causer=None,
        drawn=False,
        line=(),
    )


def fitting(hand: Hand) -> int:
    """The mask of the tiles the seat on turn may play (SPEC R5)."""
    mine = hand.hands[hand.turn]
    ends = hand.ends
    if not ends:
        return mine if hand.must_set is None else 1 << hand.must_set
    suits = 0
    for end in ends:
        suits |= SUIT[end.value]
    return mine & suits


def apply(hand: Hand, action: Action) -> Hand:
    """The hand after the seat on turn took a listed action, in its listed form (SPEC R6).

    `legal` and `admit` say which those are. Whatever else is refused as Illegal
    `rules/not-listed`, so that a broken history cannot be played on; that the hand still goes
    on (SPEC R7) is the caller's to know.
    """
    if isinstance(action, Play):
        return _played(hand, action)
    if isinstance(action, Draw):
        if fitting(hand) or not hand.drawable:
            raise _not_listed()
        return _drew(hand)
    if isinstance(action, Pass):
        if fitting(hand) or hand.drawable:
            raise _not_listed()
    elif not may_decline(hand):
        raise _not_listed()
    return _turned(hand, hand.hands, hand.ends, hand.causer, hand.line)


def may_decline(hand: Hand) -> bool:
    """Whether the seat on turn has drawn a tile that fits and need not play it (SPEC R6)."""
    return hand.rules.may_decline and hand.drawn and fitting(hand) != 0


def _played(hand: Hand, play: Play) -> Hand:
    seat = hand.turn
    tile = play.tile
    hands = hand.hands
    mine = hands[seat]
    if not mine >> tile & 1:
        raise _not_listed()
    ends = hand.ends
    if ends:
        extended = extend(ends, play.end, tile)
        if extended is None:
            raise _not_listed()
    else:
        if play.end is not None or hand.must_set not in (None, tile):
            raise _not_listed()
        extended = opened_by(tile)
    left = (*hands[:seat], mine ^ 1 << tile, *hands[seat + 1 :])
    return _turned(hand, left, extended, seat, (*hand.line, (seat, play)))


def _turned(
    hand: Hand,
    hands: tuple[int, ...],
    ends: Ends,
    causer: int | None,
    line: tuple[tuple[int, Play], ...],
) -> Hand:
    turn = hand.turn + 1
    rules = hand.rules
    return Hand(
        rules,
        hands,
        hand.stock,
        ends,
        hand.leader,
        0 if turn == rules.seats else turn,
        hand.must_set,
        causer,
        False,
        line,
    )


def _drew(hand: Hand) -> Hand:
    hands = hand.hands
    seat = hand.turn
    stock = hand.stock
    return Hand(
        hand.rules,
        (*hands[:seat], hands[seat] | 1 << stock[0], *hands[seat + 1 :]),
        stock[1:],
        hand.ends,
        hand.leader,
        seat,
        hand.must_set,
        hand.causer,
        True,
        hand.line,
    )


def _not_listed() -> Illegal:
    return Illegal("rules/not-listed", "Take one of the legal actions, as it is listed.")
