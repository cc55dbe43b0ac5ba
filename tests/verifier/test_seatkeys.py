"""Seats that sign (SPEC 5.6): what is signed, by one criterion, and what the report says of it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairbones_verify import ed25519, seatkeys, verify
from tests.verifier import edges
from tests.verifier.draws import lots
from tests.verifier.forgeries.resigned import BOTH, gone, having
from tests.verifier.house import House
from tests.verifier.matches import any_match
from tests.verifier.primitives import SIGNER, Event, Signer, canonical, event_hash, sealed
from tests.verifier.rows import ROWS
from tests.verifier.signing import action, message, seat_of

slow = settings(suppress_health_check=[HealthCheck.too_slow])
FOLDER = Path(__file__).resolve().parents[2] / "verifier"
VECTORS = json.loads(edges.FILE.read_text("utf-8"))["vectors"]


def own_actions(house: House) -> list[Event]:
    """SPEC 8.2, read once more: what a seat with a key has done itself in a match."""
    found, left, owed = [], set(), False
    for event in house.events:
        kind, seat = event["type"], event["data"].get("seat")
        forced = kind in ("drew", "passed") and house.house_forces
        mine = kind in ("seated", "seeded", "left", "called")
        if kind in ("played", "drew", "passed", "declined", "gave"):
            mine = not (owed or seat in left or forced)
        if mine and seat in house.signers:
            found.append(event)
        owed = kind == "timed_out"
        left |= {seat} if kind == "left" else set()
    return found


@slow
@given(st.sampled_from(list(ROWS)), st.integers(0, 10**9))
def test_what_is_said_is_signed_and_nothing_else(name: str, seed: int) -> None:
    house = any_match(seed, name, keys=range(seed % 3, 9, 1 + seed % 2))
    report = verify(house.transcript(), keys=[SIGNER.public])
    assert report.verdict == "verified", report.text()
    signed = [event for event in house.events if "signature" in event["data"]]
    assert signed == own_actions(house)
    silent = dict(report.unchecked).get("seats/unsigned", "")
    for seat in range(house.seats):
        assert (f"seat {seat}" in silent) is (seat not in house.signers)
    assert ("seats/unsigned" in dict(report.unchecked)) is (len(house.signers) < house.seats)


@slow
@given(st.integers(0, 10**6))
def test_every_step_of_a_signed_match_is_verified(seed: int) -> None:
    house = any_match(seed, keys=range(9))
    for end in range(1, len(house.events)):
        if house.events[end]["at"] != house.events[end - 1]["at"]:
            report = verify(sealed(house.events[:end]))
            assert report.verdict == "verified", report.text()


@slow
@given(st.integers(0, 10**6), st.data())
def test_a_signature_is_for_one_place_alone(seed: int, data: st.DataObject) -> None:
    """T12: every signature exchanged with every other of the match, whoever made it."""
    house = any_match(seed, keys=range(9))
    signed = [i for i, event in enumerate(house.events) if "signature" in event["data"]]
    one, other = (data.draw(st.sampled_from(signed)) for _ in range(2))
    events = [{**event, "data": dict(event["data"])} for event in house.events]
    taken = house.events[other]["data"]["signature"]
    events[one]["data"]["signature"] = taken
    if taken == house.events[one]["data"]["signature"]:
        return
    prev = "0" * 64
    opened = event_hash(events[0])
    for i, event in enumerate(events):
        event["prev"] = prev
        if event["type"] == "seeded" and one < i:
            seated = [e for e in events if e["type"] == "seated"][-1]
            event["data"]["seated_hash"] = event_hash(seated).hex()
        if i > one:
            house.resign(event, opened)
        prev = event_hash(event).hex()
    report = verify(sealed(events))
    assert report.failure is not None
    assert (report.code, report.failure.seq) == ("authority/signature", one)


@pytest.mark.parametrize("keys", [(0,), (1,), BOTH])
def test_a_draw_is_signed(keys: tuple[int, ...]) -> None:
    house = lots(keys=keys)
    assert sum("signature" in event["data"] for event in house.events) == 2 * len(keys)
    assert verify(house.transcript()).verdict == "verified"


@pytest.mark.parametrize("keys", [(), (1,), BOTH])
def test_who_leaves_before_the_deal_signs_it(keys: tuple[int, ...]) -> None:
    by = 1 if 1 in keys else None
    report = verify(gone(keys, 1, by).transcript())
    assert report.verdict == "verified", report.text()


def test_a_gift_and_a_call_tell_no_more_than_the_event() -> None:
    """SPEC 5.6: "a gift's never tells the tile"; a call is `call` and no points."""
    gift = next(e for e in having("gave", "middle-eastern").events if e["type"] == "gave")
    assert json.loads(action(gift)) == {"type": "give", "seal": gift["data"]["seal"]}
    assert canonical(seatkeys.action_of(gift)) == action(gift)
    call = next(e for e in having("called", "all-fives").events if e["type"] == "called")
    assert seatkeys.action_of(call) == {"type": "call"}


def test_both_read_the_same_bytes() -> None:
    """The verifier and the house of the tests were written apart from each other."""
    for seed in range(40):
        house = any_match(seed, keys=range(9))
        opened = event_hash(house.events[0])
        for event in own_actions(house):
            seat = seat_of(event)
            assert seatkeys.message(opened, event, seat) == message(opened, event, seat)


def test_the_example_of_the_specification() -> None:
    """spec/example.md computes it with openssl."""
    text = (FOLDER / "spec" / "example.md").read_text("utf-8")
    signer = Signer(bytes(range(32)))
    played = {"seat": 0, "tile": "6-4", "end": "left", "claim": 5, "points": 5, "seal": 1}
    event = {"type": "played", "seq": 7, "prev": "bb" * 32, "data": played}
    said = seatkeys.message(b"\xaa" * 32, event, 0)
    assert said is not None
    signature = signer.sign(said).hex()
    for value in (signer.public.hex(), hashlib.sha256(said).hexdigest(), signature[:64]):
        assert f"\n{value}\n" in text
    assert f"\n{signature[64:]}\n" in text


def test_the_names_of_those_who_sign_nothing() -> None:
    data = House(keys=(1,)).play().transcript()
    text = dict(verify(data).unchecked)["seats/unsigned"]
    assert "seat 0" in text
    assert "seat 1" not in text
    assert "seats/unsigned" not in dict(verify(House(keys=BOTH).play().transcript()).unchecked)
    # A seat that is not taken yet has no key yet.
    house = House(keys=BOTH)
    house.sit(1)
    assert "seat 0" in dict(verify(house.transcript()).unchecked)["seats/unsigned"]


def test_a_number_that_no_four_bytes_hold_is_signed_by_nobody() -> None:
    house = House(keys=BOTH).play()
    place = house.index("played")
    events = json.loads(canonical(house.events))
    events[place]["seq"] = 2**40
    for i in range(place + 1, len(events)):
        events[i]["prev"] = event_hash(events[i - 1]).hex()
    report = verify(sealed(events), without=["chain/seq"])
    assert report.failure is not None
    assert (report.code, report.failure.seq) == ("authority/signature", place)


# One criterion (2.4) on the path of seat keys


@pytest.mark.parametrize("path", ["plain", "fast"])
@pytest.mark.parametrize("vector", VECTORS, ids=[vector["about"] for vector in VECTORS])
def test_edge(path: str, vector: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """The edge cases as keys and signatures of a seat, with the message of the case."""
    if path == "fast":
        pytest.importorskip("cryptography", reason="NOT CHECKED: needs cryptography")
    house = House()
    said = {"public_key": vector["key"], "signature": vector["signature"]}
    house.say("seated", {"seat": 0, "client_seed_commitment": "ab" * 32, **said})
    raw = bytes.fromhex(vector["message"])
    monkeypatch.setattr(seatkeys, "message", lambda opened, event, seat: raw)
    monkeypatch.setattr(seatkeys, "valid", getattr(ed25519, f"valid_{path}"))
    good = ed25519.good_key(bytes.fromhex(vector["key"])) is not None
    due = None if vector["valid"] else "authority/signature" if good else "authority/key"
    assert verify(house.transcript()).code == due


def test_the_proof_of_a_key_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs as much as a signature; a seat signs many times."""
    data = House(5, keys=BOTH).play().transcript()
    made: list[int] = []
    true = ed25519.sum_of

    def counted(pairs: list[tuple[int, ed25519.Point]]) -> ed25519.Point:
        made.extend(scalar for scalar, _ in pairs if scalar == ed25519.L)
        return true(pairs)

    monkeypatch.setattr(ed25519, "sum_of", counted)
    ed25519.good_key.cache_clear()
    assert verify(data).verdict == "verified"
    assert len(made) == 3  # two seats and the house
