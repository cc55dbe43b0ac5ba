"""What SQLite says, as errors of ours: one code for each thing an operator can do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairbones.core.errors import FairbonesError

# By primary result code, the low byte of an extended one (https://www.sqlite.org/rescode.html).
_MEANINGS: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_FULL: ("store/full", "the disk under {path} is full; free some space"),
    sqlite3.SQLITE_READONLY: (
        "store/read-only",
        "{path} or a file beside it cannot be written; make all of them writable",
    ),
    sqlite3.SQLITE_PERM: (
        "store/read-only",
        "{path} or a file beside it cannot be written; make all of them writable",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "store/read-only",
        "{path} cannot be opened; check that it is there, the folder and their permissions",
    ),
    sqlite3.SQLITE_BUSY: ("store/busy", "another program holds {path}; try again"),
    sqlite3.SQLITE_LOCKED: ("store/busy", "another program holds {path}; try again"),
    sqlite3.SQLITE_CORRUPT: ("store/corrupt", "{path} is damaged; restore it from a backup"),
    sqlite3.SQLITE_NOTADB: ("store/corrupt", "{path} is not a database; restore it from a backup"),
    # The rows contradict each other, which no write of ours can bring about.
    sqlite3.SQLITE_CONSTRAINT: ("store/corrupt", "{path} contradicts itself; restore a backup"),
}
_UNKNOWN = ("store/failed", "{path} could not be read or written; the log has the details")


def translated_error(error: sqlite3.Error, path: Path) -> FairbonesError:
    """The error of ours for one of SQLite's; `details` name SQLite's own code."""
    number = getattr(error, "sqlite_errorcode", None)
    code, text = _MEANINGS.get(number & 0xFF, _UNKNOWN) if number is not None else _UNKNOWN
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return FairbonesError(code, text.format(path=path), sqlite=str(name))


def unkept(error: sqlite3.Error, path: Path) -> FairbonesError:
    """Why a commit failed. What a disk holds that failed while it was to keep something is only
    known once it was read again: then nobody can say that nothing was kept.
    """
    told = translated_error(error, path)
    if (getattr(error, "sqlite_errorcode", 0) & 0xFF) == sqlite3.SQLITE_IOERR:
        told = FairbonesError(
            "store/unknown-outcome",
            f"the disk under {path} failed in the middle of a write; send the same request again",
            **told.details,
        )
    told.__cause__ = error
    return told


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise `FairbonesError("store/...")` for whatever SQLite raises inside."""
    try:
        yield
    except sqlite3.Error as error:
        raise translated_error(error, path) from error
