"""A match as rows: how it is read at one moment, and how a step is added to it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairbones.core.errors import Conflict, FairbonesError, Missing
from fairbones.house.ports import SeatClaim, SeqTaken, Step

# One statement sees one moment, without the cost of a transaction around it.
_PARTS = (
    "SELECT 0, 0, 0, sealed_seed FROM match WHERE match_id = ?"
    " UNION ALL SELECT 1, first_seq, head_seq, receipt FROM step"
    " WHERE match_id = ? AND first_seq >= ?"
    " UNION ALL SELECT 2, seq, 0, body FROM event WHERE match_id = ? AND seq >= ?"
    " UNION ALL SELECT 3, seat, token_hash, request_hash FROM seat_claim WHERE match_id = ?"
)
_HEAD = "SELECT head_seq, receipt FROM step WHERE match_id = ? ORDER BY first_seq DESC LIMIT 1"
_EVENT = "INSERT INTO event VALUES (?, ?, ?)"


class LostEvents(Exception):
    """The rows of a match do not make a whole one."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What of a match was asked for: steps as (first seq, head seq, receipt), events as
    (seq, body), both in order.
    """

    sealed_seed: bytes
    heads: Sequence[tuple[int, int, bytes]]
    bodies: Sequence[tuple[int, bytes]]
    claims: tuple[SeatClaim, ...]


def parts(db: sqlite3.Connection, match_id: bytes, step_from: int, event_from: int) -> Parts | None:
    """The match, with its steps that begin at or above `step_from`, its events from `event_from`
    on, and all claims; None when there is no such match.
    """
    rows = db.execute(
        _PARTS, (match_id, match_id, step_from, match_id, event_from, match_id)
    ).fetchall()
    if not rows:
        return None
    rows.sort()
    if rows[0][0] != 0:
        raise LostEvents
    heads: list[tuple[int, int, bytes]] = []
    bodies: list[tuple[int, bytes]] = []
    claims: list[SeatClaim] = []
    for kind, number, middle, last in rows:
        if kind == 1:
            heads.append((number, middle, last))
        elif kind == 2:
            bodies.append((number, last))
        elif kind == 3:
            claims.append(SeatClaim(number, middle, last))
    return Parts(rows[0][3], heads, bodies, tuple(claims))


def steps_of(
    heads: Iterable[tuple[int, int, bytes]], bodies: Sequence[tuple[int, bytes]], begin: int
) -> tuple[Step, ...]:
    """The steps from seq `begin` on, which cover these events; `LostEvents`."""
    if [seq for seq, _ in bodies] != list(range(begin, begin + len(bodies))):
        raise LostEvents
    steps = []
    done = 0
    for first_seq, head_seq, receipt in heads:
        if first_seq != begin + done:
            raise LostEvents
        upto = head_seq + 1 - begin
        steps.append(Step(first_seq, tuple(body for _, body in bodies[done:upto]), receipt))
        done = upto
    if done != len(bodies):
        raise LostEvents
    return tuple(steps)


def exists(db: sqlite3.Connection, match_id: bytes) -> bool:
    """Whether a match of this id is here."""
    return db.execute("SELECT 1 FROM match WHERE match_id = ?", (match_id,)).fetchone() is not None


def refuse_used(db: sqlite3.Connection, match_id: bytes) -> None:
    """`Conflict("match/id-used")` when a match of this id is here, or was."""
    used = "SELECT 1 FROM match WHERE match_id = ? UNION ALL SELECT 1 FROM forgotten"
    if db.execute(f"{used} WHERE match_id = ?", (match_id, match_id)).fetchone() is not None:
        raise Conflict("match/id-used", "A match with this id exists: draw another id.")


def opened_before(db: sqlite3.Connection, key: str, request_hash: bytes) -> bytes | None:
    """The match that this very request opened; `request/key-reused` for another request."""
    row: tuple[bytes, bytes] | None = db.execute(
        "SELECT request_hash, match_id FROM idempotency WHERE idempotency_key = ?", (key,)
    ).fetchone()
    if row is None:
        return None
    if row[0] != request_hash:
        raise key_reused()
    return row[1]


def key_reused() -> Conflict:
    """What is told to another request with the key."""
    return Conflict(
        "request/key-reused",
        "This Idempotency-Key came with another request before: use a new one.",
    )


def refuse_behind(db: sqlite3.Connection, match_id: bytes, step: Step, after: Step | None) -> None:
    """`SeqTaken` unless the match goes on with this step; `Missing("match/unknown")`."""
    head = db.execute(_HEAD, (match_id,)).fetchone()
    if head is None:
        raise Missing("match/unknown", "There is no such match here.")
    if step.first_seq != head[0] + 1 or (after is not None and after.receipt != head[1]):
        raise SeqTaken


def insert_claim(db: sqlite3.Connection, match_id: bytes, claim: SeatClaim) -> None:
    """`Conflict("seat/taken")` when there is one for this seat."""
    taken = db.execute(
        "SELECT 1 FROM seat_claim WHERE match_id = ? AND seat = ?", (match_id, claim.seat)
    ).fetchone()
    if taken is not None:
        raise Conflict("seat/taken", "This seat is taken: choose another.", seat=claim.seat)
    db.execute(
        "INSERT INTO seat_claim VALUES (?, ?, ?, ?)",
        (match_id, claim.seat, claim.token_hash, claim.request_hash),
    )


def insert_match(db: sqlite3.Connection, match_id: bytes, sealed_seed: bytes) -> None:
    """What all other rows of a match refer to."""
    db.execute("INSERT INTO match VALUES (?, ?)", (match_id, sealed_seed))


def insert_events(db: sqlite3.Connection, match_id: bytes, step: Step) -> None:
    """Most steps have one."""
    if len(step.events) == 1:
        db.execute(_EVENT, (match_id, step.first_seq, step.events[0]))
    else:
        rows = [(match_id, seq, body) for seq, body in enumerate(step.events, step.first_seq)]
        db.executemany(_EVENT, rows)


def insert_receipt(db: sqlite3.Connection, match_id: bytes, step: Step) -> None:
    """The step itself; its events are in already."""
    db.execute(
        "INSERT INTO step VALUES (?, ?, ?, ?)",
        (match_id, step.first_seq, step.head_seq, step.receipt),
    )


def insert_key(db: sqlite3.Connection, match_id: bytes, key: tuple[str, bytes]) -> None:
    """The idempotency key that opened the match."""
    db.execute("INSERT INTO idempotency VALUES (?, ?, ?)", (*key, match_id))


def insert_due(db: sqlite3.Connection, match_id: bytes, due: int) -> None:
    """When to look at the match first."""
    db.execute("INSERT INTO due VALUES (?, ?)", (match_id, due))


@contextmanager
def whole_only(match_id: bytes, path: Path) -> Iterator[None]:
    """Raise `FairbonesError("store/corrupt")` for `LostEvents` inside."""
    try:
        yield
    except LostEvents:
        raise FairbonesError(
            "store/corrupt",
            f"{path} has lost events of a match; restore it from a backup",
            match=match_id.hex(),
        ) from None
