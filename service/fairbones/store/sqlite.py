"""`house.ports.Store` on SQLite: one file, one process, many threads."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from fairbones.core.errors import Conflict, FairbonesError, Missing
from fairbones.house.ports import (
    Ears,
    Listed,
    Opening,
    SeatClaim,
    SeqTaken,
    SetBack,
    Standing,
    Step,
    Stored,
    Wanted,
)
from fairbones.store import lists
from fairbones.store.connections import Connections
from fairbones.store.points import Point, Probe, unprobed


class SqliteStore:
    """Keeps matches in the file `path`, which is made when there is none.

    Threads may call it side by side. Beside what `Store` promises, every call may raise
    `FairbonesError` with `store/full`, `store/read-only`, `store/busy`, `store/corrupt`,
    `store/closed` or `store/failed`; then nothing was kept. Opening may raise
    `store/foreign`, `store/newer` and `store/old-sqlite` as well.
    """

    def __init__(self, path: Path, *, probe: Probe = unprobed) -> None:
        self._path = path
        self._probe = probe
        self._connections = Connections(path, probe)

    def listen(self, ears: Ears) -> None:
        """See `Store.listen`: the data folder is held by this process alone."""

    def choose(self, key: str, request_hash: bytes, match_id: bytes) -> bytes:
        """See `Store.choose`. Nothing is written: `create` keeps the pair with the match."""
        with self._connections.reading() as db:
            return _opened_before(db, key, request_hash) or match_id

    def create(self, opening: Opening) -> bytes:
        """See `Store.create`."""
        if opening.step.first_seq != 0 or not opening.step.events:
            raise ValueError("a match begins with an event at seq 0")
        with self._connections.writing() as db:
            if opening.idempotency is not None:
                earlier = _opened_before(db, *opening.idempotency)
                if earlier is not None:
                    return earlier
            if _exists(db, opening.match_id):
                raise Conflict("match/id-used", "A match with this id exists: draw another id.")
            db.execute("INSERT INTO match VALUES (?, ?)", (opening.match_id, opening.sealed_seed))
            _insert_events(db, opening.match_id, opening.step)
            self._probe(Point.AFTER_WRITE)
            _insert_receipt(db, opening.match_id, opening.step)
            db.execute("INSERT INTO due VALUES (?, ?)", (opening.match_id, opening.due))
            if opening.listing is not None:
                lists.enter(db, opening.match_id, opening.listing)
            if opening.idempotency is not None:
                db.execute(
                    "INSERT INTO idempotency VALUES (?, ?, ?)",
                    (*opening.idempotency, opening.match_id),
                )
        return opening.match_id

    def load(self, match_id: bytes) -> Stored | None:
        """See `Store.load`."""
        with self._connections.reading() as db:
            row = db.execute(
                "SELECT sealed_seed FROM match WHERE match_id = ?", (match_id,)
            ).fetchone()
            if row is None:
                return None
            steps = self._steps(db, match_id, -1)
            if not steps or steps[0].first_seq != 0:
                raise self._damaged(match_id)
            return Stored(match_id, row[0], steps, _claims(db, match_id))

    def tail(
        self, match_id: bytes, seen: Sequence[Step]
    ) -> tuple[tuple[Step, ...], tuple[SeatClaim, ...]] | None:
        """See `Store.tail`."""
        last = seen[-1]
        with self._connections.reading() as db:
            row = db.execute(
                "SELECT receipt FROM step WHERE match_id = ? AND first_seq = ?",
                (match_id, last.first_seq),
            ).fetchone()
            if row is None and not _exists(db, match_id):
                return None
            if row is None or row[0] != last.receipt:
                raise SetBack
            return self._steps(db, match_id, last.head_seq), _claims(db, match_id)

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
        with self._connections.writing() as db:
            head = db.execute(
                "SELECT head_seq, receipt FROM step WHERE match_id = ?"
                " ORDER BY first_seq DESC LIMIT 1",
                (match_id,),
            ).fetchone()
            if head is None:
                raise Missing("match/unknown", "There is no such match here.")
            if step.first_seq != head[0] + 1 or (after is not None and after.receipt != head[1]):
                raise SeqTaken
            if claim is not None:
                _insert_claim(db, match_id, claim)
            _insert_events(db, match_id, step)
            self._probe(Point.AFTER_WRITE)
            _insert_receipt(db, match_id, step)
            if standing is not None:
                lists.move(db, match_id, standing)

    def listed(self, wanted: Wanted) -> tuple[Listed, ...] | None:
        """See `Store.listed`."""
        with self._connections.reading() as db:
            return lists.read(db, wanted)

    def due(self, now: int, limit: int) -> tuple[bytes, ...]:
        """See `Store.due`."""
        with self._connections.reading() as db:
            rows = db.execute(
                "SELECT match_id FROM due WHERE due <= ? ORDER BY due LIMIT ?", (now, limit)
            )
            return tuple(match_id for (match_id,) in rows)

    def defer(self, match_id: bytes, due: int | None) -> None:
        """See `Store.defer`."""
        with self._connections.writing() as db:
            if due is None:
                db.execute("DELETE FROM due WHERE match_id = ?", (match_id,))
            else:
                db.execute("UPDATE due SET due = ? WHERE match_id = ?", (due, match_id))

    def known_keys(self) -> frozenset[str]:
        """The ids of all house keys ever remembered; empty for a new database."""
        with self._connections.reading() as db:
            return frozenset(key_id for (key_id,) in db.execute("SELECT key_id FROM house_key"))

    def remember_keys(self, key_ids: Iterable[str]) -> None:
        """Note that from now on these keys may be needed to go on."""
        with self._connections.writing() as db:
            db.executemany(
                "INSERT OR IGNORE INTO house_key VALUES (?)", [(key_id,) for key_id in key_ids]
            )

    def close(self) -> None:
        """See `Store.close`."""
        self._connections.close()

    def _steps(self, db: sqlite3.Connection, match_id: bytes, after_seq: int) -> tuple[Step, ...]:
        """The steps that begin above `after_seq`; `store/corrupt` when events are missing."""
        rows = db.execute(
            "SELECT first_seq, head_seq, receipt FROM step"
            " WHERE match_id = ? AND first_seq > ? ORDER BY first_seq",
            (match_id, after_seq),
        ).fetchall()
        if not rows:
            return ()
        bodies = db.execute(
            "SELECT seq, body FROM event WHERE match_id = ? AND seq >= ? ORDER BY seq",
            (match_id, rows[0][0]),
        ).fetchall()
        first = begin = rows[0][0]
        if [seq for seq, _ in bodies] != list(range(first, rows[-1][1] + 1)):
            raise self._damaged(match_id)
        steps = []
        for first_seq, head_seq, receipt in rows:
            if first_seq != begin:
                raise self._damaged(match_id)
            begin = head_seq + 1
            events = tuple(body for _, body in bodies[first_seq - first : begin - first])
            steps.append(Step(first_seq, events, receipt))
        return tuple(steps)

    def _damaged(self, match_id: bytes) -> FairbonesError:
        return FairbonesError(
            "store/corrupt",
            f"{self._path} has lost events of a match; restore it from a backup",
            match=match_id.hex(),
        )


def _exists(db: sqlite3.Connection, match_id: bytes) -> bool:
    return db.execute("SELECT 1 FROM match WHERE match_id = ?", (match_id,)).fetchone() is not None


def _opened_before(db: sqlite3.Connection, key: str, request_hash: bytes) -> bytes | None:
    """The match that this very request opened; `request/key-reused` for another request."""
    row: tuple[bytes, bytes] | None = db.execute(
        "SELECT request_hash, match_id FROM idempotency WHERE idempotency_key = ?", (key,)
    ).fetchone()
    if row is None:
        return None
    if row[0] != request_hash:
        raise Conflict(
            "request/key-reused",
            "This Idempotency-Key came with another request before: use a new one.",
        )
    return row[1]


def _claims(db: sqlite3.Connection, match_id: bytes) -> tuple[SeatClaim, ...]:
    rows = db.execute(
        "SELECT seat, token_hash, request_hash FROM seat_claim WHERE match_id = ? ORDER BY seat",
        (match_id,),
    )
    return tuple(SeatClaim(*row) for row in rows)


def _insert_claim(db: sqlite3.Connection, match_id: bytes, claim: SeatClaim) -> None:
    taken = db.execute(
        "SELECT 1 FROM seat_claim WHERE match_id = ? AND seat = ?", (match_id, claim.seat)
    ).fetchone()
    if taken is not None:
        raise Conflict("seat/taken", "This seat is taken: choose another.", seat=claim.seat)
    db.execute(
        "INSERT INTO seat_claim VALUES (?, ?, ?, ?)",
        (match_id, claim.seat, claim.token_hash, claim.request_hash),
    )


def _insert_events(db: sqlite3.Connection, match_id: bytes, step: Step) -> None:
    db.executemany(
        "INSERT INTO event VALUES (?, ?, ?)",
        [(match_id, seq, body) for seq, body in enumerate(step.events, step.first_seq)],
    )


def _insert_receipt(db: sqlite3.Connection, match_id: bytes, step: Step) -> None:
    db.execute(
        "INSERT INTO step VALUES (?, ?, ?, ?)",
        (match_id, step.first_seq, step.head_seq, step.receipt),
    )
