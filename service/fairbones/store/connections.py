"""One connection that writes, and as many that read as threads ask at once.

Only the writer may write or checkpoint; readers are opened read-only, and the data folder
is held by one process (`folder`). So no two connections ever write or checkpoint at the
same time, which also keeps us clear of SQLite's WAL-reset bug (https://www.sqlite.org/wal.html,
3.7.0 to 3.51.2, and Debian 12 has 3.40).
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from fairbones.core.errors import FairbonesError
from fairbones.store.failures import translated
from fairbones.store.points import Point, Probe
from fairbones.store.schema import OLDEST_SQLITE, prepare

# How long a write waits for others in this process, and for another program (a backup, a shell).
QUEUE_SECONDS = 15.0
BUSY_SECONDS = 5.0


class Connections:
    """All connections to one database file; threads may use it side by side."""

    def __init__(self, path: Path, probe: Probe) -> None:
        """Open or make the file. Raises `FairbonesError("store/...")`."""
        self._path = path
        self._probe = probe
        self._lock = threading.Lock()
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise FairbonesError(
                "store/old-sqlite",
                f"this Python has SQLite {sqlite3.sqlite_version}; "
                f"{'.'.join(map(str, OLDEST_SQLITE))} or newer is needed",
            )
        made = _made(path)
        with translated(path):
            self._writer = self._open_writer()
            try:
                prepare(self._writer, path)
            except BaseException:
                self._writer.close()
                raise
        if made:
            _sync_folder(path.parent)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One durable transaction, alone; anything raised inside leaves all as it was."""
        if not self._lock.acquire(timeout=QUEUE_SECONDS):
            raise FairbonesError("store/busy", f"too many writes wait for {self._path}; try again")
        try:
            self._refuse_closed()
            with translated(self._path):
                db = self._writer
                try:
                    db.execute("BEGIN IMMEDIATE")
                    self._probe(Point.BEFORE_WRITE)
                    yield db
                    self._probe(Point.BEFORE_COMMIT)
                    db.execute("COMMIT")
                except BaseException:
                    self._roll_back()
                    raise
            self._probe(Point.AFTER_COMMIT)
        finally:
            self._lock.release()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent snapshot, never waiting for a write."""
        self._refuse_closed()
        with translated(self._path):
            try:
                db = self._idle.pop()
            except IndexError:
                db = self._open("ro")
            try:
                db.execute("BEGIN")
                yield db
                db.execute("COMMIT")
            except BaseException:
                db.close()
                raise
            self._idle.append(db)
            if self._closed:
                self._close_idle()

    def close(self) -> None:
        """Close everything; what is being read right now closes when it is done."""
        with self._lock:
            self._closed = True
            self._close_idle()
            self._writer.close()

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self._idle.pop().close()

    def _refuse_closed(self) -> None:
        if self._closed:
            raise FairbonesError("store/closed", "the service is stopping; try again")

    def _open_writer(self) -> sqlite3.Connection:
        db = self._open("rw")
        try:
            # A commit is on the disk before it is answered: a receipt is a promise.
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA journal_size_limit = 67108864")
        except BaseException:
            db.close()
            raise
        return db

    def _open(self, mode: str) -> sqlite3.Connection:
        return sqlite3.connect(
            f"file:{quote(str(self._path))}?mode={mode}",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            # A connection moves between threads, but never serves two at once.
            check_same_thread=False,
        )

    def _roll_back(self) -> None:
        """Undo; when even that fails, a fresh connection sees only what was committed."""
        try:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except sqlite3.Error:
            self._writer.close()
            self._writer = self._open_writer()


def _made(path: Path) -> bool:
    """Make the file, readable by its owner alone (SQLite gives its side files the same mode)."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        return False
    except OSError as error:
        raise FairbonesError(
            "store/read-only", f"{path} cannot be made: {error.strerror}"
        ) from error
    return True


def _sync_folder(folder: Path) -> None:
    """A new file is only durable with the folder entry that names it."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
