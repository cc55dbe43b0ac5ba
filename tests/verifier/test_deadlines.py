"""From when and until when, where a deadline is not the whole answer: while calls are waited for,
and while nobody can know who is to act (SPEC 8.4, 8.8; checks 354 and 355).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.verifier.forgeries.calls import LONG, draws_next, misses, plays_next
from tests.verifier.forgeries.gifts import GIVING, a_gift_is_due, it_may_play
from tests.verifier.forgeries.scored import MUGGINS, may_score
from tests.verifier.house import House
from tests.verifier.test_waiting import give_heaviest, reached, running, shown

EARLY, LATE = "time/early-timeout", "time/late-action"  # a turn is over after 30 seconds


def settled(house: House) -> None:
    """What follows without a choice when the last move has ended the hand."""
    over = house.over()
    if over is not None:
        house.settle(over)


def time_out(house: House, later: int) -> None:
    house.say("timed_out", {"seat": house.turn}, later)
    house.fixed()
    settled(house)


def idle(row: dict[str, Any]) -> House:
    """A play has just been made, and the next seat, idle three times, would have one second."""

    def choose(house: House, seat: int) -> str:
        slow = plays_next(house) and house.idle[seat] >= 3
        return "stop" if slow else "timeout" if seat == 1 else "play"

    houses = (House(seed, row, choose=choose).play() for seed in range(200))
    return next(house for house in houses if house.stopped)


# A time-out waits for calls (8.8)


@pytest.mark.parametrize(("later", "code"), [(30_000, EARLY), (59_999, EARLY), (60_000, None)])
def test_a_turn_shorter_than_the_wait_for_calls(later: int, code: str | None) -> None:
    """SPEC 8.4: the deadline is "never before the end of the wait for calls (8.8)"."""
    house = reached(plays_next, LONG, 2)
    time_out(house, later)
    assert (running(house), shown(house)) == (code, code)


@pytest.mark.parametrize(("later", "code"), [(1_000, EARLY), (4_999, EARLY), (5_000, None)])
def test_an_idle_seats_second_is_shorter_too(later: int, code: str | None) -> None:
    house = idle(MUGGINS)
    time_out(house, later)
    assert (running(house), shown(house)) == (code, code)


@pytest.mark.parametrize(("later", "code"), [(29_999, EARLY), (30_000, None)])
def test_where_the_turn_is_longer_it_counts(later: int, code: str | None) -> None:
    house = reached(plays_next, MUGGINS, 2)
    time_out(house, later)
    assert (running(house), shown(house)) == (code, code)


@pytest.mark.parametrize(("later", "code"), [(59_899, EARLY), (59_900, None)])
def test_a_call_does_not_end_the_wait(later: int, code: str | None) -> None:
    """SPEC R10: after a call "nothing is missed any more", but the window is open as before."""
    house = reached(may_score, LONG, 2)
    misses(house)
    house.call(1 - (house.window or 0), 100)
    assert not house.over()
    house.say("timed_out", {"seat": house.turn}, later)
    assert running(house) == (code or "order/unfinished")


@pytest.mark.parametrize(("later", "code"), [(29_999, EARLY), (30_000, None)])
def test_without_a_window_there_is_no_such_wait(later: int, code: str | None) -> None:
    """Seats that draw themselves: after a draw nobody may call, and the deadline is all."""

    def drew(house: House) -> bool:
        return bool(house.events[-1]["type"] == "drew")

    house = reached(drew, LONG, 2, auto_forced=False)
    time_out(house, later)
    assert (running(house), shown(house)) == (code, code)


@pytest.mark.parametrize(
    ("later", "code"), [(0, None), (30_001, None), (60_000, None), (60_001, LATE)]
)
def test_the_seat_may_move_until_then(later: int, code: str | None) -> None:
    """SPEC 8.8: "no turn runs out in the wait (8.4)", so a seat may move until its end."""
    house = reached(plays_next, LONG, 2)
    house.act(house.turn, "play", later)
    settled(house)
    assert (running(house), shown(house)) == (code, code)


def test_others_may_call_and_leave_until_then() -> None:
    """SPEC 8.8: "`left` and `called` may stand in that wait"; then the time-out."""

    def when(house: House) -> bool:
        return plays_next(house) and bool(house.callers())

    house = reached(when, {**LONG, "hand": 5}, 3)
    house.call(house.callers()[0], 40_000)
    other = next(seat for seat in range(3) if seat not in (house.turn, house.window))
    house.say("left", {"seat": other}, 5_000)
    assert (running(house), shown(house)) == (None, None)
    house.say("timed_out", {"seat": house.turn}, 15_000)
    assert running(house) == "order/unfinished"


@pytest.mark.parametrize("leave", [False, True])
@pytest.mark.parametrize(("later", "code"), [(30_000, None), (30_001, LATE)])
def test_a_call_may_come_after_a_step_could_have(leave: bool, later: int, code: str | None) -> None:
    """SPEC 8.8: "a call stands up to the deadline even when the step could have stood before
    it"."""

    def when(house: House) -> bool:
        return draws_next(house) and bool(house.callers())

    house = reached(when, {**MUGGINS, "hand": 5}, 3)
    if leave:
        house.say("left", {"seat": house.turn}, 0)
        house.left.add(house.turn)
    house.call(house.callers()[0], later)
    assert shown(house) == code
    house.fixed(0)
    settled(house)
    assert shown(house) == code


def test_a_call_that_a_step_went_before_is_too_late() -> None:
    """SPEC 8.8: "as long as no move and no `timed_out` has followed the play"."""
    house = reached(draws_next, MUGGINS, 2)
    house.missed = 5
    house.fixed(5_000)
    house.call(1 - house.turn, 0)
    assert shown(house) == "rules/may-not-call"


# Who is to act, where that cannot be known (8.4)


def slow_at(house: House, gives: bool) -> bool:
    """A wait at which one of the two that may be to act is slow, and not the other."""
    giver = house.giver(house.turn)
    slow, quick = (giver, house.turn) if gives else (house.turn, giver)
    due = a_gift_is_due(house) if gives else it_may_play(house)
    return due and len(house.hands[giver]) > 1 and house.idle[slow] >= 3 > house.idle[quick]


def one_of_two(gives: bool) -> House:
    """A hand that runs; the seat to act (which a verifier cannot know) has one second."""
    stops: Callable[[House], bool] = lambda house: slow_at(house, gives)  # noqa: E731
    for seed in range(300):
        house = House(
            seed,
            GIVING,
            4,
            rounds=3,
            choose=lambda house, seat: (
                "stop" if stops(house) else "timeout" if seat == 1 else "play"
            ),
        ).play()
        if house.stopped:
            return house
    raise AssertionError("nobody was slow there")


@pytest.mark.parametrize("gives", [False, True])
def test_the_idle_count_is_that_of_the_seat_named(gives: bool) -> None:
    """SPEC 8.4: "the idle count that sets the deadline is that of the seat the event names if it is
    one of the two, else that of the seat on turn"."""
    house = one_of_two(gives)
    giver, third = house.giver(house.turn), (house.turn + 2) % 4
    deadlines = {house.turn: 30_000, giver: 1_000} if gives else {house.turn: 1_000, giver: 30_000}
    for seat in (house.turn, giver, third):
        due = deadlines.get(seat, deadlines[house.turn])
        after = "rules/not-your-turn" if seat == third else "order/unfinished"
        for later, code in ((due - 1, EARLY), (due, after)):
            house.say("timed_out", {"seat": seat}, later)
            assert running(house) == code, (seat, later)
            house.at -= later
            house.events.pop()


@pytest.mark.parametrize(("later", "code"), [(30_000, None), (30_001, LATE)])
def test_a_slow_giver_takes_no_time_from_who_plays(later: int, code: str | None) -> None:
    """In a hand that runs, the seat on turn can play as long as its own count allows."""

    def when(house: House) -> bool:
        giver = house.giver(house.turn)
        return it_may_play(house) and house.idle[giver] >= 3 > house.idle[house.turn]

    def choose(house: House, seat: int) -> str:
        return "stop" if when(house) else "timeout" if seat == 1 else "play"

    houses = (House(seed, GIVING, 4, rounds=3, choose=choose).play() for seed in range(300))
    house = next(house for house in houses if house.stopped)
    place = house.playable(house.turn)[0]
    house.put(place, house.fits(place)[0], later)
    settled(house)
    assert (running(house), shown(house)) == (code, code)


def test_a_gift_late_by_its_givers_second() -> None:
    """The same of the giver, whose one second does not grow by the other's count."""
    house = one_of_two(gives=True)
    giver = house.giver(house.turn)
    gift = {"seat": giver, "to": house.turn, "seal": house.hands[giver][0]}
    for later, code in ((1_000, None), (1_001, LATE)):
        house.say("gave", gift, later)
        assert running(house) == code
        house.at -= later
        house.events.pop()


def test_nobody_who_has_all_the_time_is_slow_for_another() -> None:
    """After a gift there is no doubt: only the count of the seat on turn is asked."""
    house = one_of_two(gives=True)
    give_heaviest(house)
    house.say("timed_out", {"seat": house.turn}, 29_999)
    assert running(house) == EARLY
