"""The file of a store, before it is opened: made whole when there is none, else looked at.

A house that begins anew because its file was gone or cut short would have lost every match without
a word. So a file of ours is never empty, not even for a moment, and what lies beside it is looked
at as well.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import closing, suppress
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.store.connections import connect, sync_folder
from fairbones.store.failures import translated
from fairbones.store.schema import migrate, refuse_old_sqlite


def found(path: Path) -> None:
    """There is a file with a database in it afterwards, as far as can be seen from outside.

    Raises `FairbonesError`: `store/old-sqlite`, `store/corrupt`, `store/foreign`,
    `store/read-only`, `store/full`.
    """
    refuse_old_sqlite()
    refuse_irregular(path)
    log, index = (Path(f"{path}{suffix}") for suffix in ("-wal", "-shm"))
    try:
        known = path.stat()
    except FileNotFoundError:
        if _size(log):
            raise _damaged(
                f"{path} is gone, and {log} with the last of its matches is not", log
            ) from None
        _make(path)
        return
    except OSError as error:
        raise _unusable(path, error) from error
    if not known.st_size:
        raise _damaged(f"{path} is empty", path)
    # SQLite makes the log before the index and removes it after: one alone was left by somebody.
    if index.exists() and not log.exists():
        raise _damaged(f"{log} is gone, and with it the last that was written", index)


def refuse_irregular(path: Path) -> None:
    """`store/foreign` when it or what SQLite has beside it is there and is no file: SQLite would
    wait for ever at a pipe.
    """
    for suffix in ("", "-wal", "-shm", "-journal"):
        part = Path(f"{path}{suffix}")
        # What is not there, or may not be looked at, is told by who opens it.
        with suppress(OSError):
            if not stat.S_ISREG(part.stat().st_mode):
                raise FairbonesError(
                    "store/foreign",
                    f"{part} is not a file; remove it or choose another data folder",
                )


def _damaged(what: str, without: Path) -> FairbonesError:
    return FairbonesError(
        "store/corrupt",
        f"{what}; restore a backup, or remove {without} to go on with what is there",
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _make(path: Path) -> None:
    """A new database under its name, all of it or nothing, readable by its owner alone (SQLite
    gives its side files the same mode).
    """
    # A name of its own, for two may make it at one moment.
    unfinished = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
    flags = os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_RDWR | os.O_CLOEXEC
    try:
        os.close(os.open(unfinished, flags, 0o600))
        try:
            with translated(path), closing(connect(unfinished, "rw")) as db:
                migrate(db)
            # Whoever else was about to make it may have come first.
            with suppress(FileExistsError):
                os.link(unfinished, path)
        finally:
            unfinished.unlink()
        sync_folder(path.parent)
    except OSError as error:
        raise _unusable(path, error) from error


def _unusable(path: Path, error: OSError) -> FairbonesError:
    return FairbonesError(
        "store/read-only", f"{path} cannot be made or opened ({error.strerror}); check the folder"
    )
