"""Reserved seats: who brings the secret may sit, nobody else, and nothing keeps the secret."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import replace

import pytest

from fairbones.core.match import ForInvite, Sit
from fairbones.core.protocol.invites import invite_hash
from fairbones.house import openings
from fairbones.house.messages import OpenRequest
from tests.house.party import Guests, Party
from tests.house.test_repeats import code, same


def kept(secret: bytes) -> ForInvite:
    """A seat for whoever brings the secret."""
    return ForInvite(invite_hash(secret))


def invited(party: Party, secret: bytes, seat: int = 1, seats: int = 3) -> Guests:
    """A match with one seat kept for who has the secret."""
    return party.open("block", seats, reserved={seat: kept(secret)})


def sits(guests: Guests, seat: int, invite: bytes | None) -> object:
    request = replace(guests.sit_request(seat), invite=invite)
    return guests.noted(guests.house.sit(guests.match_id, guests.tokens[seat], request))


def test_the_hash_of_the_text(party: Party) -> None:
    """`invite_hash = SHA-256(enc("fairbones/1/invite", secret))` (SPEC 2.3, 7), seats in order."""
    secrets = {seat: party.rnd.randbytes(16 + seat) for seat in (2, 0)}
    guests = party.open("block", 3, reserved={it: kept(s) for it, s in secrets.items()})
    assert guests.events()[0].data["reserved"] == [
        {
            "seat": seat,
            "invite_hash": hashlib.sha256(
                bytes([0, 0, 0, 18])
                + b"fairbones/1/invite"
                + bytes([0, 0, 0, len(secrets[seat])])
                + secrets[seat]
            ).hexdigest(),
        }
        for seat in (0, 2)
    ]
    assert party.open().events()[0].data["reserved"] == []


def test_who_has_the_secret_sits(party: Party) -> None:
    secret = party.rnd.randbytes(16)
    guests = invited(party, secret)
    stored = guests.stored_events()
    others = (None, b"", bytes(16), secret[:-1], secret + b"\0", invite_hash(secret), secret[::-1])
    for wrong in others:
        assert code(sits, guests, 1, wrong) == "seat/reserved"
    assert guests.stored_events() == stored
    assert [it.get("reserved") for it in guests.view()["seats"]] == [None, True, None]
    sits(guests, 1, secret)
    assert [it.get("reserved") for it in guests.view(1)["seats"]] == [None, True, None]
    seated = guests.events()[-1]
    assert (seated.type, seated.data["seat"]) == ("seated", 1)
    assert set(seated.data) == {"seat", "name", "client_seed_commitment"}


def test_an_invitation_is_for_its_seat(party: Party) -> None:
    """To any other seat it is refused, so nobody finds out later that it was in vain."""
    secret = party.rnd.randbytes(64)
    guests = invited(party, secret)
    for seat in (0, 2):
        assert code(sits, guests, seat, secret) == "seat/not-reserved"
        sits(guests, seat, None)
    two = party.open("block", 2, reserved={0: kept(secret), 1: kept(b"2" * 16)})
    assert code(sits, two, 1, secret) == "seat/reserved"


def test_the_same_again_is_a_no_op(party: Party) -> None:
    secret = party.rnd.randbytes(16)
    guests = invited(party, secret)
    request = replace(guests.sit_request(1), invite=secret)

    def sit(token: str, invite: bytes | None) -> object:
        return guests.house.sit(guests.match_id, token, replace(request, invite=invite))

    first = guests.house.sit(guests.match_id, guests.tokens[1], request)
    guests.house = party.another_house()
    assert same(guests.house.sit(guests.match_id, guests.tokens[1], request), first)
    for token, invite in ((guests.tokens[1], None), (guests.tokens[1], b"x" * 16)):
        assert code(sit, token, invite) == "seat/taken"
    assert code(sit, guests.tokens[0], secret) == "seat/taken"


def test_the_secret_is_kept_nowhere(party: Party, caplog: pytest.LogCaptureFixture) -> None:
    """Not in the store, in an event, in an answer, in the log, nor in the `repr` of a request."""
    caplog.set_level(logging.DEBUG)
    secret = party.rnd.randbytes(16)
    guests = invited(party, secret)
    request = replace(guests.sit_request(1), invite=secret)
    command = Sit(0, 1, invite=secret)
    answer = guests.house.sit(guests.match_id, guests.tokens[1], request)
    told = [repr(it).encode() for it in (request, answer, command)]
    everything = b"\n".join(
        (
            party.store.stored_bytes(),
            guests.house.transcript(guests.match_id),
            *told,
            caplog.text.encode(),
        )
    )
    assert invite_hash(secret).hex().encode() in everything, "the search would not find it"
    for text in (secret, secret.hex().encode(), repr(secret).encode()):
        assert text not in everything


def test_the_secrets_are_compared_in_constant_time(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def watched(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return one == other

    secret = party.rnd.randbytes(16)
    guests = invited(party, secret)
    monkeypatch.setattr("hmac.compare_digest", watched)
    assert code(sits, guests, 1, b"\x07" * 16) == "seat/reserved"
    assert (invite_hash(b"\x07" * 16), invite_hash(secret)) in compared


def test_an_idempotency_key_is_for_the_same_invitations(party: Party) -> None:
    """`listed` and `reserved` are part of the request, in whatever order the seats came."""
    base = OpenRequest("block", 3)
    hashes = {seat: kept(bytes([seat]) * 16) for seat in range(3)}
    asked = {
        "as usual": base,
        "unlisted": replace(base, listed=False),
        "reserved": replace(base, reserved={0: hashes[0], 1: hashes[1]}),
        "other seat": replace(base, reserved={0: hashes[0], 2: hashes[1]}),
        "other secret": replace(base, reserved={0: hashes[0], 1: hashes[2]}),
        "fewer": replace(base, reserved={0: hashes[0]}),
        "both": replace(base, listed=False, reserved={0: hashes[0], 1: hashes[1]}),
    }
    for key, first in asked.items():
        opened = party.house.open(first, key)
        for name, other in asked.items():
            if name == key:
                again = party.house.open(other, key)
                assert (again.match_id, again.created) == (opened.match_id, False)
            else:
                assert code(party.house.open, other, key) == "request/key-reused", (key, name)
    turned = replace(base, reserved={1: hashes[1], 0: hashes[0]})
    assert not party.house.open(turned, "reserved").created


def test_a_request_of_an_older_release_is_still_the_same() -> None:
    """Keys live longer than releases: what had no `listed` and `reserved` is digested as it was."""
    told = (
        b'{"auto_forced":true,"clear_seeds":false,"join_seconds":600,"options":{"target":50},'
        b'"reference":"r","reveal_seconds":120,"rounds_max":32,"ruleset":"block","seats":2,'
        b'"turn_seconds":60}'
    )
    request = OpenRequest("block", 2, {"target": 50}, reference="r")
    assert openings._request_hash(request) == hashlib.sha256(told).digest()
