"""Writes held up in the middle, so that others come to wait behind them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.store.points import Point
from fairbones.store.sqlite import SqliteStore
from tests.store.story import listing, match_id, opening, step

LONG = 30.0  # no test waits so long unless it fails


class Gate:
    """A probe that stops the first write it is armed for, until it is let go."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.armed: Point | None = None
        self.reached = threading.Event()
        self.go = threading.Event()

    def __call__(self, point: Point) -> None:
        self.points.append(point)
        if point is self.armed:
            self.armed = None
            self.reached.set()
            assert self.go.wait(LONG)


class Writing(threading.Thread):
    """A write in a thread of its own, and what came of it."""

    def __init__(self, call: Callable[[], object]) -> None:
        super().__init__()
        self.call = call
        self.result: object = "nothing yet"
        self.start()

    def run(self) -> None:
        try:
            self.result = self.call()
        except Exception as error:  # noqa: BLE001 - handed to the test
            self.result = error

    def ended(self) -> object:
        self.join(LONG)
        assert not self.is_alive()
        return self.result


def ten_matches(path: Path, gate: Gate) -> SqliteStore:
    """A store with the matches 1 to 10, each at seq 0."""
    made = SqliteStore(path, probe=gate)
    for number in range(1, 11):
        made.create(replace(opening(number), listing=listing()))
    gate.points.clear()
    return made


@contextmanager
def held_up(store: SqliteStore, gate: Gate, at: Point = Point.BEFORE_COMMIT) -> Iterator[Writing]:
    """Inside, a write of match 10 is under way; at the end it goes on."""
    gate.armed = at
    first = Writing(lambda: store.append(match_id(10), step(1)))
    assert gate.reached.wait(LONG)
    yield first
    gate.go.set()
    first.ended()


def waiting(store: SqliteStore, count: int) -> None:
    """Return when so many writes wait."""
    given_up = threading.Event()
    timer = threading.Timer(LONG, given_up.set)
    timer.start()
    while len(store._writer._queue._waiting) < count:
        assert not given_up.wait(0.001)
    timer.cancel()


def queued(store: SqliteStore, calls: list[Callable[[], object]]) -> list[Writing]:
    """Threads that wait with these calls, in this order."""
    threads = []
    for call in calls:
        threads.append(Writing(call))
        waiting(store, len(threads))
    return threads


def code_of(error: object) -> str:
    return error.code if isinstance(error, FairbonesError) else repr(error)


def appended(store: SqliteStore, number: int, by: str = "") -> Callable[[], None]:
    return lambda: store.append(match_id(number), step(1, by=by))


def head(store: SqliteStore, number: int) -> int:
    kept = store.load(match_id(number))
    assert kept is not None
    return kept.steps[-1].head_seq
