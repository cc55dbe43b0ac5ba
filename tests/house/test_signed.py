"""Signed seats and the house: repeats, races lost, a restart; nothing is added by a refusal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairbones.bots.keys import SeatKey
from fairbones.core.match import ForKey
from fairbones.core.protocol.chain import read_event
from fairbones.house.messages import ActRequest, OpenRequest
from tests.house.party import Guests, Party
from tests.house.test_repeats import code, same


def with_keys(party: Party, *seats: int, count: int = 2, **more: object) -> Guests:
    """A match in which these seats have a key."""
    guests = party.open("draw", count, **more)
    guests.keys = {seat: SeatKey(party.rnd.randbytes(32)) for seat in seats}
    return guests


def test_the_same_signed_requests_again(party: Party) -> None:
    """A repeat is the very request: with another signature, or none, it is another one."""
    guests = with_keys(party, 0, 1)
    sat = guests.sit(0)
    guests.sit(1)
    shown = guests.reveal(0)
    guests.reveal(1)
    seat, action, seq, done = guests.act(party.rnd.choice)
    guests.house = party.another_house()
    assert same(guests.sit(0), sat)
    assert same(guests.reveal(0), shown)
    assert same(guests.send(seat, action, seq), done)
    stored = guests.stored_events()
    for signature in (None, bytes(64)):
        sit = replace(guests.sit_request(0), signature=signature)
        told = guests.match_id, guests.tokens[0]
        assert code(guests.house.sit, *told, sit) == "seat/taken"
        act = ActRequest(seq, action, signature=signature)
        assert code(guests.house.act, guests.match_id, guests.tokens[seat], act) == "match/stale"
        seated = [event for event in guests.events() if event.type == "seated"][-1].hash
        reveal = guests.match_id, 0, guests.seeds[0], seated, signature
        assert code(guests.house.reveal, *reveal) == "seed/too-late"
    assert guests.stored_events() == stored


@pytest.mark.parametrize("dealt", [False, True])
def test_leaving_again(party: Party, dealt: bool) -> None:
    guests = with_keys(party, 0, count=3)
    if dealt:
        guests.deal()
    else:
        guests.sit(0)
    left = guests.leave(0)
    assert same(guests.leave(0), left)
    wanted = "seat/has-left" if dealt and guests.view()["status"] == "playing" else "match/void"
    unsigned = guests.match_id, 0, guests.tokens[0]
    assert code(guests.house.leave, *unsigned) == wanted


def test_a_signed_move_that_came_too_late_is_stale(party: Party) -> None:
    """Its place is taken, so the signature is not looked at: 409 with the head, as for any seat."""
    guests = with_keys(party, 0, 1).deal()
    seat, view = guests.wait()
    head = view["head"]
    action = view["you"]["legal_actions"][0]
    prev = bytes.fromhex(head["event_hash"])
    signature = guests.keys[seat].moves(guests.opened_hash, head["seq"] + 1, prev, seat, action)
    party.clock.now += 21_000
    request = ActRequest(head["seq"] + 1, action, prev, signature=bytes.fromhex(signature))
    act = guests.house.act
    assert code(act, guests.match_id, guests.tokens[seat], request) == "match/stale"
    events = [read_event(raw) for raw in guests.stored_events()][head["seq"] + 1 :]
    assert events[0].type == "timed_out"
    assert not any("signature" in event.data for event in events)


def test_some_seats_signed_a_match_is_played_out(party: Party) -> None:
    guests = with_keys(party, 1, count=3).deal().play_out()
    for event in guests.events()[1:]:
        mine = event.data.get("seat") == 1 and event.type in ("seated", "seeded", "played")
        assert ("signature" in event.data) == mine, event
    keys = [shown.get("public_key") for shown in guests.view()["seats"]]
    assert keys == [None, guests.keys[1].public.hex(), None]


def test_an_idempotency_key_is_for_the_same_keys(party: Party) -> None:
    """A seat reserved for a key is part of the request."""
    one, other = (SeatKey(party.rnd.randbytes(32)).public for _ in range(2))
    guests = party.open("draw", 2, reserved={1: ForKey(one)})
    assert guests.events()[0].data["reserved"] == [{"seat": 1, "public_key": one.hex()}]
    assert [shown.get("reserved") for shown in guests.view()["seats"]] == [None, True]
    base = OpenRequest("draw", 2, reserved={1: ForKey(one)})
    opened = party.house.open(base, "a key")
    assert party.house.open(base, "a key").match_id == opened.match_id
    changed = replace(base, reserved={1: ForKey(other)})
    assert code(party.house.open, changed, "a key") == "request/key-reused"
