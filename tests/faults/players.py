"""Players of real matches over HTTP, who go on whatever happens to the service."""

from __future__ import annotations

import random
import secrets
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from tests.faults.ledger import OVERTAKEN, Client
from tests.hostile.running import House
from tests.hostile.table import Table, opening
from tests.hostile.wire import Answer, Json, Request
from tests.match.rows import TABLES, switched

TURN_SECONDS = 86_400
STEPS_MAX = 3000
CALLS_MS = 2_000


class Clock:
    """The clock of a service, moved by whoever waits for it."""

    def __init__(self, client: Client) -> None:
        self._plan = client.service.plan
        self._guard = threading.Lock()
        self.ahead = 0

    def move(self, milliseconds: int) -> None:
        """Forward, or back."""
        with self._guard:
            self.ahead += milliseconds
            self._plan.set_clock(self.ahead)


class Game(Table):
    """One match, all of its seats played by this thread; a table whose house may die."""

    def __init__(self, client: Client, request: Request, signed: tuple[int, ...] = ()) -> None:
        self.client = client
        # With a key the same request again opens no second match.
        keyed = replace(request, fields=(("Idempotency-Key", secrets.token_hex(16)),))
        # A table asks its house and needs nothing else of it.
        super().__init__(cast(House, client), keyed, signed)
        self.over = False
        self.gone: set[int] = set()

    def ask(self, request: Request) -> Answer | None:
        """A request that is taken, or comes too late: None."""
        answer = self.client.ask(request)
        if answer.status in (200, 201):
            return answer
        assert answer.code in OVERTAKEN, answer.body
        return None

    def options(self) -> list[tuple[int, Json]]:
        """What each seat may do now, calls left out; the seat on turn is looked at first."""
        view = self.get()
        self.over = view["status"] in ("ended", "void")
        if self.over:
            return []
        turn: int = view["turn"]
        for seat in [turn, *(seat for seat in range(self.seats) if seat != turn)]:
            listed = self.get(token=self.tokens[seat])["you"]["legal_actions"]
            moves = [(seat, it) for it in listed if it["type"] != "call"]
            if moves:
                return moves
        return []

    def steps(self, rnd: random.Random, clock: Clock, leaving: int = 0) -> Iterator[None]:
        """To the end, a request or so at a time. `leaving`: in so many of 1000 somebody leaves."""
        for seat in range(self.seats):
            self.ask(self.sitting(seat))
            yield
        for seat in range(self.seats):
            self.ask(self.revealing(seat))
            yield
        for _ in range(STEPS_MAX):
            moves = self.options()
            if self.over:
                return
            if rnd.randrange(1000) < leaving:
                self.go(rnd.randrange(self.seats))
            elif moves:
                self.ask(self.acting(*rnd.choice(moves)))
            else:
                # Nobody but the house has anything to do, and it waits for calls.
                clock.move(CALLS_MS)
            yield
        raise AssertionError("it does not end")

    def go(self, seat: int) -> None:
        """Leave, once."""
        if seat not in self.gone:
            self.gone.add(seat)
            self.ask(self.leaving(seat))


def drawn(rnd: random.Random) -> tuple[Request, tuple[int, ...]]:
    """The opening of a short match, any ruleset with any number of seats; and who has a key."""
    ruleset, seats = rnd.choice(TABLES)
    request = opening(
        ruleset,
        seats,
        rounds_max=rnd.choice((1, 2)),
        turn_seconds=TURN_SECONDS,
        join_seconds=TURN_SECONDS,
        reveal_seconds=TURN_SECONDS,
        options=switched(rnd, ruleset, seats, percent=20, sets=(6, 9)),
        auto_forced=rnd.random() < 0.7,
    )
    return request, tuple(seat for seat in range(seats) if rnd.randrange(2))
