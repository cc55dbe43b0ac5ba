"""The rules of play: checks 500 to 513."""

from __future__ import annotations

from tests.verifier.forgeries.making import (
    ONE_HAND,
    begun,
    by_hand,
    ended,
    first_forced,
    forgery,
    insert,
    once,
    second_turn,
)
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, DRAW


@forgery("rules/hand-over")
def hand_over() -> bytes:
    house = House(**ONE_HAND).play()
    return insert(house, house.index("round_ended"), "left", seat=0)


@forgery("rules/fixed-step")
def fixed_step() -> bytes:
    house = second_turn({**BLOCK, "hand": 14})
    house.say("timed_out", {"seat": house.turn}, 30_000)
    playable = [p for p in house.hands[house.turn] if house.fits(p)]
    light = min(playable, key=lambda p: sum(house.tile(p)))
    house.put(light, house.fits(light)[0], 0)
    return ended(house)


@forgery("rules/fixed-step", None)
def nothing_after_the_timeout() -> bytes:
    house = second_turn()
    house.say("timed_out", {"seat": house.turn}, 30_000)
    house.say("timed_out", {"seat": house.turn}, 0)
    return house.transcript()


@forgery("rules/abandon")
def never_abandoned() -> bytes:
    house = House(choose=lambda house, seat: "timeout", **ONE_HAND)
    house.patience = 99
    return house.play().transcript()


@forgery("rules/forced-step")
def forced_step() -> bytes:
    house = House(choose=lambda h, seat: "play" if any(map(h.fits, h.hands[seat])) else "timeout")
    house.house_forces = False
    return house.play().transcript()


@forgery("rules/not-over")
def cut_short() -> bytes:
    house = House(choose=once(lambda house: house.settle("blocked")), **ONE_HAND)
    return house.play().transcript()


@forgery("rules/not-over")
def abandoned_too_early() -> bytes:
    return House(choose=once(lambda house: house.settle("abandoned"))).play().transcript()


@forgery("rules/not-your-turn")
def not_your_turn() -> bytes:
    house = second_turn(seats=3)
    house.next()
    house.fixed(100)
    return ended(house)


@forgery("rules/not-your-turn")
def timeout_out_of_turn() -> bytes:
    house = second_turn(seats=3)
    house.next()
    house.say("timed_out", {"seat": house.turn}, 30_000)
    house.fixed(0)
    return ended(house)


@forgery("rules/must-set")
def another_first_tile() -> bytes:
    house = begun()
    house.must = None
    other = min(house.hands[house.turn], key=house.tile)
    house.put(other, "", 100)
    return ended(house)


@forgery("rules/end")
def end_at_the_first_tile() -> bytes:
    house = second_turn()
    house.events[-1]["data"]["end"] = "left"
    return ended(house)


@forgery("rules/end")
def no_end_later() -> bytes:
    house = second_turn()
    position = next(p for p in house.hands[house.turn] if house.fits(p))
    by_hand(house, house.tile(position), position)
    return ended(house)


@forgery("rules/does-not-fit")
def does_not_fit() -> bytes:
    house = second_turn()
    position = next(p for p in house.hands[house.turn] if not house.fits(p))
    by_hand(house, house.tile(position), position, "left")
    return ended(house)


@forgery("rules/listed-form")
def listed_form() -> bytes:
    house = second_turn()  # the first tile is a double
    position = next(p for p in house.hands[house.turn] if house.fits(p))
    by_hand(house, house.tile(position), position, "right")
    return ended(house)


@forgery("rules/must-play")
def must_play() -> bytes:
    house = second_turn()
    house.say("passed", {"seat": house.turn})
    return ended(house)


@forgery("rules/must-draw")
def must_draw() -> bytes:
    return first_forced(DRAW, lambda house: house.say("passed", {"seat": house.turn}))


@forgery("rules/may-not-draw")
def may_not_draw() -> bytes:
    def lie(house: House) -> None:
        house.say("drew", {"seat": house.turn, "seal": house.bone[0]})

    return first_forced(BLOCK, lie)


@forgery("rules/may-not-decline")
def may_not_decline() -> bytes:
    house = second_turn({**DRAW, "drawn_tile": "may-play"})
    house.say("declined", {"seat": house.turn}, 10)
    return ended(house)
