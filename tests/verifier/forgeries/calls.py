"""Claims, calls and the time for them: checks 202 to 609 for SPEC R10 and 8.8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.verifier.forgeries.making import begun, ended, forgery
from tests.verifier.forgeries.scored import FIVES, MUGGINS, may_score, scoring_play, until
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK


def misses(house: House) -> None:
    """The seat on turn scores and claims nothing."""
    play = scoring_play(house)
    assert play is not None
    house.put(*play, 100, 0)


# Claims


@forgery("rules/claim")
def a_claim_where_nobody_claims() -> bytes:
    house = House(row=FIVES, rounds=1).play()
    place = next(i for i, e in enumerate(house.events) if "points" in e["data"])
    claim = house.events[place]["data"]["points"]
    return house.forged(lambda events: events[place]["data"].update(claim=claim))


@forgery("rules/claim", ["points/play"])
def a_claim_of_too_much() -> bytes:
    def lie(house: House) -> None:
        play = scoring_play(house)
        assert play is not None
        house.put(*play, 100, house.score(*play) + 5)

    return until(may_score, lie)


@forgery("rules/fixed-step")
def a_claim_left_out_by_the_house() -> bytes:
    def heaviest_scores(house: House) -> bool:
        if house.actor() != house.turn or not house.playable(house.turn):
            return False
        best = max(house.playable(house.turn), key=lambda p: (sum(house.tile(p)), house.tile(p)))
        return house.score(best, house.fits(best)[0]) > 0 and len(house.hands[house.turn]) > 1

    def lie(house: House) -> None:
        house.say("timed_out", {"seat": house.turn}, 30_000)
        best = max(house.playable(house.turn), key=lambda p: (sum(house.tile(p)), house.tile(p)))
        house.put(best, house.fits(best)[0], 0, 0)

    return until(heaviest_scores, lie)


# Calls


@forgery("rules/may-not-call", ["points/call"])
def a_call_in_another_game() -> bytes:
    def lie(house: House) -> None:
        house.say("called", {"seat": 0, "points": 5}, 100)

    house = begun(BLOCK)
    lie(house)
    house.scores[0] += 5
    return ended(house)


def call_after(seat_of: Callable[[House], int], row: dict[str, Any], seats: int) -> bytes:
    """A call of a seat that may not, right after a play that missed something."""

    def lie(house: House) -> None:
        misses(house)
        house.call(seat_of(house), 100)

    return until(may_score, lie, row, seats)


@forgery("rules/may-not-call")
def a_call_of_the_player() -> bytes:
    return call_after(lambda house: house.window or 0, MUGGINS, 2)


@forgery("rules/may-not-call")
def a_call_of_the_partner() -> bytes:
    row = {**MUGGINS, "hand": 5, "partners": True}
    return call_after(lambda house: ((house.window or 0) + 2) % 4, row, 4)


@forgery("rules/may-not-call")
def a_call_of_a_seat_that_has_left() -> bytes:
    def lie(house: House) -> None:
        misses(house)
        seat = ((house.window or 0) + 2) % 3
        house.say("left", {"seat": seat}, 10)
        house.call(seat, 100)

    return until(may_score, lie, {**MUGGINS, "hand": 5}, 3)


@forgery("rules/may-not-call", ["points/call"])
def a_call_after_a_draw() -> bytes:
    def drew(house: House) -> bool:
        return bool(house.events[-1]["type"] == "drew")

    return until(drew, lambda house: house.say("called", {"seat": 0, "points": 5}, 100))


@forgery("points/call")
def a_call_of_too_much() -> bytes:
    def lie(house: House) -> None:
        misses(house)
        house.missed += 5
        house.call(1 - (house.window or 0), 100)

    return until(may_score, lie)


@forgery("points/call")
def a_call_where_nothing_was_missed() -> bytes:
    def lie(house: House) -> None:
        play = scoring_play(house)
        assert play is not None
        house.put(*play, 100)
        house.missed = 5
        house.call(1 - (house.window or 0), 100)

    return until(may_score, lie)


@forgery("points/call")
def two_calls() -> bytes:
    def lie(house: House) -> None:
        misses(house)
        missed = house.missed
        for seat in range(3):
            if seat != house.window:
                house.missed = missed
                house.call(seat, 100)

    return until(may_score, lie, {**MUGGINS, "hand": 5}, 3)


@forgery("points/call")
def a_call_past_the_target() -> bytes:
    def lie(house: House) -> None:
        misses(house)
        house.say("called", {"seat": 1 - (house.window or 0), "points": house.missed}, 100)

    return until(may_score, lie, {**MUGGINS, "exact_target": True, "target": 4})


@forgery("rules/hand-over", ["points/call"])
def a_call_after_the_end() -> bytes:
    for seed in range(100):
        house = House(seed, MUGGINS, rounds=1, choose=lambda house, seat: "play").play()
        place = house.index("round_ended")
        if house.events[place]["data"]["reason"] != "domino":
            continue
        house.events, house.at = house.events[:place], house.events[place - 1]["at"]
        house.say("called", {"seat": 1 - house.last, "points": 5}, 100)
        return ended(house)
    raise AssertionError("nobody went out")


# The time for calls (8.8)


def draws_next(house: House) -> bool:
    """A play has just been made, and the next seat has to draw or pass."""
    return house.window is not None and not house.playable(house.turn)


@forgery("time/early-step")
def a_draw_before_the_time_is_over() -> bytes:
    return until(draws_next, lambda house: house.fixed(4_999))


@forgery("time/early-step")
def a_draw_in_the_step_of_the_play() -> bytes:
    return until(draws_next, lambda house: house.fixed(0))


@forgery("time/early-step")
def a_step_of_a_seat_that_left_before_the_time_is_over() -> bytes:
    def lie(house: House) -> None:
        house.say("left", {"seat": house.turn}, 100)
        house.fixed(4_800)

    def when(house: House) -> bool:
        return house.window is not None and bool(house.playable(house.turn))

    return until(when, lie)


def plays_next(house: House) -> bool:
    """A play has just been made, and the next seat has a choice."""
    return house.window is not None and bool(house.playable(house.turn))


LONG = {**MUGGINS, "call_seconds": 60}  # longer than a turn


@forgery("time/early-timeout")
def a_time_out_that_does_not_wait_for_calls() -> bytes:
    def lie(house: House) -> None:
        house.say("timed_out", {"seat": house.turn}, 59_999)
        house.fixed()

    return until(plays_next, lie, LONG)


@forgery("time/late-action")
def a_move_after_the_wait_for_calls() -> bytes:
    return until(plays_next, lambda house: house.act(house.turn, "play", 60_001), LONG)


@forgery("order/step")
def the_second_draw_begins_a_step() -> bytes:
    def when(house: House) -> bool:
        return (
            draws_next(house) and not any(map(house.fits, house.bone[:2])) and len(house.bone) > 2
        )

    def lie(house: House) -> None:
        house.fixed(5_000)
        house.fixed(1)

    return until(when, lie)


@forgery("time/late-action")
def a_late_call() -> bytes:
    def lie(house: House) -> None:
        misses(house)
        house.call(1 - (house.window or 0), 30_001)

    return until(may_score, lie)


@forgery("time/late-action")
def a_late_call_where_seats_have_less_time_than_calls() -> bytes:
    def lie(house: House) -> None:
        misses(house)
        house.call(1 - (house.window or 0), 60_001)

    return until(may_score, lie, {**MUGGINS, "call_seconds": 60})


@forgery("rules/forced-step")
def a_seat_runs_out_of_time_that_has_to_draw() -> bytes:
    def lie(house: House) -> None:
        house.say("timed_out", {"seat": house.turn}, 30_000)
        house.fixed()

    return until(draws_next, lie)


@forgery("rules/fixed-step", None)
def a_call_between_a_timeout_and_its_move() -> bytes:
    def lie(house: House) -> None:
        misses(house)
        house.say("timed_out", {"seat": house.turn}, 30_000)
        house.call(1 - (house.window or 0), 0)

    return until(may_score, lie)


@forgery("rules/abandon", ["points/call"])
def a_call_where_the_match_has_to_be_abandoned() -> bytes:
    house = begun(MUGGINS)
    house.choose = lambda house, seat: "timeout"
    house.patience = 99
    for _ in range(40):
        before = len(house.events)
        if min(house.idle) >= 3 and house.window is not None and not house.over():
            house.missed = 5
            house.call(1 - house.window, 0)
            return ended(house)
        seat = house.actor()
        if house.over():
            break
        if not house.playable(house.turn) and house.window is None:
            house.fixed()
        else:
            house.wait(seat, not house.playable(house.turn))
        assert len(house.events) > before
    raise AssertionError("the hand was over before")


@forgery("order/seat", ["rules/may-not-call", "points/call"])
def a_call_of_nobody() -> bytes:
    house = begun(MUGGINS)
    house.say("called", {"seat": 2, "points": 5}, 100)
    return ended(house)


@forgery("order/unexpected")
def a_call_before_the_deal() -> bytes:
    house = House(row=MUGGINS)
    house.sit(0)
    house.say("called", {"seat": 0, "points": 5}, 100)
    return house.transcript()
