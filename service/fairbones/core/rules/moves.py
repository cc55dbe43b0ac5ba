"""The one step that moves a hand on (SPEC R6), and the call that does not (SPEC R10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairbones.core.bones import mask_of
from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import CLAIMED, Action, Call, Decline, Draw, Give, Pass, Play
from fairbones.core.rules.counting import Window, added, creditable
from fairbones.core.rules.ends import Line
from fairbones.core.rules.hand import (
    NOTHING,
    Finish,
    Hand,
    Since,
    giver,
    make_hand,
    may_decline,
)
from fairbones.core.rules.rules import Rules
from fairbones.core.rules.series import won

_HAS_DRAWN = Since(drawn=True, given=None, window=None)


def apply(hand: Hand, action: Action) -> Hand:
    """The hand after the seat to act took a listed action, in its listed form (SPEC R6).

    `legal` and `admit` say which those are; with muggins a play may claim what it scores or less.
    Whatever else is refused as Illegal `rules/not-listed`, so that a broken history cannot be
    played on.
    """
    if not isinstance(action, Play):
        return _MOVES[action.__class__](hand, action)
    opening, hands, stock, table, laid, seat, _, scores, fits, _ = hand
    bit = action.bit
    if not fits & bit:
        raise _not_listed()
    rules = opening.rules
    if not rules.plain:
        return _counted(hand, action)
    line = table.after[action.code]
    if line is None:
        raise _not_listed()
    mine = hands[seat] ^ bit
    held = [*hands]
    held[seat] = mine
    hands = tuple(held)
    turn = rules.after[seat]
    fits = hands[turn] & line.suits
    over = None
    if not mine:
        fits, over = 0, Finish("domino", seat)
    elif not fits:
        over = blocked(rules, hands, stock, line, seat)
    laid = (laid, seat, action, 0)
    return make_hand(Hand, (opening, hands, stock, line, laid, turn, NOTHING, scores, fits, over))


def scored(hand: Hand, play: Play) -> int:
    """What a listed play scores, claimed or not (SPEC R10)."""
    rules, seat = hand.rules, hand.turn
    if not rules.scores:
        return 0
    line = hand.table.after[play.code & ~CLAIMED]
    if line is None or not hand.fits & play.bit:
        raise _not_listed()
    return _score(rules, _moved(hand.hands, seat, play.bit), seat, line)


def credited(hand: Hand, play: Play) -> int:
    """What `apply` credits to the side of a listed play's seat (SPEC R10)."""
    rules = hand.rules
    points = (play.claim or 0) if rules.muggins else scored(hand, play)
    return creditable(rules, hand.scores, rules.side_of[hand.turn], points)


def may_call(hand: Hand, seat: int) -> bool:
    """Whether a call of that seat is listed, whatever there is to take (SPEC R10)."""
    window, side_of = hand.window, hand.rules.side_of
    return window is not None and hand.over is None and side_of[seat] != side_of[window.seat]


def call(hand: Hand, seat: int) -> tuple[Hand, int]:
    """The hand after `seat` called, and the points it took (SPEC R10).

    Illegal `rules/may-not-call`, `rules/nothing-missed`.
    """
    rules, window = hand.rules, hand.window
    if window is None or not may_call(hand, seat):
        raise Illegal(
            "rules/may-not-call",
            "Call after an opponent's play and before the next move, in a game with muggins.",
        )
    side = rules.side_of[seat]
    taken = creditable(rules, hand.scores, side, window.missed)
    if not taken:
        raise Illegal("rules/nothing-missed", "There is nothing to take from the last play.")
    scores = added(hand.scores, side, taken)
    reached = rules.at_once and won(rules, scores) is not None
    over = Finish("target", window.seat) if reached else None
    since = Since(drawn=False, given=None, window=Window(window.seat, 0))
    fits = 0 if reached else hand.fits
    return hand._replace(scores=scores, since=since, fits=fits, over=over), taken


def _moved(hands: tuple[int, ...], seat: int, bit: int) -> tuple[int, ...]:
    """The hands after a tile went into the seat's or out of it."""
    held = [*hands]  # a list is changed in half the time that a tuple is put together
    held[seat] ^= bit
    return tuple(held)


def _score(rules: Rules, hands: tuple[int, ...], seat: int, line: Line) -> int:
    """What the play scores that led to this line and these hands (SPEC R10)."""
    if not rules.scores:
        return 0
    points = rules.scores[line.count]
    if not hands[seat] and rules.out_points and _all_out(rules, hands, seat):
        points += rules.out_points
    return points


def _all_out(rules: Rules, hands: tuple[int, ...], seat: int) -> bool:
    """Whether a seat without tiles ends the hand: with `goes_out: side` its partner is out too."""
    if not rules.side_out:
        return True
    side = rules.side_of[seat]
    return not any(mask for mask, of in zip(hands, rules.side_of, strict=True) if of == side)


def _counted(hand: Hand, play: Play) -> Hand:
    """A play in a game where it may score, block early or go out for a side (SPEC R7, R10)."""
    rules, seat, scores = hand.rules, hand.turn, hand.scores
    line = hand.table.after[play.code & ~CLAIMED]
    if line is None:
        raise _not_listed()
    hands = _moved(hand.hands, seat, play.bit)
    points = _score(rules, hands, seat, line)
    since, claim = NOTHING, play.claim
    if rules.muggins:
        missed = points - (claim or 0)
        if missed < 0 or (claim is not None and claim < 1):
            raise _not_listed()
        since = Since(drawn=False, given=None, window=Window(seat, missed))
        points -= missed
    elif claim is not None:
        raise _not_listed()
    over: Finish | None = None
    if points:
        side = rules.side_of[seat]
        points = creditable(rules, scores, side, points)
        scores = added(scores, side, points)
        if rules.at_once and won(rules, scores) is not None:
            over = Finish("target", seat)
    turn = rules.after[seat]
    if over is None and not hands[seat] and _all_out(rules, hands, seat):
        over = Finish("domino", seat)
    if over is None and rules.side_out:
        turn = _next_in(rules, hands, turn)
    fits = hands[turn] & line.suits
    if over is None and not fits:
        over = blocked(rules, hands, hand.stock, line, seat)
    if over is None and rules.early_block:
        over = _early_block(hands, hand.stock, line, seat)
    if over is not None:
        fits, since = 0, NOTHING
    laid = (hand.laid, seat, play, points)
    return make_hand(
        Hand, (hand.opening, hands, hand.stock, line, laid, turn, since, scores, fits, over)
    )


def _next_in(rules: Rules, hands: tuple[int, ...], turn: int) -> int:
    """The first seat from `turn` on that holds a tile (SPEC R6)."""
    while not hands[turn]:
        turn = rules.after[turn]
    return turn


def blocked(
    rules: Rules, hands: Sequence[int], stock: tuple[int, ...], line: Line, causer: int
) -> Finish | None:
    """The block, when nobody can play and nobody may draw (SPEC R7)."""
    suits = line.suits
    for mask in hands:
        if mask & suits:
            return None
    if rules.draws and len(stock) > rules.protected:
        return None
    return Finish("blocked", causer)


def _early_block(
    hands: tuple[int, ...], stock: tuple[int, ...], line: Line, causer: int
) -> Finish | None:
    """The block that all can see: every tile that could match lies on the line (SPEC R7)."""
    off = mask_of(stock)
    for mask in hands:
        off |= mask
    return None if off & line.suits else Finish("blocked", causer)


def _drew(hand: Hand, _: Draw) -> Hand:
    opening, hands, stock, table, laid, seat, _since, scores, fits, over = hand
    if fits or over is not None or not hand.drawable:
        raise _not_listed()
    assert laid is not None  # before the first tile every tile fits
    bit = 1 << stock[0]
    hands = _moved(hands, seat, bit)
    stock = stock[1:]
    fits = bit & table.suits
    if not fits:
        over = blocked(opening.rules, hands, stock, table, laid[1])
    return make_hand(
        Hand, (opening, hands, stock, table, laid, seat, _HAS_DRAWN, scores, fits, over)
    )


def _passed(hand: Hand, _: Pass) -> Hand:
    if hand.fits or hand.over is not None:
        raise _not_listed()
    rules = hand.opening.rules
    if (rules.draws and hand.drawable) or (rules.giver and giver(hand) is not None):
        raise _not_listed()
    return _turned(hand)


def _declined(hand: Hand, _: Decline) -> Hand:
    if not may_decline(hand):
        raise _not_listed()
    return _turned(hand)


def _turned(hand: Hand) -> Hand:
    opening, hands, stock, table, laid, seat, _, scores, _, over = hand
    rules = opening.rules
    turn = rules.after[seat]
    if rules.side_out:
        turn = _next_in(rules, hands, turn)
    fits = hands[turn] & table.suits
    return make_hand(Hand, (opening, hands, stock, table, laid, turn, NOTHING, scores, fits, over))


def _gave(hand: Hand, gift: Give) -> Hand:
    seat = giver(hand)
    bit = 1 << gift.tile
    if seat is None or not hand.hands[seat] & bit:
        raise _not_listed()
    masks = list(hand.hands)
    masks[seat] ^= bit
    masks[hand.turn] |= bit
    return hand._replace(
        hands=tuple(masks),
        since=Since(drawn=False, given=gift.tile, window=None),
        fits=bit & hand.table.suits if masks[seat] else 0,
        over=None if masks[seat] else Finish("domino", seat),
    )


def _called(_hand: Hand, _call: Call) -> Hand:
    raise _not_listed()  # a call is no move, and whose it is has to be said: `call`


_MOVES: Mapping[type[Action], Callable[[Hand, Any], Hand]] = {
    Draw: _drew,
    Pass: _passed,
    Decline: _declined,
    Give: _gave,
    Call: _called,
}


def _not_listed() -> Illegal:
    return Illegal("rules/not-listed", "Take one of the legal actions, as it is listed.")
