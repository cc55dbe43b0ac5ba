"""A hand put together from what lies where, for cases that begin in the middle."""

from __future__ import annotations

from collections.abc import Sequence

from fairbones.core.bones import parse
from fairbones.core.rules import Hand, Lead, Rules, Window, deal
from fairbones.core.rules.hand import Since

Step = tuple[int, str, str | None]  # the seat, the tile, the end


def position(
    rules: Rules,
    hands: Sequence[Sequence[str]],
    line: Sequence[Step] = (),
    *,
    boneyard: Sequence[str] = (),
    lead: Lead | None = None,
    turn: int | None = None,
    drawn: bool = False,
    scores: tuple[int, ...] | None = None,
    window: Window | None = None,
) -> Hand:
    """The hand in which the seats hold that now and the line was laid so.

    The line is laid on a table of its own, by rules that let everybody lay anything, so hands may
    be smaller than a deal. `turn` is the seat on turn; the seat after the last player by default.
    """
    first = Lead(line[0][0] if line else 0, None) if lead is None else lead
    held = [[parse(tile) for tile in hand] for hand in hands]
    hand = deal(rules, held, [parse(tile) for tile in boneyard], first, scores)
    table, laid = hand.table, hand.laid
    for seat, tile, end in line:
        play = next((play for play in table.plays(1 << parse(tile)) if play.end == end), None)
        assert play is not None, f"{tile} does not go at {end}"
        after = table.after(play.code)
        assert after is not None
        table, laid = after, (laid, seat, play, 0)
    if line and turn is None:
        turn = (line[-1][0] + 1) % rules.seats
    seat = first.seat if turn is None else turn
    fits = hand.hands[seat] & table.suits
    if not line and first.must_set is not None:
        fits = 1 << first.must_set
    since = Since(drawn=drawn, given=None, window=window)
    return hand.but(table=table, laid=laid, turn=seat, since=since, fits=fits)


def ends(hand: Hand) -> dict[str, int]:
    """The open ends by name."""
    return {end.name: end.value for end in hand.ends if end.open}
