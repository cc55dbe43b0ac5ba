"""A fail-over to a replica that had not heard of everything, with a real house (SPEC 8.7)."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import read_event
from fairbones.house.messages import ActRequest
from fairbones.house.service import House
from fairbones.store.redis import RedisStore, open_redis, wire
from tests.house.party import Guests, Json, Party
from tests.servers import (
    Config,
    Proxy,
    Server,
    proxy_to,
    redis_server,
    sentinel_of,
    until,
)
from tests.store.story import match_id, opening, step


@dataclass
class Pair:
    """A master, and a replica that hears of it through `link`; `url` leads to whoever is master."""

    master: Server
    replica: Server
    link: Proxy
    url: str
    promoted: Any
    stores: list[RedisStore]

    def lose_touch(self) -> None:
        """The replica has all there is, and hears of nothing from here on."""
        until(self.master.in_step, what="a replica in step")
        self.link.cut()

    def fail_over(self) -> None:
        """The master is gone, and the replica is the master."""
        self.master.kill()
        self.promoted()


@pytest.fixture(params=["by hand", "by Sentinel"])
def pair(request: pytest.FixtureRequest) -> Iterator[Pair]:
    with ExitStack() as stack:
        master = stack.enter_context(redis_server("valkey", Config(appendfsync="always")))
        replica = stack.enter_context(redis_server("valkey"))
        link = stack.enter_context(proxy_to(master.port))
        replica.say("REPLICAOF", "127.0.0.1", link.port)
        until(lambda: replica.say("INFO", "replication")["master_link_status"] == "up")
        # Up is not heard: the first word of a new replica can take a second.
        until(lambda: master.say("WAIT", 1, 100) == 1, what="a replica that answers")
        if request.param == "by hand":
            front = stack.enter_context(proxy_to(master.port))
            url = front.url

            def promoted() -> None:
                replica.say("REPLICAOF", "NO", "ONE")
                front.target = replica.port

        else:
            sentinel = stack.enter_context(sentinel_of("valkey", master))
            until(sentinel.knows_a_replica, what="a replica that Sentinel knows")
            url = sentinel.url

            def promoted() -> None:
                until(lambda: sentinel.promoted() == replica.port, what="a new master")
                until(lambda: replica.say("ROLE")[0] == b"master")

        made = Pair(master, replica, link, url, promoted, [])
        yield made
        for store in made.stores:
            store.close()


def house_at(pair: Pair, party: Party) -> House:
    """Another process of the house."""
    pair.stores.append(open_redis(pair.url))
    store: Any = pair.stores[-1]
    party.store = store
    return party.another_house()


@pytest.fixture
def guests(pair: Pair, seed: random.Random) -> Guests:
    """A match with some moves that the replica has, and one that it never hears of."""
    party = Party(seed)
    party.house = house_at(pair, party)
    guests = party.open("draw", 3).deal()
    for _ in range(3):
        guests.act(seed.choice)
    pair.lose_touch()
    guests.act(seed.choice)
    return guests


def lost(guests: Guests) -> Json:
    """The receipt for the head that is lost. The word of its loss may stand in its place."""
    party = guests.party
    places = sorted(party.receipts.texts, key=lambda it: it[1])
    receipt: Json = json.loads(party.receipts.texts[places[-1]])
    for place in places:
        if place[1] > receipt["seq"] - 1:
            del party.receipts.hashes[place], party.receipts.texts[place]
    return receipt


def last(guests: Guests) -> Json:
    event = read_event(guests.house.events(guests.match_id, -1, 0).events[-1])
    return {"type": event.type, **event.data}


def test_who_has_shown_more_voids_the_match(pair: Pair, guests: Guests) -> None:
    """Its memory is ahead of the store: it never plays on, and says what was lost."""
    pair.fail_over()
    receipt = lost(guests)
    act = ActRequest(seq=receipt["seq"] + 1, action={"type": "pass"})
    with pytest.raises(FairbonesError, match="match/void"):
        guests.house.act(guests.match_id, guests.tokens[0], act)
    end = last(guests)
    assert (end["type"], end["reason"], end["receipt"]) == ("voided", "history-lost", receipt)
    other = house_at(pair, guests.party)
    assert other.view(guests.match_id, None).view["status"] == "void"


def test_who_has_not_is_told_by_the_receipt(pair: Pair, guests: Guests) -> None:
    """A fresh process cannot know; the receipt of a client brings it out."""
    pair.fail_over()
    receipt = lost(guests)
    guests.house = house_at(pair, guests.party)
    seat, seq = int(guests.view()["turn"]), guests.view()["head"]["seq"] + 1
    act = ActRequest(seq=seq, action={"type": "pass"}, receipt=receipt)
    with pytest.raises(FairbonesError, match="match/history-lost"):
        guests.house.act(guests.match_id, guests.tokens[seat], act)
    end = last(guests)
    assert (end["type"], end["reason"], end["receipt"]) == ("voided", "history-lost", receipt)


def test_with_wait_it_is_not_acknowledged(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    """`FAIRBONES_WAIT_REPLICAS`: what no replica has is not answered as kept."""
    monkeypatch.setattr(wire, "WAIT_MS", 200)
    store = open_redis(pair.url, wait_replicas=1)
    pair.stores.append(store)
    store.create(opening())
    store.append(match_id(), step(1))
    pair.lose_touch()
    for attempt in (
        lambda: store.append(match_id(), step(2)),
        lambda: store.choose("key", b"request", match_id(3)),
        lambda: store.remember_keys(["a-key"]),
    ):
        with pytest.raises(FairbonesError, match="store/unknown-outcome"):
            attempt()
    kept = store.load(match_id())
    assert kept is not None
    assert kept.steps == (step(0), step(1), step(2))
