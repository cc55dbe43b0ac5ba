"""What no seat has signed, and what none had to sign (SPEC 5.6): checks 305 and 306."""

from __future__ import annotations

from collections.abc import Callable

from tests.verifier.draws import lots
from tests.verifier.forgeries.making import forgery, once
from tests.verifier.forgeries.resigned import (
    BOTH,
    gone,
    having,
    instead,
    own_sign,
    place_of,
    signed_at,
    strange,
    unsigned_by_key,
)
from tests.verifier.house import House

# Nothing signed (305), as for a move that the house has invented


def unsigned(kind: str, name: str | None = None) -> Callable[[], bytes]:
    def made() -> bytes:
        house = having(kind, name)
        return instead(house, signed_at(house, kind), None)

    made.__name__ = f"{kind}_that_nobody_signed"
    return made


for _kind, _name in (
    ("seeded", None),
    ("played", "block"),
    ("drew", "draw"),
    ("passed", "block"),
    ("declined", None),
    ("gave", "middle-eastern"),
    ("called", "all-fives"),
    ("left", None),
):
    forgery("authority/unsigned")(unsigned(_kind, _name))


@forgery("authority/unsigned")
def left_before_the_deal_says_the_house() -> bytes:
    return gone(BOTH, 1, None).transcript()


@forgery("authority/unsigned")
def seed_in_a_draw() -> bytes:
    house = lots(keys=BOTH)
    return instead(house, house.index("seeded"), None)


# Signed although nobody had to (306)


def dressed_up(house: House, kind: str) -> bytes:
    place = place_of(house, kind, lambda event: unsigned_by_key(house, event))
    return instead(house, place, own_sign)


@forgery("authority/undue-signature")
def forced_pass() -> bytes:
    house = next(
        house
        for house in (House(seed, keys=BOTH).play() for seed in range(99))
        if any(event["type"] == "passed" for event in house.events)
    )
    return dressed_up(house, "passed")


@forgery("authority/undue-signature")
def forced_draw() -> bytes:
    return dressed_up(having("drew", "draw", signed=False), "drew")


@forgery("authority/undue-signature")
def play_after_a_time_out() -> bytes:
    house = House(choose=once("timeout"), keys=BOTH).play()
    return instead(house, house.index("timed_out") + 1, own_sign)


@forgery("authority/undue-signature")
def play_of_a_seat_that_has_left() -> bytes:
    house = House(2, seats=3, keys=(1,), choose=leave_early).play()
    return dressed_up(house, "played")


def leave_early(house: House, seat: int) -> str:
    return "play" if house.left or len(house.events) < 9 else "leave 1"


@forgery("authority/undue-signature")
def play_of_a_seat_without_a_key() -> bytes:
    house = House(keys=(1,)).play()
    place = place_of(house, "played", lambda event: event["data"]["seat"] == 0)
    return instead(house, place, strange)


@forgery("authority/undue-signature")
def seed_of_a_seat_without_a_key() -> bytes:
    house = House().play()
    return instead(house, house.index("seeded"), strange)


@forgery("authority/undue-signature")
def left_without_a_key() -> bytes:
    house = House(seats=3, choose=leave_early).play()
    return instead(house, house.index("left"), strange)


@forgery("authority/undue-signature")
def left_before_the_deal_without_a_key() -> bytes:
    return gone((0,), 1, 1).transcript()
