"""Whole matches through HTTP with the real house."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fairbones.api.description import described
from fairbones.core.protocol.chain import read_event, receipt_message
from tests.api.table import Game, Table, event_hash, seed_of, token_of

GAMES: list[dict[str, Any]] = [
    {"ruleset": "block", "seats": 2, "rounds_max": 3},
    {"ruleset": "draw", "seats": 2, "rounds_max": 3},
    {"ruleset": "draw", "seats": 2, "rounds_max": 2, "auto_forced": False},
    {"ruleset": "block-partners", "seats": 4, "rounds_max": 1},
    {"ruleset": "blocking", "seats": 2, "rounds_max": 2},
    {"ruleset": "middle-eastern", "seats": 4, "rounds_max": 2, "options": {"transfer": True}},
    {"ruleset": "latin-american", "seats": 4, "rounds_max": 1},
    {"ruleset": "all-fives", "seats": 3, "rounds_max": 2, "options": {"spinner": "all"}},
    {"ruleset": "all-fives", "seats": 2, "rounds_max": 1, "options": {"muggins": True}},
    {"ruleset": "fives-and-threes", "seats": 4, "rounds_max": 1, "options": {"partners": True}},
    {"ruleset": "block", "seats": 8, "rounds_max": 1, "options": {"set": 18, "hand": 3}},
]


@pytest.mark.parametrize("opening", GAMES, ids=lambda it: f"{it['ruleset']}-{it['seats']}")
def test_a_match_is_played_to_the_end(table: Table, opening: dict[str, Any]) -> None:
    game = Game(table, opening).start()
    while not game.over:
        game.play_turn()
    assert game.events[-1]["type"] == "match_ended"
    assert game.view()["status"] == "ended"
    transcript = table.done("GET", f"{game.address}/transcript")
    assert transcript["events"] == game.events
    for before, event in zip(game.events, game.events[1:], strict=False):
        assert event["prev"] == event_hash(before)
    followed = table.done("GET", f"{game.address}/events?after=3")
    assert followed["events"] == game.events[4:]
    assert followed["head"] == {
        "seq": len(game.events) - 1,
        "event_hash": event_hash(game.events[-1]),
    }
    assert followed["receipt"] == transcript["receipt"]
    late = table.call(
        "POST",
        f"{game.address}/actions",
        {"seq": len(game.events), "action": {"type": "pass"}},
        token=token_of(0),
    )
    assert (late.status_code, late.get_json()["code"]) == (410, "match/over")


def test_events_travel_as_they_were_hashed(table: Table) -> None:
    game = Game(table, GAMES[0]).start()
    raw = table.call("GET", f"{game.address}/events").data
    for event in game.events:
        piece = json.dumps(event, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert piece.encode() in raw
        assert read_event(piece.encode()).hash.hex() == event_hash(event)


def test_every_shown_head_has_its_receipt(table: Table) -> None:
    game = Game(table, GAMES[0]).start()
    for answer in (game.view(), game.view(0), game.play_turn()):
        head = answer.get("head") or answer["view"]["head"]
        assert {name: answer["receipt"][name] for name in head} == head


def test_a_retry_gets_the_same_answer_and_adds_nothing(table: Table) -> None:
    game = Game(table, GAMES[1])
    body = {"client_seed_commitment": game.commitment(0)}
    first, again = (
        table.call("PUT", f"{game.address}/seats/0", body, token=token_of(0)) for _ in range(2)
    )
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json()["events"] == again.get_json()["events"]
    game.events += first.get_json()["events"]
    game.sit(1)
    game.reveal(0)
    dealt = game.reveal(1)
    seated = [event for event in game.events if event["type"] == "seated"][-1]
    reveal = {"client_seed": seed_of(1).hex(), "seated_hash": event_hash(seated)}
    repeated = table.done("PUT", f"{game.address}/seats/1/seed", reveal)
    assert repeated["events"] == dealt["events"]
    seat = game.view()["turn"]
    action = game.view(seat)["you"]["legal_actions"][0]
    seq = len(game.events)
    done = game.act(seat, action)
    game.play_turn()
    again_done = table.done(
        "POST", f"{game.address}/actions", {"seq": seq, "action": action}, token=token_of(seat)
    )
    assert again_done["events"] == done["events"]
    assert again_done["receipt"] == done["receipt"]
    # The view is of that step too, but the clock in it is not.
    assert again_done["view"].pop("now") > done["view"].pop("now")
    assert again_done["view"] == done["view"]
    assert game.view()["head"]["seq"] == len(game.events) - 1


def test_a_tile_may_be_sent_low_half_first(table: Table) -> None:
    """And stands in the event high half first, as the description says."""
    game = Game(table, GAMES[0]).start()
    while True:
        seat = game.view()["turn"]
        action = game.view(seat)["you"]["legal_actions"][0]
        high, low = action["tile"].split("-")
        done = game.act(seat, {**action, "tile": f"{low}-{high}"})
        assert done["events"][0]["data"]["tile"] == action["tile"]
        if high != low:
            break
    words = described(table.app)["components"]["schemas"]
    assert "low half" in words["Tile"]["description"]
    assert "low half first" in words["Play"]["properties"]["tile"]["description"]
    assert "only its `now` is of this moment" in words["Step"]["description"]


def test_an_idempotency_key_opens_one_match(table: Table) -> None:
    key = {"Idempotency-Key": "8e03978e-40d5-43e8-bc93-6894a57f9324"}
    first, again = (table.call("POST", "/v1/matches", GAMES[0], headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data == again.data
    assert first.headers["Location"] == again.headers["Location"]
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    other = table.call("POST", "/v1/matches", GAMES[1], headers=key)
    assert (other.status_code, other.get_json()["code"]) == (409, "request/key-reused")
    assert other.get_json()["detail"].startswith("This Idempotency-Key came with another request")


def test_a_stale_action_is_told_the_head(table: Table) -> None:
    game = Game(table, GAMES[0]).start()
    seat = game.view()["turn"]
    action = game.view(seat)["you"]["legal_actions"][0]
    seq, zeros = len(game.events), "00" * 32
    before = event_hash(game.events[-2])
    behind = f"seq {seq - 1} is taken: the next event is {seq}. Fetch what you have not seen, "
    ahead = f"seq is ahead: the next event here is {seq}. Count again; if you do hold the "
    other = "so you hold another history: compare your events with the house's, and keep your "
    for body, told in (
        ({"seq": seq - 1}, behind),
        ({"seq": seq - 1, "prev": before}, behind),
        ({"seq": seq - 1, "prev": zeros}, f"prev is not the hash of the event {seq - 2} here, "),
        ({"seq": 0, "prev": zeros}, "seq 0 is taken"),
        ({"seq": seq + 1}, ahead),
        ({"seq": seq + 1, "prev": zeros}, f"{ahead}event {seq}, send its receipt"),
        ({"seq": seq, "prev": zeros}, f"prev is not the hash of the event {seq - 1} here, {other}"),
    ):
        sent = {**body, "action": action}
        stale = table.call("POST", f"{game.address}/actions", sent, token=token_of(seat))
        assert (stale.status_code, stale.get_json()["code"]) == (409, "match/stale")
        assert stale.get_json()["detail"].startswith(told), stale.get_json()["detail"]
        assert stale.get_json()["head"] == game.view()["head"]
    game.act(seat, action)


def test_etags_change_with_head_and_viewer(table: Table) -> None:
    game = Game(table, GAMES[0]).start()
    seat = game.view()["turn"]
    mine = {"Authorization": f"Bearer {token_of(seat)}"}
    theirs = {"Authorization": f"Bearer {token_of(1 - seat)}"}
    tags = [
        table.call("GET", game.address, headers=it).headers["ETag"] for it in ({}, mine, theirs)
    ]
    head = game.view()["head"]["event_hash"]
    assert tags == [f'"{head}-public"', f'"{head}-{seat}"', f'"{head}-{1 - seat}"']
    assert table.call("GET", game.address, headers={"If-None-Match": tags[0]}).status_code == 304
    same = table.call("GET", game.address, headers={**mine, "If-None-Match": tags[1]})
    assert (same.status_code, same.data) == (304, b"")
    assert (
        table.call("GET", game.address, headers={**mine, "If-None-Match": tags[0]}).status_code
        == 200
    )
    game.play_turn()
    assert table.call("GET", game.address, headers={"If-None-Match": tags[0]}).status_code == 200


def test_a_past_view_and_one_that_is_not_yet(table: Table) -> None:
    game = Game(table, GAMES[0]).start()
    past = table.done("GET", f"{game.address}?at=1")
    assert past["head"] == {"seq": 1, "event_hash": event_hash(game.events[1])}
    assert past["receipt"]["seq"] == 1
    beyond = table.call("GET", f"{game.address}?at={len(game.events)}")
    assert (beyond.status_code, beyond.get_json()["code"]) == (404, "match/no-such-seq")


def test_leaving_before_the_deal_voids_the_match(table: Table) -> None:
    game = Game(table, GAMES[0])
    game.sit(0)
    game.sit(1)
    wrong = table.call("DELETE", f"{game.address}/seats/1", token=token_of(0))
    assert (wrong.status_code, wrong.get_json()["code"]) == (403, "auth/other-seat")
    left = game.move("DELETE", "/seats/0", token=token_of(0))
    assert left["events"][-1]["type"] == "voided"
    assert left["view"]["status"] == "void"
    gone = table.call(
        "PUT", f"{game.address}/seats/1/seed", {"client_seed": "00" * 32, "seated_hash": "00" * 32}
    )
    assert (gone.status_code, gone.get_json()["code"]) == (410, "match/void")


def test_lost_history_is_admitted(table: Table) -> None:
    game = Game(table, GAMES[0]).start()
    seat = game.view()["turn"]
    action = game.view(seat)["you"]["legal_actions"][0]
    # What the house signed before its database was put back to an older copy.
    head = bytes.fromhex("ab" * 32)
    signer = table.house._desk.signer
    message = receipt_message(bytes.fromhex(game.address[-32:]), 3, head)
    receipt = {
        "match": game.address[-32:],
        "seq": 3,
        "event_hash": head.hex(),
        "key_id": signer.key_id,
        "signature": signer.sign(message).hex(),
    }
    body = {"seq": len(game.events), "action": action, "receipt": receipt}
    forged = {**body, "receipt": {**receipt, "signature": "00" * 64}}
    refused = table.call("POST", f"{game.address}/actions", forged, token=token_of(seat))
    assert (refused.status_code, refused.get_json()["code"]) == (422, "receipt/invalid")
    assert game.view()["status"] == "playing"
    lost = table.call("POST", f"{game.address}/actions", body, token=token_of(seat))
    assert (lost.status_code, lost.get_json()["code"]) == (410, "match/history-lost")
    assert game.view()["status"] == "void"
