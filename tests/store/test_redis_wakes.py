"""Processes that tell each other which matches have grown."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Self

import pytest

from fairbones.house.ports import SeqTaken
from fairbones.store.redis import RedisStore, ears, keys, open_redis
from tests.servers import Server, proxy_to, redis_server, sentinel_of, until
from tests.servers.server import Config
from tests.store.heard import SECONDS, Heard
from tests.store.redis_rig import RedisRig
from tests.store.rig import ROOT
from tests.store.story import match_id, opening, step


class Another:
    """A process that hears, and appends when it is told to."""

    def __init__(self, url: str, *words: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.redis_ears", url, *words],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": f"{ROOT / 'service'}{os.pathsep}{ROOT}"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.heard = Heard()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.heard.said.put(int(line) if line.strip().isdigit() else line.strip())

    def append(self, number: int) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"append {number}\n")
        self._process.stdin.flush()

    def __enter__(self) -> Self:
        for expected in ("deaf", "ready", "all"):
            assert self.heard.next() == expected
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait(SECONDS)
        self._reader.join(SECONDS)
        self._process.stdout.close()
        assert self._process.returncode == 0


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with redis_server("valkey", Config(extra=("databases", "64"))) as running:
        yield running


@pytest.fixture
def rig(server: Server) -> Iterator[RedisRig]:
    made = RedisRig(server)
    yield made
    made.close()
    server.empty()


def hears(store: RedisStore) -> Heard:
    """Ears of a store that hears by now."""
    heard = Heard()
    store.listen(heard)
    for expected in ("deaf", "ready", "all"):
        assert heard.next() == expected
    return heard


@pytest.mark.parametrize("words", [(), ("gevent",)], ids=["threads", "gevent"])
def test_two_processes_wake_each_other(rig: RedisRig, words: tuple[str, ...]) -> None:
    store = rig.open()
    heard = hears(store)
    for number in (1, 2):
        store.create(opening(number))
    with Another(rig.place, *words) as other:
        for turn in range(1, 6):
            number = 1 + turn % 2
            other.append(number)
            assert heard.next() == number
            store.append(match_id(number), step(2 * ((turn + 1) // 2)))
            assert other.heard.next() == number
    assert other.heard.next() == "closed"
    assert heard.said.empty()
    assert other.heard.said.empty()


def test_nobody_hears_of_another_database_or_of_himself(rig: RedisRig) -> None:
    store, elsewhere = rig.open(), rig.fresh().open()
    heard, others = hears(store), hears(elsewhere)
    second = rig.open()
    second.create(opening())
    store.append(match_id(), step(1))
    assert store._feeder.drain()
    second.append(match_id(), step(2))
    assert heard.next() == 1
    with pytest.raises(SeqTaken):
        second.append(match_id(), step(2))
    assert second._feeder.drain()
    assert heard.said.empty()
    assert others.said.empty()


def test_who_is_cut_off_is_deaf_until_he_hears_again(rig: RedisRig) -> None:
    with proxy_to(rig.server.port) as proxy:
        store = open_redis(proxy.url)
        heard = hears(store)
        proxy.cut()
        assert heard.next() == "deaf"
        other = rig.open()
        other.create(opening())
        other.append(match_id(), step(1))
        proxy.mend()
        while (said := heard.next()) == "deaf":
            pass
        assert (said, heard.next()) == ("ready", "all")
        other.append(match_id(), step(2))
        assert heard.next() == 1
        store.close()


def test_silence_is_looked_into(rig: RedisRig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that swallows everything ends no connection: nobody would ever notice."""
    monkeypatch.setattr(ears, "SILENCE_SECONDS", 0.1)
    with proxy_to(rig.server.port) as proxy:
        store = open_redis(proxy.url)
        heard = hears(store)
        proxy.hold()
        assert heard.next() == "deaf"
        proxy.cut()
        proxy.mend()
        while (said := heard.next()) == "deaf":
            pass
        assert said == "ready"
        store.close()


def test_ears_follow_the_master(monkeypatch: pytest.MonkeyPatch) -> None:
    """The old master lives on, and whoever listens there hears nothing any more."""
    monkeypatch.setattr(ears, "SILENCE_SECONDS", 0.1)
    with (
        redis_server("valkey") as master,
        redis_server("valkey", Config(replica_of=master)) as replica,
        sentinel_of("valkey", master) as sentinel,
    ):
        until(master.in_step)
        store = open_redis(sentinel.url)
        heard = hears(store)
        assert sentinel.fail_over() == replica.port
        while heard.next() != "all":
            pass
        until(lambda: replica.say("PUBSUB", "NUMSUB", keys.wake(0))[1] == 1)
        other = open_redis(sentinel.url)
        other.create(opening())
        other.append(match_id(), step(1))
        while (said := heard.next()) != 1:
            assert said in ("deaf", "ready", "all")
        store.close()
        other.close()


def test_an_end_while_nobody_answers(rig: RedisRig) -> None:
    """Closing waits for nothing that does not come."""
    with proxy_to(rig.server.port) as proxy:
        store = open_redis(proxy.url)
        heard = hears(store)
        store.create(opening())
        proxy.hold()
        store._feeder.grown(match_id())
        store.close()
        assert heard.said.empty()
        assert store._listener is not None
        assert not store._listener._thread.is_alive()
