"""The tables, and how a database becomes one of ours.

Nothing of a match is ever deleted while it is kept, and nothing is updated but the standing of a
listed match, when to look at it next, and the seal of its seed: every other row says what has
happened. When all of a match is dropped, its id goes to those that were. A match id therefore
stays taken for ever, and a primary key is the whole version check.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from fairbones.core.errors import FairbonesError

# "FBns": `file` and a second program can tell whose database this is.
APPLICATION_ID = 0x46426E73
# "FBnC": a copy. Its matches have gone on elsewhere, and to go on from here would make a second
# history, so it is read and never written.
COPY_ID = 0x46426E43
COPY_ADVICE = (
    "never serve it: take what was over with `fairbones export --ended-before` and "
    "`fairbones import --ended-only` (deploy/RUNBOOK.md, Restore a backup)"
)
# STRICT tables.
OLDEST_SQLITE = (3, 37, 0)

# MIGRATIONS[n] leads from schema version n to n + 1. They are history: add, never edit.
MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        """
        CREATE TABLE match (
            match_id BLOB NOT NULL PRIMARY KEY CHECK (length(match_id) = 16),
            sealed_seed BLOB NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        # One row for each request that moved a match; the receipt is signed once (SPEC 6.4).
        """
        CREATE TABLE step (
            match_id BLOB NOT NULL REFERENCES match,
            first_seq INTEGER NOT NULL CHECK (first_seq >= 0),
            head_seq INTEGER NOT NULL CHECK (head_seq >= first_seq),
            receipt BLOB NOT NULL,
            PRIMARY KEY (match_id, first_seq)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE event (
            match_id BLOB NOT NULL REFERENCES match,
            seq INTEGER NOT NULL CHECK (seq >= 0),
            body BLOB NOT NULL,
            PRIMARY KEY (match_id, seq)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE seat_claim (
            match_id BLOB NOT NULL REFERENCES match,
            seat INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 63),
            token_hash BLOB NOT NULL,
            request_hash BLOB NOT NULL,
            PRIMARY KEY (match_id, seat)
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE idempotency (
            idempotency_key TEXT NOT NULL PRIMARY KEY,
            request_hash BLOB NOT NULL,
            match_id BLOB NOT NULL REFERENCES match
        ) STRICT, WITHOUT ROWID
        """,
        # Ids only: which keys a house needs to go on with what is kept here.
        "CREATE TABLE house_key (key_id TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID",
    ),
    (
        # A table of contents, which proves nothing. `number` is the order in which matches were
        # kept. What an older file holds was opened when nothing listed matches, and stays so.
        """
        CREATE TABLE listing (
            number INTEGER PRIMARY KEY,
            match_id BLOB NOT NULL UNIQUE REFERENCES match,
            ruleset TEXT NOT NULL,
            join_by INTEGER NOT NULL,
            told BLOB NOT NULL,
            status TEXT NOT NULL,
            taken INTEGER NOT NULL CHECK (taken BETWEEN 0 AND 64),
            open INTEGER NOT NULL CHECK (open BETWEEN 0 AND 64)
        ) STRICT
        """,
        # One for each question, so that a page costs no more in a file of many years. The last is
        # for matches that can be joined: those that nobody did and nobody touched again pile up.
        "CREATE INDEX listing_by_status ON listing (status, number)",
        "CREATE INDEX listing_by_ruleset ON listing (ruleset, number)",
        "CREATE INDEX listing_by_both ON listing (status, ruleset, number)",
        "CREATE INDEX listing_by_time ON listing (status, join_by, number, ruleset)",
    ),
    (
        # When the clock may owe a match something, until it is over: a lower bound, for sweeps.
        # What an older file holds is looked at once.
        """
        CREATE TABLE due (
            match_id BLOB NOT NULL PRIMARY KEY REFERENCES match,
            due INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID
        """,
        "CREATE INDEX due_by_time ON due (due)",
        "INSERT INTO due SELECT match_id, 0 FROM match",
    ),
    (
        # All that is left of a match that was dropped. A table of its own: what refers to a match
        # goes with it, and `match` itself holds a seed for each of its rows.
        """
        CREATE TABLE forgotten (
            match_id BLOB NOT NULL PRIMARY KEY CHECK (length(match_id) = 16)
        ) STRICT, WITHOUT ROWID
        """,
        # Else each match that is dropped would be looked for among the keys of all others.
        "CREATE INDEX idempotency_by_match ON idempotency (match_id)",
    ),
)
SCHEMA_VERSION = len(MIGRATIONS)
_NAMES = [
    statement.split()[2]
    for statements in MIGRATIONS
    for statement in statements
    if statement.split()[0] == "CREATE"
]


def refuse_old_sqlite() -> None:
    """`FairbonesError("store/old-sqlite")` where the tables could not be made."""
    if sqlite3.sqlite_version_info < OLDEST_SQLITE:
        raise FairbonesError(
            "store/old-sqlite",
            f"this Python has SQLite {sqlite3.sqlite_version}; "
            f"{'.'.join(map(str, OLDEST_SQLITE))} or newer is needed",
        )


def prepare(db: sqlite3.Connection, path: Path) -> None:
    """Make an empty database ours, bring an older one up to date, refuse any other.

    `db` is in autocommit. Raises `FairbonesError`: `store/foreign`, `store/newer`,
    `store/folder`, `store/corrupt`, `store/copy`.
    """
    recognise(db, path)
    if is_copy(db):
        raise FairbonesError("store/copy", f"{path} is a backup; {COPY_ADVICE}")
    # Outside of a transaction, and only once it is known whose file this is.
    (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
    if mode != "wal":
        raise FairbonesError(
            "store/folder",
            f"{path} is on a file system without shared memory; use a folder on a local disk",
        )
    if recognise(db, path) < SCHEMA_VERSION:
        migrate(db)
    _look_at(db, path)


def migrate(db: sqlite3.Connection) -> None:
    """Bring an empty or older database up to date, all or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        # Under the lock: somebody else may have done it.
        (version,) = db.execute("PRAGMA user_version").fetchone()
        for statements in MIGRATIONS[version:]:
            for statement in statements:
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def recognise(db: sqlite3.Connection, path: Path) -> int:
    """The schema version of a database of ours; 0 for an empty one.

    Raises `FairbonesError`: `store/foreign`, `store/newer`.
    """
    (application,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application == 0 and version == 0 and tables == 0:
        return 0
    if application not in (APPLICATION_ID, COPY_ID) or version < 1:
        raise FairbonesError(
            "store/foreign",
            f"{path} is a database of another program; choose another data folder",
        )
    if version > SCHEMA_VERSION:
        raise FairbonesError(
            "store/newer",
            f"{path} was written by a newer Fairbones (schema {version}, this one knows "
            f"{SCHEMA_VERSION}); install that version or choose another data folder",
        )
    return int(version)


def is_copy(db: sqlite3.Connection) -> bool:
    """Whether this was made by `copies.copy`."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    return bool(application == COPY_ID)


def mark_copy(db: sqlite3.Connection) -> None:
    """Say in a database of ours that it is a copy; one that is nobody's yet stays so."""
    (application,) = db.execute("PRAGMA application_id").fetchone()
    if application == APPLICATION_ID:
        db.execute(f"PRAGMA application_id = {COPY_ID}")


def recognise_current(db: sqlite3.Connection, path: Path) -> None:
    """For who only reads: `store/older` as well."""
    version = recognise(db, path)
    if version < SCHEMA_VERSION:
        todo = (
            "export it with the Fairbones that made it"
            if is_copy(db)
            else "start the service once to bring it up to date"
        )
        raise FairbonesError(
            "store/older",
            f"{path} was written by an older Fairbones (schema {version}, this one reads "
            f"{SCHEMA_VERSION}); {todo}",
        )


def _look_at(db: sqlite3.Connection, path: Path) -> None:
    """Refuse at the start what would break later: parts of the file or of the schema are gone."""
    here = {name for (name,) in db.execute("SELECT name FROM sqlite_schema")}
    lost = [name for name in _NAMES if name not in here]
    if lost:
        raise FairbonesError(
            "store/corrupt", f"{path} has lost its {lost[0]}; restore it from a backup"
        )
    # Pages that are still in the log may lie beyond the end of the file.
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        return
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    (size,) = db.execute("PRAGMA page_size").fetchone()
    if path.stat().st_size < pages * size:
        raise FairbonesError("store/corrupt", f"{path} was cut short; restore it from a backup")
