"""A file of an older release is brought up to date, whole or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Wanted
from fairbones.store import schema
from fairbones.store.schema import MIGRATIONS, SCHEMA_VERSION
from fairbones.store.sqlite import SqliteStore
from tests.store.story import STORY, listing, match_id, opening, standing, told

VERSION_1 = Path(__file__).with_name("version-1.sql")


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """A database of version 1 with a match in it."""
    path = tmp_path / "fairbones.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(VERSION_1.read_text(encoding="utf-8"))
    return path


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def tables(path: Path) -> dict[str, str]:
    """Every table and index with the statement that made it."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {name: " ".join(sql.split()) for name, sql in rows}


def test_an_older_file_becomes_what_a_new_one_is(older: Path, tmp_path: Path) -> None:
    assert version(older) == 1
    SqliteStore(older).close()
    SqliteStore(tmp_path / "new.db").close()
    assert version(older) == version(tmp_path / "new.db") == SCHEMA_VERSION
    assert tables(older) == tables(tmp_path / "new.db")


def test_its_matches_go_on(older: Path) -> None:
    store = SqliteStore(older)
    assert store.load(match_id()) == told(3)
    assert store.known_keys() == {"receipt-1"}
    assert store.create(opening(7, ("the-key", b"the-request"))) == match_id()
    for write in STORY[3:]:
        write.do(store)
    store.close()
    store = SqliteStore(older)
    assert store.load(match_id()) == told(len(STORY))
    store.close()


def test_its_matches_stay_unlisted(older: Path) -> None:
    """They were opened when nothing listed matches, and whoever did so was told that."""
    store = SqliteStore(older)
    store.create(replace(opening(2), listing=listing()))
    STORY[3].do(store)
    STORY[4].do(store)
    page = store.listed(Wanted(10))
    assert page is not None
    assert [(it.match_id, it.standing) for it in page] == [(match_id(2), standing("joining"))]
    store.close()


@pytest.mark.parametrize("done", range(len(MIGRATIONS[1]) + 1))
def test_what_is_cut_short_is_not_begun(
    older: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """After any number of its statements."""
    before = tables(older)
    broken = (MIGRATIONS[0], (*MIGRATIONS[1][:done], "CREATE TABLE match (again TEXT)"))
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", broken)
        with pytest.raises(FairbonesError) as caught:
            SqliteStore(older)
    assert caught.value.code == "store/failed"
    assert (version(older), tables(older)) == (1, before)
    store = SqliteStore(older)
    assert store.load(match_id()) == told(3)
    store.close()
