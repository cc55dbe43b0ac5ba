"""Bad requests to a match in play: their own code, nothing appended, the match goes on."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from tests.api.sturdy import goes_on, refused
from tests.api.table import Game, token_of

BLOCK = {"ruleset": "block", "seats": 2}
HASH = "5a" * 32
KEPT = {"seat": 1, "invite_hash": HASH}


@pytest.mark.parametrize(
    ("header", "status", "code"),
    [
        (None, 401, "auth/token-missing"),
        ("", 401, "auth/token-missing"),
        ("Basic YTpi", 401, "auth/token-missing"),
        ("Bearer", 400, "auth/token-weak"),
        ("Bearer short", 400, "auth/token-weak"),
        ("Bearer " + "a" * 42, 400, "auth/token-weak"),
        ("Bearer " + "a" * 257, 400, "auth/token-weak"),
        ("Bearer " + "a" * 43 + " b", 400, "auth/token-weak"),
        ("Bearer " + "\xe9" * 43, 400, "auth/token-weak"),
        ("Bearer " + "a" * 43, 401, "auth/token-unknown"),
        ("bearer " + "a" * 256, 401, "auth/token-unknown"),
    ],
)
def test_a_wrong_token(game: Game, header: str | None, status: int, code: str) -> None:
    headers = {} if header is None else {"Authorization": header}
    body = {"seq": len(game.events), "action": {"type": "pass"}}
    answer = refused(
        game,
        lambda: game.table.client.post(f"{game.address}/actions", json=body, headers=headers),
        status,
        code,
    )
    assert ("WWW-Authenticate" in answer.headers) == (status == 401)
    if header:
        # Never the public view in place of the seat's.
        refused(game, lambda: game.table.client.get(game.address, headers=headers), status, code)


@pytest.mark.parametrize(
    ("below", "code", "field"),
    [
        ("?x=1", "request/unknown-field", "x"),
        ("?at=1&at=1", "request/repeated-field", "at"),
        ("?at=-1", "request/range", "at"),
        ("?at=-0", "request/type", "at"),
        ("?at=--1", "request/type", "at"),
        (f"?at={'9' * 5000}", "request/range", "at"),
        ("?at=01", "request/type", "at"),
        ("?at=1.0", "request/type", "at"),
        ("?at=", "request/type", "at"),
        ("?at=%D9%A1", "request/type", "at"),
        ("?at=%2B1", "request/type", "at"),
        ("?at=4294967296", "request/range", "at"),
        ("/events?after=-2", "request/range", "after"),
        (f"/events?after=-{'9' * 5000}", "request/range", "after"),
        ("/events?after=1_0", "request/type", "after"),
        ("/events?wait=-1", "request/range", "wait"),
        ("/events?wait=-0.5", "request/range", "wait"),
        ("/events?wait=-0.0", "request/type", "wait"),
        (f"/events?wait={'9' * 5000}", "request/range", "wait"),
        ("/events?wait=nan", "request/type", "wait"),
        ("/events?wait=1e1", "request/type", "wait"),
        ("/events?wait=0.0001", "request/type", "wait"),
        ("/events?wait=30.001", "request/range", "wait"),
        ("/events?since=1", "request/unknown-field", "since"),
        ("/transcript?x", "request/unknown-field", "x"),
    ],
)
def test_a_bad_query(game: Game, below: str, code: str, field: str) -> None:
    answer = refused(game, lambda: game.table.client.get(game.address + below), 422, code)
    assert (answer.get_json()["in"], answer.get_json()["field"]) == ("query", field)
    if code == "request/range":
        assert answer.get_json()["expected"] in ("-1..4294967295", "0..4294967295", "0..30")


@pytest.mark.parametrize(
    ("query", "status", "code", "told"),
    [
        ("x=1", 422, "request/unknown-field", {"field": "x"}),
        ("after=1", 422, "request/unknown-field", {"field": "after"}),
        ("status=playing&status=void", 422, "request/repeated-field", {"field": "status"}),
        ("status=", 422, "request/range", {"field": "status"}),
        ("status=Playing", 422, "request/range", {"field": "status"}),
        ("status=joining,void", 422, "request/range", {"field": "status"}),
        ("limit=0", 422, "request/range", {"field": "limit", "expected": "1..100"}),
        ("limit=101", 422, "request/range", {"field": "limit", "expected": "1..100"}),
        ("limit=-1", 422, "request/range", {"field": "limit", "expected": "1..100"}),
        (f"limit={'9' * 5000}", 422, "request/range", {"field": "limit"}),
        ("limit=", 422, "request/type", {"field": "limit"}),
        ("limit=1.0", 422, "request/type", {"field": "limit"}),
        ("limit=all", 422, "request/type", {"field": "limit"}),
        ("ruleset=chess", 404, "ruleset/unknown", {}),
        ("ruleset=", 404, "ruleset/unknown", {}),
        ("ruleset=%00%FF", 404, "ruleset/unknown", {}),
        ("cursor=", 422, "request/cursor", {}),
        ("cursor=0", 422, "request/cursor", {}),
        ("cursor=%C3%A9", 422, "request/cursor", {}),
        ("cursor=%FF%00", 422, "request/cursor", {}),
        (f"cursor={'A' * 32}", 422, "request/cursor", {}),
        (f"cursor={'A' * 9000}", 422, "request/cursor", {}),
        ("cursor=..%2F..%2Fetc", 422, "request/cursor", {}),
        ("cursor=%27%20OR%201%3D1", 422, "request/cursor", {}),
    ],
)
def test_a_list_that_there_is_not(
    game: Game, query: str, status: int, code: str, told: dict[str, str]
) -> None:
    def send() -> TestResponse:
        return game.table.client.get(f"/v1/matches?{query}")

    answer = refused(game, send, status, code).get_json()
    assert {name: answer.get(name) for name in told} == told


@pytest.mark.parametrize(
    ("method", "address", "code"),
    [
        ("GET", "/v1/matches/00", "match/unknown"),
        ("GET", "/v1/matches/" + "0" * 32, "match/unknown"),
        ("GET", "/v1/matches/" + "A" * 32, "match/unknown"),
        ("GET", "/v1/matches/" + "0" * 32 + "%0A", "match/unknown"),
        ("GET", "/v1/matches/" + "0" * 32 + "/events", "match/unknown"),
        ("GET", "/v1/matches/" + "0" * 32 + "/transcript", "match/unknown"),
        ("DELETE", "{match}/seats/x", "seat/unknown"),
        ("DELETE", "{match}/seats/01", "seat/unknown"),
        ("DELETE", "{match}/seats/64", "seat/unknown"),
        ("DELETE", "{match}/seats/-1", "seat/unknown"),
        ("GET", "/v1/rulesets/chess", "ruleset/unknown"),
        ("GET", "/v1/nothing", "route/unknown"),
        ("GET", "{match}/", "route/unknown"),
        ("GET", "//v1/keys", "route/unknown"),
        ("GET", "/favicon.ico", "route/unknown"),
    ],
)
def test_a_wrong_address(game: Game, method: str, address: str, code: str) -> None:
    def send() -> TestResponse:
        headers = {"Authorization": f"Bearer {token_of(0)}"} if method == "DELETE" else {}
        place = address.replace("{match}", game.address)
        return game.table.client.open(place, method=method, headers=headers)

    refused(game, send, 404, code)


@pytest.mark.parametrize(
    ("method", "address"),
    [("PUT", "/v1/matches"), ("PATCH", "/v1/matches"), ("DELETE", "{match}"), ("PATCH", "{match}")],
)
def test_a_wrong_method(game: Game, method: str, address: str) -> None:
    def send() -> TestResponse:
        return game.table.client.open(address.replace("{match}", game.address), method=method)

    answer = refused(game, send, 405, "request/method")
    assert "OPTIONS" in answer.headers["Allow"]


@pytest.mark.parametrize(
    ("body", "status", "code", "field"),
    [
        ({}, 422, "request/missing-field", "ruleset"),
        ({"ruleset": "block"}, 422, "request/missing-field", "seats"),
        ({"ruleset": "chess", "seats": 2}, 404, "ruleset/unknown", None),
        ({"ruleset": "block", "seats": 9}, 422, "ruleset/seats", None),
        ({"ruleset": "block", "seats": 65}, 422, "request/range", "seats"),
        ({**BLOCK, "rounds_max": 0}, 422, "request/range", "rounds_max"),
        ({**BLOCK, "rounds_max": 6144}, 422, "options/washes", None),
        (
            {**BLOCK, "turn_seconds": 86401},
            422,
            "request/range",
            "turn_seconds",
        ),
        ({**BLOCK, "auto_forced": 1}, 422, "request/type", "auto_forced"),
        (
            {**BLOCK, "reference": "\u00e9"},
            422,
            "request/range",
            "reference",
        ),
        ({**BLOCK, "reference": ""}, 422, "request/range", "reference"),
        ({**BLOCK, "reference": "a\n"}, 422, "request/range", "reference"),
        ({**BLOCK, "listed": 1}, 422, "request/type", "listed"),
        ({**BLOCK, "listed": "no"}, 422, "request/type", "listed"),
        ({**BLOCK, "reserved": {}}, 422, "request/type", "reserved"),
        ({**BLOCK, "reserved": [1]}, 422, "request/type", "reserved.0"),
        ({**BLOCK, "reserved": [{}]}, 422, "request/missing-field", "reserved.0.seat"),
        (
            {**BLOCK, "reserved": [{"seat": 0}]},
            422,
            "request/missing-field",
            "reserved.0.invite_hash",
        ),
        (
            {**BLOCK, "reserved": [{**KEPT, "invite_hash": HASH[1:]}]},
            422,
            "request/range",
            "reserved.0.invite_hash",
        ),
        (
            {**BLOCK, "reserved": [{**KEPT, "invite_hash": HASH.upper()}]},
            422,
            "request/range",
            "reserved.0.invite_hash",
        ),
        (
            {**BLOCK, "reserved": [{**KEPT, "invite": "00" * 16}]},
            422,
            "request/unknown-field",
            "reserved.0.invite",
        ),
        (
            {**BLOCK, "reserved": [{"seat": 0, "public_key": HASH[2:]}]},
            422,
            "request/range",
            "reserved.0.public_key",
        ),
        (
            {**BLOCK, "reserved": [{**KEPT, "public_key": HASH}]},
            422,
            "request/range",
            "reserved.0.public_key",
        ),
        (
            {**BLOCK, "reserved": [{"seat": seat, "public_key": HASH} for seat in (0, 1)]},
            422,
            "request/range",
            "reserved.1.public_key",
        ),
        (
            {**BLOCK, "reserved": [{"seat": 0, "public_key": "01" + "00" * 31}]},
            422,
            "seat/bad-key",
            None,
        ),
        ({**BLOCK, "reserved": [{**KEPT, "seat": 64}]}, 422, "request/range", "reserved.0.seat"),
        ({**BLOCK, "reserved": [{**KEPT, "seat": 2}]}, 422, "request/range", "reserved.0.seat"),
        ({**BLOCK, "reserved": [{**KEPT, "seat": True}]}, 422, "request/type", "reserved.0.seat"),
        ({**BLOCK, "reserved": [KEPT, KEPT]}, 422, "request/range", "reserved.1.seat"),
        (
            {**BLOCK, "reserved": [KEPT, {**KEPT, "seat": 0}]},
            422,
            "request/range",
            "reserved.1.invite_hash",
        ),
        ({**BLOCK, "options": []}, 422, "request/type", "options"),
        ({**BLOCK, "options": {"x": 1}}, 422, "options/unknown", None),
        ({**BLOCK, "options": {"drawing": "x"}}, 422, "options/fixed", None),
        ({**BLOCK, "options": {"set": 10}}, 422, "options/value", None),
        ({**BLOCK, "options": {"target": True}}, 422, "options/value", None),
        (
            {**BLOCK, "options": {"tie": ["void"]}},
            422,
            "options/value",
            None,
        ),
        ({**BLOCK, "options": {"hand": 20}}, 422, "options/tiles", None),
        (
            {**BLOCK, "options": {"partners": True}},
            422,
            "options/partners",
            None,
        ),
    ],
)
def test_a_match_that_cannot_be_opened(
    game: Game, body: object, status: int, code: str, field: str | None
) -> None:
    drawn = game.table.drawn
    answer = refused(game, lambda: game.table.call("POST", "/v1/matches", body), status, code)
    assert answer.get_json().get("field") == field
    if code not in ("options/washes", "seat/bad-key"):
        assert game.table.drawn == drawn, "nothing is drawn for a match that cannot be"


@pytest.mark.parametrize("key", ["", "short", "a" * 129, "with space in between", "\xe9" * 20])
def test_a_bad_idempotency_key(game: Game, key: str) -> None:
    refused(
        game,
        lambda: game.table.call(
            "POST",
            "/v1/matches",
            BLOCK,
            headers={"Idempotency-Key": key},
        ),
        400,
        "request/idempotency-key",
    )


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "request/missing-field", "client_seed_commitment"),
        (
            {"client_seed_commitment": "00" * 32, "client_seed": "00" * 32},
            "request/range",
            "client_seed",
        ),
        ({"client_seed_commitment": "00" * 31}, "request/range", "client_seed_commitment"),
        ({"client_seed_commitment": "00" * 32, "name": "a b"}, "request/range", "name"),
        ({"client_seed_commitment": "00" * 32, "name": "a" * 25}, "request/range", "name"),
        ({"client_seed_commitment": "00" * 32, "invite": 5}, "request/type", "invite"),
        ({"client_seed_commitment": "00" * 32, "invite": ""}, "request/range", "invite"),
        ({"client_seed_commitment": "00" * 32, "invite": "00" * 15}, "request/range", "invite"),
        ({"client_seed_commitment": "00" * 32, "invite": "00" * 65}, "request/range", "invite"),
        ({"client_seed_commitment": "00" * 32, "invite": "0" * 33}, "request/range", "invite"),
        ({"client_seed_commitment": "00" * 32, "invite": "AB" * 16}, "request/range", "invite"),
        ({"client_seed_commitment": "00" * 32, "public_key": "00"}, "request/range", "public_key"),
        ({"client_seed_commitment": "00" * 32, "public_key": 1}, "request/type", "public_key"),
        ({"client_seed_commitment": "00" * 32, "signature": "00"}, "request/range", "signature"),
        ({"client_seed_commitment": "00" * 32, "key": "00" * 32}, "request/unknown-field", "key"),
    ],
)
def test_a_bad_seat(game: Game, body: object, code: str, field: str) -> None:
    answer = refused(
        game,
        lambda: game.table.call("PUT", f"{game.address}/seats/0", body, token=token_of(0)),
        422,
        code,
    )
    assert answer.get_json()["field"] == field


def test_the_field_is_named_by_its_path(game: Game) -> None:
    receipt = {"match": "00" * 16, "seq": 1, "event_hash": 5, "key_id": "00" * 8}
    body = {"seq": 1, "action": {}, "receipt": {**receipt, "signature": "00" * 64}}

    def send() -> TestResponse:
        return game.table.call("POST", f"{game.address}/actions", body, token=token_of(0))

    told = refused(game, send, 422, "request/type").get_json()
    assert (told["in"], told["field"], told["expected"]) == ("body", "receipt.event_hash", "string")
    # A misspelt field is told before the one it was meant to be.
    body = {"sequence": 1, "action": {}}
    assert refused(game, send, 422, "request/unknown-field").get_json()["field"] == "sequence"


def test_a_leave_with_fields(game: Game) -> None:
    refused(
        game,
        lambda: game.table.call(
            "DELETE", f"{game.address}/seats/0", {"reason": "tired"}, token=token_of(0)
        ),
        422,
        "request/unknown-field",
    )
    refused(
        game,
        lambda: game.table.call(
            "DELETE", f"{game.address}/seats/0", {"signature": "00"}, token=token_of(0)
        ),
        422,
        "request/range",
    )


def test_seats_that_are_taken(game: Game) -> None:
    body = {"client_seed_commitment": "01" * 32}
    for token in (token_of(0), "b" * 43):
        refused(
            game,
            lambda token=token: game.table.call(  # type: ignore[misc]
                "PUT", f"{game.address}/seats/0", body, token=token
            ),
            409,
            "seat/taken",
        )


def test_the_wrong_seat_acts(game: Game) -> None:
    other = 1 - game.view()["turn"]
    body = {"seq": len(game.events), "action": {"type": "pass"}}
    answer = refused(
        game,
        lambda: game.table.call("POST", f"{game.address}/actions", body, token=token_of(other)),
        409,
        "rules/not-your-turn",
    )
    assert answer.get_json()["turn"] == 1 - other


def test_after_all_that_the_match_goes_on(game: Game) -> None:
    goes_on(game)
