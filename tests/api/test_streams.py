"""The events of a match as a stream: what it says, when it ends, and what it refuses."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from fairbones.api import streams
from fairbones.api.front import front_of
from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.core.errors import FairbonesError
from tests.api.fake_house import ADDRESS, EVENT, RECEIPT, FakeHouse
from tests.api.table import Game, Json, Table

STREAM = {"Accept": "text/event-stream"}
UNKNOWN = f"/v1/matches/{'0' * 32}/events"
BLOCK: Json = {"ruleset": "block", "seats": 2, "rounds_max": 1}


def ask(client: FlaskClient, address: str = f"{ADDRESS}/events", **headers: str) -> TestResponse:
    """A stream that is not read yet."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.get(address, headers=STREAM | named, buffered=False)


def read(messages: Iterator[bytes]) -> list[dict[str, Any]]:
    """Whole messages of a stream that ends; comments and `retry` aside."""
    found = []
    for block in b"".join(messages).decode().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line != ":")
        if "data" in fields:
            assert set(fields) == {"id", "data"}
            found.append({"id": int(fields["id"]), **json.loads(fields["data"])})
    return found


def test_a_message_has_the_events_as_they_were_hashed(
    client: FlaskClient, house: FakeHouse
) -> None:
    answer = ask(client)
    assert answer.status_code == 200
    assert answer.content_type == "text/event-stream; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.headers["X-Accel-Buffering"] == "no"
    messages = answer.iter_encoded()
    assert re.fullmatch(rb"retry: [12][0-9]{3}\n\n", next(messages))
    told = b'data: {"events":[' + EVENT + b'],"receipt":' + RECEIPT + b"}"
    assert next(messages) == b"id: 7\n" + told + b"\n\n"
    answer.close()


@pytest.mark.parametrize(
    ("accept", "streamed"),
    [
        ("text/event-stream", True),
        ("text/event-stream, */*;q=0.1", True),
        ("application/json;q=0.5, text/event-stream", True),
        ("*/*", False),
        ("text/*", False),
        ("application/json, text/event-stream", False),
        ("text/event-stream;q=0, application/json", False),
        ("", False),
        ("text/event-stream;q=x", False),
    ],
)
def test_only_who_asks_for_a_stream_gets_one(
    client: FlaskClient, accept: str, streamed: bool
) -> None:
    answer = client.get(f"{ADDRESS}/events", headers={"Accept": accept}, buffered=False)
    assert answer.status_code == 200
    assert (answer.mimetype == "text/event-stream") is streamed
    answer.close()


def test_the_last_id_counts_before_after(client: FlaskClient, house: FakeHouse) -> None:
    for headers, after in (({}, 3), ({"Last_Event_ID": "6"}, 6), ({"Last_Event_ID": "-1"}, -1)):
        house.asked.clear()
        ask(client, f"{ADDRESS}/events?after=3", **headers).close()
        assert house.asked[0][1][1] == after


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("", "request/type"),
        ("x", "request/type"),
        ("07", "request/type"),
        ("1.0", "request/type"),
        ("-2", "request/range"),
        ("9" * 400, "request/range"),
    ],
)
def test_a_last_id_of_nobody_is_a_problem(client: FlaskClient, sent: str, code: str) -> None:
    refused = ask(client, Last_Event_ID=sent)
    assert refused.status_code == 422
    told = json.loads(refused.data)
    assert (told["code"], told["in"], told["field"]) == (code, "header", "Last-Event-ID")
    # Whoever does not ask for a stream did not mean it.
    plain = client.get(f"{ADDRESS}/events", headers={"Last-Event-ID": sent})
    assert plain.status_code == 200


@pytest.mark.parametrize(
    ("address", "status"),
    [(UNKNOWN, 404), (f"{ADDRESS}/events?after=x", 422), (f"{ADDRESS}/events?beyond=1", 422)],
)
def test_problems_come_before_the_stream(client: FlaskClient, address: str, status: int) -> None:
    refused = ask(client, address)
    assert refused.status_code == status
    assert refused.mimetype == "application/problem+json"


def test_streams_and_readers_share_the_places(client: FlaskClient, house: FakeHouse) -> None:
    first, second = ask(client), ask(client)
    refused = ask(client)
    assert (refused.status_code, json.loads(refused.data)["code"]) == (503, "service/busy")
    assert int(refused.headers["Retry-After"]) > 0
    house.events_there = ()
    assert client.get(f"{ADDRESS}/events?after=7&wait=1").status_code == 503
    assert client.get(f"{ADDRESS}/events?after=7").status_code == 200
    # One that was never read gives its place back, and so does one that ended in the middle.
    first.close()
    next(second.iter_encoded())
    second.close()
    for answer in [ask(client) for _ in range(2)]:
        assert answer.status_code == 200
        answer.close()


def test_head_takes_no_place(client: FlaskClient) -> None:
    for _ in range(5):
        assert client.head(f"{ADDRESS}/events", headers=STREAM).status_code == 200


def test_silence_is_broken_by_comments(house: FakeHouse, monkeypatch: pytest.MonkeyPatch) -> None:
    house.events_there = ()
    client = build_api(house, Limits(heartbeat=0.02)).test_client()
    answer = ask(client)
    messages = answer.iter_encoded()
    next(messages)
    assert [next(messages), next(messages)] == [b":\n\n", b":\n\n"]
    house.events_there = (EVENT,)
    assert next(messages).startswith(b"id: 7\n")
    answer.close()


def test_a_service_that_stops_ends_its_streams(client: FlaskClient, house: FakeHouse) -> None:
    house.events_there = ()
    answer = ask(client)
    messages = answer.iter_encoded()
    next(messages)
    front_of(client.application).stop()
    assert list(messages) == []
    assert ask(client).data.startswith(b"retry: ")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FairbonesError("store/unreachable", "a secret"), "store/unreachable"),
        (KeyError("x"), "Key"),
    ],
)
def test_an_error_in_the_middle_ends_the_stream(
    client: FlaskClient,
    house: FakeHouse,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    said: str,
) -> None:
    answer = ask(client)
    messages = answer.iter_encoded()
    next(messages)
    next(messages)
    house.error = error
    with caplog.at_level(logging.ERROR):
        assert list(messages) == []
    (line,) = caplog.messages
    assert said in line
    assert "secret" not in line
    assert "Traceback" not in caplog.text


def test_a_client_that_has_gone_is_noticed(client: FlaskClient, house: FakeHouse) -> None:
    house.events_there = ()
    gone = {streams.GONE: lambda: True}
    with client.get(f"{ADDRESS}/events", headers=STREAM, environ_overrides=gone) as answer:
        assert answer.data.startswith(b"retry: ")
        assert b":\n" not in answer.data


def test_a_server_may_hold_a_stream_that_waits(client: FlaskClient, house: FakeHouse) -> None:
    """It is told what to say meanwhile, and the house is not asked again for that."""
    held: list[object] = []

    class Hold:
        def __call__(self, comment: bytes, seconds: float) -> Hold:
            held.append((comment, seconds))
            return self

        def __enter__(self) -> None:
            held.append("in")
            house.events_there = (EVENT,) if len(held) < 4 else ()
            front = front_of(client.application)
            if len(held) > 3:
                front.stop()

        def __exit__(self, *_: object) -> None:
            held.append("out")

    house.events_there = ()
    with client.get(
        f"{ADDRESS}/events", headers=STREAM, environ_overrides={streams.HOLD: Hold()}
    ) as answer:
        assert [it["id"] for it in read(iter([answer.data]))] == [7]
    told = (b":\n\n", 15.0)
    assert held == [told, "in", "out", told, "in", "out"]
    waits = [call[1][2] for call in house.asked if call[0] == "events"]
    assert waits == [0, streams.HELD_SECONDS, streams.HELD_SECONDS]


def test_a_whole_match_and_its_end(table: Table) -> None:
    game = Game(table, BLOCK).start()
    while not game.over:
        game.play_turn()
    whole = read(ask(table.client, f"{game.address}/events").iter_encoded())
    assert [it["id"] for it in whole] == [len(game.events) - 1]
    assert whole[0]["events"] == game.events
    assert whole[0]["receipt"]["seq"] == len(game.events) - 1
    rest = read(ask(table.client, f"{game.address}/events", Last_Event_ID="5").iter_encoded())
    assert rest[0]["events"] == game.events[6:]
    done = ask(table.client, f"{game.address}/events", Last_Event_ID=str(whole[0]["id"]))
    assert (done.status_code, done.data) == (204, b"")
    assert ask(table.client, f"{game.address}/events?after=5").status_code == 200


def test_a_deadline_ends_a_stream(table: Table) -> None:
    game = Game(table, BLOCK)
    answer = ask(table.client, f"{game.address}/events?after=0")
    messages = answer.iter_encoded()
    next(messages)
    table.now += 601_000  # nobody came
    (last,) = read(messages)
    assert [event["type"] for event in last["events"]] == ["voided"]
