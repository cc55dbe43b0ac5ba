"""An upgrade with matches running: real ones, written by the statements of each older version, are
opened by this one, played to their end, and believed by the verifier.
"""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairbones.house.ports import Listing, Stored
from fairbones.house.service import House
from fairbones.store.schema import SCHEMA_VERSION
from fairbones.store.sqlite import SqliteStore
from fairbones_verify import verify
from tests.house.party import Guests, Party

FILES = [Path(__file__).with_name(f"version-{number}.sql") for number in range(1, SCHEMA_VERSION)]


def write(db: sqlite3.Connection, version: int, stored: Stored, listing: Listing | None) -> None:
    """A match as the releases of a schema version wrote it. This is history: never edit."""
    match_id = stored.match_id
    db.execute("INSERT INTO match VALUES (?, ?)", (match_id, stored.sealed_seed))
    for step in stored.steps:
        db.executemany(
            "INSERT INTO event VALUES (?, ?, ?)",
            [(match_id, seq, body) for seq, body in enumerate(step.events, step.first_seq)],
        )
        db.execute(
            "INSERT INTO step VALUES (?, ?, ?, ?)",
            (match_id, step.first_seq, step.head_seq, step.receipt),
        )
    for claim in stored.claims:
        db.execute(
            "INSERT INTO seat_claim VALUES (?, ?, ?, ?)",
            (match_id, claim.seat, claim.token_hash, claim.request_hash),
        )
    if version >= 2 and listing is not None:
        db.execute(
            "INSERT INTO listing (match_id, ruleset, join_by, told, status, taken, open)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                match_id,
                listing.ruleset,
                listing.join_by,
                listing.told,
                listing.standing.status,
                listing.standing.taken,
                listing.standing.open,
            ),
        )
    if version >= 3:
        db.execute("INSERT INTO due VALUES (?, ?)", (match_id, 0))


@dataclass
class Running:
    """Matches at every stage, and the house they are at."""

    party: Party
    tables: list[Guests]


@pytest.fixture
def running(seed: random.Random) -> Running:
    """Opened, with one seat taken, dealt, in the middle of a hand, in a later hand, over."""
    party = Party(seed)
    tables = [
        party.open("block", 2),
        party.open("draw", 3),
        party.open("block", 4).deal(),
        party.open("draw", 2).deal(),
        party.open("block", 3, rounds_max=5).deal(),
        party.open("block", 2, rounds_max=1).deal().play_out(),
    ]
    tables[1].sit(0)
    for moves, guests in ((5, tables[3]), (25, tables[4])):
        for _ in range(moves):
            if guests.wait()[1]["status"] == "playing":
                guests.act(party.rnd.choice)
    return Running(party, tables)


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_running_matches_go_on_after_an_upgrade(
    running: Running, tmp_path: Path, version: int
) -> None:
    party = running.party
    path = tmp_path / "fairbones.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(FILES[version - 1].read_text(encoding="utf-8"))
        with db:
            for guests in running.tables:
                stored = party.store.load(guests.match_id)
                assert stored is not None
                write(db, version, stored, party.store.matches[guests.match_id].listing)
    store = SqliteStore(path)
    house = House(store, party.vault, party.signer, party.clock, party.entropy)
    opened, seated, dealt, *begun = running.tables
    for guests in running.tables:
        before = [event.raw for event in guests.events()]
        guests.house = house
        assert [event.raw for event in guests.events()] == before
    opened.deal()
    for seat in (1, 2):
        seated.sit(seat)
    for seat in range(3):
        seated.reveal(seat)
    for guests in (opened, seated, dealt, *begun):
        guests.play_out()
        report = verify(house.transcript(guests.match_id))
        assert report.verdict == "verified", report
    assert store.check() == []
    store.close()


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION))
def test_deadlines_of_running_matches_are_kept_after_an_upgrade(
    running: Running, tmp_path: Path, version: int
) -> None:
    """Nobody comes back to any of them: the first sweeps find them all."""
    party = running.party
    path = tmp_path / "fairbones.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(FILES[version - 1].read_text(encoding="utf-8"))
        with db:
            # The match of the file is of no house.
            for table in ("due", "listing", "idempotency", "seat_claim", "step", "event", "match"):
                if db.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (table,)).fetchone():
                    db.execute(f"DELETE FROM {table}")
            for guests in running.tables:
                stored = party.store.load(guests.match_id)
                assert stored is not None
                write(db, version, stored, None)
    store = SqliteStore(path)
    house = House(store, party.vault, party.signer, party.clock, party.entropy)
    sweeps = 0
    while store.due(10**15, 100):
        assert house.sweep(100).failed == 0
        party.clock.now += 60_000
        sweeps += 1
        assert sweeps < 500
    for guests in running.tables:
        guests.house = house
        assert guests.view()["status"] in ("ended", "void")
        assert verify(house.transcript(guests.match_id)).verdict == "verified"
    store.close()
