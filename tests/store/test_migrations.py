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
from tests.store.story import KEY, STORY, listing, match_id, opening, standing, told

# As the code of each version wrote it.
FILES = [Path(__file__).with_name(f"version-{number}.sql") for number in range(1, SCHEMA_VERSION)]


def made(file: Path, folder: Path) -> Path:
    """A database with what is in the file."""
    path = folder / "fairbones.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(file.read_text(encoding="utf-8"))
    return path


@pytest.fixture
def first(tmp_path: Path) -> Path:
    """A database of version 1 with a match in it."""
    return made(FILES[0], tmp_path)


@pytest.fixture(params=FILES, ids=lambda it: it.stem)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A database of each older version with a match in it."""
    return made(request.param, tmp_path)


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def tables(path: Path) -> dict[str, str]:
    """Every table and index with the statement that made it."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall()
    return {name: " ".join(sql.split()) for name, sql in rows}


def test_an_older_file_becomes_what_a_new_one_is(older: Path, tmp_path: Path) -> None:
    assert version(older) < SCHEMA_VERSION
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


def test_its_matches_stay_unlisted(first: Path) -> None:
    """They were opened when nothing listed matches, and whoever did so was told that."""
    store = SqliteStore(first)
    store.create(replace(opening(2), listing=listing()))
    STORY[3].do(store)
    STORY[4].do(store)
    page = store.listed(Wanted(10))
    assert page is not None
    assert [(it.match_id, it.standing) for it in page] == [(match_id(2), standing("joining"))]
    store.close()


def test_its_matches_stay_listed(tmp_path: Path) -> None:
    store = SqliteStore(made(FILES[1], tmp_path))
    page = store.listed(Wanted(10))
    assert page is not None
    assert [(it.match_id, it.standing) for it in page] == [(match_id(), standing("playing", 2))]
    store.close()


def test_its_matches_are_looked_at_once(older: Path) -> None:
    """Nobody noted when the clock may owe them something."""
    store = SqliteStore(older)
    assert store.due(0, 10) == (match_id(),)
    store.defer(match_id(), 1_000)
    assert store.due(999, 10) == ()
    store.close()


def test_its_matches_can_be_dropped(older: Path) -> None:
    store = SqliteStore(older)
    assert store.check() == []
    assert store.forget(match_id())
    assert store.check() == []
    assert store.create(opening(7, KEY)) == match_id(7)
    store.close()


STATEMENTS = [
    (number, done)
    for number in range(1, SCHEMA_VERSION)
    for done in range(len(MIGRATIONS[number]) + 1)
]


@pytest.mark.parametrize(("number", "done"), STATEMENTS)
def test_what_is_cut_short_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, done: int
) -> None:
    """After any number of the statements of any migration."""
    older = made(FILES[number - 1], tmp_path)
    before = tables(older)
    broken = (*MIGRATIONS[number][:done], "CREATE TABLE match (again TEXT)")
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", (*MIGRATIONS[:number], broken))
        with pytest.raises(FairbonesError) as caught:
            SqliteStore(older)
    assert caught.value.code == "store/failed"
    assert (version(older), tables(older)) == (number, before)
    store = SqliteStore(older)
    assert store.load(match_id()) == told(3)
    store.close()
