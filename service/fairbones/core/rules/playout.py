"""Many moves at once: a hand carried on to its end without a value for each step (SPEC R6, R7).

The same as `legal` and `apply` in turn, which a test holds it to; for whoever plays millions of
hands and looks only at how they end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import PASS, Action, Play
from fairbones.core.rules.hand import NOTHING, Finish, Hand
from fairbones.core.rules.moves import apply, blocked
from fairbones.core.rules.turns import legal

Choose = Callable[[Sequence[Action]], Action]


def play_out(hand: Hand, choose: Choose) -> Hand:
    """The hand at its end, every action chosen from the listed ones of the seat to act.

    Illegal `rules/not-listed` for a choice that is not listed.
    """
    rules = hand.rules
    if rules.plain and not rules.draws and not rules.transfer:
        return _laid_out(hand, choose)
    while hand.over is None:
        hand = apply(hand, choose(legal(hand)))
    return hand


def _laid_out(hand: Hand, choose: Choose) -> Hand:
    """A hand of nothing but plays and passes."""
    opening, hands, stock, table, laid, seat, _, scores, fits, over = hand
    rules, held = opening.rules, list(hands)
    while over is None:
        if not fits:
            if choose((PASS,)) is not PASS:
                raise _not_listed()
            seat = rules.after[seat]
            fits = held[seat] & table.suits
            continue
        # Tile by tile: the plays of one are always remembered, those of many seldom.
        plays: list[Action] = []
        rest = fits
        while rest:
            bit = rest & -rest
            plays += table.plays[bit]
            rest ^= bit
        play = choose(plays)
        if not isinstance(play, Play) or not fits & play.bit:
            raise _not_listed()
        line = table.after[play.code]
        if line is None:
            raise _not_listed()
        table, laid = line, (laid, seat, play, 0)
        held[seat] ^= play.bit
        if not held[seat]:
            fits, over = 0, Finish("domino", seat)
            continue
        player, seat = seat, rules.after[seat]
        fits = held[seat] & line.suits
        if not fits:
            over = blocked(rules, held, stock, line, player)
    return Hand(opening, tuple(held), stock, table, laid, seat, NOTHING, scores, fits, over)


def _not_listed() -> Illegal:
    return Illegal("rules/not-listed", "Take one of the legal actions, as it is listed.")
