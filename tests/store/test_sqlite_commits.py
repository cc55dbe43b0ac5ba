"""Group commit: writes that wait go to the disk together, and each hears of its own alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairbones.core.errors import Conflict
from fairbones.house.ports import SeqTaken, Step
from fairbones.store import commits
from fairbones.store.points import Point
from fairbones.store.sqlite import SqliteStore
from tests.store.held import Gate, Writing, appended, code_of, head, held_up, queued, ten_matches
from tests.store.story import claim, match_id, opening, standing, step


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def store(tmp_path: Path, gate: Gate) -> Iterator[SqliteStore]:
    made = ten_matches(tmp_path / "fairbones.db", gate)
    yield made
    gate.go.set()
    made.close()


def test_what_waits_is_one_commit(store: SqliteStore, gate: Gate) -> None:
    with held_up(store, gate):
        threads = queued(store, [appended(store, number) for number in range(1, 9)])
        gate.points.clear()
    assert [it.ended() for it in threads] == [None] * 8
    assert gate.points == [
        Point.AFTER_COMMIT,
        Point.BEFORE_WRITE,
        *[Point.AFTER_WRITE] * 8,
        Point.BEFORE_COMMIT,
        Point.AFTER_COMMIT,
    ]
    assert [head(store, number) for number in range(1, 9)] == [1] * 8


def test_a_lone_write_is_a_commit_of_its_own(store: SqliteStore, gate: Gate) -> None:
    store.append(match_id(1), step(1))
    assert gate.points == list(Point)


def test_no_more_than_a_batch_is_written_at_once(
    store: SqliteStore, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "TOGETHER_MAX", 3)
    with held_up(store, gate):
        threads = queued(store, [appended(store, number) for number in range(1, 9)])
        gate.points.clear()
    assert [it.ended() for it in threads] == [None] * 8
    assert gate.points.count(Point.BEFORE_COMMIT) == 3
    assert gate.points.count(Point.AFTER_WRITE) == 8


def test_a_refusal_is_of_one_alone(store: SqliteStore, gate: Gate) -> None:
    """Each sees what those before it have written, as if it had come after them."""
    store.append(match_id(4), step(1), claim(0))
    calls: list[Callable[[], object]] = [
        appended(store, 1, "first"),
        appended(store, 1, "second"),
        lambda: store.append(match_id(1), step(2), None, standing("ended")),
        lambda: store.append(match_id(4), step(2), claim(0, "rival")),
        appended(store, 99),
        lambda: store.create(opening(1)),
        lambda: store.create(opening(50, ("key", b"request"))),
        lambda: store.create(opening(51, ("key", b"request"))),
        lambda: store.create(opening(52, ("key", b"another"))),
        lambda: store.forget(match_id(2)),
        appended(store, 2),
        appended(store, 3),
    ]
    with held_up(store, gate):
        threads = queued(store, calls)
        gate.points.clear()
    first, second, third, taken, unknown, used, opened, again, reused, gone, late, last = (
        it.ended() for it in threads
    )
    assert [first, third, gone, last] == [None, None, True, None]
    assert isinstance(second, SeqTaken)
    assert [code_of(it) for it in (taken, unknown, used, reused, late)] == [
        "seat/taken",
        "match/unknown",
        "match/id-used",
        "request/key-reused",
        "match/unknown",
    ]
    assert opened == again == match_id(50)
    assert gate.points.count(Point.BEFORE_COMMIT) == 1
    assert [head(store, number) for number in (1, 3, 4)] == [2, 1, 1]
    kept = store.load(match_id(1))
    assert kept is not None
    assert kept.steps[1] == step(1, by="first")
    assert store.load(match_id(2)) is None


def test_what_breaks_breaks_for_one_alone(store: SqliteStore, gate: Gate) -> None:
    """A row that SQLite refuses, in the middle of a write: the others are written all the same."""
    bad = Step(1, (b"fine", None), b"receipt")  # type: ignore[arg-type]
    calls: list[Callable[[], object]] = [
        appended(store, 1),
        lambda: store.append(match_id(2), bad),
        appended(store, 3),
        appended(store, 3, "rival"),
    ]
    with held_up(store, gate):
        threads = queued(store, calls)
    good, broken, other, rival = (it.ended() for it in threads)
    assert [good, other] == [None, None]
    assert code_of(broken) == "store/corrupt"
    assert isinstance(rival, SeqTaken)
    assert [head(store, number) for number in (1, 2, 3)] == [1, 0, 1]


class Failing:
    """A connection whose next commits fail."""

    def __init__(self, db: sqlite3.Connection, error: sqlite3.Error) -> None:
        self.db = db
        self.error = error
        self.fails = True

    def execute(self, sql: str, *values: Any) -> object:
        if sql == "COMMIT" and self.fails:
            raise self.error
        return self.db.execute(sql, *values)

    def __getattr__(self, name: str) -> object:
        return getattr(self.db, name)


def sqlite_error(number: int, name: str) -> sqlite3.Error:
    error = sqlite3.OperationalError("so it is said")
    error.sqlite_errorcode = number
    error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (sqlite_error(sqlite3.SQLITE_FULL, "SQLITE_FULL"), "store/full"),
        (sqlite_error(sqlite3.SQLITE_IOERR_FSYNC, "SQLITE_IOERR_FSYNC"), "store/unknown-outcome"),
    ],
    ids=["full", "broken"],
)
def test_a_commit_that_fails_fails_for_all(
    store: SqliteStore, gate: Gate, error: sqlite3.Error, code: str
) -> None:
    """Also for who was refused: it was on the strength of what is not kept now."""
    failing = Failing(store._writer._db, error)
    with held_up(store, gate):
        store._writer._db = failing  # type: ignore[assignment]
        calls = [appended(store, 1), appended(store, 1, "rival"), appended(store, 2)]
        # The one that is held up has its connection already.
        threads = queued(store, list(calls))
    ended = [it.ended() for it in threads]
    assert [code_of(it) for it in ended] == [code] * 3
    # An error of its own for each: who gets one adds to it.
    assert len({id(it) for it in ended}) == 3
    assert [head(store, number) for number in (1, 2, 10)] == [0, 0, 1]
    failing.fails = False
    store.append(match_id(1), step(1, by="again"))
    assert head(store, 1) == 1


def test_a_file_that_another_program_holds_is_waited_for_once(
    store: SqliteStore, gate: Gate
) -> None:
    """Not once for each that waits."""
    begun: list[str] = []

    class Held(Failing):
        def execute(self, sql: str, *values: Any) -> object:
            if sql.startswith("BEGIN") and self.fails:
                begun.append(sql)
                raise self.error
            return self.db.execute(sql, *values)

    held = Held(store._writer._db, sqlite_error(sqlite3.SQLITE_BUSY, "SQLITE_BUSY"))
    with held_up(store, gate):
        store._writer._db = held  # type: ignore[assignment]
        threads = queued(store, [appended(store, number) for number in range(1, 6)])
    assert [code_of(it.ended()) for it in threads] == ["store/busy"] * 5
    assert len(begun) == 1
    held.fails = False
    store.append(match_id(1), step(1))
    assert [head(store, number) for number in (1, 2)] == [1, 0]


def test_an_interrupted_second_try_tells_nobody_that_all_is_well(
    store: SqliteStore, gate: Gate
) -> None:
    """All were written, one of them broke, all was undone; then the writer was stopped."""
    tries: list[int] = []

    def interrupting(_: sqlite3.Connection) -> None:
        tries.append(1)
        if len(tries) > 1:
            raise KeyboardInterrupt

    def breaking(db: sqlite3.Connection) -> None:
        db.execute("INSERT INTO due VALUES (NULL, NULL)")

    def lead() -> object:
        try:
            return store._writer.write(interrupting)
        except KeyboardInterrupt:
            return "interrupted"

    with held_up(store, gate):
        threads = queued(store, [lead, appended(store, 1), lambda: store._writer.write(breaking)])
    assert threads[0].ended() == "interrupted"
    assert [code_of(it.ended()) for it in threads[1:]] == ["store/closed"] * 2
    assert head(store, 1) == 0
    store.append(match_id(1), step(1))


def test_many_threads_lose_nothing(store: SqliteStore) -> None:
    """Each appends to a match of its own and, in a race with all, to one match."""

    def play(number: int) -> int:
        won = 0
        for seq in range(1, 31):
            store.append(match_id(number), step(seq), after=step(seq - 1))
            try:
                store.append(match_id(10), step(head(store, 10) + 1, by=str(number)))
                won += 1
            except SeqTaken:
                pass
        return won

    threads = [Writing(lambda number=number: play(number)) for number in range(1, 9)]  # type: ignore[misc]
    won = 0
    for thread in threads:
        result = thread.ended()
        assert isinstance(result, int), result
        won += result
    assert [head(store, number) for number in range(1, 9)] == [30] * 8
    assert head(store, 10) == won
    assert store.check() == []


def test_a_refused_opening_uses_up_no_key_of_the_batch(store: SqliteStore, gate: Gate) -> None:
    calls: list[Callable[[], object]] = [
        lambda: store.create(opening(1, ("key", b"request"))),
        lambda: store.create(opening(60, ("key", b"another request"))),
    ]
    with held_up(store, gate):
        threads = queued(store, calls)
    refused, opened = (it.ended() for it in threads)
    assert isinstance(refused, Conflict)
    assert opened == match_id(60)
