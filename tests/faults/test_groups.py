"""kill -9 while sixteen write at once: each action happened once, whoever was in the group."""

from __future__ import annotations

import random
from functools import partial

import pytest

from fairbones.store.points import Point
from tests.faults.hall import Hall
from tests.faults.planting import BEFORE_REPLY, POINTS, Fault
from tests.faults.players import Game
from tests.hostile.table import opening
from tests.hostile.wire import Answer
from tests.store.rig import together

WRITERS = 16
NTH: dict[str, int] = dict.fromkeys(Point, 2)
NTH |= {Point.AFTER_WRITE: 5, BEFORE_REPLY: 3}


@pytest.fixture(scope="module")
def games(hall: Hall) -> list[Game]:
    """Sixteen matches, each waiting for an action."""
    return [hall.deal(opening(rounds_max=1, options={"hand": 10}), (0,)) for _ in range(WRITERS)]


@pytest.mark.parametrize("point", POINTS)
def test_sixteen_writers(hall: Hall, games: list[Game], point: str, seed: random.Random) -> None:
    """The Nth hit is by chance in the middle of a group or between two."""
    heads = [game.head()["seq"] for game in games]
    requests = [game.acting(*seed.choice(game.options())) for game in games]
    answers: dict[int, Answer] = {}

    def ask(number: int) -> None:
        answers[number] = hall.client.ask(requests[number])

    with hall.service.plan.planted(Fault(point, "kill-worker", NTH[point])):
        errors = together(*(partial(ask, number) for number in range(WRITERS)))
    assert errors == [None] * WRITERS
    for number, game in enumerate(games):
        told = answers[number].told()
        assert answers[number].status == 200, told
        assert told["events"][0]["seq"] == heads[number] + 1 == requests[number].told()["seq"]
        assert game.head()["seq"] == told["receipt"]["seq"]


def test_they_all_end(hall: Hall, games: list[Game]) -> None:
    """After all of that, side by side and with one more death on the way."""
    with hall.service.plan.planted(Fault(Point.AFTER_WRITE, "kill", nth=40)):
        errors = together(*(partial(hall.finish, game) for game in games))
    assert errors == [None] * WRITERS
