"""Every kind of request that changes something, each on a match of its own that waits for it."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.faults.hall import Hall
from tests.faults.ledger import unanswered
from tests.faults.planting import Fault
from tests.faults.players import Game
from tests.hostile.table import opening
from tests.hostile.wire import Answer, Request

TURN_SECONDS = 600
SHORT = opening(rounds_max=1)
HURRIED = opening(rounds_max=1, turn_seconds=TURN_SECONDS)
SIGNED = (1,)  # one of two


def sit(hall: Hall) -> tuple[Game, Request]:
    game = hall.open(SHORT, SIGNED)
    return game, game.sitting(1)


def reveal(hall: Hall) -> tuple[Game, Request]:
    """The last seed, which deals the first hand."""
    game = hall.open(SHORT, SIGNED)
    game.sit_all()
    game.do(game.revealing(0))
    return game, game.revealing(1)


def act(hall: Hall) -> tuple[Game, Request]:
    game = hall.deal(SHORT, SIGNED)
    seat, listed = game.to_act()
    return game, game.acting(seat, listed[0])


def leave(hall: Hall) -> tuple[Game, Request]:
    game = hall.deal(SHORT, SIGNED)
    game.gone.add(1)
    return game, game.leaving(1)


def deadline(hall: Hall) -> tuple[Game, Request]:
    """A look at a match whose turn has run out."""
    game = hall.deal(HURRIED, SIGNED)
    hall.clock.move(1000 * TURN_SECONDS + 1)
    return game, Request("GET", game.path + "/events?after=-1")


Prepare = Callable[[Hall], tuple[Game, Request]]
KINDS: tuple[Prepare, ...] = (sit, reveal, act, leave, deadline)


def killed(hall: Hall, prepare: Prepare, fault: Fault, *, durable: bool | None) -> None:
    """The request gets no answer; the same again is answered, and has happened once.

    `durable`: whether it had happened when the fault came; None: nobody can know.
    """
    game, request = prepare(hall)
    before = [] if prepare is deadline else game.events()
    with hall.service.plan.planted(fault):
        unanswered(hall.client, request)
    hall.service.revive()
    if before and durable is not None:
        assert (len(game.events()) > len(before)) == durable
    first, again = hall.client.ask(request), hall.client.ask(request)
    assert first.status == 200 or (prepare is sit and not durable)
    assert again.status == 200
    same(first, again)
    after, shown = game.events(), first.told()["events"]
    assert after[: len(before)] == before
    if prepare is deadline:
        assert after == shown
        assert [it["type"] for it in after].count("timed_out") == 1
    else:
        assert after[len(before) :] == shown
    hall.finish(game)


def same(first: Answer, again: Answer) -> None:
    """The same step and receipt, whichever view came with it."""
    one, other = json.loads(first.body), json.loads(again.body)
    assert (one["events"], one["receipt"]) == (other["events"], other["receipt"])
