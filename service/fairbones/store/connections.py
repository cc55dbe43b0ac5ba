"""One connection that writes, and as many that read as threads ask at once.

Only the writer may write or checkpoint; readers are opened read-only, and the data folder
is held by one process (`folder`). So no two connections ever write or checkpoint at the
same time, which also keeps us clear of SQLite's WAL-reset bug (https://www.sqlite.org/wal.html,
3.7.0 to 3.51.2, and Debian 12 has 3.40). That goes for another program that opens `Readers` of its
own beside a running service as well: it takes part in neither of the two things that the bug needs.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from fairbones.core.errors import Conflict, Missing
from fairbones.house.ports import SeqTaken
from fairbones.store.commits import Job, Queue, Ticket, closed
from fairbones.store.failures import translated, translated_error, unkept
from fairbones.store.points import Point, Probe
from fairbones.store.schema import prepare

# How long a write waits for another program (a shell) that writes.
BUSY_SECONDS = 5.0

T = TypeVar("T")
_ANSWERS = (SeqTaken, Conflict, Missing)


def sync_folder(folder: Path) -> None:
    """A new file is only durable with the folder entry that names it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """A connection in autocommit; `mode` is `ro` or `rw`."""
    return sqlite3.connect(
        f"file:{quote(str(path))}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,
        # A connection moves between threads, but never serves two at once.
        check_same_thread=False,
    )


class Readers:
    """Connections that cannot write, used again and again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False

    def read(self, look: Callable[[sqlite3.Connection], T]) -> T:
        """What `look` returns; one statement sees one moment, and waits for no write."""
        self.refuse_closed()
        try:
            try:
                db = self._idle.pop()
            except IndexError:
                db = connect(self._path, "ro")
            try:
                found = look(db)
            except BaseException:
                db.close()
                raise
        except sqlite3.Error as error:
            raise translated_error(error, self._path) from error
        self._idle.append(db)
        if self._closed:
            self._close_idle()
        return found

    def snapshot(self, look: Callable[[sqlite3.Connection], T]) -> T:
        """What `look` returns; all its statements see one moment."""

        def at_one_moment(db: sqlite3.Connection) -> T:
            db.execute("BEGIN")
            found = look(db)
            db.execute("COMMIT")
            return found

        return self.read(at_one_moment)

    def close(self) -> None:
        """What is being read right now closes when it is done."""
        self._closed = True
        self._close_idle()

    def refuse_closed(self) -> None:
        """`store/closed` from the moment of `close`."""
        if self._closed:
            raise closed()

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().close()


class Writer:
    """The connection that writes; threads may call `write` side by side."""

    def __init__(self, path: Path, probe: Probe) -> None:
        """Open the file and bring it up to date. Raises `FairbonesError("store/...")`."""
        self._path = path
        self._probe = probe
        with translated(path):
            self._db = self._open()
            try:
                prepare(self._db, path)
            except BaseException:
                self._db.close()
                raise
        self._queue = Queue(self._commit, str(path))

    def write(self, job: Job[T]) -> T:
        """Do it in a durable transaction, together with whatever waits; what the job returns.

        Whatever is raised, nothing of it is kept but after `store/unknown-outcome`.
        """
        return self._queue.write(job)

    def close(self) -> None:
        """Refuse who waits, finish what is being written, close."""
        self._queue.close()
        self._db.close()

    def _commit(self, tickets: list[Ticket]) -> None:
        """All in one transaction; one after the other when that breaks, so that each hears of its
        own failure alone.
        """
        batches = deque([tickets])
        while batches:
            try:
                self._db.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                # Whatever holds the file holds up all: nobody waits for it twice.
                self._roll_back()
                for ticket in chain(*batches):
                    ticket.fail(self._translated(error))
                return
            batch = batches.popleft()
            if not self._together(batch):
                batches.extend([ticket] for ticket in batch)

    def _together(self, tickets: list[Ticket]) -> bool:
        """Whether each of many has heard what came of it; a single one always has."""
        db = self._db
        try:
            self._probe(Point.BEFORE_WRITE)
            for ticket in tickets:
                before = db.total_changes
                try:
                    ticket.succeed(ticket.job(db))
                except _ANSWERS as answer:
                    if db.total_changes != before:
                        raise
                    ticket.fail(answer)
            self._probe(Point.BEFORE_COMMIT)
        except Exception as error:  # noqa: BLE001 - handed to the caller
            self._roll_back()
            for ticket in tickets:
                ticket.untell()
            if len(tickets) > 1:
                return False
            tickets[0].fail(self._translated(error))
            return True
        except BaseException:
            self._roll_back()
            for ticket in tickets:
                ticket.untell()
            raise
        try:
            db.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            for ticket in tickets:
                ticket.fail(unkept(error, self._path))
            return True
        self._probe(Point.AFTER_COMMIT)
        return True

    def _translated(self, error: Exception) -> Exception:
        if not isinstance(error, sqlite3.Error):
            return error
        told = translated_error(error, self._path)
        told.__cause__ = error
        return told

    def _open(self) -> sqlite3.Connection:
        db = connect(self._path, "rw")
        try:
            # A commit is on the disk before it is answered: a receipt is a promise.
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA journal_size_limit = 67108864")
        except BaseException:
            db.close()
            raise
        return db

    def _roll_back(self) -> None:
        """Undo; when even that fails, a fresh connection sees only what was committed."""
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            self._db.close()
            # When this fails as well, the next write comes back to it.
            with suppress(sqlite3.Error):
                self._db = self._open()
