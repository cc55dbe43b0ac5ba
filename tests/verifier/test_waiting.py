"""Waits of the newer rules: gifts in hands that run, the time for calls, blocks that all can see.

SPEC 8.4, 8.8, 9.3, R6 and R7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairbones_verify import verify
from tests.verifier.forgeries.calls import draws_next, misses
from tests.verifier.forgeries.gifts import GIVING, a_gift_is_due, it_may_play
from tests.verifier.forgeries.leads import DRAWN, seeded
from tests.verifier.forgeries.making import begun, second_turn
from tests.verifier.forgeries.scored import MUGGINS, may_score
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, DRAW, heavy, sealed
from tests.verifier.rows import Row, published


def reached(when: Callable[[House], bool], row: dict[str, Any], seats: int, **more: Any) -> House:
    """A match in its first hand, at the first wait where something holds."""

    def choose(house: House, seat: int) -> str:
        return "stop" if when(house) else "play"

    for seed in range(200):
        house = House(seed, row, seats, rounds=1, choose=choose, **more).play()
        if house.stopped:
            return house
    raise AssertionError("that never came about")


def running(house: House) -> str | None:
    """The code of the file as it is: its hand runs."""
    return verify(sealed(house.events)).code


def shown(house: House) -> str | None:
    """The code when the house calls the match off here and shows its seed."""
    house.say("voided", {"reason": "house", "server_seed": house.S.hex()})
    code = running(house)
    house.events.pop()
    return code


# Gifts in hands that run


def give_heaviest(house: House) -> None:
    giver = house.giver(house.turn)
    house.give(max(house.hands[giver], key=lambda p: heavy(house.tile(p))), 0)


def test_who_is_waited_for_is_not_known_before_a_gift() -> None:
    """In a hand that is not known "the seat to act is the seat on turn or the one at its left"."""
    house = reached(it_may_play, GIVING, 4)
    house.say("timed_out", {"seat": house.giver(house.turn)}, 30_000)
    assert running(house) == "order/unfinished"
    give_heaviest(house)
    assert running(house) is None
    assert shown(house) == "rules/not-your-turn"


def test_a_gift_to_who_can_play_shows_when_the_hand_is_known() -> None:
    house = reached(it_may_play, GIVING, 4)
    give_heaviest(house)
    report = verify(sealed(house.events))
    steps = sum(event["type"] in ("gave", "passed") for event in house.events)
    assert (report.verdict, report.forced_steps) == ("verified", steps)
    assert shown(house) == "rules/may-not-give"


def test_after_a_gift_only_the_seat_on_turn_is_waited_for() -> None:
    house = reached(a_gift_is_due, GIVING, 4)
    give_heaviest(house)
    house.say("timed_out", {"seat": house.giver(house.turn)}, 30_000)
    assert running(house) == "rules/not-your-turn"


@pytest.mark.parametrize("gone", ["turn", "giver", "both"])
def test_a_step_is_owed_when_both_have_left_that_may_be_waited_for(gone: str) -> None:
    house = reached(a_gift_is_due, GIVING, 4)
    giver = house.giver(house.turn)
    seats = {"turn": [house.turn], "giver": [giver], "both": [house.turn, giver]}[gone]
    for seat in seats:
        house.say("left", {"seat": seat}, 10)
        house.left.add(seat)
    assert running(house) == ("order/unfinished" if gone == "both" else None)
    # Known, it is the giver who is waited for.
    owed = giver in seats
    house.say("passed", {"seat": (giver + 2) % 4}, 0)
    assert shown(house) == ("rules/fixed-step" if owed else "rules/not-your-turn")


def test_gifts_do_not_break_a_row_of_passes() -> None:
    """SPEC 510: "as many `passed` in a row (gifts aside)"."""
    house = begun(GIVING, seats=4)
    house.fixed(100)
    for k in range(4):
        assert running(house) is None
        give_heaviest(house)
        house.say("passed", {"seat": house.turn}, 0)
        house.next()
        assert running(house) == (None if k < 3 else "rules/must-play")


@pytest.mark.parametrize(("later", "code"), [(999, "time/early-timeout"), (1_000, None)])
def test_a_slow_giver_has_a_second(later: int, code: str | None) -> None:
    """SPEC 8.4: the deadline is that of the seat to act, which is the giver or may be."""

    def choose(house: House, seat: int) -> str:
        slow = a_gift_is_due(house) and seat == 1 and house.idle[1] >= 3
        return "stop" if slow else "timeout" if seat == 1 else "play"

    houses = (House(seed, GIVING, 4, rounds=2, choose=choose).play() for seed in range(200))
    house = next(house for house in houses if house.stopped)
    house.say("timed_out", {"seat": 1}, later)
    give_heaviest(house)
    if not house.playable(house.turn):
        house.fixed()
    assert (running(house), shown(house)) == (code, code)


@pytest.mark.parametrize(("later", "code"), [(29_999, "time/early-timeout"), (30_000, None)])
def test_the_receivers_wait_begins_with_the_gift(later: int, code: str | None) -> None:
    """SPEC 8.4: "The wait begins at the event after which it waits for that seat"."""

    def fitting(house: House) -> bool:
        own = house.hands[house.giver(house.turn)]
        return a_gift_is_due(house) and any(map(house.fits, own)) and len(own) > 1

    house = reached(fitting, GIVING, 4)
    place = next(p for p in house.hands[house.actor()] if house.fits(p))
    house.give(place, 29_000)
    assert house.actor() == house.turn
    house.say("timed_out", {"seat": house.turn}, later)
    house.put(place, house.fits(place)[0], 0)
    assert shown(house) == code


# The time for calls (8.8)


def test_a_file_may_end_while_calls_are_waited_for() -> None:
    """SPEC 8.8: it looks the same whether the seat to act may choose or not."""
    house = reached(draws_next, MUGGINS, 2)
    assert running(house) is None
    assert shown(house) is None
    house.say("left", {"seat": house.turn}, 100)
    assert (running(house), shown(house)) == (None, None)
    house.left.add(house.turn)
    house.fixed(4_900)
    # The next steps of the seat that has left are of the same step, up to its play.
    while house.window is None and house.turn in house.left:
        assert running(house) == "order/unfinished"
        house.fixed()
    assert running(house) is None


@pytest.mark.parametrize("seconds", [1, 60])
def test_a_call_may_stand_until_the_later_of_two_times(seconds: int) -> None:
    """SPEC 8.8: "a `called` has `at <=` the deadline (8.4)", which the wait for calls may move."""
    row = {**MUGGINS, "call_seconds": seconds}
    for late in (0, 1):
        house = reached(may_score, row, 2)
        misses(house)
        house.call(1 - (house.window or 0), max(30, seconds) * 1_000 + late)
        assert shown(house) == ("time/late-action" if late else None)


def test_seats_do_not_wait_for_calls() -> None:
    house = reached(lambda house: house.window is not None and may_score(house), MUGGINS, 2)
    house.act(house.turn, "play", 0)
    assert shown(house) is None


def test_after_close_by_a_match_is_abandoned_while_calls_are_waited_for() -> None:
    """SPEC 8.5: "at any wait in a hand"; a head waits for the time of 8.8 too (8.2)."""
    for leave in (False, True):
        house = reached(draws_next, MUGGINS, 2)
        if leave:
            house.say("left", {"seat": house.turn}, 100)
        house.at = house.events[0]["data"]["close_by"] + 1
        house.settle("abandoned")
        assert verify(sealed(house.events), keys=()).code is None


def test_a_call_can_win_the_match() -> None:
    """SPEC R7: "after every play, draw, gift and call": the hand ends by target."""
    row = {**MUGGINS, "win_at": "at-once", "target": 5}
    house = reached(may_score, row, 2)
    misses(house)
    house.call(1 - (house.window or 0), 100)
    assert running(house) == "order/unfinished"
    assert house.over() == "target"
    house.settle("target")
    report = verify(sealed(house.events))
    assert report.verdict == "verified", report.text()
    assert report.result is not None
    assert report.result["reason"] == "target"


# What all can see


class UsedUp(House):
    """Stops where it would have to draw, and nothing off the line could match an end."""

    class Reached(Exception):
        pass

    def over(self) -> str | None:
        if self.plays and self.used_up() and self.can_draw():
            raise UsedUp.Reached
        return super().over()


@pytest.mark.parametrize("early", [False, True])
def test_an_early_block_is_seen_in_a_hand_that_runs(early: bool) -> None:
    """SPEC R7 and 500: with `early_block` the line alone tells that the hand is over."""
    for seed in range(500):
        house = UsedUp(seed, {**DRAW, "early_block": early, "hand": 9}, rounds=1)
        try:
            house.play()
        except UsedUp.Reached:
            break
    else:
        raise AssertionError("no line was used up")
    assert running(house) == ("order/unfinished" if early else None)
    house.say("drew", {"seat": house.turn, "seal": house.bone[0]})
    assert running(house) == ("rules/hand-over" if early else None)


def test_the_draw_for_the_lead_is_proved_at_once() -> None:
    """SPEC 9.3: for round 0 it is the first `lead_drawn`; nothing of hand 1 need be known."""
    house = seeded()
    house.draw_lead()
    house.deal(1)
    assert running(house) is None
    house = seeded()
    house.draw_lead()
    house.lead = 1 - house.lead
    house.events[-1]["data"]["lead"] = house.lead
    house.deal(1)
    assert running(house) == "deal/lead"


@pytest.mark.parametrize(
    ("row", "plays"),
    [
        (DRAWN, 0),
        (MUGGINS, 1),
        (published("block", 2), 1),
        ({**BLOCK, "first_lead": "top-double"}, 1),
    ],
)
def test_a_first_tile_is_counted_where_hidden_tiles_name_it(row: Row, plays: int) -> None:
    """SPEC 9.4: those that "set the first tile of a hand whose `dealt` has a `must_set`"."""
    house = seeded(row)
    house.draw_lead()
    house.deal(1)
    house.fixed(100)
    report = verify(sealed(house.events))
    assert (report.verdict, report.plays, report.forced_steps) == ("verified", plays, 0)


def later_hand(row: Row, seats: int, by_tile: bool, time_out: bool) -> tuple[int, list[int]]:
    """What is said of a match that stops after the first tile of hand 2: plays, hands proved."""
    for seed in range(300):
        house = House(seed, row, seats, rounds=2)
        house.sit()
        house.reveal()
        house.draw_lead()
        house.deal(1)
        if house.play_hand(1) or house.by_tile is not by_tile:
            continue
        house.deal(2)
        if time_out:
            house.say("timed_out", {"seat": house.turn}, 30_000)
        house.fixed(0)
        report = verify(sealed(house.events))
        assert (report.verdict, report.open) == ("verified", [2])
        return report.plays, report.proved
    raise AssertionError("no such hand")


@pytest.mark.parametrize("time_out", [False, True])
@pytest.mark.parametrize(
    ("row", "seats", "by_tile"),
    [
        ({**BLOCK, "next_lead": "highest-double"}, 2, True),
        ({**BLOCK, "next_lead": "winner"}, 2, False),
        ({**BLOCK, "next_lead": "rotate"}, 2, False),
        ({**BLOCK, "next_lead": "same"}, 2, False),
        ({**DRAWN, "next_lead": "highest-double"}, 2, True),
        (published("middle-eastern", 4), 4, True),
        (published("middle-eastern", 4), 4, False),
        ({**published("middle-eastern", 4), "no_winner_lead": "same"}, 4, False),
    ],
)
def test_so_is_one_of_a_later_hand(row: Row, seats: int, by_tile: bool, time_out: bool) -> None:
    """SPEC 9.4: "in a later hand under `next_lead: "highest-double"`, or where nobody won"; and "a
    play that does both counts once"."""
    plays, proved = later_hand(row, seats, by_tile, time_out)
    assert (plays, proved) == (int(by_tile or time_out), [1])


def test_promised_seats_are_no_ones_business_but_the_houses() -> None:
    """SPEC 7: "nothing in a transcript proves that it was kept"."""
    promised = [{"seat": seat, "invite_hash": f"{seat:02x}" * 32} for seat in (0, 2)]
    house = second_turn(seats=3, reserved=promised)
    assert running(house) is None
