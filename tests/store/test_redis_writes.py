"""What becomes of a write when the network or the server fails it."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
import redis

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import SeqTaken, Wanted
from fairbones.store.points import Point
from fairbones.store.redis import RedisStore, keys, lines, open_redis, openings, scripts
from fairbones.store.redis.packing import pack_step
from tests.servers import Config, Proxy, Server, proxy_to, redis_server, until
from tests.store.redis_rig import DATABASES, RedisRig
from tests.store.rig import child, together
from tests.store.story import LISTED, STORY, claim, listing, match_id, opening, step, told


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    config = Config(
        appendfsync="always",
        extra=("databases", str(DATABASES), "busy-reply-threshold", "50"),
    )
    with redis_server("valkey", config) as running:
        yield running


@pytest.fixture
def rig(server: Server) -> Iterator[RedisRig]:
    made = RedisRig(server)
    yield made
    made.close()
    server.empty()


@pytest.fixture
def proxy(server: Server) -> Iterator[Proxy]:
    with proxy_to(server.port) as between:
        yield between


@pytest.fixture
def store(server: Server, proxy: Proxy) -> Iterator[RedisStore]:
    made = open_redis(proxy.url)
    yield made
    made.close()
    server.empty()


def code_of(call: Callable[[], object]) -> str:
    with pytest.raises(FairbonesError) as caught:
        call()
    return caught.value.code


def done(call: Callable[..., None], *words: object) -> bool:
    """For calls that answer nothing."""
    call(*words)
    return True


def a_script(sent: bytes) -> bool:
    return b"EVALSHA" in sent


# ------------------------------------------------------------ replies that do not come


def test_a_write_without_a_reply_may_have_been_kept(store: RedisStore, proxy: Proxy) -> None:
    store.create(opening())
    store.append(match_id(), step(1))
    assert store._feeder.drain()
    proxy.lose_reply(a_script)
    assert code_of(lambda: store.append(match_id(), step(2))) == "store/unknown-outcome"
    assert proxy.lost == 1
    # Whoever repeats it learns that somebody was first, and finds that it was he.
    with pytest.raises(SeqTaken):
        store.append(match_id(), step(2))
    assert store.tail(match_id(), (step(0), step(1))) == ((step(2),), ())


def test_an_opening_without_a_reply_is_found_again(store: RedisStore, proxy: Proxy) -> None:
    new = replace(opening(1, ("key", b"request")), listing=listing())
    store.create(opening(9, ("another", b"request")))
    assert store._feeder.drain()
    proxy.lose_reply(lambda sent: b"chosen" in sent)
    assert code_of(lambda: store.choose("key", b"request", match_id(1))) == "store/unknown-outcome"
    assert store.choose("key", b"request", match_id(2)) == match_id(1)
    proxy.lose_reply(a_script)
    assert code_of(lambda: store.create(new)) == "store/unknown-outcome"
    assert store.choose("key", b"request", match_id(3)) == match_id(1)
    assert store.create(new) == match_id(1)
    assert store.load(match_id(2)) is None


def test_a_read_without_a_reply_is_asked_again(store: RedisStore, proxy: Proxy) -> None:
    store.create(opening())
    assert store._feeder.drain()
    kept = store.load(match_id())
    proxy.lose_reply(a_script)
    assert store.load(match_id()) == kept
    assert proxy.lost == 1


def test_who_dies_before_the_reply_leaves_all_or_nothing(rig: RedisRig) -> None:
    """And the lists follow, if not at once."""
    for nth in range(1, len(STORY) + 1):
        place = rig.fresh()
        died = child(place, "story", Point.BEFORE_COMMIT, str(nth))
        assert died.returncode == -signal.SIGKILL, died.stderr
        done = died.stdout.split().count("done")
        assert done == nth - 1
        store = place.open()
        kept = done if store.load(match_id()) == told(done) else nth
        assert store.load(match_id()) == told(kept)
        store.feed_leftovers()
        (*found,) = store.listed(Wanted(10)) or ()
        assert [it.standing for it in found] == LISTED[kept]
        for write in STORY[kept:]:
            write.do(store)
        assert store.load(match_id()) == told(len(STORY))


def test_a_script_sent_twice_is_done_once(rig: RedisRig) -> None:
    store = rig.open()
    store.create(replace(opening(), listing=listing()))
    words = (pack_step(step(1)), 1, "1", step(0).receipt, 0, b"claim", "playing", 2, 0)
    answers = [
        store._wire.run(scripts.APPEND, keys.of_match(match_id()), *words)[0] for _ in range(3)
    ]
    assert answers == [1, 2, 2]
    assert store._wire.read(keys.steps(match_id()), (b"LLEN", keys.steps(match_id()))) == [2]


# ------------------------------------------------------------ servers that are gone


def test_a_restart_fails_nobody(rig: RedisRig) -> None:
    """The connections of before are dead, and nothing was sent on them: another one is made."""
    store = rig.open()
    store.create(opening())
    together(*(lambda: store.load(match_id()) for _ in range(8)))
    assert len(store._wire._at(store._wire.holder())._idle) > 1
    rig.server.kill()
    assert code_of(lambda: store.append(match_id(), step(1))) == "store/unreachable"
    assert code_of(lambda: store.load(match_id())) == "store/unreachable"
    rig.server.start()
    store.append(match_id(), step(1))
    together(*(lambda: store.load(match_id()) for _ in range(8)))
    rig.server.kill()
    rig.server.start()
    # The scripts are forgotten as well.
    store.append(match_id(), step(2))
    kept = store.load(match_id())
    assert kept is not None
    assert kept.steps == (step(0), step(1), step(2))


def test_a_network_that_comes_back(store: RedisStore, proxy: Proxy) -> None:
    store.create(opening())
    proxy.cut()
    assert code_of(lambda: store.append(match_id(), step(1))) == "store/unreachable"
    assert code_of(lambda: store.listed(Wanted(1))) == "store/unreachable"
    proxy.mend()
    store.append(match_id(), step(1))


def test_a_server_that_hangs(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for ever, and what was sent may be done when it wakes."""
    monkeypatch.setattr(lines, "READ_SECONDS", 0.2)
    store = open_redis(server.url)
    store.create(opening())
    store.append(match_id(), step(1))
    assert store._feeder.drain()
    kept = store.load(match_id())
    assert kept is not None
    server.pause()
    try:
        assert code_of(lambda: store.append(match_id(), step(2))) == "store/unknown-outcome"
        assert code_of(lambda: store.load(match_id())) == "store/unreachable"
    finally:
        server.resume()
    until(lambda: store.load(match_id()) == replace(kept, steps=(*kept.steps, step(2))))
    store.append(match_id(), step(3))
    store.close()
    server.empty()


def test_scripts_that_a_server_forgets(rig: RedisRig) -> None:
    store = rig.open()
    acts: tuple[Callable[[], object], ...] = (
        lambda: store.create(replace(opening(), listing=listing())),
        lambda: done(store.append, match_id(), step(1), claim(0)),
        lambda: store.tail(match_id(), (step(0),)),
        lambda: store.load(match_id()),
        lambda: store.listed(Wanted(1)),
        lambda: done(store.defer, match_id(), 7),
        lambda: store.reseal(match_id(), b"sealed 1", b"anew"),
        lambda: store.forget(match_id()),
    )
    for act in acts:
        rig.server.say("SCRIPT", "FLUSH")
        assert act()


# ------------------------------------------------------------ servers that refuse


def test_a_server_that_runs_a_script_without_end(rig: RedisRig) -> None:
    store = rig.open()
    store.create(opening())
    assert store._feeder.drain()

    def spin() -> None:
        client: Any = rig.server.client()
        with pytest.raises(redis.ResponseError, match=r"(?i)killed"):
            client.execute_command("EVAL", "while true do end", 0)

    spinning = threading.Thread(target=spin)
    spinning.start()
    time.sleep(0.1)
    for act in (lambda: store.append(match_id(), step(1)), lambda: store.load(match_id())):
        assert code_of(act) == "store/busy"
    rig.server.say("SCRIPT", "KILL")
    spinning.join()
    store.append(match_id(), step(1))


def test_a_replica_that_has_lost_its_master(rig: RedisRig) -> None:
    store = rig.open()
    store.create(opening())
    rig.server.say("CONFIG", "SET", "replica-serve-stale-data", "no")
    with rig.read_only(store):
        assert code_of(lambda: store.load(match_id())) == "store/busy"
    rig.server.say("CONFIG", "SET", "replica-serve-stale-data", "yes")
    assert store.load(match_id()) is not None


def test_lists_that_cannot_be_written_fail_no_write(rig: RedisRig) -> None:
    """What is derived can be broken altogether; matches are kept, and it is made again."""
    store = rig.open()
    rig.say("SET", keys.ROWS, "something else")
    store.create(replace(opening(), listing=listing(), due=5))
    store.append(match_id(), step(1), None, LISTED[-1][0])
    store.defer(match_id(), 7)
    assert store.due(10, 10) == ()
    assert store.rebuild() == 1
    assert store.due(10, 10) == (match_id(),)
    (listed,) = store.listed(Wanted(10)) or ()
    assert listed.standing == LISTED[-1][0]


# ------------------------------------------------------------ keys whose first request died


def test_a_key_whose_request_died_goes_to_the_next(
    rig: RedisRig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes too late to the id that he was given finds the match of the other."""
    monkeypatch.setattr(openings, "PATIENCE_SECONDS", 0.05)
    store = rig.open()
    key = ("key", b"request")
    assert store.choose(*key, match_id(1)) == match_id(1)
    assert store.create(opening(2, key)) == match_id(2)
    assert store.create(opening(1, key)) == match_id(2)
    assert store.load(match_id(1)) is None
    assert store.choose(*key, match_id(3)) == match_id(2)


def test_a_key_that_was_left_behind_is_free(rig: RedisRig) -> None:
    """Its process died after it dropped the match; or the match was refused."""
    store = rig.open()
    key = ("key", b"request")
    for number, request in ((1, b"request"), (2, b"another")):
        store.create(opening(number, ("key", request)))
        store._wire.run(scripts.FORGET, keys.of_match(match_id(number)))
    assert store.choose(*key, match_id(3)) == match_id(3)
    store.create(opening(7))
    assert code_of(lambda: store.create(opening(7, ("new", b"request")))) == "match/id-used"
    assert store.choose("new", b"another", match_id(8)) == match_id(8)
