"""A secret is in no answer, view, transcript, repr, error, log or stored byte before its event."""

from __future__ import annotations

import base64
import json
import logging

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import Stage, replay
from fairbones.core.protocol.chain import read_event
from fairbones.core.protocol.wash import round_seed
from fairbones.house.messages import SitRequest
from tests.house.party import Guests, Party


def spellings(secret: bytes) -> list[bytes]:
    """How a secret could lie in a heap of bytes."""
    return [
        secret,
        secret.hex().encode(),
        secret.hex().upper().encode(),
        base64.b64encode(secret),
        base64.urlsafe_b64encode(secret),
        repr(secret).encode(),
        str(int.from_bytes(secret, "big")).encode(),
        str(list(secret)).encode(),
    ]


def absent(secret: bytes, heap: bytes, where: str) -> None:
    """Fails when a secret can be found."""
    for spelling in spellings(secret):
        assert spelling not in heap, where


def shown(guests: Guests) -> bytes:
    """Everything the house tells anybody now."""
    told: list[object] = [guests.view(viewer) for viewer in guests.viewers()]
    told += [guests.view(None, seq) for seq in range(0, len(guests.stored_events()), 5)]
    told += [list(guests.house.keys()), list(guests.house.rulesets())]
    heap = [json.dumps(told).encode(), guests.house.transcript(guests.match_id)]
    followed = guests.follow(-1)
    return b"\n".join([*heap, *followed.events, followed.receipt])


def remembered(guests: Guests) -> bytes:
    """How the house's own things show themselves in a log line."""
    desk = guests.house._desk
    kept = desk.fresh(guests.match_id)
    things = (guests.house, desk, kept, kept.state, kept.state.round, desk.vault, desk._kept)
    return "\n".join(f"{thing!r}{thing!s}" for thing in things).encode()


def refusals(guests: Guests) -> bytes:
    """What the house says when it says no."""
    told = []
    for call in (
        lambda: guests.house.sit(guests.match_id, "wrong", SitRequest(63, "x", bytes(32))),
        lambda: guests.send(0, {"type": "pass"}, 1),
        lambda: guests.send(0, {"type": "play", "tile": "0-0", "end": "up"}, 10_000),
        lambda: guests.house.reveal(guests.match_id, 0, bytes(32), bytes(32)),
        lambda: guests.house.view(guests.match_id, "wrong"),
        lambda: guests.view(None, 10**6),
    ):
        try:
            call()
        except FairbonesError as error:
            told.append(f"{error!s}{error!r}{error.details}")
    return "\n".join(told).encode()


@pytest.mark.parametrize(("ruleset", "seats"), [("block", 2), ("draw", 4)])
def test_secrets_of_a_whole_match(
    party: Party, ruleset: str, seats: int, caplog: pytest.LogCaptureFixture
) -> None:
    """T23, T28: the server seed until `match_ended`, a round seed until its `round_ended`."""
    caplog.set_level(logging.DEBUG)
    guests = party.open(ruleset, seats, options={"target": 10_000}, rounds_max=2)
    secret = party.server_seeds[0]
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1
        events = [read_event(raw) for raw in guests.stored_events()]
        state = replay(events, secret)
        hidden = [] if state.stage is Stage.ENDED else [secret]
        hidden += [
            round_seed(guests.match_id, secret, r)
            for r in range(1, 3)
            if r > state.rounds or (r == state.rounds and state.round is not None)
        ]
        heaps = {
            "an answer": shown(guests),
            "the store": party.store.stored_bytes(),
            "a repr": remembered(guests),
            "an error": refusals(guests),
            "the log": caplog.text.encode(),
        }
        for where, heap in heaps.items():
            assert len(heap) > 50 or where == "the log"
            for each in hidden:
                absent(each, heap, where)

    look()
    for seat in range(seats):
        guests.sit(seat)
    look()
    for seat in range(seats):
        guests.reveal(seat)
    while guests.view()["status"] == "playing":
        if looks < 8 or party.rnd.random() < 0.3:
            look()
        guests.act(party.rnd.choice)
    look()
    assert looks > 5
    last = guests.stored_events()[-1]
    assert secret.hex().encode() in last
    assert [secret.hex().encode() in raw for raw in guests.stored_events()].count(True) == 1
    # The looking itself finds what is there.
    with pytest.raises(AssertionError):
        absent(secret, shown(guests), "an answer")


def test_a_void_shows_the_seed_and_nothing_before_it_did(party: Party) -> None:
    """SPEC 7: "`server_seed` hex32, for every reason but `seed-lost`"."""
    guests = party.open("draw", 2).deal()
    secret = party.server_seeds[0]
    heap = party.store.stored_bytes() + shown(guests) + remembered(guests)
    absent(secret, heap, "before")
    told = guests.foreign_receipt(99, bytes(32))
    with pytest.raises(FairbonesError) as caught:
        guests.send(0, {"type": "pass"}, 1, receipt=told)
    absent(secret, repr(caught.value).encode(), "the error")
    assert secret.hex().encode() in guests.stored_events()[-1]


def test_tokens_are_kept_as_hashes(party: Party) -> None:
    """T28: a thief of the database cannot sit down in anybody's place."""
    guests = party.open().deal()
    heap = party.store.stored_bytes() + remembered(guests) + shown(guests)
    for token in guests.tokens:
        for spelling in (token.encode(), bytes.fromhex(token), token.upper().encode()):
            assert spelling not in heap


def test_client_seeds_are_unknown_until_they_are_revealed(party: Party) -> None:
    """SPEC 5.2: a commitment hides its seed; the house cannot show what it has not got."""
    guests = party.open("block", 3).seat_all()
    guests.reveal(1)
    heap = party.store.stored_bytes() + remembered(guests) + shown(guests)
    for seat in (0, 2):
        absent(guests.seeds[seat], heap, "before the reveal")
    assert guests.seeds[1].hex().encode() in heap
