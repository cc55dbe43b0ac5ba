"""The reading half of the store on SQLite, which another program may open beside the service."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from fairbones.house.ports import Listed, SeatClaim, SetBack, Step, Stored, Wanted, Whole
from fairbones.store import archived, copies, lists, rows
from fairbones.store.connections import Readers
from fairbones.store.founding import refuse_irregular
from fairbones.store.schema import is_copy, recognise_current

T = TypeVar("T")


class SqliteReader:
    """Reads the matches in the file `path`; it never writes there, and never checkpoints.

    Threads may call it side by side. Beside what `Store` promises, every call may raise
    `FairbonesError` with `store/busy`, `store/corrupt`, `store/closed` or `store/failed`.
    """

    def __init__(self, path: Path) -> None:
        """Needs no hold of the data folder. Raises `store/read-only` when the file cannot be
        opened, `store/foreign`, `store/newer` or `store/older` when it is not one of these.
        """
        refuse_irregular(path)
        self._path = path
        self._readers = Readers(path)
        try:
            self._readers.read(lambda db: recognise_current(db, path))
        except BaseException:
            self._readers.close()
            raise

    def choose(self, key: str, request_hash: bytes, match_id: bytes) -> bytes:
        """See `Store.choose`. Nothing is written: `create` keeps the pair with the match."""
        return self._readers.read(lambda db: rows.opened_before(db, key, request_hash)) or match_id

    def load(self, match_id: bytes) -> Stored | None:
        """See `Store.load`."""
        with rows.whole_only(match_id, self._path):
            return self._readers.read(lambda db: archived.stored(db, match_id))

    def tail(
        self, match_id: bytes, seen: Sequence[Step]
    ) -> tuple[tuple[Step, ...], tuple[SeatClaim, ...]] | None:
        """See `Store.tail`: one look, with what it needs and no more."""
        last = seen[-1]
        begin = last.head_seq + 1
        found = self._readers.read(lambda db: rows.parts(db, match_id, last.first_seq, begin))
        if found is None:
            return None
        if not found.heads or found.heads[0] != (last.first_seq, last.head_seq, last.receipt):
            raise SetBack
        with rows.whole_only(match_id, self._path):
            return rows.steps_of(found.heads[1:], found.bodies, begin), found.claims

    def listed(self, wanted: Wanted) -> tuple[Listed, ...] | None:
        """See `Store.listed`."""
        return self._readers.snapshot(lambda db: lists.read(db, wanted))

    def due(self, now: int, limit: int) -> tuple[bytes, ...]:
        """See `Store.due`."""

        def look(db: sqlite3.Connection) -> tuple[bytes, ...]:
            found = db.execute(
                "SELECT match_id FROM due WHERE due <= ? ORDER BY due LIMIT ?", (now, limit)
            )
            return tuple(match_id for (match_id,) in found)

        return self._readers.read(look)

    def ids(self, after: bytes | None, limit: int) -> tuple[bytes, ...]:
        """See `Archive.ids`."""
        return self._readers.read(lambda db: archived.ids(db, after, limit))

    def whole(self, match_id: bytes) -> Whole | None:
        """See `Archive.whole`."""
        with rows.whole_only(match_id, self._path):
            return self._readers.snapshot(lambda db: archived.whole(db, match_id))

    def known_keys(self) -> frozenset[str]:
        """See `Archive.known_keys`."""

        def look(db: sqlite3.Connection) -> frozenset[str]:
            return frozenset(key_id for (key_id,) in db.execute("SELECT key_id FROM house_key"))

        return self._readers.read(look)

    def copied(self) -> bool:
        """Whether the file is a backup: it can be read, and nothing may go on from it."""
        return self._readers.read(is_copy)

    def check(self) -> list[str]:
        """What is wrong with the file, one sentence each; empty when nothing is. It reads all."""
        self._readers.refuse_closed()
        return copies.faults(self._path)

    def backup_to(self, target: Path) -> None:
        """Copy all that is committed now into the new file `target`; see `copies.copy`."""
        self._readers.read(lambda db: copies.copy(db, target))

    def close(self) -> None:
        """See `Store.close`; a second call does nothing."""
        self._readers.close()
