"""What seats sign, byte by byte, and which keys and signatures are good at all (SPEC 2.4, 5.6)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.bots.keys import SeatKey
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.ed25519 import is_key, is_signed
from fairbones.core.protocol.seatkeys import (
    leave_message,
    move_message,
    register_message,
    seed_message,
)

TESTS = Path(__file__).resolve().parents[1]
EDGES: list[dict[str, Any]] = json.loads((TESTS / "verifier" / "edges.json").read_text("utf-8"))[
    "vectors"
]
CASES: list[dict[str, Any]] = json.loads(
    (TESTS / "vectors" / "primitives" / "ed25519.json").read_text("utf-8")
)["cases"]
SAID: list[dict[str, Any]] = json.loads(
    (TESTS / "vectors" / "primitives" / "seatkeys.json").read_text("utf-8")
)["cases"]
ACTIONS = {
    "played": "play",
    "drew": "draw",
    "passed": "pass",
    "declined": "decline",
    "gave": "give",
    "called": "call",
}
OPENED, PREV = b"\xaa" * 32, b"\xbb" * 32


def items(*given: bytes) -> bytes:
    """SPEC 2.2, written out."""
    return b"".join(len(it).to_bytes(4, "big") + it for it in given)


def test_the_messages_are_those_of_the_table() -> None:
    """SPEC 5.6: "each under `enc`"; "Empty" is an item of no bytes."""
    key, seat, seed = b"\x01" * 32, b"\0\0\0\x03", b"\x05" * 32
    joined = items(b"fairbones/1/register", OPENED, seat, key, b"\x02" * 32, b"", b"ada")
    assert register_message(OPENED, 3, key, commitment=b"\x02" * 32, name="ada") == joined
    clear = items(b"fairbones/1/register", OPENED, seat, key, b"", seed, b"")
    assert register_message(OPENED, 3, key, client_seed=seed) == clear
    shown = items(b"fairbones/1/seed", OPENED, PREV, seat, seed)
    assert seed_message(OPENED, PREV, 3, seed) == shown
    action = b'{"tile":"6-4","type":"play"}'
    moved = items(b"fairbones/1/move", OPENED, b"\0\0\0\x07", PREV, seat, action)
    assert move_message(OPENED, 7, PREV, 3, action) == moved
    assert leave_message(OPENED, 3) == items(b"fairbones/1/leave", OPENED, seat)


def test_a_players_key_signs_these_messages() -> None:
    secret = bytes(range(32))
    key, plain = SeatKey(secret), Ed25519PrivateKey.from_private_bytes(secret)
    action = {"type": "play", "tile": "6-4"}
    assert key.public == plain.public_key().public_bytes_raw()
    assert key.moves(OPENED, 7, PREV, 3, action) == (
        plain.sign(move_message(OPENED, 7, PREV, 3, b'{"tile":"6-4","type":"play"}')).hex()
    )
    assert key.leaves(OPENED, 3) == plain.sign(leave_message(OPENED, 3)).hex()
    assert secret.hex() not in repr(key)
    assert SeatKey().public != SeatKey().public


def said(case: dict[str, Any]) -> bytes:
    """The message for the event of a vector, by the service's own words."""
    opened, seat = bytes.fromhex(case["opened_hash"]), case["seat"]
    event, data = case["event"], case["event"]["data"]
    if event["type"] == "seated":
        told = {
            name: bytes.fromhex(data.get(member, ""))
            for name, member in (
                ("commitment", "client_seed_commitment"),
                ("client_seed", "client_seed"),
            )
        }
        key = bytes.fromhex(data["public_key"])
        return register_message(opened, seat, key, **told, name=data.get("name", ""))
    if event["type"] == "seeded":
        named, seed = (bytes.fromhex(data[it]) for it in ("seated_hash", "client_seed"))
        return seed_message(opened, named, seat, seed)
    if event["type"] in ("left", "voided"):
        return leave_message(opened, seat)
    action = {"type": ACTIONS[event["type"]]}
    if action["type"] in ("play", "give"):
        members = ("tile", "end", "claim") if action["type"] == "play" else ("seal",)
        action |= {member: data[member] for member in members if member in data}
    assert canonical(action).decode() == case["action"]
    prev = bytes.fromhex(event["prev"])
    return move_message(opened, event["seq"], prev, seat, canonical(action))


@pytest.mark.parametrize("case", SAID, ids=lambda case: case["about"])
def test_what_a_seat_says(case: dict[str, Any]) -> None:
    """Published messages and signatures, those that are not valid too."""
    message, key = said(case), SeatKey(bytes.fromhex(case["key_seed"]))
    assert message.hex() == case["message"]
    public, signature = bytes.fromhex(case["public_key"]), bytes.fromhex(case["signature"])
    assert is_signed(public, message, signature) is case["valid"]
    assert (key.public == public and key.sign(message) == case["signature"]) is case["valid"]


def test_the_vectors_leave_no_message_out() -> None:
    """Each of the four, valid and not, and every kind of action."""
    for valid in (True, False):
        told = {case["about"].split(":")[0] for case in SAID if case["valid"] is valid}
        assert told == {"register", "seed", "move", "leave"}
    assert {case["event"]["type"] for case in SAID if "action" in case} == set(ACTIONS)


@pytest.mark.parametrize("edge", EDGES, ids=lambda edge: edge["about"])
def test_edge(edge: dict[str, Any]) -> None:
    """SPEC 2.4: one criterion, on which no two libraries may differ."""
    key, message, signature = (bytes.fromhex(edge[it]) for it in ("key", "message", "signature"))
    assert is_signed(key, message, signature) is edge["valid"]
    assert is_key(key) or not edge["valid"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["about"])
def test_published_case(case: dict[str, Any]) -> None:
    told = (bytes.fromhex(case[it]) for it in ("public_key", "message", "signature"))
    assert is_signed(*told) is case["valid"]


def test_the_edges_are_both_good_and_bad() -> None:
    """A list without either would show nothing."""
    for told in (EDGES, CASES):
        assert {it["valid"] for it in told} == {True, False}
    bad = {bytes.fromhex(it["key"]) for it in EDGES if not is_key(bytes.fromhex(it["key"]))}
    assert len(bad) >= 8


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_what_is_no_key_by_its_length(length: int) -> None:
    assert not is_key(bytes(length))
    assert not is_signed(SeatKey().public, b"", bytes(length))
