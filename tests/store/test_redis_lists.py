"""What is derived from the matches: fed late, fed twice, lost and made again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Listed, Wanted
from fairbones.store.redis import RedisStore, feeder, keys, lists, scripts
from fairbones.store.redis.openings import named
from fairbones.store.redis.packing import pack_step
from tests.servers import Server, redis_server, until
from tests.store.listing_contract import numbers, pages
from tests.store.redis_rig import RedisRig
from tests.store.story import STORY, listing, match_id, opening, standing, step


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with redis_server("valkey") as running:
        yield running


@pytest.fixture
def rig(server: Server) -> Iterator[RedisRig]:
    made = RedisRig(server)
    yield made
    made.close()
    server.empty()


@pytest.fixture
def store(rig: RedisRig) -> RedisStore:
    return rig.open()


def derived(rig: RedisRig) -> dict[bytes, object]:
    """Everything that is derived, by key."""
    found: dict[bytes, object] = {}
    for key in rig.server.say("KEYS", keys.DERIVED):
        if key not in (keys.LEASE, keys.MADE):
            found[key] = rig.server.say("DUMP", key)
    return found


def outboxes(rig: RedisRig) -> list[bytes]:
    return sorted(rig.server.say("KEYS", keys.ANY_OUTBOX))


def keep_only(store: RedisStore, number: int) -> None:
    """What a process has done of an opening that dies right after it was kept."""
    store._wire.run(
        scripts.CREATE,
        keys.of_match(match_id(number))[:2] + keys.of_match(match_id(number))[3:],
        pack_step(step(0)),
        b"sealed",
        *named(None),
        *lists.fields_of(listing()),
        5,
    )


def some_matches(store: RedisStore) -> None:
    """Of every kind: listed and not, moved, over, forgotten."""
    for number in range(1, 9):
        told = listing(("block", "draw")[number % 2], 1_000 + number)
        store.create(replace(opening(number), listing=told, due=number))
    store.create(opening(20))
    for number in (2, 3, 4):
        store.append(match_id(number), step(1), None, standing("playing", 2))
    store.append(match_id(3), step(2), None, standing("ended", 2))
    store.defer(match_id(3), None)
    store.defer(match_id(5), 700)
    store.forget(match_id(6))


def test_everything_is_made_again(rig: RedisRig, store: RedisStore) -> None:
    some_matches(store)
    assert store._feeder.drain()
    before = derived(rig)
    assert len(before) > 9
    assert outboxes(rig) == []
    rig.server.say("DEL", *before)
    assert store.listed(Wanted(10)) == ()
    assert store.due(10**15, 10) == ()
    assert store.rebuild() == 9
    assert store._feeder.drain()
    assert numbers(store.listed(Wanted(10))) == [8, 7, 5, 4, 3, 2, 1]
    after = derived(rig)
    # A forgotten match had been listed; now nothing remembers where.
    assert set(after) == set(before)
    assert store.due(10**15, 10) == tuple(map(match_id, (20, 1, 2, 4, 7, 8, 5)))
    assert store.rebuild() == 9
    assert store.listed(Wanted(10, status="playing")) == tuple(
        Listed(match_id(number), 1_000 + number, b"told", standing("playing", 2))
        for number in (4, 2)
    )


def test_what_the_dead_left_is_found(rig: RedisRig, store: RedisStore) -> None:
    for number in (1, 2):
        keep_only(store, number)
    assert store.listed(Wanted(10)) == ()
    assert len(outboxes(rig)) == 2
    assert store.feed_leftovers() == 2
    assert numbers(store.listed(Wanted(10))) == [2, 1]
    assert store.due(5, 10) == (match_id(1), match_id(2))
    assert outboxes(rig) == []
    assert store.feed_leftovers() == 0


@pytest.mark.parametrize("touch", ["load", "append", "append that moves", "defer"])
def test_who_comes_next_feeds_what_the_dead_left(
    rig: RedisRig, store: RedisStore, touch: str
) -> None:
    keep_only(store, 1)
    moved = standing("playing", 2) if touch.endswith("moves") else None
    if touch == "load":
        assert store.load(match_id(1)) is not None
    elif touch == "defer":
        store.defer(match_id(1), 6)
    else:
        store.append(match_id(1), step(1), None, moved)
    assert store._feeder.drain()
    (listed,) = store.listed(Wanted(10)) or ()
    assert listed.standing == moved or listed.standing == standing("joining")
    assert store.due(6, 10) == (match_id(1),)
    assert outboxes(rig) == []


def test_a_process_looks_for_what_the_dead_left(
    rig: RedisRig, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of all processes; and when the lists are gone altogether, they are made again."""
    monkeypatch.setattr(feeder, "FIRST_SWEEP_SECONDS", 0)
    keep_only(store, 1)
    rig.server.say("DEL", keys.MADE)
    others = [rig.open(), rig.open()]
    for other in others:
        other._feeder.grown(match_id(9))
    until(lambda: numbers(store.listed(Wanted(10))) == [1])
    until(lambda: rig.server.say("EXISTS", keys.MADE) == 1)
    assert rig.server.say("TTL", keys.LEASE) > 0
    keep_only(store, 2)
    others.append(rig.open())
    others[-1]._feeder.grown(match_id(9))
    assert others[-1]._feeder.drain()
    assert numbers(store.listed(Wanted(10))) == [1], "somebody has looked just now"
    rig.server.say("DEL", keys.LEASE)
    rig.open()._feeder.grown(match_id(9))
    until(lambda: numbers(store.listed(Wanted(10))) == [2, 1])


def test_an_older_state_replaces_no_newer_one(store: RedisStore) -> None:
    """A process that was slow to feed comes when others have gone on."""
    store.create(replace(opening(), listing=listing(), due=5))
    (before,) = store._wire.read(keys.match(match_id()), lists.state_of(match_id()))
    store.append(match_id(), step(1), None, standing("playing", 2))
    store.defer(match_id(), 8)
    lists.show(store._wire, match_id(), before)
    (listed,) = store.listed(Wanted(10)) or ()
    assert listed.standing == standing("playing", 2)
    assert numbers(store.listed(Wanted(10, status="joining"))) == []
    assert store.due(7, 10) == ()
    store.forget(match_id())
    lists.show(store._wire, match_id(), before)
    assert store.listed(Wanted(10)) == ()
    assert store.due(10, 10) == ()


def test_a_match_that_a_server_lost_leaves_the_lists(rig: RedisRig, store: RedisStore) -> None:
    """In a Cluster the lists may know of a match that a fail-over has lost: a sweep finds out."""
    store.create(replace(opening(), listing=listing(), due=5))
    assert store._feeder.drain()
    rig.server.say("DEL", *keys.of_match(match_id()))
    assert store.due(9, 9) == (match_id(),)
    store.defer(match_id(), None)
    assert store.due(9, 9) == ()
    assert store.listed(Wanted(10)) == ()
    store.create(replace(opening(), listing=listing(), due=5))
    assert numbers(store.listed(Wanted(10))) == [1]


def test_a_page_looks_at_no_match_that_is_long_over(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who asks what can still be joined does not walk those that nobody joined years ago."""
    looks: list[int] = []
    look = store._wire.look

    def counted(*words: object) -> object:
        looks.append(1)
        return look(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(lists, "LOOK_MAX", 10)
    now = 1_900_000_000_000
    for number in range(1, 121):
        # All of a century before `now`, but kept just now: only the time to join is old.
        store.create(replace(opening(number), listing=listing(join_by=number)))
    monkeypatch.setattr(store._wire, "look", counted)
    assert pages(store, Wanted(7, status="joining", join_after=60)) == list(range(120, 60, -1))
    assert pages(store, Wanted(7, join_after=119)) == [120]
    looks.clear()
    assert store.listed(Wanted(5, status="joining", join_after=now)) == ()
    assert len(looks) == 1


def test_matches_of_the_same_moment_stand_by_their_ids(store: RedisStore) -> None:
    """On pages of any list, whatever list the last one of the page before is in by now."""
    for number in range(1, 8):
        status = ("joining", "playing")[number % 2]
        row = ["1", "1000", "block", "5", "told", status, "1", "1", "", ""]
        lists.show(store._wire, match_id(number), [it.encode() for it in row])
    assert pages(store, Wanted(2)) == [7, 6, 5, 4, 3, 2, 1]
    assert pages(store, Wanted(2, status="joining")) == [6, 4, 2]
    below = Wanted(9, status="joining", below=match_id(5))
    assert numbers(store.listed(below)) == [4, 2]
    assert numbers(store.listed(replace(below, below=match_id(7)))) == [6, 4, 2]
    assert numbers(store.listed(replace(below, status=None, ruleset="draw"))) == []


def test_damaged_lists_are_told(rig: RedisRig, store: RedisStore) -> None:
    for write in STORY:
        write.do(store)
    rig.server.say("SET", keys.ALL, "something else")
    with pytest.raises(FairbonesError, match="store/corrupt"):
        store.listed(Wanted(1))
    store.rebuild()
    assert numbers(store.listed(Wanted(1))) == [1]
