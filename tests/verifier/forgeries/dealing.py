"""The deal and its seeds: checks 400 to 417."""

from __future__ import annotations

from tests.verifier.draws import lots
from tests.verifier.forgeries.making import (
    ONE_HAND,
    begun,
    by_hand,
    edit,
    ended,
    first_forced,
    forgery,
    second_turn,
)
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, DRAW


@forgery("deal/options")
def two_partners() -> bytes:
    return House(row={**BLOCK, "partners": True}).play().transcript()


@forgery("deal/options")
def nine_seats() -> bytes:
    return House(row={**BLOCK, "hand": 3}, seats=9).play().transcript()


@forgery("deal/options")
def too_many_tiles() -> bytes:
    return House(row={**BLOCK, "hand": 10}, seats=3, **ONE_HAND).play().transcript()


@forgery("deal/options", ["time/close-by", "deal/wash-count"])
def draw_of_two_rounds() -> bytes:
    return lots(rounds_max=2).transcript()


@forgery("deal/wash-count")
def wash_missing() -> bytes:
    return House(row={**BLOCK, "target": 1}, rounds_max=4).play().transcript()


@forgery("deal/wash-count")
def too_many_seals() -> bytes:
    return House(row={**BLOCK, "target": 1}, rounds=220).play().transcript()


@forgery("seed/server-seed")
def server_seed() -> bytes:
    return edit(House().play(), "match_ended", server_seed="ab" * 32)


@forgery("seed/not-opened")
def seed_lost() -> bytes:
    house = begun()
    house.say("voided", {"reason": "seed-lost"})
    return house.transcript()


@forgery("wash/root")
def stacked() -> bytes:
    def stack(house: House) -> None:
        house.orders[2].sort()

    return House(row={**BLOCK, "target": 1}, washes=stack).play().transcript()


@forgery("seed/seated-hash")
def seated_hash() -> bytes:
    return edit(House().play(), "seeded", 1, seated_hash="ab" * 32)


@forgery("seed/commitment")
def other_seed() -> bytes:
    house = House()
    house.sit()
    house.seeds[1] = b"\7" * 32
    house.reveal()
    house.deal(1)
    return house.transcript()


@forgery("deal/seals")
def seals() -> bytes:
    house = begun()
    unused = house.bone[-1]
    house.events[-1]["data"]["seals"][unused] = "ab" * 32
    return ended(house)


@forgery("deal/seals")
def one_seal_too_few() -> bytes:
    house = begun()
    house.events[-1]["data"]["seals"].pop()
    return ended(house)


@forgery("deal/hand-size")
def hand_size() -> bytes:
    house = House()
    house.row = {**house.row, "hand": 6}
    return house.play().transcript()


@forgery("deal/aside")
def aside() -> bytes:
    return edit(House().play(), "dealt", aside=["6-6"])


@forgery("deal/lead")
def lead() -> bytes:
    house = begun()
    house.events[-1]["data"]["lead"] = 1 - house.lead
    return ended(house)


@forgery("deal/lead")
def later_lead() -> bytes:
    house = House()
    house.sit()
    house.reveal()
    house.deal(1)
    house.play_hand(1)
    house.lead = 1 - house.lead
    house.deal(2)
    return ended(house)


@forgery("deal/lead")
def no_such_lead() -> bytes:
    house = begun()
    house.events[-1]["data"]["lead"] = 2
    return house.transcript()


@forgery("deal/must-set")
def must_set() -> bytes:
    house = begun()
    house.events[-1]["data"]["must_set"] = "0-0"
    return ended(house)


@forgery("deal/must-set")
def no_must_set() -> bytes:
    house = begun()
    del house.events[-1]["data"]["must_set"]
    return house.transcript()


@forgery("deal/must-set")
def later_must_set() -> bytes:
    house = House(choose=lambda house, seat: "stop" if house.r == 2 else "play").play()
    return edit(house, "dealt", 1, must_set="6-6")


@forgery("cut/foreign-seal")
def foreign_seal() -> bytes:
    house = second_turn()
    position = next(p for p in house.bone if house.fits(p))
    by_hand(house, house.tile(position), position, house.fits(position)[0])
    return ended(house)


@forgery("seal/mismatch")
def exchanged() -> bytes:
    house = second_turn()
    tile = next(house.tile(p) for p in house.bone if house.fits(p) == ["left"])
    by_hand(house, tile, house.hands[house.turn][0], "left")
    return ended(house)


@forgery("deal/duplicate-tile")
def doubled() -> bytes:
    def double(house: House) -> None:
        house.orders[0] = [27] * 28

    house = second_turn(washes=double)
    house.fixed(100)
    return house.transcript()


@forgery("deal/duplicate-tile")
def tile_of_another_set() -> bytes:
    def foreign(house: House) -> None:
        house.things[0] = [bytes((6, 7))] * 27 + [bytes((6, 6))]

    seeds = (second_turn(seed=seed, washes=foreign) for seed in range(20))
    house = next(house for house in seeds if house.line == [(6, 6)])
    house.fixed(100)
    return house.transcript()


@forgery("cut/draw")
def not_the_front() -> bytes:
    def lie(house: House) -> None:
        house.say("drew", {"seat": house.turn, "seal": house.bone[-1]})

    return first_forced(DRAW, lie)


@forgery("draw/result")
def result() -> bytes:
    return edit(lots(), "drawn", result=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9])


@forgery("draw/result")
def seals_of_numbers() -> bytes:
    return edit(lots(kind="numbers"), "drawn", seals=["ab" * 32])


@forgery("draw/result")
def no_seals() -> bytes:
    return edit(lots(), "drawn", seals=None)


@forgery("seed/round-seed")
def round_seed() -> bytes:
    return edit(House().play(), "round_ended", round_seed="ab" * 32)


@forgery("seed/round-seed")
def round_seed_in_a_running_match() -> bytes:
    house = House(choose=lambda house, seat: "stop" if house.r == 2 else "play").play()
    return edit(house, "round_ended", round_seed="ab" * 32)
