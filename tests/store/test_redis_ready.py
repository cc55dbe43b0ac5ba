"""What `ready` sees of a server, and that it leaves nothing there."""

from __future__ import annotations

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.store.redis import RedisStore, open_redis
from tests.servers import KINDS, Config, Kind, Server, redis_server, sentinel_of, until
from tests.store.story import STORY, match_id, opening, step, told


def because(store: RedisStore) -> str:
    """The code of what it raises; none when it returns."""
    try:
        store.ready()
    except FairbonesError as error:
        return error.code
    return ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_disk_that_a_server_cannot_write_to(kind: Kind) -> None:
    """Redis refuses writes then, unless it was told not to."""
    with redis_server(kind, Config(extra=("save", "3600 1"))) as server:
        store = open_redis(server.url)
        dump = server.folder / "dump.rdb" / "in-the-way"
        dump.mkdir(parents=True)
        server.say("BGSAVE")
        until(lambda: server.say("INFO")["rdb_last_bgsave_status"] == "err", what="a failure")
        with pytest.raises(FairbonesError, match="store/full"):
            store.create(opening())
        assert because(store) == "store/full"
        server.say("CONFIG", "SET", "stop-writes-on-bgsave-error", "no")
        assert because(store) == ""
        store.create(opening())
        store.close()


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_written(kind: Kind) -> None:
    with redis_server(kind) as server, redis_server(kind, Config(replica_of=server)) as replica:
        until(server.in_step, what="a replica in step")
        store = open_redis(server.url)
        for write in STORY:
            write.do(store)
        assert store._feeder.drain()
        before = kept(server)
        for _ in range(3):
            store.ready()
        assert kept(server) == before
        assert store.load(match_id()) == told(len(STORY))
        replica.kill()
        assert because(store) == ""
        store.close()


def kept(server: Server) -> object:
    """All keys, and how many writes there were."""
    return sorted(server.say("KEYS", "*")), server.say("INFO")["rdb_changes_since_last_save"]


def test_a_server_that_dies_and_one_that_comes_back() -> None:
    with redis_server("valkey", Config(appendfsync="always")) as server:
        store = open_redis(server.url)
        server.kill()
        assert because(store) == "store/unreachable"
        server.start()
        assert because(store) == ""
        store.close()


def test_another_master_that_sentinels_name() -> None:
    with (
        redis_server("valkey") as master,
        redis_server("valkey", Config(replica_of=master)) as replica,
        sentinel_of("valkey", master) as sentinel,
    ):
        until(master.in_step, what="a replica in step")
        until(sentinel.knows_a_replica, what="a replica that Sentinel knows")
        store = open_redis(sentinel.url)
        store.ready()
        master.kill()
        assert because(store) == "store/unreachable"
        until(lambda: sentinel.promoted() == replica.port, what="a new master")
        until(lambda: because(store) == "", what="a store that is ready")
        store.create(opening())
        store.append(match_id(), step(1))
        store.close()
