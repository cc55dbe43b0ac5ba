"""The whole file: copied while it is in use, and looked through for damage."""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.store.connections import connect, sync_folder
from fairbones.store.failures import translated
from fairbones.store.founding import refuse_irregular
from fairbones.store.schema import mark_copy, recognise

FAULTS_MAX = 100

# Matches whose rows do not make a whole one: no steps, a gap between two, events without steps or
# steps without events. Every row is read once.
_BROKEN = """
    WITH
    chain AS (
        SELECT match_id, first_seq, head_seq,
            lag(head_seq, 1, -1) OVER (PARTITION BY match_id ORDER BY first_seq) + 1 AS begin
        FROM step
    ),
    walked AS (
        SELECT match_id, max(head_seq) + 1 AS length, sum(first_seq != begin) AS gaps
        FROM chain GROUP BY match_id
    ),
    told AS (
        SELECT match_id, count(*) AS events, max(seq) + 1 AS length FROM event GROUP BY match_id
    )
    SELECT match.match_id FROM match
    LEFT JOIN walked ON walked.match_id = match.match_id
    LEFT JOIN told ON told.match_id = match.match_id
    WHERE NOT (walked.gaps = 0 AND walked.length = told.events AND told.length = told.events)
        OR walked.match_id IS NULL OR told.match_id IS NULL
    ORDER BY match.match_id LIMIT ?
"""


def faults(path: Path) -> list[str]:
    """What is wrong, one sentence each, at most `FAULTS_MAX`; empty when nothing is."""
    found: list[str] = []
    # A connection of its own, for damage may leave it in the middle of something.
    with translated(path), closing(connect(path, "ro")) as db:
        db.execute("BEGIN")
        try:
            # What was found before the file could not be read any further stays found.
            found.extend(islice(_faults(db), FAULTS_MAX))
        except sqlite3.DatabaseError as error:
            found.append(f"the file cannot be read to its end: {error}")
    return found


def _faults(db: sqlite3.Connection) -> Iterator[str]:
    for (text,) in db.execute(f"PRAGMA integrity_check({FAULTS_MAX})").fetchall():
        if text != "ok":
            yield " ".join(f"SQLite: {text}".split())
    for table, _, parent, _ in db.execute("PRAGMA foreign_key_check"):
        yield f"table {table} has a row without its {parent}"
    for (match_id,) in db.execute(_BROKEN, (FAULTS_MAX,)):
        yield f"match {match_id.hex()} has lost events or steps"


def back_up(path: Path, target: Path) -> None:
    """Copy a database of ours, of any version, that a service may be using; see `copy`.

    Raises `store/foreign` and whatever `SqliteReader` does, but for its `store/older`.
    """
    refuse_irregular(path)
    with translated(path), closing(connect(path, "ro")) as db:
        recognise(db, path)
        copy(db, target)


def copy(db: sqlite3.Connection, target: Path) -> None:
    """Write what is committed now to the new file `target`, readable by its owner alone.

    It is marked as a copy, from which no service goes on (`schema`): one moment of the database,
    in one file that needs no other beside it; the service may write meanwhile. The name appears
    when all of it is on the disk. Raises `store/full`, `store/target` when the file is there
    already or cannot be made.
    """
    # A name of its own, for two may copy to one target at one moment.
    partial = target.with_name(f"{target.name}.{secrets.token_hex(4)}.partial")
    flags = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_WRONLY | os.O_CLOEXEC
    try:
        os.close(os.open(partial, flags, 0o600))
        try:
            with translated(target), closing(connect(partial, "rw")) as new:
                new.execute("PRAGMA synchronous = OFF")
                # All at once: in steps it would begin anew whenever the service has written.
                db.backup(new)
                new.execute("PRAGMA journal_mode = DELETE")
                mark_copy(new)
            _sync(partial)
            # Unlike a renaming, this never replaces a backup that is there.
            os.link(partial, target)
        finally:
            with suppress(FileNotFoundError):
                partial.unlink()
        sync_folder(target.parent)
    except OSError as error:
        raise FairbonesError(
            "store/target", f"{target} cannot be written ({error.strerror}); choose another name"
        ) from error


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
