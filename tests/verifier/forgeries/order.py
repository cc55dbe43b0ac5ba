"""Chain and order: checks 100 to 207."""

from __future__ import annotations

from tests.verifier.forgeries.making import (
    begun,
    edit,
    forgery,
    insert,
    leave_once,
    lost,
    relinked,
    second_turn,
    shift,
    void,
)
from tests.verifier.house import House
from tests.verifier.primitives import SIGNER, event_hash, rechained, sealed


@forgery("chain/match")
def match() -> bytes:
    house = House().play()
    return house.forged(lambda events: events[6].update(match="ab" * 16))


@forgery("chain/seq")
def seq() -> bytes:
    events = House().play().events
    events[6]["seq"] = 7
    return relinked(events, 7)


@forgery("chain/prev")
def prev() -> bytes:
    events = House().play().events
    events[6]["prev"] = "ab" * 32
    return relinked(events, 7)


@forgery("chain/time")
def time() -> bytes:
    house = House().play()
    return house.forged(lambda events: events[1].update(at=events[0]["at"] - 1))


# Order


@forgery("order/first", None)
def first() -> bytes:
    events = House().play().events[1:]
    return sealed(rechained(events, events))


@forgery("order/after-end")
def after_end() -> bytes:
    house = House().play()
    void(house)
    return house.transcript()


@forgery("order/unexpected")
def opened_twice() -> bytes:
    house = House().play()
    return insert(house, 6, "opened", **house.opened)


@forgery("order/unexpected", None)
def seed_before_seats() -> bytes:
    house = House()
    house.sit(0)
    data = {"seat": 0, "client_seed": house.seeds[0].hex(), "seated_hash": "00" * 32}
    house.say("seeded", data)
    return house.transcript()


@forgery("order/unexpected")
def played_before_deal() -> bytes:
    house = House()
    house.sit(0)
    house.say("passed", {"seat": 0})
    return house.transcript()


@forgery("order/unexpected")
def draw_in_a_game() -> bytes:
    house = House()
    house.sit(0)
    house.say("drawn", {"result": [], "server_seed": house.S.hex()})
    void(house)
    return house.transcript()


@forgery("order/unexpected", ["points/match-over", "seed/round-seed"])
def match_ends_in_a_hand() -> bytes:
    house = second_turn()
    house.say("match_ended", {"reason": "rounds", "scores": [0, 0], "server_seed": house.S.hex()})
    return house.transcript()


@forgery("order/seat")
def left_twice() -> bytes:
    house = House(seats=3, choose=leave_once(1)).play()
    return insert(house, house.index("left") + 1, "left", seat=1)


@forgery("order/seat", ["order/unexpected"])
def foreign_seat() -> bytes:
    house = House()
    house.sit(0)
    house.say("seated", {"seat": 2, "client_seed_commitment": "00" * 32})
    return house.transcript()


@forgery("order/seat", ["seed/commitment"])
def seed_of_a_clear_seat() -> bytes:
    house = House(clear=(1,))
    house.sit(0, 1)
    data = {"seat": 1, "client_seed": house.seeds[1].hex()}
    house.say("seeded", {**data, "seated_hash": event_hash(house.events[-1]).hex()})
    return house.transcript()


@forgery("order/round")
def ended_round() -> bytes:
    return edit(House().play(), "round_ended", 0, round=2)


@forgery("order/round", None)
def dealt_round() -> bytes:
    return edit(House().play(), "dealt", 1, round=3)


@forgery("order/step")
def step() -> bytes:
    house = House().play()
    return shift(house, house.index("dealt"), 1)


@forgery("order/step")
def round_end_later() -> bytes:
    house = House().play()
    return shift(house, house.index("round_ended"), 1)


@forgery("order/void")
def void_names_the_wrong_seat() -> bytes:
    house = House()
    house.sit(0)
    house.at += 600_000
    server_seed = house.S.hex()
    data = {"reason": "seats-missing", "missing": [0, 1], "server_seed": server_seed}
    house.say("voided", data)
    return house.transcript()


@forgery("order/void")
def nobody_was_missing() -> bytes:
    house = House()
    house.sit()
    house.at += 660_000
    data = {"reason": "seats-missing", "missing": [], "server_seed": house.S.hex()}
    house.say("voided", data)
    return house.transcript()


@forgery("order/void")
def seeds_missing_before_seats() -> bytes:
    house = House()
    house.sit(0)
    house.at += 660_000
    data = {"reason": "seeds-missing", "missing": [0], "server_seed": house.S.hex()}
    house.say("voided", data)
    return house.transcript()


@forgery("order/void")
def left_after_the_deal() -> bytes:
    house = begun()
    house.say("voided", {"reason": "left", "missing": [1], "server_seed": house.S.hex()})
    return house.transcript()


@forgery("order/void")
def somebody_left_who_never_came() -> bytes:
    house = House()
    house.sit(0)
    house.say("voided", {"reason": "left", "missing": [1], "server_seed": house.S.hex()})
    return house.transcript()


@forgery("order/void")
def nothing_was_lost() -> bytes:
    house = begun()
    return lost(house, SIGNER.receipt(house.match, 3, event_hash(house.events[3])))


@forgery("order/void")
def lost_in_another_match() -> bytes:
    return lost(begun(), SIGNER.receipt("ab" * 16, 3, b"\1" * 32))


@forgery("order/unfinished")
def round_end_missing() -> bytes:
    # A domino: a block could not be told from the file alone.
    house = next(
        house
        for house in (House(seed, rounds=1).play() for seed in range(20))
        if house.events[-2]["data"]["reason"] == "domino"
    )
    return house.forged(lambda events: events.__delitem__(slice(-2, None)))


@forgery("order/unfinished")
def deal_missing() -> bytes:
    house = House()
    house.sit()
    house.reveal()
    return house.transcript()


@forgery("order/unfinished")
def step_missing() -> bytes:
    house = second_turn()
    house.say("timed_out", {"seat": house.turn}, 30_000)
    return house.transcript()


@forgery("order/unfinished")
def step_of_a_seat_that_left_missing() -> bytes:
    house = second_turn()
    house.say("left", {"seat": house.turn}, 10)
    return house.transcript()
