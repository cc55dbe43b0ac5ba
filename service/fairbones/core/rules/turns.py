"""What seats may do: the list, and the judgement of what was asked (SPEC R6, R10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from fairbones.core.bones import SUIT, bits, text
from fairbones.core.errors import Illegal
from fairbones.core.rules.actions import (
    CALL,
    DECLINE,
    DRAW,
    GIFTS,
    PASS,
    PLAYS,
    Action,
    Call,
    Decline,
    Draw,
    Give,
    Pass,
    Play,
)
from fairbones.core.rules.hand import Hand, giver, may_decline, to_act
from fairbones.core.rules.moves import call, may_call, scored

NOBODY: AbstractSet[int] = frozenset()
_DRAW_ONLY = (DRAW,)
_PASS_ONLY = (PASS,)


def legal(hand: Hand) -> tuple[Action, ...]:
    """Every action of the seat to act in listed form and order; none when the hand is over.

    By tile id, then by end, then draw, decline, the gifts, pass (SPEC R6). Calls are not here:
    they need not be the seat to act's; `listed` has them.
    """
    fits = hand.fits
    if fits:
        plays = hand.table.plays[fits]
        return (*plays, DECLINE) if hand.since.drawn and may_decline(hand) else plays
    if hand.over is not None:
        return ()
    rules = hand.opening.rules
    if rules.draws and hand.drawable:
        return _DRAW_ONLY
    seat = giver(hand) if rules.giver else None
    return _PASS_ONLY if seat is None else tuple(GIFTS[tile] for tile in bits(hand.hands[seat]))


def listed(hand: Hand, seat: int, left: AbstractSet[int] = NOBODY) -> tuple[Action, ...]:
    """What that seat may do: its legal actions if it is the seat to act, and its call (SPEC R10).

    `left` are the seats that have left; they do nothing any more.
    """
    if seat in left:
        return ()
    actions = legal(hand) if seat == to_act(hand) else ()
    return (*actions, CALL) if may_call(hand, seat) else actions


def forced(hand: Hand) -> Action | None:
    """The draw or the pass that is the only legal action; a play is never forced (SPEC R6)."""
    if hand.fits or hand.over is not None or giver(hand) is not None:
        return None
    return DRAW if hand.drawable else PASS


def admit(hand: Hand, seat: int, action: Action) -> Action:
    """The listed form of an action `seat` may take now (SPEC R6).

    Where equal ends are one action either name is taken. Illegal otherwise: `rules/hand-over`,
    `rules/not-your-turn`; for a play `rules/must-give`, `rules/not-in-hand`, `rules/given-tile`,
    `rules/must-set`, `rules/end-not-allowed`, `rules/end-needed`, `rules/unknown-end`,
    `rules/closed-end`, `rules/does-not-fit`, `rules/claim`; for the rest `rules/must-play`,
    `rules/must-draw`, `rules/must-give`, `rules/may-not-draw`, `rules/may-not-decline`,
    `rules/may-not-give`, `rules/may-not-call`, `rules/nothing-missed`.
    """
    if hand.over is not None:
        raise Illegal("rules/hand-over", "The hand is over: wait for the next deal.")
    if isinstance(action, Call):
        call(hand, seat)
        return action
    acting = to_act(hand)
    if seat != acting:
        raise Illegal("rules/not-your-turn", f"Wait: seat {acting} is on turn.", turn=acting)
    return _ADMIT[type(action)](hand, action)


def _admit_play(hand: Hand, play: Play) -> Play:
    _must_not_give(hand)
    tile = play.tile
    if not hand.hands[hand.turn] >> tile & 1:
        raise Illegal("rules/not-in-hand", f"You do not hold {text(tile)}: play one you hold.")
    if hand.given is not None and hand.fits and tile != hand.given:
        wanted = text(hand.given)
        raise Illegal("rules/given-tile", f"Play the {wanted} you were given.", tile=wanted)
    found = _first_tile(hand, play) if hand.table.shape is None else _at_an_end(hand, play)
    if play.claim is None:
        return found
    due = scored(hand, found) if hand.rules.muggins else 0
    if not 0 < play.claim <= due:
        raise Illegal(
            "rules/claim",
            "Claim what the play scores or less, and nothing where there is nothing to claim.",
        )
    return Play(tile, found.end, play.claim)


def _first_tile(hand: Hand, play: Play) -> Play:
    if hand.must_set is not None and play.tile != hand.must_set:
        wanted = text(hand.must_set)
        raise Illegal("rules/must-set", f"Set the {wanted}: it leads.", tile=wanted)
    if play.end is not None:
        raise Illegal("rules/end-not-allowed", "The first tile has no end: leave it out.")
    return PLAYS[None][play.tile]


def _at_an_end(hand: Hand, play: Play) -> Play:
    ends = {end.name: end for end in hand.ends}
    names = [end.name for end in hand.ends if end.open]
    if play.end is None:
        raise Illegal("rules/end-needed", "Say at which end you play it.", ends=names)
    if play.end not in ends:
        raise Illegal(
            "rules/unknown-end", f"Name one of these ends: {', '.join(names)}.", ends=names
        )
    end = ends[play.end]
    if not end.open:
        raise Illegal(
            "rules/closed-end",
            "This side of the spinner opens once two others are covered.",
            ends=names,
        )
    if not SUIT[end.value] >> play.tile & 1:
        raise Illegal(
            "rules/does-not-fit",
            f"{text(play.tile)} has no {end.value}: choose a tile or an end that matches.",
            end=end.name,
            value=end.value,
        )
    plays = hand.table.plays[1 << play.tile]
    # Of equal ends that are one action the first is listed.
    same = (listed for listed in plays if listed.end and ends[listed.end].value == end.value)
    exact = PLAYS[end.name][play.tile]
    return exact if exact in plays else next(same)


def _admit_draw(hand: Hand, draw: Draw) -> Draw:
    _must_not_play(hand)
    if not hand.drawable:
        raise Illegal("rules/may-not-draw", "There is nothing you may draw.")
    return draw


def _admit_pass(hand: Hand, pass_: Pass) -> Pass:
    _must_not_play(hand)
    _must_not_draw(hand)
    _must_not_give(hand)
    return pass_


def _admit_give(hand: Hand, gift: Give) -> Give:
    seat = giver(hand)
    if seat is None:
        raise Illegal(
            "rules/may-not-give", "There is nobody you have to give a tile: play, draw or pass."
        )
    if not hand.hands[seat] >> gift.tile & 1:
        raise Illegal("rules/not-in-hand", "You do not hold that tile: give one you hold.")
    return gift


def _admit_decline(hand: Hand, decline: Decline) -> Decline:
    if may_decline(hand):
        return decline
    if not hand.fits:
        _must_not_draw(hand)
        _must_not_give(hand)
    raise Illegal(
        "rules/may-not-decline",
        "Only a tile drawn in this turn may be declined, where the rules let you: "
        + ("play." if hand.fits else "pass."),
    )


def _must_not_play(hand: Hand) -> None:
    if hand.fits:
        message = "You hold a tile that fits: play it."
        if may_decline(hand):
            message = "The tile you drew fits: play it or decline."
        raise Illegal("rules/must-play", message)


def _must_not_draw(hand: Hand) -> None:
    if hand.drawable and not hand.fits:
        raise Illegal("rules/must-draw", "No tile of yours fits: draw.")


def _must_not_give(hand: Hand) -> None:
    if giver(hand) is not None:
        raise Illegal(
            "rules/must-give", f"Seat {hand.turn} cannot play: give it one of your tiles."
        )


_ADMIT: Mapping[type[Action], Callable[[Hand, Any], Action]] = {
    Play: _admit_play,
    Draw: _admit_draw,
    Pass: _admit_pass,
    Decline: _admit_decline,
    Give: _admit_give,
}
