"""Whole matches, as the operator's commands move and drop them."""

from __future__ import annotations

import sqlite3

from fairbones.core.errors import Conflict
from fairbones.house.ports import Listing, Standing, Stored, Whole
from fairbones.store import lists, rows
from fairbones.store.points import Point, Probe

# Every table with rows of a match, those that refer to it before itself.
_DROPS = (
    "DELETE FROM idempotency WHERE match_id = ?",
    "DELETE FROM listing WHERE match_id = ?",
    "DELETE FROM due WHERE match_id = ?",
    "DELETE FROM seat_claim WHERE match_id = ?",
    "DELETE FROM step WHERE match_id = ?",
    "DELETE FROM event WHERE match_id = ?",
    "DELETE FROM match WHERE match_id = ?",
)


def ids(db: sqlite3.Connection, after: bytes | None, limit: int) -> tuple[bytes, ...]:
    """See `Archive.ids`."""
    found = db.execute(
        "SELECT match_id FROM match WHERE match_id > ? ORDER BY match_id LIMIT ?",
        (after or b"", limit),
    )
    return tuple(match_id for (match_id,) in found)


def stored(db: sqlite3.Connection, match_id: bytes) -> Stored | None:
    """See `Store.load`; `rows.LostEvents`."""
    found = rows.parts(db, match_id, 0, 0)
    if found is None:
        return None
    steps = rows.steps_of(found.heads, found.bodies, 0)
    if not steps:
        raise rows.LostEvents
    return Stored(match_id, found.sealed_seed, steps, found.claims)


def whole(db: sqlite3.Connection, match_id: bytes) -> Whole | None:
    """See `Archive.whole`; `rows.LostEvents`."""
    kept = stored(db, match_id)
    if kept is None:
        return None
    key = db.execute(
        "SELECT idempotency_key, request_hash FROM idempotency WHERE match_id = ?", (match_id,)
    ).fetchone()
    listed = db.execute(
        "SELECT ruleset, join_by, told, status, taken, open FROM listing WHERE match_id = ?",
        (match_id,),
    ).fetchone()
    listing = None
    if listed is not None:
        ruleset, join_by, told, *standing = listed
        listing = Listing(ruleset, join_by, told, Standing(*standing))
    due = db.execute("SELECT due FROM due WHERE match_id = ?", (match_id,)).fetchone()
    return Whole(kept, key, listing, None if due is None else due[0])


def adopt(db: sqlite3.Connection, new: Whole, probe: Probe) -> bool:
    """See `Archive.adopt`; `rows.LostEvents` of the match that is here."""
    match_id, steps = new.stored.match_id, new.stored.steps
    here = stored(db, match_id)
    if here is not None and here.steps == steps:
        return False
    if here is not None:
        raise Conflict("match/id-used", "A match of this id is here, with other steps.")
    rows.refuse_used(db, match_id)
    key = new.idempotency
    if key is not None and rows.opened_before(db, *key) is not None:
        raise rows.key_reused()
    rows.insert_match(db, match_id, new.stored.sealed_seed)
    for step in steps:
        rows.insert_events(db, match_id, step)
    probe(Point.AFTER_WRITE)
    for step in steps:
        rows.insert_receipt(db, match_id, step)
    for claim in new.stored.claims:
        rows.insert_claim(db, match_id, claim)
    if key is not None:
        rows.insert_key(db, match_id, key)
    if new.listing is not None:
        lists.enter(db, match_id, new.listing)
    if new.due is not None:
        rows.insert_due(db, match_id, new.due)
    return True


def reseal(db: sqlite3.Connection, match_id: bytes, old: bytes, new: bytes) -> bool:
    """See `Archive.reseal`."""
    changed = db.execute(
        "UPDATE match SET sealed_seed = ? WHERE match_id = ? AND sealed_seed = ?",
        (new, match_id, old),
    )
    return changed.rowcount == 1


def forget(db: sqlite3.Connection, match_id: bytes, probe: Probe) -> bool:
    """See `Archive.forget`. Its idempotency key goes with it, and may open another match."""
    if not rows.exists(db, match_id):
        return False
    db.execute("INSERT INTO forgotten VALUES (?)", (match_id,))
    probe(Point.AFTER_WRITE)
    for drop in _DROPS:
        db.execute(drop, (match_id,))
    return True
