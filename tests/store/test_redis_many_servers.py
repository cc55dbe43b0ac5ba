"""A Cluster, and masters that Sentinel names, really connected to."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import SeqTaken, Step, Wanted
from fairbones.store.redis import RedisStore, keys, open_redis, wire
from tests.servers import KINDS, Cluster, Config, Kind, cluster, redis_server, sentinel_of, until
from tests.store.heard import Heard
from tests.store.listing_contract import numbers, pages
from tests.store.story import STORY, WHOLE, listing, match_id, opening, standing, step, told

MANY = range(1, 31)


@pytest.fixture(scope="module", params=KINDS)
def three(request: pytest.FixtureRequest) -> Iterator[Cluster]:
    kind: Kind = request.param
    with cluster(kind) as running:
        yield running


@pytest.fixture
def store(three: Cluster) -> Iterator[RedisStore]:
    made = open_redis(three.url)
    yield made
    made.close()
    three.empty()


def opened(store: RedisStore) -> None:
    """Matches on all servers."""
    for number in MANY:
        told_of = listing(("block", "draw")[number % 2])
        key = (f"key {number}", b"request")
        store.create(replace(opening(number, key), listing=told_of, due=number))


def test_a_cluster_keeps_what_one_server_does(three: Cluster, store: RedisStore) -> None:
    opened(store)
    owners = {three.owner(keys.match(match_id(number))).port for number in MANY}
    assert owners == {server.port for server in three.servers}
    for number in MANY:
        assert store.choose(f"key {number}", b"request", match_id(99)) == match_id(number)
        store.append(match_id(number), step(1), None, standing("playing", 2))
    with pytest.raises(SeqTaken):
        store.append(match_id(1), step(1))
    newest = sorted(MANY, reverse=True)
    assert pages(store, Wanted(7)) == newest
    odd = [it for it in newest if it % 2]
    assert pages(store, Wanted(4, "playing", "draw", 0)) == odd
    assert store.due(5, 9) == tuple(map(match_id, range(1, 6)))
    store.defer(match_id(1), None)
    assert store.due(5, 9) == tuple(map(match_id, range(2, 6)))
    assert [it for page in (store.ids(None, 20), store.ids(match_id(20), 20)) for it in page] == [
        match_id(number) for number in MANY
    ]
    assert store.forget(match_id(3))
    assert store.adopt(replace(WHOLE, stored=replace(WHOLE.stored, match_id=match_id(77))))
    assert store._feeder.drain()
    assert numbers(store.listed(Wanted(2))) == [77, 30]
    lists = three.owner(keys.ALL)
    lists.say("DEL", *lists.say("KEYS", keys.DERIVED))
    assert store.listed(Wanted(2)) == ()
    assert store.rebuild() == len(MANY) + 1
    assert pages(store, Wanted(7)) == [77, *(it for it in newest if it != 3)]


def test_one_server_that_takes_no_writes_is_enough(three: Cluster, store: RedisStore) -> None:
    """Whichever it is: some matches could not go on."""
    for server in three.servers:
        store.ready()
        server.say("CONFIG", "SET", "maxmemory", 1)
        with pytest.raises(FairbonesError, match="store/full"):
            store.ready()
        server.say("CONFIG", "SET", "maxmemory", 0)
    store.ready()
    assert [server.say("DBSIZE") for server in three.servers].count(0) == 2


@contextmanager
def moving(three: Cluster, key: bytes) -> Iterator[None]:
    """Inside, the slot of this key is on its way; afterwards another server has it for good."""
    source = three.owner(key)
    target = next(it for it in three.servers if it is not source)
    slot = source.say("CLUSTER", "KEYSLOT", key)
    name = {it: it.say("CLUSTER", "MYID").decode() for it in three.servers}
    target.say("CLUSTER", "SETSLOT", slot, "IMPORTING", name[source])
    source.say("CLUSTER", "SETSLOT", slot, "MIGRATING", name[target])
    yield
    while here := source.say("CLUSTER", "GETKEYSINSLOT", slot, 10):
        source.say("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *here)
    for server in (target, source, *three.servers):
        server.say("CLUSTER", "SETSLOT", slot, "NODE", name[target])


def test_a_cluster_tells_who_listens(three: Cluster, store: RedisStore) -> None:
    """Whichever server holds the match, and whichever is listened to."""
    heard = Heard()
    other = open_redis(three.url)
    other.listen(heard)
    while heard.next() != "all":
        pass
    for number in range(101, 107):
        store.create(opening(number))
        store.append(match_id(number), step(1))
        # Servers of a Cluster pass on what was said when they come to it.
        while (said := heard.next()) != number:
            assert said in MANY
    other.close()


def test_a_slot_moves_while_its_match_is_played(three: Cluster, store: RedisStore) -> None:
    """Nothing is done twice or in two places; who comes meanwhile is told to come again."""
    for write in STORY[:3]:
        write.do(store)
    assert store._feeder.drain()
    with moving(three, keys.match(match_id())), pytest.raises(FairbonesError, match="store/busy"):
        STORY[3].do(store)
    STORY[3].do(store)
    fresh = open_redis(three.url)
    assert fresh.load(match_id()) == told(4)
    STORY[4].do(fresh)
    fresh.close()
    assert store.load(match_id()) == told(5)
    assert store.feed_leftovers() == 0


def test_a_key_moves_while_it_is_asked_for(three: Cluster, store: RedisStore) -> None:
    """ASK: what is not there any more is at the other server."""
    with moving(three, keys.chosen("key")):
        assert store.choose("key", b"request", match_id(1)) == match_id(1)
        assert store.choose("key", b"request", match_id(2)) == match_id(1)
    assert store.create(opening(1, ("key", b"request"))) == match_id(1)
    assert store.choose("key", b"request", match_id(4)) == match_id(1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_fail_over_by_sentinel(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """The master dies while somebody writes, and nothing that was answered is lost.

    With a password of each, and one Sentinel that is gone.
    """
    monkeypatch.setattr(wire, "WAIT_MS", 50)
    with (
        redis_server(kind, Config(password="secret")) as master,
        redis_server(kind, Config(password="secret", replica_of=master)) as replica,
        sentinel_of(kind, master, password="other") as sentinel,
    ):
        until(master.in_step, what="a replica in step")
        until(sentinel.knows_a_replica, what="a replica that Sentinel knows")
        url = sentinel.url.replace("127.0.0.1", "127.0.0.1:1,127.0.0.1")
        store = open_redis(url + "?sentinel_password=other")
        store.create(opening())
        seen: list[Step] = [step(0)]
        over = threading.Event()

        def write() -> None:
            writer = open_redis(url + "?sentinel_password=other", wait_replicas=1)
            while not over.is_set():
                with suppress(FairbonesError, SeqTaken):
                    tail = writer.tail(match_id(), seen)
                    assert tail is not None
                    seen.extend(tail[0])
                    writer.append(match_id(), step(len(seen)), after=seen[-1])
            writer.close()

        thread = threading.Thread(target=write)
        thread.start()
        until(lambda: len(seen) > 20, what="some steps")
        master.kill()
        until(lambda: sentinel.promoted() == replica.port, what="a new master")
        before = len(seen)
        until(lambda: len(seen) > before + 20, what="more steps")
        over.set()
        thread.join()
        kept = open_redis(url + "?sentinel_password=other").load(match_id())
        assert kept is not None
        assert list(kept.steps[: len(seen)]) == seen
        store.close()


def test_sentinels_that_are_gone_stop_nobody() -> None:
    """The master that they named last is well."""
    with redis_server("valkey") as master, sentinel_of("valkey", master) as sentinel:
        store = open_redis(sentinel.url)
        store.create(opening())
        sentinel.kill()
        store._wire.look_again()
        store.append(match_id(), step(1))
        master.kill()
        for _ in range(2):
            with pytest.raises(FairbonesError, match="store/unreachable"):
                store.load(match_id())
        store.close()
