"""Seats with keys over HTTP: each refusal by its code, and nothing of it is added (SPEC 5.6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.documented import Judge
from tests.api.sturdy import refused
from tests.api.table import Game, Json, Table, key_of, seed_of, token_of

DRAW: Json = {"ruleset": "draw", "seats": 2, "rounds_max": 1, "turn_seconds": 86_400}
ZEROS = "00" * 64


@pytest.fixture
def signed(table: Table) -> Game:
    """A match whose seat 0 has a key and whose seat 1 has none; nobody sits yet."""
    return Game(table, DRAW, signed=(0,))


def put(game: Game, below: str, body: Json, seat: int) -> Callable[[], Any]:
    address = f"{game.address}/seats/{seat}{below}"
    return lambda: game.table.call("PUT", address, body, token=token_of(seat))


def test_a_signed_match_is_played_to_its_end(table: Table) -> None:
    """Every request and answer as described; each own action carries the player's signature."""
    judge = Judge(table)
    game = Game(table, DRAW, signed=(0, 1)).start()
    assert [seat["public_key"] for seat in game.view()["seats"]] == [
        key_of(seat).public.hex() for seat in (0, 1)
    ]
    while not game.over:
        game.play_turn()
    said = [event for event in game.events if event["type"] in ("seated", "seeded", "played")]
    assert all("signature" in event["data"] for event in said)
    assert not any("signature" in event["data"] for event in game.events if event["type"] == "drew")
    assert ("act", 200) in judge.answered


def test_sitting_down(signed: Game) -> None:
    mine = signed.sitting(0)
    cases: dict[str, Json] = {
        "signature/missing": {name: mine[name] for name in mine if name != "signature"},
        "signature/not-due": {name: mine[name] for name in mine if name != "public_key"},
        "signature/invalid": {**mine, "signature": ZEROS},
        "seat/bad-key": {**mine, "public_key": "01" + "00" * 31},
    }
    for code, body in cases.items():
        refused(signed, put(signed, "", body, 0), 422, code)
    first = signed.sit(0)
    again = signed.table.call("PUT", f"{signed.address}/seats/0", mine, token=token_of(0))
    assert (again.status_code, again.get_json()["events"]) == (200, first["events"])
    data = first["events"][0]["data"]
    assert (data["public_key"], data["signature"]) == (mine["public_key"], mine["signature"])
    refused(signed, put(signed, "", {**mine, "signature": ZEROS}, 0), 409, "seat/taken")
    theirs = signed.sitting(1) | {name: mine[name] for name in ("public_key", "signature")}
    refused(signed, put(signed, "", theirs, 1), 409, "seat/key-taken")


def test_a_seat_reserved_for_a_key(table: Table) -> None:
    key = key_of(1).public.hex()
    opening = {**DRAW, "reserved": [{"seat": 1, "public_key": key}]}
    game = Game(table, opening)
    assert game.events[0]["data"]["reserved"] == opening["reserved"]
    told = refused(game, put(game, "", game.sitting(1), 1), 403, "seat/reserved-key").get_json()
    assert told["public_key"] == key
    game.signed = (0, 1)
    refused(
        game, put(game, "", {**game.sitting(1), "invite": "00" * 16}, 1), 422, "seat/not-reserved"
    )
    assert table.done("GET", "/v1/matches")["matches"][0]["reserved"] == [1]
    game.sit(1)
    assert game.view()["seats"][1]["reserved"] is True


def test_revealing(signed: Game) -> None:
    signed.sit(0)
    signed.sit(1)
    mine, theirs = signed.revealing(0), signed.revealing(1)
    bare = {name: mine[name] for name in ("client_seed", "seated_hash")}
    refused(signed, put(signed, "/seed", bare, 0), 422, "signature/missing")
    refused(signed, put(signed, "/seed", {**mine, "signature": ZEROS}, 0), 422, "signature/invalid")
    refused(
        signed,
        put(signed, "/seed", {**theirs, "signature": mine["signature"]}, 1),
        422,
        "signature/not-due",
    )
    # Another seed is not tried: its owner did not sign it.
    other = {**mine, "client_seed": seed_of(7).hex()}
    refused(signed, put(signed, "/seed", other, 0), 422, "signature/invalid")
    first = signed.reveal(0)
    assert (
        signed.table.done("PUT", f"{signed.address}/seats/0/seed", mine)["events"]
        == (first["events"])
    )
    refused(signed, put(signed, "/seed", {**mine, "signature": ZEROS}, 0), 409, "seed/revealed")


def test_acting(signed: Game) -> None:
    signed.start()
    while signed.to_act()[0] != 0:
        signed.play_turn()
    seat, moves = signed.to_act()
    mine = signed.acting(seat, moves[0])

    def sending(body: Json) -> Callable[[], Any]:
        address = f"{signed.address}/actions"
        return lambda: signed.table.call("POST", address, body, token=token_of(seat))

    bare = {name: mine[name] for name in mine if name != "signature"}
    refused(signed, sending(bare), 422, "signature/missing")
    refused(signed, sending({**mine, "signature": ZEROS}), 422, "signature/invalid")
    other = {**mine, "action": {"type": "pass"}}
    refused(signed, sending(other), 422, "signature/invalid")
    refused(signed, sending(signed.acting(seat, {"type": "pass"})), 422, "rules/must-play")
    if moves[0]["tile"][0] != moves[0]["tile"][-1]:
        turned = {**moves[0], "tile": "-".join(reversed(moves[0]["tile"].split("-")))}
        told = refused(signed, sending(signed.acting(seat, turned)), 422, "signature/other-form")
        assert told.get_json()["action"] == moves[0]
    late = {**mine, "seq": mine["seq"] - 1}
    head = {"seq": len(signed.events) - 1, "event_hash": mine["prev"]}
    assert refused(signed, sending(late), 409, "match/stale").get_json()["head"] == head
    first = signed.move("POST", "/actions", mine, token=token_of(seat))
    assert first["events"][0]["data"]["signature"] == mine["signature"]
    again = signed.table.done("POST", f"{signed.address}/actions", mine, token=token_of(seat))
    assert (again["events"], again["receipt"]) == (first["events"], first["receipt"])
    for body in (bare, {**mine, "signature": ZEROS}):
        refused(signed, sending(body), 409, "match/stale")


def test_a_signature_of_a_seat_without_a_key(signed: Game) -> None:
    signed.start()
    while signed.to_act()[0] != 1:
        signed.play_turn()
    body = {**signed.acting(1, signed.to_act()[1][0]), "signature": ZEROS}

    def send() -> Any:
        return signed.table.call("POST", f"{signed.address}/actions", body, token=token_of(1))

    refused(signed, send, 422, "signature/not-due")


@pytest.mark.parametrize("dealt", [False, True])
def test_leaving(signed: Game, dealt: bool) -> None:
    """Before the deal in `voided`, after it in `left` (T50)."""
    signed.start() if dealt else signed.sit(0)

    def leaving(body: Json | None) -> Callable[[], Any]:
        address = f"{signed.address}/seats/0"
        return lambda: signed.table.call("DELETE", address, body, token=token_of(0))

    refused(signed, leaving(None), 422, "signature/missing")
    refused(signed, leaving({"signature": ZEROS}), 422, "signature/invalid")
    left = signed.leave(0)
    event = left["events"][0]
    assert event["type"] == ("left" if dealt else "voided")
    assert event["data"]["signature"] == key_of(0).leaves(signed.opened_hash, 0)
    again = leaving({"signature": event["data"]["signature"]})().get_json()
    assert again["events"] == left["events"]
    code = "seat/has-left" if dealt else "match/void"
    refused(signed, leaving(None), 409 if dealt else 410, code)
