"""The embedded store: the contract, and what is SQLite's own."""

from __future__ import annotations

import itertools
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Store, Wanted
from fairbones.store import lists
from fairbones.store.points import Point
from fairbones.store.schema import APPLICATION_ID, SCHEMA_VERSION
from fairbones.store.sqlite import SqliteStore
from tests.store.archive_contract import ArchiveContract
from tests.store.contract import StoreContract
from tests.store.desk_contract import DeskContract
from tests.store.listing_contract import ListingContract
from tests.store.rig import ROOT, Rig
from tests.store.story import STORY, listing, match_id, opening, step, told


class SqliteRig:
    kind = "sqlite"
    points = tuple(Point)
    # Its harms befall the connection that writes, and only a write asks that one.
    foreseen: frozenset[str] = frozenset()

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.place = str(folder / "fairbones.db")
        self.opened: list[SqliteStore] = []
        self.others: list[SqliteRig] = []
        self.numbers = itertools.count()

    def open(self) -> SqliteStore:
        store = SqliteStore(Path(self.place))
        self.opened.append(store)
        return store

    def fresh(self) -> SqliteRig:
        folder = self.folder / f"fresh-{next(self.numbers)}"
        folder.mkdir()
        self.others.append(SqliteRig(folder))
        return self.others[-1]

    def close(self) -> None:
        for store in self.opened:
            store.close()
        for rig in self.others:
            rig.close()

    @contextmanager
    def full(self, store: Store) -> Iterator[None]:
        writer = writer_of(store)
        (pages,) = writer.execute("PRAGMA page_count").fetchone()
        writer.execute(f"PRAGMA max_page_count = {pages}")
        yield
        writer.execute("PRAGMA max_page_count = 1000000")

    @contextmanager
    def read_only(self, store: Store) -> Iterator[None]:
        writer_of(store).execute("PRAGMA query_only = ON")
        yield
        writer_of(store).execute("PRAGMA query_only = OFF")

    @contextmanager
    def busy(self, store: Store) -> Iterator[None]:
        writer_of(store).execute("PRAGMA busy_timeout = 50")
        with closing(sqlite3.connect(self.place, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            yield

    def damages(self) -> Sequence[Callable[[], None]]:
        return (self.spoil_head, self.spoil_pages, self.cut_off, self.lose_an_event)

    def spoil_head(self) -> None:
        with open(self.place, "r+b") as file:
            file.write(b"\x55" * 100)

    def spoil_pages(self) -> None:
        with open(self.place, "r+b") as file:
            file.seek(4096)
            file.write(b"\x55" * (os.path.getsize(self.place) - 4096))

    def cut_off(self) -> None:
        os.truncate(self.place, 3 * 4096)

    def lose_an_event(self) -> None:
        with closing(sqlite3.connect(self.place)) as db, db:
            db.execute("DELETE FROM event WHERE seq = 4")


def writer_of(store: Store) -> sqlite3.Connection:
    assert isinstance(store, SqliteStore)
    return store._writer._db


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[SqliteRig]:
    made = SqliteRig(tmp_path)
    yield made
    made.close()


class TestSqliteStore(StoreContract):
    """The whole contract."""


class TestSqliteLists(ListingContract):
    """And that of the list of matches."""


class TestSqliteDesk(DeskContract):
    """And what else the desk asks."""


class TestSqliteArchive(ArchiveContract):
    """And what the operator's commands ask."""


def refusal(path: Path) -> FairbonesError:
    with pytest.raises(FairbonesError) as caught:
        SqliteStore(path)
    return caught.value


def test_commits_are_durable_and_readers_cannot_write(rig: SqliteRig) -> None:
    store = rig.open()
    writer = writer_of(store)
    assert writer.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert writer.execute("PRAGMA synchronous").fetchone() == (2,)
    assert writer.execute("PRAGMA foreign_keys").fetchone() == (1,)
    # Only then can no two connections checkpoint at once.
    reader = store._readers.read(lambda db: db)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM match")
    assert reader.execute("SELECT 1").fetchone() == (1,)


def test_files_are_for_their_owner_alone(rig: SqliteRig) -> None:
    before = os.umask(0)
    try:
        store = rig.open()
        store.create(opening())
        names = [it.name for it in rig.folder.iterdir()]
        modes = {stat.S_IMODE(it.stat().st_mode) for it in rig.folder.iterdir()}
    finally:
        os.umask(before)
    assert sorted(names) == ["fairbones.db", "fairbones.db-shm", "fairbones.db-wal"]
    assert modes == {0o600}


def test_the_file_says_whose_it_is(rig: SqliteRig) -> None:
    rig.open().close()
    with closing(sqlite3.connect(rig.place)) as db:
        assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
        strict = dict(db.execute("SELECT name, strict FROM pragma_table_list WHERE type='table'"))
    assert len(strict) >= 6
    assert all(is_strict for name, is_strict in strict.items() if not name.startswith("sqlite_"))


def test_a_newer_schema_is_refused(rig: SqliteRig) -> None:
    rig.open().close()
    with closing(sqlite3.connect(rig.place)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    error = refusal(Path(rig.place))
    assert error.code == "store/newer"
    assert str(SCHEMA_VERSION + 1) in error.message
    assert "\n" not in error.message


def test_a_foreign_database_is_left_alone(rig: SqliteRig) -> None:
    with closing(sqlite3.connect(rig.place)) as db:
        db.execute("CREATE TABLE recipes (cake TEXT)")
    before = Path(rig.place).read_bytes()
    assert refusal(Path(rig.place)).code == "store/foreign"
    assert Path(rig.place).read_bytes() == before


def test_two_first_starts_make_one_schema(rig: SqliteRig) -> None:
    first, second = rig.open(), rig.open()
    first.create(opening())
    assert second.load(match_id()) is not None


# Each question of a lobby, and what answers it without a walk through the matches of all years.
QUESTIONS = [
    (Wanted(20), "listing"),
    (Wanted(20, status="ended"), "listing_by_status"),
    (Wanted(20, ruleset="draw"), "listing_by_ruleset"),
    (Wanted(20, status="ended", ruleset="draw"), "listing_by_both"),
    (Wanted(20, status="joining", join_after=500), "listing_by_time"),
]


@pytest.mark.parametrize(("wanted", "index"), QUESTIONS, ids=[index for _, index in QUESTIONS])
@pytest.mark.parametrize("below", [None, match_id(1)], ids=["first", "next"])
def test_a_page_costs_no_more_in_a_large_file(
    rig: SqliteRig, wanted: Wanted, index: str, below: bytes | None
) -> None:
    store = rig.open()
    store.create(replace(opening(), listing=listing()))
    asked: list[str] = []
    db = store._readers.read(lambda db: db)
    db.set_trace_callback(asked.append)
    lists.read(db, replace(wanted, below=below))
    db.set_trace_callback(None)
    plan = [str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {asked[-1]}")]
    if index == "listing":
        wanted_plan = "SCAN listing" if below is None else "PRIMARY KEY (rowid<?)"
    else:
        wanted_plan = f"INDEX {index} "
        assert not [it for it in plan if it.startswith("SCAN listing")], plan
    assert [it for it in plan if wanted_plan in it], plan


def test_readers_are_used_again(rig: SqliteRig, monkeypatch: pytest.MonkeyPatch) -> None:
    store = rig.open()
    store.create(opening())
    opened = []
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def counted(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        opened.append(args)
        return connect(*args, **kwargs)

    monkeypatch.setattr(sqlite3, "connect", counted)
    for _ in range(20):
        store.load(match_id())
        store.tail(match_id(), (step(0),))
    assert not opened


def test_a_broken_rollback_loses_nothing(rig: SqliteRig) -> None:
    """The connection itself breaks in mid-write: the store takes a new one."""
    store = rig.open()
    STORY[0].do(store)
    real = writer_of(store)
    store._writer._db = Breaking(real)  # type: ignore[assignment]
    with pytest.raises(FairbonesError) as caught:
        STORY[1].do(store)
    assert caught.value.code == "store/failed"
    assert writer_of(store) is not real
    assert store.load(match_id()) == told(1)
    STORY[1].do(store)
    assert store.load(match_id()) == told(2)


class Breaking:
    """A connection whose receipts, and whose way back, fail."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.in_transaction = True
        self.total_changes = 0

    def execute(self, sql: str, *values: Any) -> object:
        if sql.startswith(("INSERT INTO step", "ROLLBACK")):
            raise sqlite3.OperationalError("disk I/O error")
        return self.db.execute(sql, *values)

    def executemany(self, sql: str, values: Any) -> object:
        return self.db.executemany(sql, values)

    def close(self) -> None:
        self.db.close()


# ---------------------------------------------------------------- real disks


def on_a_disk(script: str) -> subprocess.CompletedProcess[str]:
    """Run shell lines as root in mounts of their own, which end with them; or skip."""
    unshare = shutil.which("unshare")
    if os.geteuid() != 0 or unshare is None:
        pytest.skip("only root can mount a disk")
    if subprocess.run([unshare, "-m", "true"], capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    return subprocess.run(
        [unshare, "-m", "sh", "-euc", script],
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": f"{ROOT / 'service'}{os.pathsep}{ROOT}", "PY": sys.executable},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("kilobytes", [512, 700, 1024])
def test_a_disk_that_is_full_for_real(tmp_path: Path, kilobytes: int) -> None:
    ended = on_a_disk(
        f"mount -t tmpfs -o size={kilobytes}k none {tmp_path}\n"
        f'"$PY" -m tests.store.child sqlite {tmp_path}/fairbones.db fill'
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines() == ["store/full", "went on"]


def test_a_disk_that_is_read_only_for_real(rig: SqliteRig) -> None:
    store = rig.open()
    store.create(opening())
    store.close()
    ended = on_a_disk(
        f"mount --bind {rig.folder} {rig.folder}\n"
        f"mount -o remount,ro,bind {rig.folder}\n"
        f'"$PY" -m tests.store.child sqlite {rig.place} reopen'
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == ["store/read-only"]


def test_it_is_seen_that_a_disk_has_become_read_only(rig: SqliteRig) -> None:
    """While the store is open, and without a write."""
    rig.open().close()
    ended = on_a_disk(
        f"\"$PY\" - {rig.folder} <<'END'\n"
        "import subprocess, sys\n"
        "from pathlib import Path\n"
        "from fairbones.core.errors import FairbonesError\n"
        "from fairbones.store.sqlite import SqliteStore\n"
        "folder = sys.argv[1]\n"
        "store = SqliteStore(Path(folder) / 'fairbones.db')\n"
        "store.ready()\n"
        "subprocess.run(['mount', '--bind', folder, folder], check=True)\n"
        "subprocess.run(['mount', '-o', 'remount,ro,bind', folder], check=True)\n"
        "try:\n"
        "    store.ready()\n"
        "except FairbonesError as error:\n"
        "    print(error.code)\n"
        "subprocess.run(['umount', folder], check=True)\n"
        "store.ready()\n"
        "print('ready')\n"
        "END"
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.split() == ["store/read-only", "ready"]


def test_it_is_seen_that_the_file_is_gone(rig: SqliteRig) -> None:
    store = rig.open()
    store.ready()
    aside = Path(rig.place).rename(rig.folder / "aside.db")
    with pytest.raises(FairbonesError) as caught:
        store.ready()
    assert caught.value.code == "store/read-only"
    aside.rename(rig.place)
    store.ready()


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert refusal(tmp_path / "nowhere" / "fairbones.db").code == "store/read-only"


def _rig_is_a_rig(rig: SqliteRig) -> Rig:
    return rig
