"""Whatever a house answers, nobody asks for the same again and again without a pause."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from fairbones_verify.client import Follower, Guard, Wire, follower
from tests.audit.hosts import Asked, Host, host
from tests.client.making import course

Json = dict[str, Any]
MADE = course("opened", seat=None)
OPENED = [one["body"] for one in MADE.steps]  # the keys, and the events so far


class Hours:
    """A clock that only goes on where somebody waits, or asks: a tenth of a second each time."""

    def __init__(self) -> None:
        self.now, self.asked = 0.0, list[float]()

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    told = Hours()
    monkeypatch.setattr(follower, "time", told)
    monkeypatch.setattr(follower, "pause", told.sleep)
    return told


@pytest.fixture
def hasty(hours: Hours) -> Iterator[Host]:
    """A house where nothing happens, and which says so at once however long it may wait."""
    keys, events = OPENED

    def answer(asked: Asked) -> None:
        hours.now += 0.01
        if asked.path == "/v1/keys":
            asked.say(keys)
        elif asked.path.endswith("/transcript"):
            asked.say(MADE.house.transcript())
        else:
            hours.asked.append(hours.now)
            first = "after=-1" in asked.path
            asked.say({**events, "events": events["events"] if first else []})

    with host(answer) as served:
        yield served


def test_a_house_that_answers_at_once_is_asked_twice_a_second(hours: Hours, hasty: Host) -> None:
    """In the last seconds too, in which nobody may wait for long."""
    watching = Follower(Wire(hasty.url), Guard(MADE.house.match.hex()))
    watching.watch(20.0)
    assert 20 <= len(hours.asked) <= 2 * 20 + 2
    apart = [after - before for before, after in pairwise(hours.asked[1:])]
    assert min(apart) >= follower.PAUSE - 0.02


def test_what_has_changed_is_asked_for_at_once(hours: Hours, hasty: Host) -> None:
    watching = Follower(Wire(hasty.url), Guard(MADE.house.match.hex()))
    watching.begin()
    assert hours.now < follower.PAUSE
    watching.follow(0)
    assert hours.now < follower.PAUSE
    watching.follow(0)
    assert hours.now >= follower.PAUSE


def test_a_request_of_any_kind_is_not_repeated_at_once(hours: Hours, hasty: Host) -> None:
    """A view, or a move that the house will not take: but another move is another request."""
    watching = Follower(Wire(hasty.url), Guard(MADE.house.match.hex()))
    watching.begin()
    path = watching.address + "/events?after=0"
    for body in ({"seq": 1}, {"seq": 2}):
        watching.ask("GET", path, body)
    assert hours.now < follower.PAUSE
    watching.ask("GET", path, {"seq": 1})
    assert hours.now >= follower.PAUSE
