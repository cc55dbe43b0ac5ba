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
from fairbones.core.rules.rules import Rules

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
        plays = hand.table.plays(fits)
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
    if _is_listed(hand, seat, action):
        return action
    _in_play(hand)
    _in_this_match(hand.rules, action)
    if isinstance(action, Call):
        call(hand, seat)
        return action
    if isinstance(action, Give):
        admit_giver(hand, seat)
    else:
        _on_turn(hand, seat)
    return _ADMIT[type(action)](hand, action)


def admit_giver(hand: Hand, seat: int) -> None:
    """That this seat has to give a tile, whichever; what `admit` says of it otherwise."""
    _in_play(hand)
    _in_this_match(hand.rules, GIFTS[0])
    _on_turn(hand, seat)
    if giver(hand) is None:
        raise Illegal(
            "rules/may-not-give", f"There is nobody you have to give a tile: {_instead(hand)}."
        )


def _in_play(hand: Hand) -> None:
    if hand.over is not None:
        raise Illegal("rules/hand-over", "The hand is over: wait for the next deal.")


def _in_this_match(rules: Rules, action: Action) -> None:
    """What a match never has is said before whose turn it is: no waiting would help."""
    if isinstance(action, Give) and not rules.transfer:
        raise Illegal("rules/may-not-give", "This game has no transfer: no tile is given.")
    if rules.muggins:
        return
    if isinstance(action, Call):
        raise Illegal("rules/may-not-call", "This match is without muggins: nobody calls.")
    if isinstance(action, Play) and action.claim is not None:
        credit = "points are credited by themselves" if rules.counts else "no play scores"
        raise Illegal("rules/claim", f"This match is without muggins: {credit}, leave claim out.")


def _on_turn(hand: Hand, seat: int) -> None:
    acting = to_act(hand)
    if seat == acting:
        return
    message = f"Wait: seat {acting} is on turn."
    if acting != hand.turn:
        whom = "you" if seat == hand.turn else f"seat {hand.turn}"
        message = f"Wait: seat {acting} has to give {whom} a tile first."
    raise Illegal("rules/not-your-turn", message, turn=acting)


def _instead(hand: Hand) -> str:
    """What the seat to act may do, as the end of a sentence (SPEC R6)."""
    if hand.fits:
        return "play a tile that fits"
    if hand.drawable:
        return "draw"
    return "pass" if giver(hand) is None else f"give seat {hand.turn} one of your tiles"


def _is_listed(hand: Hand, seat: int, action: Action) -> bool:
    """Whether it is a play as it is listed, which most that is asked is; False says nothing."""
    return (
        isinstance(action, Play)
        and seat == hand.turn
        and hand.fits & action.bit != 0
        and hand.table.lists(action.code)
    )


def _admit_play(hand: Hand, play: Play) -> Play:
    _must_not_give(hand)
    tile = play.tile
    if not hand.hands[hand.turn] >> tile & 1:
        raise Illegal("rules/not-in-hand", f"You do not hold {text(tile)}: play one you hold.")
    if hand.given is not None and hand.fits and tile != hand.given:
        wanted = text(hand.given)
        raise Illegal("rules/given-tile", f"Play the {wanted} you were given.", tile=wanted)
    found = _first_tile(hand, play) if not hand.table.ends else _at_an_end(hand, play)
    if play.claim is None:
        return found
    if not 0 < play.claim <= scored(hand, found):
        # How much it scores is not said: with muggins to count is the player's affair (SPEC R10).
        raise Illegal(
            "rules/claim",
            "Claim what the play scores or less, and leave claim out where it scores nothing.",
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
            f"{text(play.tile)} has no {end.value}: "
            + ("choose a tile or an end that matches." if hand.fits else f"{_instead(hand)}."),
            end=end.name,
            value=end.value,
        )
    plays = hand.table.plays(1 << play.tile)
    # Of equal ends that are one action the first is listed.
    same = (listed for listed in plays if listed.end and ends[listed.end].value == end.value)
    exact = PLAYS[end.name][play.tile]
    return exact if exact in plays else next(same)


def _admit_draw(hand: Hand, draw: Draw) -> Draw:
    _must_not_play(hand)
    if not hand.drawable:
        why = "Nothing is left to draw" if hand.rules.draws else "This game has no drawing"
        raise Illegal("rules/may-not-draw", f"{why}: {_instead(hand)}.")
    return draw


def _admit_pass(hand: Hand, pass_: Pass) -> Pass:
    _must_not_play(hand)
    _must_not_draw(hand)
    _must_not_give(hand)
    return pass_


def _admit_give(hand: Hand, gift: Give) -> Give:
    if not hand.hands[to_act(hand)] >> gift.tile & 1:
        raise Illegal("rules/not-in-hand", "You do not hold that tile: give one you hold.")
    return gift


def _admit_decline(hand: Hand, decline: Decline) -> Decline:
    if may_decline(hand):
        return decline
    if not hand.fits:
        _must_not_draw(hand)
        _must_not_give(hand)
    why = "What you drew does not fit" if hand.drawn else "You have drawn nothing in this turn"
    if not hand.rules.may_decline:
        why = "In this match nothing is declined"
    raise Illegal("rules/may-not-decline", f"{why}: {_instead(hand)}.")


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
