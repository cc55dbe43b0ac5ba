"""The list of matches in SQLite: one row for each that is listed, in the order of its keeping."""

from __future__ import annotations

import sqlite3

from fairbones.house.ports import Listed, Listing, Standing, Wanted

_NUMBERS = "SELECT number FROM listing"
_SHOWN = (
    "SELECT match_id, join_by, told, status, taken, open FROM listing"
    " WHERE number IN (ASKED) ORDER BY number DESC"
)


def enter(db: sqlite3.Connection, match_id: bytes, listing: Listing) -> None:
    """List a match from now on. Writes come one after the other, and so do the numbers."""
    standing = listing.standing
    db.execute(
        "INSERT INTO listing (match_id, ruleset, join_by, told, status, taken, open)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            match_id,
            listing.ruleset,
            listing.join_by,
            listing.told,
            standing.status,
            standing.taken,
            standing.open,
        ),
    )


def move(db: sqlite3.Connection, match_id: bytes, standing: Standing) -> None:
    """Note where a match stands now, if it is listed."""
    db.execute(
        "UPDATE listing SET status = ?, taken = ?, open = ? WHERE match_id = ?",
        (standing.status, standing.taken, standing.open, match_id),
    )


def read(db: sqlite3.Connection, wanted: Wanted) -> tuple[Listed, ...] | None:
    """See `Store.listed`."""
    conditions = ["WHERE TRUE"]
    values: list[object] = []
    if wanted.below is not None:
        place = db.execute(
            "SELECT number FROM listing WHERE match_id = ?", (wanted.below,)
        ).fetchone()
        if place is None:
            return None
        conditions.append("number < ?")
        values += place
    for condition, value in (
        ("status = ?", wanted.status),
        ("ruleset = ?", wanted.ruleset),
        ("join_by > ?", wanted.join_after),
    ):
        if value is not None:
            conditions.append(condition)
            values.append(value)
    # A plus keeps SQLite from walking the matches by number where few of many are in time.
    order = "number" if wanted.join_after is None else "+number"
    asked = " ".join((_NUMBERS, " AND ".join(conditions), "ORDER BY", order, "DESC LIMIT ?"))
    rows = db.execute(_SHOWN.replace("ASKED", asked), (*values, wanted.limit))
    return tuple(
        Listed(match_id, join_by, told, Standing(*standing))
        for match_id, join_by, told, *standing in rows
    )
