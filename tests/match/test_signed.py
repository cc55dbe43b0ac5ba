"""SPEC 5.6: what a seat with a key says is signed, and nothing else is; a refusal adds nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairbones.bots.keys import SeatKey
from fairbones.core.errors import FairbonesError
from fairbones.core.match import (
    Act,
    Command,
    ForInvite,
    ForKey,
    Leave,
    MatchState,
    Reservation,
    Reveal,
    Sit,
    Stage,
    decide,
)
from fairbones.core.match import signed as judged
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.protocol.invites import invite_hash
from fairbones.core.rules import Play, action_to_json, legal
from tests.match.playing import Table, check_match, open_table, types

EDGES: list[dict[str, Any]] = json.loads(
    (Path(__file__).resolve().parents[1] / "verifier" / "edges.json").read_text("utf-8")
)["vectors"]
L = 2**252 + 27742317777372353535851937790883648493
Signed = Sit | Reveal | Act | Leave


def keyed(seed: random.Random, *seats: int, **more: Any) -> Table:
    """A match in which those seats have a key."""
    table = open_table(seed, **{"ruleset": "draw", **more})
    table.keys = {seat: SeatKey(seed.randbytes(32)) for seat in seats}
    return table


def refused(state: MatchState, command: Command) -> str:
    """The code of a refusal."""
    with pytest.raises(FairbonesError) as caught:
        decide(state, command)
    return caught.value.code


# What a seat can say: where the match must stand for it, and how the player of seat 0 says it.
def _sit(table: Table) -> Signed:
    return table.sitting(0)


def _reveal(table: Table) -> Signed:
    return table.seat_all().revealing(0)


def _act(table: Table) -> Signed:
    table.deal()
    while table.turn != 0:
        table.act(lambda actions: actions[0])
    return table.acting(0, legal(table.hand)[0])


def _leave(table: Table) -> Signed:
    return table.deal().leaving(0)


def _leave_early(table: Table) -> Signed:
    table.sit(0)
    return table.leaving(0)


SAID: dict[str, Callable[[Table], Signed]] = {
    "seated": _sit,
    "seeded": _reveal,
    "played": _act,
    "left": _leave,
    "voided": _leave_early,
}
ways = pytest.mark.parametrize("said", SAID)


@ways
def test_the_event_carries_the_signature(said: str, seed: random.Random) -> None:
    table = keyed(seed, 0, 1)
    command = SAID[said](table)
    assert command.signature is not None
    events, _ = decide(table.state, command)
    assert events[0].type == said
    assert events[0].data["signature"] == command.signature.hex()


@ways
def test_a_signature_is_due_and_has_to_be_valid(said: str, seed: random.Random) -> None:
    """305 and 307: missing, of another key, over something else, in another spelling of S."""
    table = keyed(seed, 0, 1)
    command = SAID[said](table)
    signature = command.signature
    assert signature is not None
    assert refused(table.state, replace(command, signature=None)) == "signature/missing"
    s = int.from_bytes(signature[32:], "little") + L
    others = {
        "malleable": signature[:32] + s.to_bytes(32, "little"),
        "R": bytes([signature[0] ^ 1]) + signature[1:],
        "S": signature[:40] + bytes([signature[40] ^ 1]) + signature[41:],
        "zeros": bytes(64),
        "short": signature[:63],
        "nothing": b"",
        "other key": bytes.fromhex(table.keys[1].sign(b"anything")),
    }
    for name, other in others.items():
        assert refused(table.state, replace(command, signature=other)) == "signature/invalid", name


@ways
def test_a_seat_without_a_key_signs_nothing(said: str, seed: random.Random) -> None:
    """306."""
    table = keyed(seed, 1)
    command = SAID[said](table)
    assert command.signature is None
    other = bytes.fromhex(table.keys[1].sign(b"anything"))
    assert refused(table.state, replace(command, signature=other)) == "signature/not-due"
    events, _ = decide(table.state, command)
    assert "signature" not in events[0].data


@ways
@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: edge["about"])
def test_every_edge_on_every_path(
    said: str, edge: dict[str, Any], seed: random.Random, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SPEC 2.4, "one criterion": whatever is signed, it is judged alike."""
    key, message, signature = (bytes.fromhex(edge[it]) for it in ("key", "message", "signature"))
    table = keyed(seed, 1)
    command = SAID[said](table)
    state = table.state
    if isinstance(command, Sit):
        command = replace(command, public_key=key)
    else:
        seating = state.seatings[0]
        assert seating is not None
        commitment = client_commitment(state.terms.opened_hash, 0, key, table.seeds[0])
        known = replace(seating, public_key=key, commitment=commitment)
        state = replace(state, seatings=(known, *state.seatings[1:]))
    command = replace(command, signature=signature)
    monkeypatch.setattr(judged, "_message", lambda *_: message)
    if edge["valid"]:
        assert decide(state, command)[0][0].type == said
    else:
        assert refused(state, command) in ("signature/invalid", "seat/bad-key")


def test_a_signature_is_for_one_match_seat_and_place(seed: random.Random) -> None:
    """SPEC 5.6: `opened_hash`, the seat, `seq` and `prev` are in the message."""
    for say in (_sit, _reveal):
        table, foreign = keyed(seed, 0, 1), keyed(seed, 0, 1)
        foreign.keys = table.keys
        there = say(foreign)
        moved = replace(say(table), signature=there.signature)
        assert refused(table.state, moved) == "signature/invalid"
    table, foreign = keyed(seed, 0, 1), keyed(seed, 0, 1)
    mine, state = _act(table), table.state
    assert isinstance(mine, Act)
    key, opened_hash = table.keys[0], state.terms.opened_hash
    for place in (
        (foreign.state.terms.opened_hash, state.seq + 1, state.head, 0),
        (opened_hash, state.seq, state.head, 0),
        (opened_hash, state.seq + 2, state.head, 0),
        (opened_hash, state.seq + 1, bytes(32), 0),
        (opened_hash, state.seq + 1, state.head, 1),
    ):
        signature = bytes.fromhex(key.moves(*place, mine.written))
        assert refused(state, replace(mine, signature=signature)) == "signature/invalid", place
    for told in (key.leaves(opened_hash, 1), key.leaves(foreign.state.terms.opened_hash, 0)):
        assert refused(state, Leave(table.now, 0, bytes.fromhex(told))) == "signature/invalid"


def test_who_sits_down_signs_all_that_it_sends(seed: random.Random) -> None:
    """SPEC 5.6: key, commitment or clear seed, and name (T12, T50)."""
    table = keyed(seed, 0, clear_seeds=True)
    sit, other = table.sitting(0), SeatKey(seed.randbytes(32))
    for change in (
        {"name": "q"},
        {"name": None},
        {"commitment": b"\1" * 32},
        {"commitment": None, "client_seed": sit.commitment},
        {"public_key": other.public},
    ):
        assert refused(table.state, replace(sit, **change)) == "signature/invalid", change
    assert decide(table.state, sit)[0][0].data["public_key"] == table.keys[0].public.hex()
    clear = table.sitting(0, clear=True)
    assert types(decide(table.state, clear)[0]) == ["seated"]


def test_a_commitment_binds_the_key(seed: random.Random) -> None:
    """SPEC 5.1: a seed that was committed to without the key opens nothing."""
    table = keyed(seed, 0)
    opened_hash, key = table.state.terms.opened_hash, table.keys[0]
    commitment = client_commitment(opened_hash, 0, b"", table.seeds[0])
    signature = bytes.fromhex(key.joins(opened_hash, 0, commitment=commitment))
    table.do(Sit(table.now, 0, None, commitment, public_key=key.public, signature=signature))
    table.sit(1)
    with pytest.raises(FairbonesError, match="seed/mismatch"):
        table.reveal(0)


def test_one_key_is_for_one_seat(seed: random.Random) -> None:
    """SPEC 5.6: "no two seats of a match have the same"."""
    table = keyed(seed, 0, 1, seats=3)
    table.keys[1] = table.keys[0]
    table.sit(0)
    assert refused(table.state, table.sitting(1)) == "seat/key-taken"
    assert types(table.sit(2)) == ["seated"]


def test_a_seat_reserved_for_a_key(seed: random.Random) -> None:
    """SPEC 5.6: "it is taken with that key or not at all" (T45)."""
    mine, other = SeatKey(seed.randbytes(32)), SeatKey(seed.randbytes(32))
    secret = seed.randbytes(16)
    kept: dict[int, Reservation] = {1: ForKey(mine.public), 2: ForInvite(invite_hash(secret))}
    table = open_table(seed, seats=3, reserved=kept)
    assert table.events[0].data["reserved"] == [
        {"seat": 1, "public_key": mine.public.hex()},
        {"seat": 2, "invite_hash": invite_hash(secret).hex()},
    ]
    assert refused(table.state, table.sitting(1)) == "seat/reserved-key"
    table.keys[1] = other
    assert refused(table.state, table.sitting(1)) == "seat/reserved-key"
    table.keys = {0: mine, 1: mine}
    assert refused(table.state, table.sitting(0)) == "seat/key-taken", "it would be free for nobody"
    invited = replace(table.sitting(1), invite=secret)
    assert refused(table.state, invited) == "seat/not-reserved"
    assert types(table.sit(1)) == ["seated"]
    table.keys[2] = other
    assert refused(table.state, table.sitting(2)) == "seat/reserved"
    assert types(table.do(replace(table.sitting(2), invite=secret))) == ["seated"]


@pytest.mark.parametrize("key", [bytes([1]) + bytes(31), bytes(32), b"\xff" * 32])
def test_no_seat_is_reserved_for_what_is_no_key(key: bytes, seed: random.Random) -> None:
    """303 is about `reserved` too."""
    with pytest.raises(FairbonesError, match="seat/bad-key"):
        open_table(seed, reserved={0: ForKey(key)})


def test_a_signed_action_is_sent_in_its_listed_form(seed: random.Random) -> None:
    """SPEC 5.6: "a signature is over the very form that the event keeps"."""
    table = keyed(seed, 0, 1).deal()
    told = 0
    while table.state.stage is Stage.PLAYING and table.state.rounds == 1:
        action = legal(table.hand)[0]
        if isinstance(action, Play):
            seat, state = table.turn, table.state
            listed = action_to_json(action, table.dealt.position)
            high, low = str(listed["tile"]).split("-")
            if high != low:
                turned = {**listed, "tile": f"{low}-{high}"}
                place = state.terms.opened_hash, state.seq + 1, state.head, seat
                signature = bytes.fromhex(table.keys[seat].moves(*place, turned))
                command = Act(table.now, seat, action, turned, signature)
                with pytest.raises(FairbonesError) as caught:
                    table.do(command)
                assert caught.value.code == "signature/other-form"
                assert caught.value.details["action"] == listed
                told += 1
        table.act(lambda actions: actions[0])
    assert told


def test_the_signature_is_judged_before_the_rules(seed: random.Random) -> None:
    """Who has stolen a token and no key learns nothing of a hand from what the rules refuse."""
    table = keyed(seed, 0, 1).deal()
    for seat in (0, 1):
        for tile in range(28):
            action = Play(tile, None)
            command = Act(table.now, seat, action, action_to_json(action, {}), bytes(64))
            assert refused(table.state, command) == "signature/invalid"
            unsigned = replace(command, signature=None)
            assert refused(table.state, unsigned) == "signature/missing"


@pytest.mark.parametrize("auto", [True, False])
@pytest.mark.parametrize("ruleset", ["draw", "all-fives", "middle-eastern"])
def test_every_own_action_is_signed_and_no_step_of_the_house(
    ruleset: str, auto: bool, seed: random.Random
) -> None:
    """SPEC 5.6, 8.2: time-outs, seats that left and forced steps are the house's."""
    seats = 4 if ruleset == "middle-eastern" else 3
    options = {"draw": {}, "all-fives": {"muggins": True}, "middle-eastern": {"transfer": True}}
    more = {"ruleset": ruleset, "seats": seats, "options": options[ruleset], "auto_forced": auto}
    table = keyed(seed, 0, 1, **more).deal()
    left: set[object] = set()
    clock = False
    while table.state.stage is Stage.PLAYING and len(table.events) < 120:
        if seed.randrange(12) == 0:
            table.expire()
        elif not left and len(table.events) > 60:
            left.add(0)
            table.do(table.leaving(0))
        elif callers := [seat for seat in table.callers() if seat not in left]:
            table.call(callers[0])
        else:
            table.act(seed.choice)
    left.clear()
    met = set()
    for event in table.events[1:]:
        seat = event.data.get("seat")
        own = event.type in ("seated", "seeded", "left", "called") or (
            event.type in ("played", "drew", "passed", "declined", "gave")
            and not clock
            and seat not in left
            and not (auto and event.type in ("drew", "passed"))
        )
        assert ("signature" in event.data) == (own and seat in (0, 1)), event
        met.add((event.type, "signature" in event.data))
        clock = event.type == "timed_out"
        if event.type == "left":
            left.add(seat)
    assert {("seated", True), ("seated", False), ("played", True), ("played", False)} <= met
    check_match(table)
