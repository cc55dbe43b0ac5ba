"""Signatures that are for something else than what stands there (SPEC 5.6): check 307."""

from __future__ import annotations

from typing import Any

from fairbones_verify.ed25519 import L
from tests.verifier.forgeries.making import forgery
from tests.verifier.forgeries.resigned import (
    BOTH,
    Sign,
    gone,
    having,
    in_place_of,
    instead,
    own_sign,
    place_of,
    signed_at,
    strange,
)
from tests.verifier.house import House
from tests.verifier.primitives import Event, H, u32
from tests.verifier.signing import action, message, move, seat_of


def false(kind: str, name: str | None, sign: Sign) -> bytes:
    house = having(kind, name)
    return instead(house, signed_at(house, kind), sign)


@forgery("authority/signature")
def invented_play() -> bytes:
    return false("played", "block", lambda house, event, opened: b"\1" * 64)


@forgery("authority/signature")
def play_signed_with_another_key() -> bytes:
    return false("played", "block", strange)


@forgery("authority/signature")
def scalar_not_reduced() -> bytes:
    def sign(house: House, event: Event, opened: bytes) -> bytes:
        good = own_sign(house, event, opened)
        return good[:32] + (int.from_bytes(good[32:], "little") + L).to_bytes(32, "little")

    return false("played", "block", sign)


def another_place(house: House, event: Event, opened: bytes, **place: Any) -> bytes:
    here = {"seq": event["seq"], "prev": event["prev"], "seat": event["data"]["seat"]} | place
    said = move(opened, here["seq"], here["prev"], here["seat"], action(event))
    return house.signers[event["data"]["seat"]].sign(said)


@forgery("authority/signature")
def signed_for_another_seq() -> bytes:
    return false(
        "played",
        "block",
        lambda house, event, o: another_place(house, event, o, seq=event["seq"] + 1),
    )


@forgery("authority/signature")
def signed_after_another_event() -> bytes:
    return false(
        "played", "block", lambda house, event, o: another_place(house, event, o, prev="ab" * 32)
    )


@forgery("authority/signature")
def signed_for_another_seat() -> bytes:
    return false("played", "block", lambda house, event, o: another_place(house, event, o, seat=63))


@forgery("authority/signature")
def signed_for_another_match() -> bytes:
    return false("passed", "block", lambda house, event, o: own_sign(house, event, b"\1" * 32))


@forgery("authority/signature")
def another_tile_signed() -> bytes:
    return false(
        "played", "block", lambda house, event, o: in_place_of(house, event, o, tile="0-0")
    )


@forgery("authority/signature")
def tile_signed_low_half_first() -> bytes:
    house = having("played", "block")
    place = place_of(
        house,
        "played",
        lambda event: (
            "signature" in event["data"] and event["data"]["tile"][0] != event["data"]["tile"][-1]
        ),
    )
    return instead(
        house,
        place,
        lambda house, event, o: in_place_of(house, event, o, tile=event["data"]["tile"][::-1]),
    )


@forgery("authority/signature")
def another_end_signed() -> bytes:
    house = having("played", "block", member="end")
    place = place_of(house, "played", lambda event: {"signature", "end"} <= set(event["data"]))
    other = "left" if house.events[place]["data"]["end"] == "right" else "right"
    return instead(house, place, lambda house, event, o: in_place_of(house, event, o, end=other))


@forgery("authority/signature")
def claim_taken_away_or_added() -> bytes:
    house = having("played", "all-fives", member="claim")
    place = place_of(house, "played", lambda event: {"signature", "claim"} <= set(event["data"]))
    return instead(house, place, lambda house, event, o: in_place_of(house, event, o, claim=None))


@forgery("authority/signature")
def another_gift_signed() -> bytes:
    return false(
        "gave", "middle-eastern", lambda house, event, o: in_place_of(house, event, o, seal=6_143)
    )


@forgery("authority/signature")
def call_signed_as_a_pass() -> bytes:
    return false(
        "called",
        "all-fives",
        lambda house, event, o: own_sign(house, {**event, "type": "passed"}, o),
    )


@forgery("authority/signature")
def left_says_the_house() -> bytes:
    return false("left", None, lambda house, event, o: another_place_to_leave(house, event))


def another_place_to_leave(house: House, event: Event) -> bytes:
    return house.signers[seat_of(event)].sign(message(b"\1" * 32, event, seat_of(event)))


@forgery("authority/signature")
def left_before_the_deal_signed_by_another() -> bytes:
    return gone(BOTH, 1, 0).transcript()


@forgery("authority/signature")
def name_that_was_not_given() -> bytes:
    return false("seated", "block", lambda house, event, o: in_place_of(house, event, o, name="x"))


@forgery("authority/signature")
def commitment_shown_as_a_clear_seed() -> bytes:
    """T50: what was signed is a commitment; the house writes the seed it opens to."""
    house = House(keys=BOTH, clear=(1,)).play()

    def sign(house: House, event: Event, opened: bytes) -> bytes:
        key, seed = house.signers[1].public, house.seeds[1]
        committed = H("client-seed", opened, u32(1), key, seed).hex()
        told = {"client_seed": None, "client_seed_commitment": committed}
        return in_place_of(house, event, opened, **told)

    place = place_of(house, "seated", lambda event: event["data"]["seat"] == 1)
    return instead(house, place, sign)


@forgery("authority/signature")
def seed_signed_for_another_seating() -> bytes:
    return false(
        "seeded",
        "block",
        lambda house, event, o: in_place_of(house, event, o, seated_hash="ab" * 32),
    )


@forgery("authority/signature")
def joining_signed_for_another_match() -> bytes:
    return false("seated", None, lambda house, event, o: own_sign(house, event, b"\1" * 32))
