"""Beside a running service: what a second program reads, copies and checks."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Wanted
from fairbones.store import copies
from fairbones.store.reader import SqliteReader
from fairbones.store.schema import COPY_ID, SCHEMA_VERSION
from fairbones.store.sqlite import SqliteStore
from tests.store.rig import ROOT, together
from tests.store.story import KEY, STORY, WHOLE, listing, match_id, opening, step, told

VERSION_1 = Path(__file__).with_name("version-1.sql")

READ = """
import sys
from pathlib import Path
from fairbones.store.reader import SqliteReader
reader = SqliteReader(Path(sys.argv[1]))
count = 0
after = None
while page := reader.ids(after, 10):
    for it in page:
        whole = reader.whole(it)
        assert len(whole.stored.steps) >= 1
        count += 1
    after = page[-1]
print(count, reader.check())
reader.close()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fairbones.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(path)
    made.adopt(WHOLE)
    yield made
    made.close()


def refusal(call: object, *arguments: object) -> FairbonesError:
    assert callable(call)
    with pytest.raises(FairbonesError) as caught:
        call(*arguments)
    assert "\n" not in caught.value.message
    return caught.value


# ---------------------------------------------------------------- reading


def test_a_reader_sees_what_the_service_writes(store: SqliteStore, path: Path) -> None:
    reader = SqliteReader(path)
    assert reader.load(match_id()) == told(len(STORY))
    assert reader.whole(match_id()) == WHOLE
    store.append(match_id(), step(11))
    assert reader.tail(match_id(), WHOLE.stored.steps) == ((step(11),), WHOLE.stored.claims)
    assert reader.ids(None, 10) == (match_id(),)
    assert reader.choose(*KEY, match_id(5)) == match_id()
    assert reader.due(10**15, 10) == (match_id(),)
    assert reader.known_keys() == frozenset()
    assert reader.listed(Wanted(10)) == store.listed(Wanted(10))
    assert reader.check() == []
    reader.close()
    reader.close()
    assert refusal(reader.load, match_id()).code == "store/closed"
    store.append(match_id(), step(12))


def test_a_reader_holds_up_no_write_and_writes_nothing(store: SqliteStore, path: Path) -> None:
    """It goes on at one moment while the service writes, and leaves the log to the service."""
    reader = SqliteReader(path)
    db = reader._readers.read(lambda db: db)
    with pytest.raises(sqlite3.OperationalError):
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        db.execute("CREATE TABLE mine (it TEXT)")
    db.execute("BEGIN")
    assert db.execute("SELECT count(*) FROM match").fetchone() == (1,)
    store.create(opening(2))
    assert db.execute("SELECT count(*) FROM match").fetchone() == (1,)
    db.execute("COMMIT")
    assert db.execute("SELECT count(*) FROM match").fetchone() == (2,)
    before = path.read_bytes(), Path(f"{path}-wal").stat().st_size
    reader.close()
    assert (path.read_bytes(), Path(f"{path}-wal").stat().st_size) == before
    assert before[1] > 0


def test_another_process_reads_while_the_service_writes(store: SqliteStore, path: Path) -> None:
    def write() -> int:
        for number in range(100, 160):
            store.create(replace(opening(number), listing=listing()))
            store.append(match_id(number), step(1, events=3))
        return 60

    def read() -> str:
        ended = subprocess.run(
            [sys.executable, "-c", READ, str(path)],
            env=os.environ | {"PYTHONPATH": str(ROOT / "service")},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    wrote, *saw = together(write, read, read)
    assert wrote == 60
    for it in saw:
        assert isinstance(it, str), it
        assert it.endswith(" []\n")
        assert 1 <= int(it.split()[0]) <= 61


def test_a_reader_of_a_service_that_is_not_running(store: SqliteStore, path: Path) -> None:
    store.close()
    before = path.read_bytes()
    reader = SqliteReader(path)
    assert reader.whole(match_id()) == WHOLE
    reader.close()
    assert path.read_bytes() == before
    again = SqliteStore(path)
    again.append(match_id(), step(11))
    again.close()


def test_a_reader_after_a_crash(store: SqliteStore, path: Path, tmp_path: Path) -> None:
    """The log is read, and left where it is."""
    crashed = tmp_path / "crashed" / "fairbones.db"
    crashed.parent.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", f"{crashed}{suffix}")
    log = Path(f"{crashed}-wal")
    before = crashed.read_bytes(), log.read_bytes()
    reader = SqliteReader(crashed)
    assert reader.whole(match_id()) == WHOLE
    reader.close()
    assert (crashed.read_bytes(), log.read_bytes()) == before
    again = SqliteStore(crashed)
    assert again.whole(match_id()) == WHOLE
    again.close()


def test_a_reader_makes_nothing(tmp_path: Path) -> None:
    assert refusal(SqliteReader, tmp_path / "fairbones.db").code == "store/read-only"
    assert list(tmp_path.iterdir()) == []


def test_a_reader_refuses_what_it_does_not_know(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(VERSION_1.read_text(encoding="utf-8"))
    error = refusal(SqliteReader, path)
    assert error.code == "store/older"
    assert "start the service once" in error.message
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    assert refusal(SqliteReader, path).code == "store/newer"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA application_id = 5")
    assert refusal(SqliteReader, path).code == "store/foreign"


# ---------------------------------------------------------------- copying


def test_a_backup_is_read_and_never_gone_on_with(
    store: SqliteStore, path: Path, tmp_path: Path
) -> None:
    target = tmp_path / "backup.db"
    before = os.umask(0)
    try:
        store.backup_to(target)
    finally:
        os.umask(before)
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    # One file that needs no other beside it.
    assert sorted(it.name for it in tmp_path.glob("backup*")) == ["backup.db"]
    with closing(sqlite3.connect(target)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert db.execute("PRAGMA application_id").fetchone() == (COPY_ID,)
    store.append(match_id(), step(11))
    with closing(SqliteReader(path)) as here, closing(SqliteReader(target)) as copied:
        assert (here.copied(), copied.copied()) == (False, True)
        assert copied.whole(match_id()) == WHOLE
        assert copied.check() == []
    content = target.read_bytes()
    error = refusal(SqliteStore, target)
    assert error.code == "store/copy"
    assert f"{target} is a backup" in error.message
    assert "import --ended-only" in error.message
    assert target.read_bytes() == content


def test_a_backup_while_the_service_writes(store: SqliteStore, path: Path, tmp_path: Path) -> None:
    """Each is of one moment: whole matches, none of them without the one before it."""
    over = threading.Event()

    def write() -> int:
        number = 1
        try:
            while number < 60 or (len(list(tmp_path.glob("backup-*.db"))) < 5 and number < 3_000):
                number += 1
                store.create(replace(opening(number), listing=listing()))
                store.append(match_id(number), step(1, events=4))
        finally:
            over.set()
        return number

    def copy() -> int:
        for count in range(5):
            SqliteReader(path).backup_to(tmp_path / f"backup-{count}.db")
        return 5

    wrote, copied = together(write, copy)
    assert copied == 5
    assert isinstance(wrote, int)
    sizes = []
    for count in range(5):
        reader = SqliteReader(tmp_path / f"backup-{count}.db")
        assert reader.check() == []
        ids = reader.ids(None, 10_000)
        assert list(ids) == [match_id(number) for number in range(1, len(ids) + 1)]
        sizes.append(len(ids))
        reader.close()
    assert sizes == sorted(sizes)
    assert sizes[-1] <= wrote


def test_a_backup_replaces_nothing(store: SqliteStore, tmp_path: Path) -> None:
    target = tmp_path / "backup.db"
    target.write_text("precious")
    error = refusal(store.backup_to, target)
    assert error.code == "store/target"
    assert str(target) in error.message
    assert target.read_text() == "precious"
    assert refusal(store.backup_to, tmp_path / "nowhere" / "backup.db").code == "store/target"
    assert not list(tmp_path.glob("*.partial"))
    # What a backup that was cut short has left is in nobody's way.
    (tmp_path / "new.db.partial").write_text("half")
    store.backup_to(tmp_path / "new.db")
    assert [it.name for it in tmp_path.glob("*.partial")] == ["new.db.partial"]


def test_a_backup_before_an_upgrade(path: Path, tmp_path: Path) -> None:
    """By a newer program, of a file that it has not brought up to date yet."""
    with closing(sqlite3.connect(path)) as db:
        db.executescript(VERSION_1.read_text(encoding="utf-8"))
    target = tmp_path / "backup.db"
    copies.back_up(path, target)
    with closing(sqlite3.connect(target)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (1,)
    # No service brings a copy up to date.
    assert "Fairbones that made it" in refusal(SqliteReader, target).message
    assert refusal(SqliteStore, target).code == "store/copy"
    with closing(sqlite3.connect(target)) as db:
        db.execute("PRAGMA application_id = 5")
    assert refusal(copies.back_up, target, tmp_path / "other.db").code == "store/foreign"
    assert not (tmp_path / "other.db").exists()
    assert refusal(copies.back_up, tmp_path / "no.db", tmp_path / "x.db").code == "store/read-only"


# ---------------------------------------------------------------- checking

HARM = {
    "an event": "DELETE FROM event WHERE seq = 4",
    "the last event": "DELETE FROM event WHERE seq = 10",
    "the first event": "DELETE FROM event WHERE seq = 0",
    "all events": "DELETE FROM event",
    "a step": "DELETE FROM step WHERE first_seq = 2",
    "the last step": "DELETE FROM step WHERE first_seq = 10",
    "the first step": "DELETE FROM step WHERE first_seq = 0",
    "all steps": "DELETE FROM step",
    "an event too many": "INSERT INTO event SELECT match_id, 11, body FROM event WHERE seq = 1",
    "a step that overlaps": "UPDATE step SET head_seq = 7 WHERE first_seq = 2",
}


@pytest.mark.parametrize("harm", HARM.values(), ids=HARM)
def test_a_check_finds_a_match_that_is_not_whole(store: SqliteStore, path: Path, harm: str) -> None:
    store.create(opening(2))
    store.append(match_id(2), step(1, events=20))
    assert store.check() == []
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(
            f"{harm} AND match_id = :it" if "WHERE" in harm else f"{harm} WHERE match_id = :it",
            {"it": match_id()},
        )
    assert store.check() == [f"match {match_id().hex()} has lost events or steps"]


def test_a_check_finds_rows_of_no_match(store: SqliteStore, path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM match")
    found = store.check()
    assert "table event has a row without its match" in found
    assert "table listing has a row without its match" in found
    assert len(found) <= copies.FAULTS_MAX


def test_a_check_finds_spoiled_pages(store: SqliteStore, path: Path) -> None:
    for number in range(2, 60):
        store.create(replace(opening(number), listing=listing()))
    store.close()
    pages = path.stat().st_size // 4096
    seen = 0
    for page in range(1, pages):
        spoiled = path.with_name(f"spoiled-{page}.db")
        content = bytearray(path.read_bytes())
        content[page * 4096 : page * 4096 + 64] = b"\x55" * 64
        spoiled.write_bytes(content)
        reader = SqliteReader(spoiled)
        found = reader.check()
        reader.close()
        seen += bool(found)
        assert all("\n" not in it for it in found)
    assert seen == pages - 1
