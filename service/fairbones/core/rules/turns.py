"""What the seat on turn may do: the list, and the judgement of what was asked (SPEC R6)."""

from __future__ import annotations

from fairbones.core.bones import SUIT, text
from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import (
    DECLINE,
    DRAW,
    PASS,
    PLAYS,
    Action,
    Decline,
    Draw,
    Play,
)
from fairbones.core.rules.endings import finish
from fairbones.core.rules.ends import distinct
from fairbones.core.rules.hand import Hand, fitting, may_decline


def legal(hand: Hand) -> tuple[Action, ...]:
    """Every action of the seat on turn in listed form and order; none when the hand is over.

    By tile id, then by end, then draw, decline, pass (SPEC R6).
    """
    fits = fitting(hand)
    if not fits:
        # Drawing comes before the end of a hand: who may draw keeps it going (SPEC R7).
        if finish(hand) is not None:
            return ()
        return (DRAW,) if hand.drawable else (PASS,)
    if hand.causer is not None and not hand.hands[hand.causer]:
        return ()
    ends = hand.ends
    actions: list[Action] = []
    if ends:
        choices = [(SUIT[end.value], PLAYS[end.name]) for end in distinct(ends)]
        while fits:
            bit = fits & -fits
            fits ^= bit
            for suit, plays in choices:
                if suit & bit:
                    actions.append(plays[bit.bit_length() - 1])
        if may_decline(hand):
            actions.append(DECLINE)
    else:
        plays = PLAYS[None]
        while fits:
            bit = fits & -fits
            fits ^= bit
            actions.append(plays[bit.bit_length() - 1])
    return tuple(actions)


def forced(hand: Hand) -> Action | None:
    """The draw or the pass that is the only legal action; a play is never forced (SPEC R6)."""
    if fitting(hand) or finish(hand) is not None:
        return None
    return DRAW if hand.drawable else PASS


def admit(hand: Hand, seat: int, action: Action) -> Action:
    """The listed form of an action `seat` may take now (SPEC R6).

    Of two equal ends either name is taken. Illegal otherwise: `rules/hand-over`,
    `rules/not-your-turn`; for a play `rules/not-in-hand`, `rules/must-set`,
    `rules/end-not-allowed`, `rules/end-needed`, `rules/unknown-end`, `rules/does-not-fit`; for
    the rest `rules/must-play`, `rules/must-draw`, `rules/may-not-draw`, `rules/may-not-decline`.
    """
    if finish(hand) is not None:
        raise Illegal("rules/hand-over", "The hand is over: wait for the next deal.")
    if seat != hand.turn:
        raise Illegal("rules/not-your-turn", f"Wait: seat {hand.turn} is on turn.", turn=hand.turn)
    if isinstance(action, Play):
        return _admit_play(hand, action)
    if isinstance(action, Decline):
        return _admit_decline(hand)
    if fitting(hand):
        message = "You hold a tile that fits: play it."
        if may_decline(hand):
            message = "The tile you drew fits: play it or decline."
        raise Illegal("rules/must-play", message)
    if isinstance(action, Draw):
        if not hand.drawable:
            raise Illegal("rules/may-not-draw", "There is nothing you may draw: pass.")
        return DRAW
    _must_not_draw(hand)
    return PASS


def _admit_play(hand: Hand, play: Play) -> Play:
    tile = play.tile
    if not hand.hands[hand.turn] >> tile & 1:
        raise Illegal("rules/not-in-hand", f"You do not hold {text(tile)}: play one you hold.")
    if not hand.ends:
        if hand.must_set is not None and tile != hand.must_set:
            wanted = text(hand.must_set)
            raise Illegal("rules/must-set", f"Set the {wanted}: it leads.", tile=wanted)
        if play.end is not None:
            raise Illegal("rules/end-not-allowed", "The first tile has no end: leave it out.")
        return PLAYS[None][tile]
    names = [end.name for end in hand.ends]
    if play.end is None:
        raise Illegal("rules/end-needed", "Say at which end you play it.", ends=names)
    if play.end not in names:
        raise Illegal(
            "rules/unknown-end", f"Name one of these ends: {', '.join(names)}.", ends=names
        )
    value = hand.ends[names.index(play.end)].value
    if not SUIT[value] >> tile & 1:
        raise Illegal(
            "rules/does-not-fit",
            f"{text(tile)} has no {value}: choose a tile or an end that matches.",
            end=play.end,
            value=value,
        )
    listed = next(end for end in hand.ends if end.value == value)
    return PLAYS[listed.name][tile]


def _admit_decline(hand: Hand) -> Action:
    if may_decline(hand):
        return DECLINE
    if not fitting(hand):
        _must_not_draw(hand)
    raise Illegal(
        "rules/may-not-decline",
        "Only a tile drawn in this turn may be declined, where the rules let you: "
        + ("play." if fitting(hand) else "pass."),
    )


def _must_not_draw(hand: Hand) -> None:
    if hand.drawable:
        raise Illegal("rules/must-draw", "No tile of yours fits: draw.")
