"""Who waits to write: for too long, at the end, interrupted, or killed in the middle of it all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.store import commits
from fairbones.store.points import Point
from fairbones.store.sqlite import SqliteStore
from tests.store.held import (
    LONG,
    Gate,
    Writing,
    appended,
    code_of,
    head,
    held_up,
    queued,
    ten_matches,
    waiting,
)
from tests.store.rig import ROOT
from tests.store.story import match_id, step


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def store(tmp_path: Path, gate: Gate) -> Iterator[SqliteStore]:
    made = ten_matches(tmp_path / "fairbones.db", gate)
    yield made
    gate.go.set()
    made.close()


def test_who_waits_too_long_is_told(
    store: SqliteStore, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "QUEUE_SECONDS", 0.05)
    with held_up(store, gate):
        with pytest.raises(FairbonesError) as caught:
            store.append(match_id(1), step(1))
        assert caught.value.code == "store/busy"
    assert head(store, 1) == 0
    store.append(match_id(1), step(1))


def test_who_is_being_written_for_waits_for_the_end(store: SqliteStore, gate: Gate) -> None:
    """Its time is over, but its transaction has begun: what comes of it is told, whatever it is."""
    slow = Gate()
    slow.armed = Point.BEFORE_COMMIT
    over = threading.Event()

    class Impatient:
        def __init__(self, lock: threading.Lock) -> None:
            self.lock = lock

        def acquire(self, timeout: float = -1) -> bool:
            if timeout >= 0:
                assert slow.reached.wait(LONG)
                over.set()
                return False
            return self.lock.acquire()

        def release(self) -> None:
            self.lock.release()

    queue = store._writer._queue
    with held_up(store, gate):
        first = queued(store, [appended(store, 1)])[0]
        late = commits.Ticket(lambda db: db.total_changes)
        late.turn = Impatient(late.turn)  # type: ignore[assignment]
        queue._waiting.append(late)
        second = Writing(lambda: (queue._waited(late), late.outcome()))
        store._writer._probe = slow
    assert over.wait(LONG)
    assert second.is_alive()
    slow.go.set()
    assert first.ended() is None
    told = second.ended()
    assert isinstance(told, tuple)
    assert told[0] is False
    assert told[1] > 0
    assert head(store, 1) == 1


def test_closing_refuses_who_waits_and_ends_what_has_begun(store: SqliteStore, gate: Gate) -> None:
    path = store._path
    with held_up(store, gate) as first:
        threads = queued(store, [appended(store, 1), appended(store, 2)])
        closing = Writing(store.close)
        assert [code_of(it.ended()) for it in threads] == ["store/closed"] * 2
        with pytest.raises(FairbonesError) as caught:
            store.append(match_id(3), step(1))
        assert caught.value.code == "store/closed"
        assert closing.is_alive()
    assert first.ended() is None
    assert closing.ended() is None
    again = SqliteStore(path)
    assert [head(again, number) for number in (1, 2, 10)] == [0, 0, 1]
    again.close()


def test_a_signal_in_the_queue_stops_nobody_else(
    store: SqliteStore, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is interrupted while it waits leaves no turn behind that nobody takes."""

    class Interrupted:
        def __init__(self, lock: threading.Lock) -> None:
            self.lock = lock

        def acquire(self, timeout: float = -1) -> bool:
            if timeout >= 0:
                assert self.lock.acquire(timeout=LONG)
                raise KeyboardInterrupt
            return self.lock.acquire()

        def release(self) -> None:
            self.lock.release()

    queue = store._writer._queue
    with held_up(store, gate):
        mine = commits.Ticket(lambda _: None)
        mine.turn = Interrupted(mine.turn)  # type: ignore[assignment]
        queue._waiting.append(mine)
        stopped = Writing(lambda: stop(queue, mine))
        threads = queued_after(store, appended(store, 1))
    assert stopped.ended() == "interrupted"
    assert threads.ended() is None
    assert head(store, 1) == 1


def stop(queue: commits.Queue, ticket: commits.Ticket) -> str:
    try:
        queue._waited(ticket)
    except KeyboardInterrupt:
        return "interrupted"
    return "not interrupted"


def queued_after(store: SqliteStore, call: Callable[[], object]) -> Writing:
    thread = Writing(call)
    waiting(store, 2)
    return thread


def test_a_stopped_writer_keeps_nothing_for_those_it_wrote_for(
    store: SqliteStore, gate: Gate
) -> None:
    """The thread that writes for all is interrupted: the others are told to try again."""

    class Interrupting:
        def __call__(self, point: Point) -> None:
            if point is Point.BEFORE_COMMIT:
                raise KeyboardInterrupt

    with held_up(store, gate):
        threads = queued(store, [caught(appended(store, 1)), appended(store, 2)])
        store._writer._probe = Interrupting()
    assert threads[0].ended() == "interrupted"
    assert code_of(threads[1].ended()) == "store/closed"
    store._writer._probe = gate
    assert [head(store, number) for number in (1, 2)] == [0, 0]
    store.append(match_id(1), step(1))


def caught(call: Callable[[], object]) -> Callable[[], object]:
    def run() -> object:
        try:
            return call()
        except KeyboardInterrupt:
            return "interrupted"

    return run


BATCH = """
import os, signal, sys, threading
from pathlib import Path
from fairbones.store.points import Point
from fairbones.store.sqlite import SqliteStore
from tests.store.story import match_id, opening, step

path, point, nth = Path(sys.argv[1]), Point(sys.argv[2]), int(sys.argv[3])
armed, hits = threading.Event(), []
reached, go = threading.Event(), threading.Event()

def probe(here):
    if armed.is_set():
        hits.append(here)
        if hits.count(point) == nth and here is point:
            os.kill(os.getpid(), signal.SIGKILL)
    elif here is Point.BEFORE_COMMIT and threading.current_thread() is not threading.main_thread():
        reached.set()
        go.wait(30)
        armed.set()

store = SqliteStore(path, probe=probe)
for number in range(1, 8):
    store.create(opening(number))

def append(number):
    store.append(match_id(number), step(1, events=number))
    os.write(1, b"told %d\\n" % number)

threads = [threading.Thread(target=append, args=(7,))]
threads[0].start()
reached.wait(30)
for number in range(1, 7):
    threads.append(threading.Thread(target=append, args=(number,)))
    threads[-1].start()
    while len(store._writer._queue._waiting) < number:
        pass
go.set()
for thread in threads:
    thread.join()
"""


@pytest.mark.parametrize(
    ("point", "nth", "kept"),
    [
        (Point.BEFORE_WRITE, 1, False),
        (Point.AFTER_WRITE, 1, False),
        (Point.AFTER_WRITE, 4, False),
        (Point.AFTER_WRITE, 6, False),
        (Point.BEFORE_COMMIT, 1, False),
        (Point.AFTER_COMMIT, 2, True),
    ],
)
def test_a_batch_that_is_killed_is_kept_whole_or_not_at_all(
    tmp_path: Path, point: Point, nth: int, kept: bool
) -> None:
    """Six that wait together, behind one that is committed: that one's own commit is point 1 of
    those after a commit.
    """
    died = subprocess.run(
        [sys.executable, "-c", BATCH, str(tmp_path / "fairbones.db"), point, str(nth)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'service'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    # Nobody in it has heard of it. The one before it may have: its thread was told meanwhile.
    assert set(died.stdout.splitlines()) <= {"told 7"}
    store = SqliteStore(tmp_path / "fairbones.db")
    heads = [head(store, number) for number in range(1, 8)]
    assert heads == ([1, 2, 3, 4, 5, 6, 7] if kept else [0, 0, 0, 0, 0, 0, 7])
    assert store.check() == []
    store.close()
