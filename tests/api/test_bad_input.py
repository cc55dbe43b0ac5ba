"""Bad input of every kind to a match in play: its own code, nothing appended, the match goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from werkzeug.test import TestResponse

from fairbones.api.problems import MEDIA_TYPE
from tests.api.table import Game, Table, token_of

JSON = "application/json"
CAPITALS = b"AA" * 32
Send = Callable[[bytes], TestResponse]

# A body in place of an action, and the status and code it is answered with.
BODIES: dict[str, tuple[bytes, int, str]] = {
    "nothing": (b"", 400, "request/body-missing"),
    "blank": (b"  ", 400, "json/syntax"),
    "cut off": (b'{"seq":1', 400, "json/syntax"),
    "two texts": (b"{}{}", 400, "json/syntax"),
    "single quotes": (b"{'seq':1}", 400, "json/syntax"),
    "a leading zero": (b'{"seq":01}', 400, "json/syntax"),
    "a control character": (b'{"a":"\x01"}', 400, "json/syntax"),
    "invalid UTF-8": (b'{"a":"\xff"}', 400, "json/utf8"),
    "an overlong form": (b'{"a":"\xc0\x80"}', 400, "json/utf8"),
    "a surrogate as UTF-8": (b'{"a":"\xed\xa0\x80"}', 400, "json/utf8"),
    "a byte order mark": (b"\xef\xbb\xbf{}", 400, "json/utf8"),
    "UTF-16": ('{"seq":1}'.encode("utf-16"), 400, "json/utf8"),
    "a key twice": (b'{"seq":1,"seq":1}', 400, "json/duplicate-key"),
    "a key twice inside": (b'{"action":{"type":"pass","type":"pass"}}', 400, "json/duplicate-key"),
    "a key twice by escape": (b'{"seq":1,"s\\u0065q":1}', 400, "json/duplicate-key"),
    "a float": (b'{"seq":1.0}', 400, "json/number"),
    "an exponent": (b'{"seq":1e0}', 400, "json/number"),
    "a huge exponent": (b'{"seq":1e999999}', 400, "json/number"),
    "a minus": (b'{"seq":-1}', 400, "json/number"),
    "minus zero": (b'{"seq":-0}', 400, "json/number"),
    "NaN": (b'{"seq":NaN}', 400, "json/number"),
    "Infinity": (b'{"seq":Infinity}', 400, "json/number"),
    "minus Infinity": (b'{"seq":-Infinity}', 400, "json/number"),
    "2^53": (b'{"seq":9007199254740992}', 400, "json/number"),
    "5,000 digits": (b'{"seq":' + b"9" * 5_000 + b"}", 400, "json/number"),
    "null": (b'{"seq":null}', 400, "json/null"),
    "null in a list": (b'{"a":[1,[null]]}', 400, "json/null"),
    "nine deep": (b'{"a":' * 8 + b"{}" + b"}" * 8, 400, "json/depth"),
    "60,000 brackets": (b"[" * 60_000, 400, "json/depth"),
    "60,000 objects": (b'{"a":' * 10_000, 400, "json/depth"),
    "100,000 brackets": (b"[" * 100_000, 413, "request/too-large"),
    "half a character": (b'{"a":"\\ud800"}', 400, "json/surrogate"),
    "the other half": (b'{"a":["\\udc00"]}', 400, "json/surrogate"),
    "half a character as a key": (b'{"\\ud800":1}', 400, "json/surrogate"),
    "a list": (b"[]", 400, "json/not-object"),
    "a string": (b'"seq"', 400, "json/not-object"),
    "just null": (b"null", 400, "json/not-object"),
    "a string of 1 MB": (b'{"a":"' + b"a" * 1_000_000 + b'"}', 413, "request/too-large"),
    "a long string": (b'{"seq":1,"action":{"type":"' + b"a" * 60_000 + b'"}}', 422, "action/shape"),
    "no fields": (b"{}", 422, "request/missing-field"),
    "an unknown field": (b'{"seq":1,"action":{},"x":1}', 422, "request/unknown-field"),
    "a signature": (b'{"seq":1,"action":{},"signature":"00"}', 422, "request/unknown-field"),
    "text for a number": (b'{"seq":"1","action":{}}', 422, "request/type"),
    "true for a number": (b'{"seq":true,"action":{}}', 422, "request/type"),
    "a list for an object": (b'{"seq":1,"action":[]}', 422, "request/type"),
    "a seq above u32": (b'{"seq":4294967296,"action":{}}', 422, "request/range"),
    "a short hash": (b'{"seq":1,"action":{},"prev":"00"}', 422, "request/range"),
    "a hash in capitals": (
        b'{"seq":1,"action":{},"prev":"%b"}' % (b"AA" * 32),
        422,
        "request/range",
    ),
    "a receipt that is none": (b'{"seq":1,"action":{},"receipt":[]}', 422, "request/type"),
    "half a receipt": (b'{"seq":1,"action":{},"receipt":{"seq":1}}', 422, "request/missing-field"),
    "an action without type": (b'{"seq":1,"action":{}}', 422, "action/shape"),
    "no such tile": (b'{"seq":1,"action":{"type":"play","tile":"99-1"}}', 422, "tile/text"),
}


# Time enough for the calls of all these tests, which are a second apart.
_OPENING = {"ruleset": "block", "seats": 2, "rounds_max": 2, "turn_seconds": 86_400}
BLOCK = {"ruleset": "block", "seats": 2}


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """One match for all of them: it must survive."""
    folder: Path = tmp_path_factory.mktemp("bad-input")
    return Game(Table(folder), _OPENING).start()


def refused(game: Game, send: Callable[[], TestResponse], status: int, code: str) -> TestResponse:
    """The answer; the head is as before, and the match still takes a good action."""
    before = game.view()["head"]
    answer = send()
    assert (answer.status_code, answer.get_json()["code"]) == (status, code), answer.text
    assert answer.mimetype == MEDIA_TYPE
    assert answer.headers["Cache-Control"] == "no-store"
    assert game.view()["head"] == before
    return answer


def post(game: Game, raw: bytes, content_type: str = JSON, **more: str) -> TestResponse:
    """A body as it is, sent by the seat on turn."""
    headers = {"Authorization": f"Bearer {token_of(game.view()['turn'])}", **more}
    return game.table.client.post(
        f"{game.address}/actions", data=raw, content_type=content_type, headers=headers
    )


@pytest.mark.parametrize("name", BODIES)
def test_a_bad_body(game: Game, name: str) -> None:
    raw, status, code = BODIES[name]
    refused(game, lambda: post(game, raw), status, code)


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "application/x-www-form-urlencoded",
        "text/json",
        "application/json-patch+json",
    ],
)
def test_a_wrong_media_type(game: Game, content_type: str) -> None:
    refused(game, lambda: post(game, b"{}", content_type), 415, "request/media-type")


def test_other_encodings(game: Game) -> None:
    latin = "application/json; charset=latin-1"
    refused(game, lambda: post(game, b"{}", latin), 415, "request/media-type")
    gzip = {"Content-Encoding": "gzip"}
    refused(game, lambda: post(game, b"{}", **gzip), 415, "request/encoding")
    spoken = "application/json; charset=UTF-8"
    refused(game, lambda: post(game, b"{}", spoken), 422, "request/missing-field")


def test_a_body_in_chunks(game: Game) -> None:
    chunked = {"Transfer-Encoding": "chunked"}
    refused(game, lambda: post(game, b"{}", **chunked), 411, "request/length-required")


def with_length(game: Game, raw: bytes, length: str) -> TestResponse:
    """A body whose declared length is not its own."""
    return game.table.client.post(
        f"{game.address}/actions",
        data=raw,
        content_type=JSON,
        headers={"Authorization": f"Bearer {token_of(0)}"},
        environ_overrides={"CONTENT_LENGTH": length},
    )


@pytest.mark.parametrize(
    ("length", "status", "code"),
    [
        ("50", 400, "request/malformed"),
        ("1", 400, "json/syntax"),
        ("0", 400, "request/body-missing"),
        ("-1", 400, "request/body-missing"),
        ("x", 400, "request/body-missing"),
        ("65537", 413, "request/too-large"),
        ("9" * 30, 413, "request/too-large"),
    ],
)
def test_a_length_that_is_not_the_bodys(game: Game, length: str, status: int, code: str) -> None:
    answer = refused(game, lambda: with_length(game, b'{"seq":1}', length), status, code)
    if status == 413:
        assert answer.get_json()["maximum"] == 65_536


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
        ("?at=-1", "request/type", "at"),
        ("?at=01", "request/type", "at"),
        ("?at=1.0", "request/type", "at"),
        ("?at=", "request/type", "at"),
        ("?at=%D9%A1", "request/type", "at"),
        ("?at=%2B1", "request/type", "at"),
        ("?at=4294967296", "request/range", "at"),
        ("/events?after=-2", "request/type", "after"),
        ("/events?after=1_0", "request/type", "after"),
        ("/events?wait=-1", "request/type", "wait"),
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
    [("PUT", "/v1/matches"), ("GET", "/v1/matches"), ("DELETE", "{match}"), ("PATCH", "{match}")],
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
        ({"ruleset": "block", "seats": 5}, 422, "ruleset/seats", None),
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
        (
            {**BLOCK, "reserved": []},
            422,
            "request/unknown-field",
            "reserved",
        ),
        ({**BLOCK, "listed": True}, 422, "request/unknown-field", "listed"),
        ({**BLOCK, "options": []}, 422, "request/type", "options"),
        ({**BLOCK, "options": {"x": 1}}, 422, "options/unknown", None),
        ({**BLOCK, "options": {"drawing": "x"}}, 422, "options/fixed", None),
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
    if code != "options/washes":
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
        (
            {"client_seed_commitment": "00" * 32, "public_key": "00"},
            "request/unknown-field",
            "public_key",
        ),
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
            "DELETE", f"{game.address}/seats/0", {"signature": "00"}, token=token_of(0)
        ),
        422,
        "request/unknown-field",
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
    while not game.over:
        game.play_turn()
    transcript = game.table.done("GET", f"{game.address}/transcript")
    assert transcript["events"] == game.events
