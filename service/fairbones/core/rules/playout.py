"""Many moves at once: a hand carried on to its end without a value for each step (SPEC R6, R7).

The same as `legal` and `apply` in turn, which a test holds it to; for whoever plays millions of
hands and looks only at how they end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import DRAW, PASS, Action, Play
from fairbones.core.rules.counting import added, creditable
from fairbones.core.rules.hand import NOTHING, Finish, Hand
from fairbones.core.rules.lines import Line
from fairbones.core.rules.moves import apply, blocked
from fairbones.core.rules.rules import Rules
from fairbones.core.rules.series import won
from fairbones.core.rules.turns import legal

Choose = Callable[[Sequence[Action]], Action]

_DRAW_ONLY: tuple[Action, ...] = (DRAW,)
_PASS_ONLY: tuple[Action, ...] = (PASS,)


def play_out(hand: Hand, choose: Choose) -> Hand:
    """The hand at its end, every action chosen from the listed ones of the seat to act.

    Illegal `rules/not-listed` for a choice that is not listed.
    """
    if _is_simple(hand.rules) and hand.since is NOTHING:
        return _played_out(hand, choose)
    while hand.over is None:
        hand = apply(hand, choose(legal(hand)))
    return hand


def _is_simple(rules: Rules) -> bool:
    """Whether there are plays, draws and passes, and a seat without tiles ends the hand."""
    rare = rules.may_decline, rules.transfer, rules.muggins, rules.side_out, rules.early_block
    return not any(rare)


def _played_out(hand: Hand, choose: Choose) -> Hand:
    opening, rules, stock = hand.opening, hand.opening.rules, hand.stock
    held, table, laid, seat = [*hand.hands], hand.table, hand.laid, hand.turn
    fits, over, scores = hand.fits, hand.over, hand.scores
    due, counts, drawn, drawable = 0, rules.counts, 0, hand.drawable
    while over is None:
        if fits:
            play = choose(table.plays(fits))
            if not isinstance(play, Play) or not fits & play.bit:
                raise _not_listed()
            line = table.after(play.code)
            if line is None:
                raise _not_listed()
            held[seat] ^= play.bit
            if not held[seat]:
                over = Finish("domino", seat)
            if counts:
                due, scores, over = _scored(rules, scores, seat, line, over)
            table, laid, player = line, (laid, seat, play, due), seat
            seat = rules.after[seat]
            fits = held[seat] & line.suits
            if not fits and not drawable and over is None:
                over = blocked(rules, held, stock[drawn:], line, player)
        elif drawable:
            if choose(_DRAW_ONLY) is not DRAW:
                raise _not_listed()
            bit = 1 << stock[drawn]
            drawn, drawable = drawn + 1, drawable - 1
            held[seat] ^= bit
            fits = bit & table.suits
            if not fits and not drawable:
                assert laid is not None  # before the first tile every tile fits
                over = blocked(rules, held, stock[drawn:], table, laid[1])
        else:
            if choose(_PASS_ONLY) is not PASS:
                raise _not_listed()
            seat = rules.after[seat]
            fits = held[seat] & table.suits
    return Hand(opening, tuple(held), stock[drawn:], table, laid, seat, NOTHING, scores, 0, over)


def _scored(
    rules: Rules, scores: tuple[int, ...], seat: int, line: Line, over: Finish | None
) -> tuple[int, tuple[int, ...], Finish | None]:
    """What a play is credited that led to this line, the scores with it, and whether it ends."""
    due = rules.scores[line.count] + (rules.out_points if over else 0)
    if due:
        side = rules.side_of[seat]
        due = creditable(rules, scores, side, due)
        scores = added(scores, side, due)
        if rules.at_once and won(rules, scores) is not None:
            over = Finish("target", seat)
    return due, scores, over


def _not_listed() -> Illegal:
    return Illegal("rules/not-listed", "Take one of the legal actions, as it is listed.")
