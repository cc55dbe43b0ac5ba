"""Bad bodies to a match in play, as bytes: their own code, nothing appended, the match goes on."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from tests.api.sturdy import goes_on, refused
from tests.api.table import Game, token_of

JSON = "application/json"
CAPITALS = b"AA" * 32

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
    "a short signature": (b'{"seq":1,"action":{},"signature":"00"}', 422, "request/range"),
    "text for a number": (b'{"seq":"1","action":{}}', 422, "request/type"),
    "true for a number": (b'{"seq":true,"action":{}}', 422, "request/type"),
    "a list for an object": (b'{"seq":1,"action":[]}', 422, "request/type"),
    "a seq above u32": (b'{"seq":4294967296,"action":{}}', 422, "request/range"),
    "a short hash": (b'{"seq":1,"action":{},"prev":"00"}', 422, "request/range"),
    "a hash in capitals": (
        b'{"seq":1,"action":{},"prev":"%b"}' % CAPITALS,
        422,
        "request/range",
    ),
    "a receipt that is none": (b'{"seq":1,"action":{},"receipt":[]}', 422, "request/type"),
    "half a receipt": (b'{"seq":1,"action":{},"receipt":{"seq":1}}', 422, "request/missing-field"),
    "an action without type": (b'{"seq":1,"action":{}}', 422, "action/shape"),
    "no such tile": (b'{"seq":1,"action":{"type":"play","tile":"99-1"}}', 422, "tile/text"),
}


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


def test_what_was_sent_is_not_sent_back_at_length(game: Game) -> None:
    """T36: a tile and the name of an option are the texts that a refusal repeats."""
    long = "6" * 60_000
    tile = b'{"seq":1,"action":{"type":"play","tile":"%b"}}' % long.encode()
    assert refused(game, lambda: post(game, tile), 422, "tile/text").get_json()["tile"] == "6" * 128
    opening = {"ruleset": "block", "seats": 2, "options": {long: 1}}
    answer = game.table.call("POST", "/v1/matches", opening)
    assert answer.get_json()["code"] == "options/unknown"
    assert len(answer.data) < 1_500


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


def test_after_all_that_the_match_goes_on(game: Game) -> None:
    goes_on(game)
