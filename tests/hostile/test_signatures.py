"""Seats with keys: a signature for anything else than this very thing is none (SPEC 5.6)."""

from __future__ import annotations

import hashlib

import pytest

from fairbones.bots.keys import SeatKey
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.protocol.seatkeys import (
    leave_message,
    move_message,
    register_message,
    seed_message,
)
from tests.forge.curve import L, encode, small_order, times
from tests.forge.keys import HOUSE_PHRASE
from tests.forge.signatures import MESSAGE, signed, weak_keys
from tests.hostile.conftest import Tables
from tests.hostile.judging import all_refused, one_history, refused
from tests.hostile.table import Table
from tests.hostile.wire import Json, Request

KEYS = (0, 1)
# Its secret scalar is known to `tests.forge.signatures`, so it can sign in crooked ways.
CROOKED = SeatKey(hashlib.sha256(HOUSE_PHRASE.encode()).digest())
INVALID = (422, "signature/invalid")


@pytest.fixture
def table(tables: Tables) -> Table:
    """Two seats with keys; seat 0's is the crooked one. Nobody sits."""
    made = tables(signed=KEYS, options={"hand": 10})
    made.keys[0] = CROOKED
    return made


def crooked(message: bytes) -> dict[str, str]:
    """Signatures that satisfy a looser criterion than SPEC 2.4, by what is crooked about them."""
    good = signed(CROOKED.public, message, 12345)
    assert good != bytes(64)
    r, s = good[:32], int.from_bytes(good[32:], "little")
    torsion = small_order()
    found = {
        "S + L": r + (s + L).to_bytes(32, "little"),
        "S + 2 L": r + (s + 2 * L).to_bytes(32, "little"),
        "S with a high bit": r + (s | 1 << 255).to_bytes(32, "little"),
        "R of mixed order": signed(CROOKED.public, message, 777, torsion=torsion[1]),
        "R plus a point of order 2": signed(CROOKED.public, message, 777, torsion=torsion[4]),
        "R of small order": encode(torsion[2]) + good[32:],
        "R in a second spelling": signed(
            CROOKED.public, message, 0, spelled=(2**255 - 18).to_bytes(32, "little")
        ),
        "another message": signed(CROOKED.public, message + b".", 12345),
        "R and S exchanged": good[32:] + r,
        "zeros": bytes(64),
    }
    return {about: signature.hex() for about, signature in found.items()}


SHAPES = ("upper", "short", "long", "spaced", "empty", "base64")


def misshapen(signature: str) -> dict[str, object]:
    """The right signature, spelled otherwise."""
    assert signature.upper() != signature
    return {
        "upper": signature.upper(),
        "short": signature[:-2],
        "long": signature + "00",
        "spaced": signature + " ",
        "empty": "",
        "base64": "A" * 88,
    }


def judged(table: Table, request: Request, message: bytes) -> None:
    """A crooked signature, one that is spelled otherwise, and none at all."""
    sent = [request.but(signature=it) for it in crooked(message).values()]
    all_refused(table, sent, *INVALID)
    spelled = misshapen(request.told()["signature"])
    assert tuple(spelled) == SHAPES
    all_refused(table, [request.but(signature=it) for it in spelled.values()], 422, "request/range")
    other: list[object] = [[], 7, True]
    all_refused(table, [request.but(signature=it) for it in other], 422, "request/type")
    refused(table, request.but(signature=None), 422, "signature/missing")


def test_crooked_signatures_on_every_path(table: Table) -> None:
    """T26: malleable, of mixed or small order, misspelt, missing; to join, reveal, move, leave."""
    joining = table.sitting(0)
    commitment = bytes.fromhex(joining.told()["client_seed_commitment"])
    message = register_message(table.opened_hash, 0, CROOKED.public, commitment=commitment)
    judged(table, joining, message)
    table.sit_all()
    seated = bytes.fromhex(table.seated_hash())
    judged(table, table.revealing(0), seed_message(table.opened_hash, seated, 0, table.seeds[0]))
    for seat in KEYS:
        table.do(table.revealing(seat))
    while table.to_act()[0] != 0:
        table.turn()
    action, head = table.to_act()[1][0], table.head()
    prev = bytes.fromhex(head["event_hash"])
    place = table.opened_hash, head["seq"] + 1, prev, 0
    judged(table, table.acting(0, action), move_message(*place, canonical(action)))
    judged(table, table.leaving(0), leave_message(table.opened_hash, 0))
    table.do(table.acting(0, action))
    table.do(table.leaving(0))
    one_history(table)


def test_weak_keys_take_no_seat(table: Table) -> None:
    """T26: a key of small or mixed order, or in a second spelling, is no key; even with a
    signature for which the equation holds.
    """
    rows = [row for row in weak_keys(small_order()) if row["message"].startswith(MESSAGE.hex())]
    assert len(rows) == 14
    sent = [
        table.sitting(0).but(public_key=row["public_key"], signature=row["signature"])
        for row in rows
    ]
    all_refused(table, sent, 422, "seat/bad-key")
    upper = table.sitting(0).but(public_key=CROOKED.public.hex().upper())
    refused(table, upper, 422, "request/range")


def test_a_registration_for_something_else(table: Table, tables: Tables) -> None:
    """T12, T26, T37: of another match, seat, key, name or commitment."""
    key, other = CROOKED, tables(signed=KEYS)
    request = table.sitting(0)
    commitment = bytes.fromhex(request.told()["client_seed_commitment"])
    place = table.opened_hash, 0
    elsewhere = [
        key.joins(other.opened_hash, 0, commitment=commitment),
        key.joins(table.opened_hash, 1, commitment=commitment),
        key.joins(*place, commitment=bytes(32)),
        key.joins(*place, client_seed=commitment),
        key.joins(*place, commitment=commitment, name="ada"),
        SeatKey().joins(*place, commitment=commitment),
        table.keys[1].joins(*place, commitment=commitment),
    ]
    all_refused(table, [request.but(signature=it) for it in elsewhere], *INVALID)
    refused(table, request.but(name="ada"), *INVALID)
    swapped = request.but(public_key=table.keys[1].public.hex())
    refused(table, swapped, *INVALID)
    refused(table, request.but(public_key=None), 422, "signature/not-due")
    table.do(request)
    second = table.sitting(1)
    key_of_first = client_commitment(table.opened_hash, 1, key.public, table.seeds[1])
    copied = second.but(
        public_key=key.public.hex(),
        client_seed_commitment=key_of_first.hex(),
        signature=key.joins(table.opened_hash, 1, commitment=key_of_first),
    )
    refused(table, copied, 409, "seat/key-taken")


def test_a_seed_signed_for_something_else(table: Table) -> None:
    """T9, T12, T37: for another seating, another seat, another match; and by another key."""
    table.sit_all()
    request = table.revealing(0)
    seated, seed = bytes.fromhex(table.seated_hash()), table.seeds[0]
    opened, other = table.opened_hash, table.keys[1]
    earlier = bytes.fromhex(table.events()[-1]["prev"])
    elsewhere = [
        CROOKED.reveals(opened, earlier, 0, seed),
        CROOKED.reveals(opened, bytes(32), 0, seed),
        CROOKED.reveals(opened, seated, 1, seed),
        CROOKED.reveals(bytes(32), seated, 0, seed),
        CROOKED.reveals(opened, seated, 0, table.seeds[1]),
        other.reveals(opened, seated, 0, seed),
    ]
    all_refused(table, [request.but(signature=it) for it in elsewhere], *INVALID)
    named = request.but(seated_hash=earlier.hex(), signature=elsewhere[0])
    refused(table, named, 409, "seed/other-seating")
    false = request.but(
        client_seed="5a" * 32, signature=CROOKED.reveals(opened, seated, 0, b"\x5a" * 32)
    )
    refused(table, false, 422, "seed/mismatch")
    table.do(request)
    refused(table, request.but(signature=elsewhere[0]), 409, "seed/revealed")


def test_a_move_signed_for_something_else(table: Table, tables: Tables) -> None:
    """T12, T26: of another match, seq, head, seat or action, with the same valid key."""
    table.deal()
    other = tables(signed=KEYS, options={"hand": 10})
    other.keys = table.keys
    other.deal()
    seat, listed = table.to_act()
    if len(listed) < 2:
        table.turn()
        seat, listed = table.to_act()
    key, action, head = table.keys[seat], listed[0], table.head()
    seq, prev, opened = head["seq"] + 1, bytes.fromhex(head["event_hash"]), table.opened_hash
    request = table.acting(seat, action)
    elsewhere = [
        key.moves(other.opened_hash, seq, prev, seat, action),
        key.moves(opened, seq + 1, prev, seat, action),
        key.moves(opened, seq - 1, prev, seat, action),
        key.moves(opened, seq, bytes(32), seat, action),
        key.moves(opened, seq, opened, seat, action),
        key.moves(opened, seq, prev, 1 - seat, action),
        key.moves(opened, seq, prev, seat, {"type": "pass"}),
        table.keys[1 - seat].moves(opened, seq, prev, seat, action),
        key.leaves(opened, seat),
    ]
    elsewhere += [key.moves(opened, seq, prev, seat, it) for it in listed[1:]]
    requests = [request.but(signature=it) for it in elsewhere]
    # Without `prev` the head is the one that counts.
    all_refused(table, [*requests, *(it.but(prev=None) for it in requests)], *INVALID)
    theirs = other.to_act()
    sent = other.acting(theirs[0], theirs[1][0])
    moved = sent.at(f"{table.path}/actions").by(table.tokens[theirs[0]])
    refused(table, moved, 409, "match/stale")
    table.do(request)
    refused(table, request.but(signature=elsewhere[0]), 409, "match/stale")


def turned(action: Json) -> Json:
    """The same tile, low half first."""
    return action | {"tile": "-".join(reversed(action["tile"].split("-")))}


def test_an_action_spelled_otherwise(table: Table) -> None:
    """T12: an event keeps the very form that was signed, so another form is refused, by name."""
    table.deal()
    for _ in range(30):
        seat, listed = table.to_act()
        uneven = [it for it in listed if turned(it) != it]
        if uneven:
            break
        table.turn()
    action = uneven[0]
    told = refused(table, table.acting(seat, turned(action)), 422, "signature/other-form")
    assert told["action"] == action
    right = table.acting(seat, action)
    refused(table, right.but(action=turned(action)), *INVALID)
    refused(table, table.acting(seat, turned(action)).but(action=action), *INVALID)
    table.do(right)


def test_leaving_for_somebody_else(table: Table, tables: Tables) -> None:
    """T50: a signature of another match or of the other seat takes nobody away; nor does none."""
    table.deal()
    other = tables(signed=KEYS)
    request = table.leaving(0)
    elsewhere = [
        CROOKED.leaves(other.opened_hash, 0),
        CROOKED.leaves(table.opened_hash, 1),
        table.keys[1].leaves(table.opened_hash, 0),
        table.sitting(0).told()["signature"],
    ]
    all_refused(table, [request.but(signature=it) for it in elsewhere], *INVALID)
    refused(table, request.by(table.tokens[1]), 403, "auth/other-seat")
    table.do(request)
    refused(table, request.but(signature=elsewhere[0]), 409, "seat/has-left")
    listed: list[Json] = [{"type": "pass"}, {"type": "play", "tile": "6-6"}]
    all_refused(table, [table.acting(0, it) for it in listed], 409, "seat/has-left")


def test_a_signature_where_none_is_due(tables: Tables) -> None:
    """T12: a seat without a key signs nothing, whoever made the signature."""
    table, key = tables(), SeatKey()
    refused(table, table.sitting(0, signature="5a" * 64), 422, "signature/not-due")
    refused(table, table.sitting(0, public_key=key.public.hex()), 422, "signature/missing")
    table.sit_all()
    shown = table.revealing(0)
    refused(table, shown.but(signature="5a" * 64), 422, "signature/not-due")
    table.do(shown)
    table.do(table.revealing(1))
    seat, listed = table.to_act()
    refused(table, table.acting(seat, listed[0]).but(signature="5a" * 64), 422, "signature/not-due")
    refused(table, table.leaving(seat).but(signature="5a" * 64), 422, "signature/not-due")


def test_a_seat_reserved_for_a_key(tables: Tables) -> None:
    """T45, T8: nobody without that key sits there, nor does the key sit elsewhere."""
    kept = {"seat": 0, "public_key": CROOKED.public.hex()}
    table = tables(signed=KEYS, reserved=[kept])
    told = refused(table, table.sitting(0), 403, "seat/reserved-key")
    assert told["public_key"] == kept["public_key"]
    bare = table.sitting(0).but(public_key=None, signature=None)
    refused(table, bare, 403, "seat/reserved-key")
    stolen = table.sitting(0).but(public_key=kept["public_key"])
    refused(table, stolen, *INVALID)
    table.keys[1] = CROOKED
    refused(table, table.sitting(1), 409, "seat/key-taken")
    table.keys[0] = CROOKED
    table.do(table.sitting(0))


def test_the_crooked_tools_can_sign(table: Table) -> None:
    """The tests above would be worth nothing if these signatures were refused for being noise."""
    assert times(L, small_order()[1]) != (0, 1)
    message = leave_message(table.opened_hash, 0)
    assert signed(CROOKED.public, message, 12345) != bytes.fromhex(CROOKED.sign(message))
    table.deal()
    good = signed(CROOKED.public, message, 12345).hex()
    table.do(table.leaving(0).but(signature=good))
    one_history(table)
