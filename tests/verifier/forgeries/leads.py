"""The draw for the lead, later leads, promised seats: checks 200 to 417 for SPEC 4.5 and R4."""

from __future__ import annotations

from typing import Any

from tests.verifier.draws import lots
from tests.verifier.forgeries.making import edit, ended, forgery, insert, shift
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK
from tests.verifier.rows import published

DRAWN = {**published("blocking", 2), "hand": 5}
FEW: dict[str, Any] = {"row": DRAWN, "rounds": 2}


def seeded(row: dict[str, Any] = DRAWN, **more: Any) -> House:
    """A match whose lead is drawn next."""
    house = House(row=row, **more)
    house.sit()
    house.reveal()
    return house


@forgery("deal/wash-count")
def no_wash_for_the_lead() -> bytes:
    house = House(row=DRAWN)
    del house.events[0]["data"]["lead_wash"]
    return house.play().transcript()


@forgery("deal/wash-count", ["wash/root"])
def a_wash_for_no_lead() -> bytes:
    return House(lead_wash="ab" * 32).play().transcript()


@forgery("deal/wash-count", ["wash/root"])
def a_draw_with_a_wash_for_the_lead() -> bytes:
    return lots(lead_wash="ab" * 32).transcript()


@forgery("wash/root", ["seed/round-seed"])
def stacked_for_the_lead() -> bytes:
    return House(washes=lambda house: house.lead_order.sort(), **FEW).play().transcript()


@forgery("deal/seals")
def seals_of_the_lead() -> bytes:
    house = House(**FEW).play()
    seals = house.events[house.index("lead_drawn")]["data"]["seals"]
    return edit(house, "lead_drawn", seals=[*seals[:-1], "ab" * 32])


@forgery("deal/seals")
def a_seal_of_the_lead_too_few() -> bytes:
    house = House(**FEW).play()
    seals = house.events[house.index("lead_drawn")]["data"]["seals"]
    return edit(house, "lead_drawn", seals=seals[:-1])


class OtherLead(House):
    """The seat with the lighter tile is made to lead."""

    def draw_lead(self) -> None:
        super().draw_lead()
        self.lead = 1 - self.lead
        self.events[-1]["data"]["lead"] = self.lead


@forgery("deal/lead")
def another_seat_drew_the_heaviest() -> bytes:
    return OtherLead(**FEW).play().transcript()


@forgery("deal/lead")
def no_such_seat_drew_the_heaviest() -> bytes:
    house = seeded()
    house.draw_lead()
    house.events[-1]["data"]["lead"] = 2 + house.lead
    house.deal(1)
    return ended(house)


@forgery("deal/lead")
def another_seat_leads_than_drew_the_heaviest() -> bytes:
    house = seeded()
    house.draw_lead()
    house.lead = 1 - house.lead
    house.deal(1)
    return ended(house)


@forgery("deal/must-set")
def a_first_tile_although_the_lead_was_drawn() -> bytes:
    house = seeded()
    house.draw_lead()
    house.deal(1)
    tile = house.tile(house.hands[house.lead][0])
    house.events[-1]["data"]["must_set"] = f"{tile[0]}-{tile[1]}"
    return ended(house)


def second_hand(row: dict[str, Any], seats: int, **more: Any) -> House:
    """A match whose first hand was played and whose second was not dealt."""
    house = seeded(row, seats=seats, **more)
    house.draw_lead()
    house.deal(1)
    house.play_hand(1)
    return house


@forgery("deal/lead")
def the_lead_does_not_go_round() -> bytes:
    house = second_hand(published("fives-and-threes", 3), 3)
    house.lead = (house.lead + 1) % 3
    house.deal(2)
    return ended(house)


@forgery("deal/lead")
def not_the_same_lead() -> bytes:
    house = second_hand({**BLOCK, "next_lead": "same"}, 2)
    house.lead = 1 - house.lead
    house.deal(2)
    return ended(house)


@forgery("deal/must-set")
def no_first_tile_after_a_hand_that_nobody_won() -> bytes:
    row = {**published("middle-eastern", 4), "block_winner": "lowest"}
    for seed in range(300):
        house = second_hand(row, 4, seed=seed)
        if house.by_tile:  # a void tie
            house.deal(2)
            del house.events[-1]["data"]["must_set"]
            return ended(house)
    raise AssertionError("no hand was a tie")


@forgery("seed/round-seed")
def seed_of_the_lead() -> bytes:
    return edit(House(**FEW).play(), "lead_drawn", round_seed="ab" * 32)


@forgery("seed/round-seed")
def seed_of_the_lead_in_a_running_match() -> bytes:
    house = House(choose=lambda house, seat: "stop", **FEW).play()
    return edit(house, "lead_drawn", round_seed="ab" * 32)


# Where it may stand


@forgery("order/unexpected", ["deal/lead"])
def dealt_before_the_lead_was_drawn() -> bytes:
    house = seeded()
    house.lead = 0
    house.deal(1)
    return ended(house)


@forgery("order/unexpected", None)
def drawn_twice() -> bytes:
    house = House(**FEW).play()
    place = house.index("lead_drawn")
    return insert(house, place + 1, "lead_drawn", **house.events[place]["data"])


@forgery("order/unexpected", None)
def drawn_in_a_game_that_does_not() -> bytes:
    house = seeded(BLOCK)
    house.say("lead_drawn", {"seals": ["ab" * 32], "round_seed": "ab" * 32, "lead": 0})
    return ended(house)


@forgery("order/step")
def the_lead_is_drawn_later() -> bytes:
    house = House(**FEW).play()
    return shift(house, house.index("lead_drawn"), 1)


@forgery("order/unfinished")
def the_lead_is_not_drawn() -> bytes:
    return seeded().transcript()


@forgery("order/seat")
def a_seat_is_promised_that_there_is_not() -> bytes:
    reserved = [{"seat": 2, "invite_hash": "ab" * 32}]
    return House(reserved=reserved).play().transcript()


# Options that do not go together


@forgery("deal/options")
def not_all_tiles_dealt() -> bytes:
    return House(row={**published("middle-eastern", 4), "hand": 6}, seats=4).play().transcript()


@forgery("deal/options")
def own_tiles_of_a_difference() -> bytes:
    row = {**BLOCK, "count_all": True, "score": "difference"}
    return House(row=row).play().transcript()


@forgery("deal/options")
def three_play_a_game_for_two() -> bytes:
    house = House(row={**published("blocking", 2), "hand": 5}, seats=3)
    return house.play().transcript()
