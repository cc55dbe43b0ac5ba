"""What a refused seat is told to do is what it can do then (SPEC R6, R10)."""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from fairbones.core.bones import parse
from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    CALL,
    DECLINE,
    DRAW,
    PASS,
    Action,
    Give,
    Hand,
    Play,
    admit,
    apply,
    compile_rules,
    giver,
    legal,
    resolve,
    to_act,
)
from tests.rules.games import dealt
from tests.rules.positions import position

STUCK = [["1-1", "0-0"], ["6-4", "2-2"]]  # seat 0 holds nothing that goes at 6-3


def hand_of(
    ruleset: str,
    hands: list[list[str]],
    options: Mapping[str, object] | None = None,
    boneyard: tuple[str, ...] = (),
    *,
    drawn: bool = False,
) -> Hand:
    """Seat 0 is on turn, and 6-3 lies on the table."""
    seats = len(hands)
    rules = compile_rules(resolve(ruleset, seats, options or {}), seats)
    line = [(seats - 1, "6-3", None)]
    return position(rules, hands, line, boneyard=boneyard, turn=0, drawn=drawn)


def play(tile: str, end: str = "left", claim: int | None = None) -> Play:
    return Play(parse(tile), end, claim)


def told(hand: Hand, seat: int, action: Action) -> tuple[str, str]:
    """The code and the sentence of a refusal."""
    with pytest.raises(Illegal) as caught:
        admit(hand, seat, action)
    return caught.value.code, caught.value.message


def transfer(last: str = "wins") -> Hand:
    """Seat 0 cannot play, and seat 3, at its left, has to give it a tile."""
    hands = [["1-0", "1-1"], ["6-2", "5-5"], ["4-4"], ["5-3", "4-1"]]
    return hand_of("middle-eastern", hands, {"transfer": True, "last_tile_transfer": last})


@pytest.mark.parametrize(
    ("ruleset", "options", "boneyard", "message"),
    [
        ("block", {}, ("6-6",), "This game has no drawing: pass."),
        ("draw", {}, (), "Nothing is left to draw: pass."),
        ("draw", {"protected": 1}, ("6-6",), "Nothing is left to draw: pass."),
    ],
)
def test_who_may_not_draw_passes(
    ruleset: str, options: Mapping[str, object], boneyard: tuple[str, ...], message: str
) -> None:
    hand = hand_of(ruleset, STUCK, options, boneyard)
    assert told(hand, 0, DRAW) == ("rules/may-not-draw", message)
    assert legal(hand) == (PASS,)


def test_who_has_to_give_does_not_draw() -> None:
    hand = transfer()
    assert told(hand, 3, DRAW) == (
        "rules/may-not-draw",
        "This game has no drawing: give seat 0 one of your tiles.",
    )
    assert told(hand, 3, play("5-3"))[0] == "rules/must-give"


def test_while_a_gift_is_due_all_are_told_who_gives_whom() -> None:
    """The sitter too, who is on turn but not to act (SPEC R6, "the seat to act")."""
    hand = transfer()
    assert to_act(hand) == 3
    for action in (PASS, play("1-0"), DRAW, DECLINE):
        assert told(hand, 0, action) == (
            "rules/not-your-turn",
            "Wait: seat 3 has to give you a tile first.",
        )
    assert told(hand, 1, PASS)[1] == "Wait: seat 3 has to give seat 0 a tile first."
    assert told(hand, 1, Give(parse("6-2")))[0] == "rules/not-your-turn"


@pytest.mark.parametrize("seat", [0, 1])
def test_what_a_match_never_has_is_said_first(seat: int) -> None:
    """On turn or not, whatever the tile: no waiting would help."""
    hand = hand_of("block", STUCK)
    assert told(hand, seat, Give(parse("5-5"))) == (
        "rules/may-not-give",
        "This game has no transfer: no tile is given.",
    )
    assert told(hand, seat, CALL) == (
        "rules/may-not-call",
        "This match is without muggins: nobody calls.",
    )
    assert told(hand, seat, play("5-5", claim=3)) == (
        "rules/claim",
        "This match is without muggins: no play scores, leave claim out.",
    )
    counts = hand_of("all-fives", STUCK)
    assert told(counts, seat, play("6-4", claim=5)) == (
        "rules/claim",
        "This match is without muggins: points are credited by themselves, leave claim out.",
    )


def test_too_high_a_claim_is_not_told_what_is_right() -> None:
    """SPEC R10: with muggins to count is the player's affair."""
    hand = hand_of("all-fives", [["6-2", "0-0"], ["6-4", "2-2"]], {"muggins": True})
    message = "Claim what the play scores or less, and leave claim out where it scores nothing."
    assert told(hand, 0, play("6-2", claim=6)) == ("rules/claim", message)
    assert admit(hand, 0, play("6-2", claim=5)) == play("6-2", claim=5)


def test_a_tile_that_fits_nowhere_while_none_does() -> None:
    """Nobody is sent to look for a tile that matches when there is none."""
    assert told(hand_of("block", STUCK), 0, play("1-1"))[1] == "1-1 has no 6: pass."
    draws = hand_of("draw", STUCK, boneyard=("6-6",))
    assert told(draws, 0, play("1-1"))[1] == "1-1 has no 6: draw."
    fits = hand_of("block", [["6-1", "0-0"], ["6-4", "2-2"]])
    message = "0-0 has no 6: choose a tile or an end that matches."
    assert told(fits, 0, play("0-0")) == ("rules/does-not-fit", message)


@pytest.mark.parametrize(
    ("options", "drawn", "hands", "message"),
    [
        ({}, True, [["6-1"], ["2-2"]], "In this match nothing is declined: play a tile that fits."),
        (
            {"drawn_tile": "may-play"},
            False,
            [["6-1"], ["2-2"]],
            "You have drawn nothing in this turn: play a tile that fits.",
        ),
        ({"drawn_tile": "may-play"}, True, STUCK, "What you drew does not fit: pass."),
    ],
)
def test_who_may_not_decline(
    options: Mapping[str, object], drawn: bool, hands: list[list[str]], message: str
) -> None:
    hand = hand_of("draw", hands, options, drawn=drawn)
    assert told(hand, 0, DECLINE) == ("rules/may-not-decline", message)


# The last words of a sentence, and the actions that they stand for.
ADVICE: dict[str, type] = {
    "play a tile that fits": Play,
    "play it": Play,
    "draw": type(DRAW),
    "pass": type(PASS),
    "give it one of your tiles": Give,
}


@pytest.mark.parametrize(
    ("ruleset", "seats", "options"),
    [
        ("block", 3, {}),
        ("draw", 2, {"protected": 1}),
        ("middle-eastern", 4, {"transfer": True}),
        ("middle-eastern", 4, {"transfer": True, "last_tile_transfer": "exempt"}),
        ("all-fives", 3, {"muggins": True}),
    ],
)
def test_advice_can_be_followed(
    ruleset: str, seats: int, options: Mapping[str, object], seed: random.Random
) -> None:
    """Whatever the seat to act is told to do instead is legal."""
    rules = compile_rules(resolve(ruleset, seats, options), seats)
    followed: set[str] = set()
    for _ in range(20):
        hand = dealt(rules, seed)
        while actions := legal(hand):
            seat = to_act(hand)
            for action in (DRAW, PASS, DECLINE, play("6-3"), Give(seed.randrange(28))):
                if action in actions:
                    continue
                _, message = told(hand, seat, action)
                _, colon, advice = message.removesuffix(".").rpartition(": ")
                advice = advice.replace(f"seat {hand.turn}", "it")
                if colon and advice in ADVICE:
                    followed.add(advice)
                    assert any(isinstance(it, ADVICE[advice]) for it in actions), message
            assert giver(hand) in (None, seat)
            hand = apply(hand, seed.choice(actions))
    assert followed
