"""The clock jumps, between requests and within them: no time goes back, no deadline comes twice."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from fairbones.store.points import Point
from tests.faults.hall import Hall
from tests.faults.judging import judge
from tests.faults.planting import Fault
from tests.faults.players import Game
from tests.hostile.table import opening
from tests.hostile.wire import Answer, Json, Request
from tests.servers import until

TURN_MS = 60_000
DAY_MS = 86_400_000
TOLD = opening(turn_seconds=TURN_MS // 1000, join_seconds=86_400, reveal_seconds=86_400)


def moments(events: list[Json]) -> list[int]:
    """When each event happened; none before the one it follows."""
    found = [it["at"] for it in events]
    assert found == sorted(found)
    return found


def timed_out(game: Game) -> int:
    return [it["type"] for it in game.events()].count("timed_out")


@contextmanager
def meanwhile(hall: Hall, point: str, request: Request) -> Iterator[list[Answer]]:
    """Inside, the request has come to this point and waits there; its answer is in the list."""
    answers: list[Answer] = []
    with hall.service.plan.planted(Fault(point, "sleep", seconds=0.4)):
        asking = threading.Thread(target=lambda: answers.append(hall.client.ask(request)))
        asking.start()
        until(hall.service.plan.hit, what=f"nothing comes to {point}")
        assert answers == []
        yield answers
        assert answers == []
        asking.join(20)
    assert len(answers) == 1


def test_back_between_requests(hall: Hall) -> None:
    """A day back: time stands still in the match, and its turn lasts until the clock is there."""
    game = hall.deal(TOLD, (0,))
    last = moments(game.events())[-1]
    hall.clock.move(-DAY_MS)
    game.turn()
    game.turn()
    assert set(moments(game.events())[-2:]) == {last}
    hall.clock.move(DAY_MS - 5_000)
    assert timed_out(game) == 0
    hall.clock.move(TURN_MS + 5_001)
    assert timed_out(game) == 1
    hall.clock.move(-DAY_MS)
    assert timed_out(game) == 1
    hall.clock.move(DAY_MS)
    assert timed_out(game) == 1
    hall.finish(game)


def test_forward_within_an_action(hall: Hall) -> None:
    """What was in time when it was looked at is in time, however long it then takes."""
    game = hall.deal(TOLD, (0,))
    seat, listed = game.to_act()
    with meanwhile(hall, Point.BEFORE_COMMIT, game.acting(seat, listed[0])) as answers:
        hall.clock.move(TURN_MS + 1)
    assert answers[0].status == 200
    before = moments(game.events())
    assert timed_out(game) == 1  # the next turn began when the action stood there
    hall.clock.move(-TURN_MS - 1)
    assert moments(game.events()) == before
    hall.finish(game)


@pytest.mark.parametrize("point", [Point.BEFORE_WRITE, Point.BEFORE_COMMIT, Point.AFTER_COMMIT])
def test_back_within_a_deadline(hall: Hall, point: str) -> None:
    """The look that finds a turn run out is not done yet when the clock falls behind it."""
    game = hall.deal(TOLD)
    hall.clock.move(TURN_MS + 1)
    look = Request("GET", game.path + "/events?after=-1")
    with meanwhile(hall, point, look) as answers:
        hall.clock.move(-2 * TURN_MS)
    told = answers[0].told()["events"]
    assert [it["type"] for it in told].count("timed_out") == 1
    assert game.events() == told
    hall.clock.move(TURN_MS)
    assert game.events() == told
    game.turn()
    moments(game.events())
    hall.finish(game)


def test_anywhere_at_any_time(hall: Hall, seed: random.Random) -> None:
    """Several matches at once, the clock jumping by up to hours before every request."""
    games = [hall.open(TOLD, (seed.randrange(2),)) for _ in range(4)]
    going = [game.steps(seed, hall.clock) for game in games]
    while going:
        hall.clock.move(seed.choice((0, 0, 0, 1, -1)) * seed.randrange(3 * TURN_MS))
        steps = seed.choice(going)
        if next(steps, "over") == "over":
            going.remove(steps)
    for game in games:
        moments(game.events())
    judge(hall.ledger, games, ended=False)
