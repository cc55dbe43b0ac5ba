"""Waiting for events: within limits, and never at the cost of those who do not wait."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from fairbones.api.front import front_of
from tests.api.fake_house import ADDRESS, EVENT, FakeHouse
from tests.api.table import Game, Table


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as made:
        yield made


def wait_for(client: FlaskClient, seconds: float) -> TestResponse:
    return client.application.test_client().get(f"{ADDRESS}/events?after=7&wait={seconds}")


def full(
    client: FlaskClient, house: FakeHouse, pool: ThreadPoolExecutor
) -> list[Future[TestResponse]]:
    """Two requests that wait: as many as may."""
    house.events_there = ()
    waiting = [pool.submit(wait_for, client, 5) for _ in range(2)]
    for _ in waiting:
        assert house.waiting.acquire(timeout=5)
    return waiting


def test_beyond_the_cap_a_waiting_request_is_refused_at_once(
    client: FlaskClient, house: FakeHouse, pool: ThreadPoolExecutor
) -> None:
    waiting = full(client, house, pool)
    begun = time.monotonic()
    refused = wait_for(client, 5)
    assert time.monotonic() - begun < 1
    assert (refused.status_code, refused.get_json()["code"]) == (503, "service/busy")
    assert int(refused.headers["Retry-After"]) > 0
    # Those who do not wait are answered as ever.
    assert wait_for(client, 0).status_code == 200
    assert client.get(ADDRESS).status_code == 200
    house.events_there = (EVENT,)
    assert wait_for(client, 5).status_code == 200
    house.released.set()
    assert [it.result(5).status_code for it in waiting] == [200, 200]


def test_places_are_given_back(
    client: FlaskClient, house: FakeHouse, pool: ThreadPoolExecutor
) -> None:
    waiting = full(client, house, pool)
    house.error = RuntimeError()
    house.released.set()
    for it in waiting:
        it.result(5)
    house.error = None
    house.released.clear()
    again = full(client, house, pool)
    house.released.set()
    assert [it.result(5).status_code for it in again] == [200, 200]


def test_a_service_that_stops_answers_everybody(
    client: FlaskClient, house: FakeHouse, pool: ThreadPoolExecutor
) -> None:
    waiting = full(client, house, pool)
    front_of(client.application).stop()
    assert ("close", ()) in house.asked
    assert [it.result(5).status_code for it in waiting] == [200, 200]


def test_a_real_house_that_stops_lets_nobody_wait(table: Table, pool: ThreadPoolExecutor) -> None:
    game = Game(table, {"ruleset": "block", "seats": 2, "rounds_max": 1})

    def follow() -> TestResponse:
        return table.app.test_client().get(f"{game.address}/events?after=0&wait=30")

    waiting = [pool.submit(follow) for _ in range(3)]
    time.sleep(0.1)
    begun = time.monotonic()
    front_of(table.app).stop()
    for it in [*waiting, pool.submit(follow)]:
        assert it.result(5).get_json()["events"] == []
    assert time.monotonic() - begun < 3


def test_an_event_wakes_who_waits(table: Table, pool: ThreadPoolExecutor) -> None:
    game = Game(table, {"ruleset": "block", "seats": 2, "rounds_max": 1})

    def follow() -> TestResponse:
        return table.app.test_client().get(f"{game.address}/events?after=0&wait=10")

    waiting = pool.submit(follow)
    time.sleep(0.1)
    assert not waiting.done()
    begun = time.monotonic()
    game.sit(0)
    answer = waiting.result(5).get_json()
    assert time.monotonic() - begun < 1
    assert [event["type"] for event in answer["events"]] == ["seated"]


def test_a_wait_ends_with_its_seconds_and_at_the_end_of_a_match(table: Table) -> None:
    game = Game(table, {"ruleset": "block", "seats": 2, "rounds_max": 1})
    begun = time.monotonic()
    assert table.done("GET", f"{game.address}/events?after=0&wait=0.2")["events"] == []
    assert 0.2 <= time.monotonic() - begun < 1
    table.now += 601_000  # nobody came
    voided = table.done("GET", f"{game.address}/events?after=0&wait=5")
    assert [event["type"] for event in voided["events"]] == ["voided"]
    begun = time.monotonic()
    assert table.done("GET", f"{game.address}/events?after=1&wait=5")["events"] == []
    assert time.monotonic() - begun < 1
