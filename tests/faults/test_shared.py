"""Redis mode: the service, its workers and Redis die, hang, fill up; every step happens once."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fairbones.store.points import Point
from tests.faults.asking import KINDS, Prepare, act, killed, same
from tests.faults.hall import Hall
from tests.faults.ledger import Client, problem, unanswered
from tests.faults.planting import BEFORE_REPLY, POINTS, Fault
from tests.faults.service import Refused, Service, running
from tests.hostile.table import opening
from tests.hostile.wire import Answer, Request
from tests.servers import Config, Proxy, Server, proxy_to, redis_server
from tests.store.rig import together

# Sent to Redis and not heard of: nobody can know.
DURABLE = {Point.BEFORE_WRITE: False, Point.AFTER_COMMIT: True, BEFORE_REPLY: True}
ANSWER_SECONDS = 12.0


@dataclass
class Shared:
    """A hall on a Redis, with a proxy between."""

    hall: Hall
    redis: Server
    proxy: Proxy

    def tell(self, *words: str) -> None:
        """A command to Redis as an operator gives it."""
        client: Any = self.redis.client()
        client.execute_command(*words)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    """Two workers on one Valkey that flushes every write; after everything it is judged."""
    with (
        redis_server("valkey", Config(appendfsync="always")) as redis,
        proxy_to(redis.port) as proxy,
        running(
            tmp_path_factory.mktemp("shared"),
            STORE=redis.url_at(proxy.port),
            WORKERS=2,
            SWEEP=0,
            GRACE=2,
        ) as service,
    ):
        hall = Hall(service)
        yield Shared(hall, redis, proxy)
        hall.judge()


def answered_503(client: Client, request: Request, *codes: str) -> Answer:
    """A problem, and before anybody has lost patience."""
    begun = time.monotonic()
    answer = client.once(request)
    assert time.monotonic() - begun < ANSWER_SECONDS
    assert answer.status == 503, answer.body
    assert problem(answer)["code"] in codes
    return answer


@pytest.mark.parametrize("point", POINTS)
def test_one_worker_of_two_dies(shared: Shared, point: str) -> None:
    """In the middle of an action; the other goes on, and answers it."""
    fault = Fault(point, "kill-worker")
    killed(shared.hall, act, fault, durable=DURABLE.get(point))


def test_other_requests_are_killed(shared: Shared, seed: random.Random) -> None:
    """Two kinds of them, at any of the points."""
    for prepare in seed.sample([it for it in KINDS if it is not act], 2):
        point = seed.choice(POINTS)
        killed(shared.hall, prepare, Fault(point, "kill-worker"), durable=DURABLE.get(point))


def test_the_whole_service_dies(shared: Shared) -> None:
    killed(shared.hall, act, Fault(Point.AFTER_WRITE, "kill"), durable=None)


@pytest.mark.parametrize("prepare", KINDS)
def test_a_reply_is_lost_on_the_way_out(shared: Shared, prepare: Prepare) -> None:
    killed(shared.hall, prepare, Fault(BEFORE_REPLY, "hang-up"), durable=True)


@pytest.mark.parametrize("prepare", KINDS)
def test_redis_does_it_and_nobody_hears(shared: Shared, prepare: Prepare) -> None:
    """The same request again succeeds, exactly once; as a rule the house has asked itself."""
    game, request = prepare(shared.hall)
    before = [] if request.method == "GET" else game.events()
    lost = shared.proxy.lost
    shared.proxy.lose_reply(lambda sent: b"EVAL" in sent)
    answer = shared.hall.client.once(request)
    assert shared.proxy.lost == lost + 1
    if answer.status == 503:
        problem(answer, "store/unknown-outcome")
    first, again = shared.hall.client.once(request), shared.hall.client.once(request)
    assert (first.status, again.status) == (200, 200)
    same(first, again)
    assert game.events()[len(before) :] == again.told()["events"]
    shared.hall.finish(game)


def test_an_opening_that_nobody_hears_of(shared: Shared) -> None:
    """The client is told that nobody knows, and finds its match by asking again."""
    request = replace(opening(), fields=(("Idempotency-Key", "nobody-has-heard-of-it"),))
    # The script that keeps this match, and none of those that the process runs beside it.
    shared.proxy.lose_reply(lambda sent: b"EVAL" in sent and b"nobody-has-heard" in sent)
    answered_503(shared.hall.client, request, "store/unknown-outcome")
    first, again = shared.hall.client.once(request), shared.hall.client.once(request)
    assert "idempotent-replayed" in first.fields
    assert first.told() == again.told()


@pytest.mark.parametrize("prepare", [act, KINDS[0]])
def test_redis_is_killed(shared: Shared, prepare: Prepare) -> None:
    """Meanwhile a problem says so; from its file it comes back with all that was answered."""
    game, request = prepare(shared.hall)
    shared.redis.kill()
    answered_503(shared.hall.client, request, "store/unreachable", "store/unknown-outcome")
    answered_503(shared.hall.client, Request("GET", game.path), "store/unreachable")
    shared.redis.start()
    head = game.head()["seq"]
    assert shared.hall.client.ask(request).status in (200, 201)
    assert game.head()["seq"] > head
    shared.hall.finish(game)


def test_redis_and_the_service_are_killed(shared: Shared) -> None:
    """In the middle of an action: Redis has got it and nobody has heard."""
    game, request = act(shared.hall)
    with shared.hall.service.plan.planted(Fault(Point.AFTER_WRITE, "kill")):
        unanswered(shared.hall.client, request)
        shared.redis.kill()
    shared.redis.start()
    shared.hall.service.revive()
    assert shared.hall.client.ask(request).status == 200
    shared.hall.finish(game)


def test_redis_hangs(shared: Shared) -> None:
    """It takes everything and answers nothing, then all at once."""
    game, request = act(shared.hall)
    before = game.events()
    shared.redis.pause()
    try:
        results = together(
            partial(answered_503, shared.hall.client, request, *UNKNOWN),
            partial(answered_503, shared.hall.client, Request("GET", game.path), *UNKNOWN),
        )
    finally:
        shared.redis.resume()
    assert all(isinstance(it, Answer) for it in results), results
    first, again = shared.hall.client.ask(request), shared.hall.client.ask(request)
    same(first, again)
    assert game.events()[len(before) :] == first.told()["events"]
    shared.hall.finish(game)


UNKNOWN = ("store/unknown-outcome", "store/unreachable")


def test_redis_is_full(shared: Shared) -> None:
    game, request = act(shared.hall)
    head = game.head()
    shared.tell("CONFIG", "SET", "maxmemory", "1mb")
    try:
        answered_503(shared.hall.client, request, "store/full")
        answered_503(shared.hall.client, opening(), "store/full")
        assert game.head() == head
    finally:
        shared.tell("CONFIG", "SET", "maxmemory", "0")
    assert shared.hall.client.once(request).status == 200
    shared.hall.finish(game)


def test_redis_becomes_a_replica(shared: Shared, tmp_path: Path) -> None:
    """Nothing is written to it, and no service starts on it."""
    game, request = act(shared.hall)
    head = game.head()
    shared.tell("REPLICAOF", "127.0.0.1", "1")
    try:
        answered_503(shared.hall.client, request, "store/read-only")
        assert game.head() == head
        second = Service(tmp_path, STORE=shared.redis.url, WORKERS=1)
        with pytest.raises(Refused, match="replica") as caught:
            second.start()
        assert caught.value.code == 3
    finally:
        shared.tell("REPLICAOF", "NO", "ONE")
    assert shared.hall.client.once(request).status == 200
    shared.hall.finish(game)


def test_two_services_race(shared: Shared, tmp_path: Path, seed: random.Random) -> None:
    """For each place of a match exactly one action wins, whichever service it came to."""
    hall = shared.hall
    keys = hall.service.data / "keys"
    with running(tmp_path, STORE=shared.redis.url, KEYS=keys, WORKERS=1, SWEEP=0) as second:
        other = Client(second, hall.ledger, second.revive)
        game, races = hall.deal(opening(seats=2, options={"hand": 10}), (0,)), 0
        while moves := game.options():
            requests = [game.acting(*it) for it in seed.sample(moves, min(len(moves), 2))]
            clients = [hall.client, other]
            answers = together(
                *(partial(it.once, request) for request in requests for it in clients)
            )
            told = [it for it in answers if isinstance(it, Answer)]
            assert len(told) == len(answers), answers
            won = [it for it in told if it.status == 200]
            assert len({it.told()["receipt"]["signature"] for it in won}) == 1
            assert len(won) == 2  # the same request to both services is one action
            assert {problem(it)["code"] for it in told if it.status != 200} <= LOST
            races += len(requests) > 1
        assert races > 2


LOST = {"match/stale", "match/over"}
