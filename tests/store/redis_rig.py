"""A place for the Redis store on a server that a module shares, and real harm for it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from fairbones.house.ports import Store
from fairbones.store.points import Point
from fairbones.store.redis import RedisStore, keys, open_redis
from tests.servers import Server
from tests.servers.server import free_port
from tests.store.story import match_id

DATABASES = 4000


class RedisRig:
    """One database of the server; `fresh` is the next one.

    A killed process has kept its write at the last point for sure, and at the first for sure not;
    in between it was sent, and nobody knows (`test_redis_writes`).
    """

    kind = "redis"
    points: tuple[Point, ...] = (Point.BEFORE_WRITE, Point.AFTER_COMMIT)
    foreseen = frozenset(("store/full", "store/read-only", "store/busy"))

    def __init__(self, server: Server, numbers: Iterator[int] | None = None) -> None:
        self.server = server
        self.numbers = itertools.count() if numbers is None else numbers
        self.db = next(self.numbers)
        self.place = server.url_at(server.port, self.db)
        self.opened: list[RedisStore] = []
        self.others: list[RedisRig] = []

    def open(self) -> RedisStore:
        store = open_redis(self.place)
        self.opened.append(store)
        return store

    def fresh(self) -> RedisRig:
        self.others.append(RedisRig(self.server, self.numbers))
        return self.others[-1]

    def close(self) -> None:
        for store in self.opened:
            store.close()
        for rig in self.others:
            rig.close()

    @contextmanager
    def full(self, store: Store) -> Iterator[None]:
        self.server.say("CONFIG", "SET", "maxmemory", 1)
        yield
        self.server.say("CONFIG", "SET", "maxmemory", 0)

    @contextmanager
    def read_only(self, store: Store) -> Iterator[None]:
        """It follows a master that is not there."""
        self.server.say("REPLICAOF", "127.0.0.1", free_port())
        yield
        self.server.say("REPLICAOF", "NO", "ONE")

    @contextmanager
    def busy(self, store: Store) -> Iterator[None]:
        """A replica that has to have every write is not there."""
        self.server.say("CONFIG", "SET", "min-replicas-to-write", 1)
        yield
        self.server.say("CONFIG", "SET", "min-replicas-to-write", 0)

    def damages(self) -> Sequence[Callable[[], None]]:
        return (
            self.lose_a_step,
            self.spoil_a_step,
            self.cut_a_step_off,
            self.spoil_a_claim,
            self.lose_the_seed,
            self.lose_all_steps,
            self.put_something_else,
            self.spoil_a_key,
        )

    def say(self, *words: str | bytes | int) -> None:
        with self.server.client() as client:
            client.connection_pool.connection_kwargs["db"] = self.db
            ask: Callable[..., object] = client.execute_command
            ask(*words)

    def lose_a_step(self) -> None:
        self.say("LSET", keys.steps(match_id()), 2, b"gone")
        self.say("LREM", keys.steps(match_id()), 0, b"gone")

    def spoil_a_step(self) -> None:
        self.say("LSET", keys.steps(match_id()), -1, b"\x01" + b"\x00" * 60)

    def cut_a_step_off(self) -> None:
        self.say("LSET", keys.steps(match_id()), -1, b"\x01\x00")

    def spoil_a_claim(self) -> None:
        self.say("HSET", keys.claims(match_id()), 0, b"spoiled")

    def lose_the_seed(self) -> None:
        self.say("HDEL", keys.match(match_id()), "seed")

    def lose_all_steps(self) -> None:
        self.say("DEL", keys.steps(match_id()))

    def put_something_else(self) -> None:
        self.say("SET", keys.steps(match_id()), "something else")

    def spoil_a_key(self) -> None:
        self.say("SET", keys.chosen("a-key"), "spoiled")
