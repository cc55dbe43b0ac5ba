"""Counts that many processes share in a Redis, and what holds while it is gone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fairbones.ops import Ops
from fairbones.ops.rates import Limiter
from fairbones.ops.tries import PAUSE_SECONDS, shared_windows
from fairbones.ops.windows import Run
from fairbones.store.redis.url import parse_url
from fairbones.store.redis.wire import Wire
from tests.api.fake_house import TOKEN, FakeHouse
from tests.ops.conftest import Log
from tests.ops.edge import client_of
from tests.ops.test_rates import Clock, from_, is_refused
from tests.servers import KINDS, Kind, Server, cluster, redis_server

MINE = {"Authorization": f"Bearer {TOKEN}"}


@contextmanager
def scripts_at(url: str) -> Iterator[Run]:
    """As the service asks its own store."""
    wire = Wire(parse_url(url))
    yield wire.run
    wire.close()


@pytest.fixture
def run(server: Server) -> Iterator[Run]:
    with scripts_at(server.url) as made:
        yield made


@pytest.fixture(params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    kind: Kind = request.param
    with redis_server(kind) as made:
        yield made


def test_all_processes_count_as_one(run: Run, house: FakeHouse) -> None:
    clients = [client_of(house, Ops(rates=Limiter(4, 0, shared_windows(run)))) for _ in range(2)]
    assert [from_(it, "10.0.0.1").status_code for it in (*clients, *clients)] == [200] * 4
    for it in clients:
        assert 1 <= is_refused(from_(it, "10.0.0.1"), "rate/requests") <= 120
        assert from_(it, "10.0.0.2").status_code == 200


def test_what_is_kept_is_no_secret_and_goes_by_itself(
    server: Server, run: Run, house: FakeHouse
) -> None:
    client = client_of(house, Ops(rates=Limiter(9, 0, shared_windows(run))))
    assert from_(client, "10.0.0.1", MINE).status_code == 200
    plain = server.client()
    kept = [it.decode() for it in plain.scan_iter()]
    assert len(kept) == 2
    for key in kept:
        assert key.startswith("fb:rate:")
        assert TOKEN not in key
        assert 0 < plain.ttl(key) <= 120


def test_a_dead_redis_refuses_nobody(server: Server, run: Run, house: FakeHouse, log: Log) -> None:
    """Each process counts alone meanwhile, and together again when it is back."""
    clock = Clock()
    limiter = Limiter(3, 0, shared_windows(run, clock))
    client = client_of(house, Ops(rates=limiter))
    assert from_(client, "10.0.0.1").status_code == 200
    server.kill()
    assert [from_(client, "10.0.0.1").status_code for _ in range(3)] == [200] * 3
    is_refused(from_(client, "10.0.0.1"), "rate/requests")
    warnings = [line["event"] for line in log.lines if line["level"] == "warning"]
    assert warnings == ["requests are counted by each process alone"]
    server.start()
    is_refused(from_(client, "10.0.0.1"), "rate/requests")  # not asked again so soon
    clock.now += PAUSE_SECONDS
    assert from_(client, "10.0.0.1").status_code == 200
    assert log.lines[-1]["event"] == "requests are counted by all processes together again"


def test_a_full_redis_refuses_nobody(server: Server, run: Run, house: FakeHouse) -> None:
    """Its scripts are refused for want of memory."""
    client = client_of(house, Ops(rates=Limiter(3, 0, shared_windows(run))))
    assert from_(client, "10.0.0.1").status_code == 200
    server.client().config_set("maxmemory", "1")
    assert from_(client, "10.0.0.1").status_code == 200


def test_in_a_cluster(house: FakeHouse) -> None:
    """Both windows of a caller are on one node, whichever that is."""
    with cluster("valkey") as three, scripts_at(three.url) as run:
        client = client_of(house, Ops(rates=Limiter(2, 0, shared_windows(run))))
        for address in ("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"):
            assert [from_(client, address).status_code for _ in range(2)] == [200] * 2
            is_refused(from_(client, address), "rate/requests")
