"""Transfers: checks 412 to 516 for SPEC R6, 3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.verifier.forgeries.making import begun, ended, forgery, second_turn
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, heavy
from tests.verifier.rows import published

GIVING = {**published("middle-eastern", 4), "transfer": True}


def at_a_wait(
    when: Callable[[House], bool],
    lie: Callable[[House], object],
    row: dict[str, Any] = GIVING,
    known: bool = True,
    **more: Any,
) -> bytes:
    """A match up to the first wait where something holds, and a lie there. Not `known`: the file
    ends with the lie, else the house shows its seed.
    """
    done: list[House] = []

    def choose(house: House, seat: int) -> Any:
        return told if when(house) else "play"

    def told(house: House) -> bool:
        lie(house)
        done.append(house)
        return True

    for seed in range(100):
        house = House(seed, row, 4, rounds=4, choose=choose, **more).play()
        if done:
            return ended(house) if known else house.transcript()
    raise AssertionError("that never came about")


def a_gift_is_due(house: House) -> bool:
    return house.actor() != house.turn


def it_may_play(house: House) -> bool:
    return bool(house.plays) and house.actor() == house.turn and house.given is None


@forgery("rules/must-give")
def passed_without_a_gift() -> bytes:
    return at_a_wait(a_gift_is_due, lambda house: house.say("passed", {"seat": house.turn}))


@forgery("rules/must-give")
def passed_without_a_gift_in_a_running_hand() -> bytes:
    def lie(house: House) -> None:
        house.say("passed", {"seat": house.turn})

    return at_a_wait(a_gift_is_due, lie, known=False)


@forgery("rules/may-not-give")
def a_gift_to_who_can_play() -> bytes:
    def lie(house: House) -> None:
        house.give(house.hands[house.giver(house.turn)][0], 100)

    return at_a_wait(it_may_play, lie)


@forgery("rules/may-not-give")
def two_gifts() -> bytes:
    def lie(house: House) -> None:
        giver = house.giver(house.turn)
        house.give(next(p for p in house.hands[giver] if house.fits(p)), 100)
        house.give(house.hands[giver][0], 100)

    def when(house: House) -> bool:
        own = house.hands[house.giver(house.turn)]
        return a_gift_is_due(house) and any(map(house.fits, own)) and len(own) > 1

    return at_a_wait(when, lie)


@forgery("rules/may-not-give")
def a_gift_to_somebody_else() -> bytes:
    def lie(house: House) -> None:
        giver = house.giver(house.turn)
        to = house.giver(giver)
        house.say("gave", {"seat": giver, "to": to, "seal": house.hands[giver][0]}, 100)

    return at_a_wait(a_gift_is_due, lie)


@forgery("rules/may-not-give")
def a_gift_before_the_first_tile() -> bytes:
    house = begun(GIVING, seats=4)
    house.give(house.hands[house.giver(house.turn)][0], 100)
    return ended(house)


@forgery("rules/may-not-give")
def a_gift_in_another_game() -> bytes:
    house = second_turn(seats=3)
    house.give(house.hands[house.giver(house.turn)][0], 100)
    return ended(house)


@forgery("rules/may-not-give")
def the_last_tile_given_where_it_is_exempt() -> bytes:
    def stuck(house: House) -> bool:
        one = len(house.hands[house.giver(house.turn)]) == 1
        return one and house.given is None and not house.playable(house.turn)

    def lie(house: House) -> None:
        house.give(house.hands[house.giver(house.turn)][0], 100)

    # A pass would be forced there: in this match the seats send theirs themselves.
    return at_a_wait(stuck, lie, {**GIVING, "last_tile_transfer": "exempt"}, auto_forced=False)


@forgery("rules/given-tile")
def another_tile_than_was_given() -> bytes:
    """It could play all along, which nobody sees in a hand that runs; but not this tile."""

    def lie(house: House) -> None:
        own = house.playable(house.turn)[0]
        house.give(house.hands[house.giver(house.turn)][0], 100)
        house.put(own, house.fits(own)[0], 100)

    return at_a_wait(it_may_play, lie, known=False)


@forgery("cut/foreign-seal", None)
def a_gift_of_somebody_elses() -> bytes:
    def lie(house: House) -> None:
        giver = house.giver(house.turn)
        foreign = house.hands[house.giver(giver)][0]
        house.say("gave", {"seat": giver, "to": house.turn, "seal": foreign}, 100)

    return at_a_wait(a_gift_is_due, lie, known=False)


@forgery("rules/not-your-turn")
def a_gift_from_the_wrong_side() -> bytes:
    def lie(house: House) -> None:
        seat = house.giver(house.giver(house.turn))
        house.say("gave", {"seat": seat, "to": house.turn, "seal": house.hands[seat][0]}, 100)

    return at_a_wait(a_gift_is_due, lie)


@forgery("rules/not-your-turn")
def the_time_of_a_seat_that_gives_nothing() -> bytes:
    """In a hand that runs: neither on turn nor at the left of it."""

    def opposite(house: House) -> int:
        return house.giver(house.giver(house.turn))

    def lie(house: House) -> None:
        house.turn = opposite(house)
        house.say("timed_out", {"seat": house.turn}, 30_000)
        place = house.playable(house.turn)[0]
        house.put(place, house.fits(place)[0], 0)

    def when(house: House) -> bool:
        return it_may_play(house) and bool(house.playable(opposite(house)))

    return at_a_wait(when, lie, known=False)


@forgery("order/seat", ["rules/may-not-give"])
def a_gift_to_nobody() -> bytes:
    house = second_turn(seats=3)
    giver = house.giver(house.turn)
    house.say("gave", {"seat": giver, "to": 3, "seal": house.hands[giver][0]}, 100)
    return ended(house)


@forgery("rules/fixed-step")
def the_house_gives_another_tile() -> bytes:
    def lie(house: House) -> None:
        giver = house.actor()
        house.say("timed_out", {"seat": giver}, 30_000)
        house.give(min(house.hands[giver], key=lambda p: heavy(house.tile(p))), 0)

    def when(house: House) -> bool:
        return a_gift_is_due(house) and len(house.hands[house.actor()]) > 1

    return at_a_wait(when, lie)


@forgery("rules/must-play")
def a_pass_although_the_gift_fits() -> bytes:
    def lie(house: House) -> None:
        giver = house.giver(house.turn)
        house.give(next(p for p in house.hands[giver] if house.fits(p)), 100)
        house.say("passed", {"seat": house.turn})

    def when(house: House) -> bool:
        own = house.hands[house.giver(house.turn)]
        return a_gift_is_due(house) and any(map(house.fits, own)) and len(own) > 1

    return at_a_wait(when, lie)


@forgery("time/late-action")
def a_late_gift() -> bytes:
    def lie(house: House) -> None:
        house.give(house.hands[house.actor()][0], 30_001)

    def when(house: House) -> bool:
        return a_gift_is_due(house) and len(house.hands[house.actor()]) > 1

    return at_a_wait(when, lie)


@forgery("rules/end")
def two_lines() -> bytes:
    """A first tile that lies at an end, in a game with partners."""
    house = begun(published("latin-american", 4), seats=4)
    house.put(house.playable(house.turn)[0], "", 100)
    house.events[-1]["data"]["end"] = "up"
    return ended(house)


@forgery("rules/does-not-fit")
def an_arm_in_a_game_without() -> bytes:
    house = second_turn(BLOCK)
    place = house.playable(house.turn)[0]
    house.put(place, house.fits(place)[0], 100)
    house.events[-1]["data"]["end"] = "up"
    return ended(house)
