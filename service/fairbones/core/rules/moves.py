"""The one step that moves a hand on (SPEC R6), and the call that does not (SPEC R10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fairbones.core.bones import mask_of
from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import CLAIMED, Action, Call, Decline, Draw, Give, Pass, Play
from fairbones.core.rules.counting import Window, added, creditable
from fairbones.core.rules.hand import (
    NOTHING,
    Finish,
    Hand,
    Since,
    giver,
    may_decline,
)
from fairbones.core.rules.lines import Line
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
    opening, seat, bit = hand.opening, hand.turn, action.bit
    if not hand.fits & bit:
        raise _not_listed()
    rules = opening.rules
    if not rules.plain:
        return _counted(hand, action)
    line = hand.table.after(action.code)
    if line is None:
        raise _not_listed()
    held = [*hand.hands]  # a list is changed in half the time that a tuple is put together
    held[seat] ^= bit
    hands = tuple(held)
    turn = rules.after[seat]
    fits, over = held[turn] & line.suits, None
    if not held[seat]:
        fits, over = 0, Finish("domino", seat)
    elif not fits:
        over = blocked(rules, held, hand.stock, line, seat)
    laid = (hand.laid, seat, action, 0)
    return Hand(opening, hands, hand.stock, line, laid, turn, NOTHING, hand.scores, fits, over)


def scored(hand: Hand, play: Play) -> int:
    """What a listed play scores, claimed or not (SPEC R10)."""
    rules, seat = hand.rules, hand.turn
    if not rules.scores:
        return 0
    line = hand.table.after(play.code & ~CLAIMED)
    if line is None or not hand.fits & play.bit:
        raise _not_listed()
    held = [*hand.hands]
    held[seat] ^= play.bit
    return _score(rules, line, out=_goes_out(rules, held, seat))


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
    return hand.but(scores=scores, since=since, fits=fits, over=over), taken


def _score(rules: Rules, line: Line, *, out: bool) -> int:
    """What the play scores that led to this line (SPEC R10)."""
    points = rules.scores[line.count]
    return points + rules.out_points if out else points


def _goes_out(rules: Rules, held: Sequence[int], seat: int) -> bool:
    """Whether the seat ends the hand so: with `goes_out: side` its partner has to be out too."""
    if held[seat]:
        return False
    if not rules.side_out:
        return True
    side = rules.side_of[seat]
    return not any(mask for mask, of in zip(held, rules.side_of, strict=True) if of == side)


def _counted(hand: Hand, play: Play) -> Hand:
    """A play in a game where it may score, block early or go out for a side (SPEC R7, R10)."""
    opening, seat, scores = hand.opening, hand.turn, hand.scores
    rules, line = opening.rules, hand.table.after(play.code & ~CLAIMED)
    if line is None:
        raise _not_listed()
    held = [*hand.hands]
    held[seat] ^= play.bit
    out = not held[seat] and _goes_out(rules, held, seat)
    points = _score(rules, line, out=out) if rules.scores else 0
    since = NOTHING
    if rules.muggins or play.claim is not None:
        since = _claimed(rules, play, seat, points)
        points = play.claim or 0
    over: Finish | None = None
    if points:
        side = rules.side_of[seat]
        points = creditable(rules, scores, side, points)
        scores = added(scores, side, points)
        if rules.at_once and won(rules, scores) is not None:
            over = Finish("target", seat)
    if out and over is None:
        over = Finish("domino", seat)
    turn = rules.after[seat]
    if over is None and rules.side_out:
        turn = _next_in(rules, held, turn)
    fits = held[turn] & line.suits
    if over is None and not fits:
        over = blocked(rules, held, hand.stock, line, seat)
    if over is None and rules.early_block:
        over = _early_block(held, hand.stock, line, seat)
    if over is not None:
        fits, since = 0, NOTHING
    laid = (hand.laid, seat, play, points)
    return Hand(opening, tuple(held), hand.stock, line, laid, turn, since, scores, fits, over)


def _claimed(rules: Rules, play: Play, seat: int, points: int) -> Since:
    """What a play leaves to calls that scores so many points and claims some (SPEC R10)."""
    missed = points - (play.claim or 0)
    if not rules.muggins or missed < 0 or (play.claim is not None and play.claim < 1):
        raise _not_listed()
    return Since(drawn=False, given=None, window=Window(seat, missed))


def _next_in(rules: Rules, hands: Sequence[int], turn: int) -> int:
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
    hands: Sequence[int], stock: tuple[int, ...], line: Line, causer: int
) -> Finish | None:
    """The block that all can see: every tile that could match lies on the line (SPEC R7)."""
    off = mask_of(stock)
    for mask in hands:
        off |= mask
    return None if off & line.suits else Finish("blocked", causer)


def _drew(hand: Hand, _: Draw) -> Hand:
    stock, seat, table = hand.stock, hand.turn, hand.table
    if hand.fits or hand.over is not None or not hand.drawable:
        raise _not_listed()
    assert hand.laid is not None  # before the first tile every tile fits
    bit = 1 << stock[0]
    held, rest = [*hand.hands], stock[1:]
    held[seat] ^= bit
    fits, over = bit & table.suits, None
    if not fits:
        over = blocked(hand.opening.rules, held, rest, table, hand.laid[1])
    hands = tuple(held)
    return Hand(
        hand.opening, hands, rest, table, hand.laid, seat, _HAS_DRAWN, hand.scores, fits, over
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
    opening, hands, table = hand.opening, hand.hands, hand.table
    rules = opening.rules
    turn = rules.after[hand.turn]
    if rules.side_out:
        turn = _next_in(rules, hands, turn)
    fits = hands[turn] & table.suits
    return Hand(
        opening, hands, hand.stock, table, hand.laid, turn, NOTHING, hand.scores, fits, hand.over
    )


def _gave(hand: Hand, gift: Give) -> Hand:
    seat = giver(hand)
    bit = 1 << gift.tile
    if seat is None or not hand.hands[seat] & bit:
        raise _not_listed()
    masks = list(hand.hands)
    masks[seat] ^= bit
    masks[hand.turn] |= bit
    return hand.but(
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
