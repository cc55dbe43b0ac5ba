"""What the servers of the tests are trusted with."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.servers import (
    KINDS,
    Config,
    Kind,
    cluster,
    make_certificates,
    need,
    proxy_to,
    redis_server,
    sentinel_of,
    until,
)


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


def test_a_server_comes_back_with_what_it_kept(kind: Kind) -> None:
    with redis_server(kind, Config(password="secret", appendfsync="always")) as server:
        assert ":secret@" in server.url
        server.client().set("a", "b")
        first = server.pid
        server.kill()
        with pytest.raises(redis.ConnectionError):
            server.client().ping()
        server.start()
        assert server.pid != first
        assert server.client().get("a") == b"b"
        server.empty()
        assert server.client().get("a") is None
    assert not server.folder.exists()


def test_a_replica_follows_and_is_promoted(kind: Kind) -> None:
    with (
        redis_server(kind) as master,
        redis_server(kind, Config(replica_of=master)) as replica,
        sentinel_of(kind, master) as sentinel,
    ):
        until(master.in_step)
        master.client().set("a", "b")
        until(lambda: replica.client().get("a") == b"b")
        assert sentinel.promoted() == master.port
        assert sentinel.fail_over() == replica.port
        until(lambda: replica.client().set("c", "d"))


def test_a_cluster_is_whole(kind: Kind) -> None:
    with cluster(kind) as three:
        for key in (b"a", b"b", b"c", b"{d}e"):
            assert three.owner(key).client().set(key, "here")


def test_tls_is_spoken(tmp_path: Path) -> None:
    with redis_server("redis", Config(tls=make_certificates(tmp_path), password="p")) as server:
        assert server.client().ping()
        with pytest.raises(redis.ConnectionError):
            redis.Redis(port=server.port, password="p", retry=Retry(NoBackoff(), 0)).ping()


def test_a_proxy_loses_what_it_is_told_to_lose() -> None:
    with redis_server("valkey") as server, proxy_to(server.port) as proxy:
        through = redis.Redis(
            port=proxy.port, socket_timeout=0.2, retry=Retry(NoBackoff(), 0), protocol=2
        )
        with through:
            assert through.set("a", "1")
            proxy.lose_reply(lambda sent: b"SET" in sent)
            with pytest.raises(redis.ConnectionError):
                through.set("a", "2")
            assert proxy.lost == 1
            assert through.get("a") == b"2"
            proxy.hold()
            with pytest.raises(redis.TimeoutError):
                through.get("a")
            proxy.cut()
            with pytest.raises(redis.ConnectionError):
                through.get("a")
            proxy.mend()
            assert through.get("a") == b"2"


def test_a_paused_server_answers_later() -> None:
    with redis_server("valkey") as server:
        server.pause()
        with (
            redis.Redis(port=server.port, socket_timeout=0.1, retry=Retry(NoBackoff(), 0)) as it,
            pytest.raises(redis.TimeoutError),
        ):
            it.ping()
        server.resume()
        assert server.client().ping()
        server.stop()
        assert server._process is not None
        assert server._process.returncode in (0, -signal.SIGTERM)


def test_a_program_that_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match=r"NOT RUN: tests with no-such.*`install it`"):
        need("no-such-program", "install it")
    monkeypatch.setenv("CI", "1")
    with pytest.raises(pytest.fail.Exception, match="`install it`"):
        need("no-such-program", "install it")
