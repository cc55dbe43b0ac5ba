"""`house.ports.Store` and `Archive` on SQLite: one file, one process, many threads."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Ears, Opening, SeatClaim, Standing, Step, Whole
from fairbones.store import archived, lists, rows
from fairbones.store.connections import Writer
from fairbones.store.founding import found
from fairbones.store.points import Point, Probe, unprobed
from fairbones.store.reader import SqliteReader

_NOBODY = bytes(16)  # an id no match has


class SqliteStore(SqliteReader):
    """Keeps matches in the file `path`, which is made when there is none.

    Threads may call it side by side. Beside what `Store` promises, every call may raise
    `FairbonesError` with `store/full`, `store/read-only`, `store/busy`, `store/corrupt`,
    `store/closed` or `store/failed`; then nothing was kept. Opening may raise
    `store/foreign`, `store/newer` and `store/old-sqlite` as well.
    """

    def __init__(self, path: Path, *, probe: Probe = unprobed) -> None:
        self._probe = probe
        found(path)
        self._writer = Writer(path, probe)
        try:
            super().__init__(path)
        except BaseException:
            self._writer.close()
            raise

    def listen(self, ears: Ears) -> None:
        """See `Store.listen`: the data folder is held by this process alone."""

    def create(self, opening: Opening) -> bytes:
        """See `Store.create`."""
        match_id, step, key = opening.match_id, opening.step, opening.idempotency
        if step.first_seq != 0 or not step.events:
            raise ValueError("a match begins with an event at seq 0")

        def write(db: sqlite3.Connection) -> bytes:
            if key is not None:
                earlier = rows.opened_before(db, *key)
                if earlier is not None:
                    return earlier
            rows.refuse_used(db, match_id)
            rows.insert_match(db, match_id, opening.sealed_seed)
            rows.insert_events(db, match_id, step)
            self._probe(Point.AFTER_WRITE)
            rows.insert_receipt(db, match_id, step)
            rows.insert_due(db, match_id, opening.due)
            if opening.listing is not None:
                lists.enter(db, match_id, opening.listing)
            if key is not None:
                rows.insert_key(db, match_id, key)
            return match_id

        return self._writer.write(write)

    def append(
        self,
        match_id: bytes,
        step: Step,
        claim: SeatClaim | None = None,
        standing: Standing | None = None,
        after: Step | None = None,
    ) -> None:
        """See `Store.append`. A stale seq is told before a taken seat: only who has seen the
        newest events can tell a rival from his own repeated request.
        """
        if not step.events:
            raise ValueError("a step has events")

        def write(db: sqlite3.Connection) -> None:
            rows.refuse_behind(db, match_id, step, after)
            if claim is not None:
                rows.insert_claim(db, match_id, claim)
            rows.insert_events(db, match_id, step)
            self._probe(Point.AFTER_WRITE)
            rows.insert_receipt(db, match_id, step)
            if standing is not None:
                lists.move(db, match_id, standing)

        self._writer.write(write)

    def defer(self, match_id: bytes, due: int | None) -> None:
        """See `Store.defer`."""

        def write(db: sqlite3.Connection) -> None:
            if due is None:
                db.execute("DELETE FROM due WHERE match_id = ?", (match_id,))
            else:
                db.execute("UPDATE due SET due = ? WHERE match_id = ?", (due, match_id))

        self._writer.write(write)

    def ready(self) -> None:
        """See `Store.ready`: it can be read, and the file is there and may be written.

        Who holds the file, and whether there is room on the disk, only a write finds out: the log
        that it goes to has room of its own.
        """
        self.load(_NOBODY)
        if not os.access(self._path, os.W_OK):
            raise FairbonesError(
                "store/read-only",
                f"{self._path} is gone or cannot be written; put it back, or make it writable",
            )

    def adopt(self, whole: Whole) -> bool:
        """See `Archive.adopt`. ValueError when its steps are not those of a match."""
        begin = 0
        for step in whole.stored.steps:
            if step.first_seq != begin or not step.events:
                raise ValueError("the steps of a match follow each other from seq 0 on")
            begin = step.head_seq + 1
        if not begin:
            raise ValueError("a match has steps")
        with rows.whole_only(whole.stored.match_id, self._path):
            return self._writer.write(lambda db: archived.adopt(db, whole, self._probe))

    def reseal(self, match_id: bytes, old: bytes, new: bytes) -> bool:
        """See `Archive.reseal`."""
        return self._writer.write(lambda db: archived.reseal(db, match_id, old, new))

    def forget(self, match_id: bytes) -> bool:
        """See `Archive.forget`."""
        return self._writer.write(lambda db: archived.forget(db, match_id, self._probe))

    def remember_keys(self, key_ids: Iterable[str]) -> None:
        """See `Archive.remember_keys`."""
        new = [(key_id,) for key_id in key_ids]

        def write(db: sqlite3.Connection) -> None:
            db.executemany("INSERT OR IGNORE INTO house_key VALUES (?)", new)

        self._writer.write(write)

    def close(self) -> None:
        """See `Store.close`; writes that wait are refused, one that has begun is finished."""
        super().close()
        self._writer.close()
