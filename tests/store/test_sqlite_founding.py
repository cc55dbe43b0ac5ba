"""What a start finds in the place of its database: refused in one sentence, or made whole."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.store import founding, schema
from fairbones.store.schema import migrate
from fairbones.store.sqlite import SqliteStore
from tests.store.story import STORY, WHOLE, match_id, opening, step, told


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "fairbones.db"


@pytest.fixture
def kept(path: Path) -> Path:
    """A database with matches in it, its service ended in order."""
    store = SqliteStore(path)
    store.adopt(WHOLE)
    for number in range(2, 40):
        store.create(opening(number))
    store.close()
    return path


@pytest.fixture
def crashed(path: Path, tmp_path: Path) -> Path:
    """A database as a killed service leaves it: all of it in the log still."""
    store = SqliteStore(tmp_path / "running.db")
    store.adopt(WHOLE)
    for suffix in ("", "-wal", "-shm"):
        shutil.copy(tmp_path / f"running.db{suffix}", f"{path}{suffix}")
    store.close()
    return path


def beside(path: Path, suffix: str) -> Path:
    return Path(f"{path}{suffix}")


def refusal(path: Path) -> FairbonesError:
    with pytest.raises(FairbonesError) as caught:
        SqliteStore(path)
    error = caught.value
    assert str(path) in error.message
    assert "\n" not in error.message
    return error


def spoil_head(path: Path) -> None:
    with open(path, "r+b") as file:
        file.write(b"\x55" * 100)


def spoil_magic(path: Path) -> None:
    with open(path, "r+b") as file:
        file.write(b"SQLite format 4\0")


def spoil_page_size(path: Path) -> None:
    with open(path, "r+b") as file:
        file.seek(16)
        file.write(b"\x00\x07")


def spoil_schema(path: Path) -> None:
    with open(path, "r+b") as file:
        file.seek(100)
        file.write(b"\x55" * 3996)


def cut_in_two(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 8192 * 4096)


def cut_last_page(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 4096)


def cut_to_head(path: Path) -> None:
    os.truncate(path, 100)


def cut_to_a_page(path: Path) -> None:
    os.truncate(path, 4096)


def cut_to_nothing(path: Path) -> None:
    os.truncate(path, 0)


def text_instead(path: Path) -> None:
    path.write_text("This is no database.\n" * 500)


def lose_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP TABLE seat_claim")


def lose_an_index(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP INDEX due_by_time")


DAMAGES = (
    spoil_head,
    spoil_magic,
    spoil_page_size,
    spoil_schema,
    cut_in_two,
    cut_last_page,
    cut_to_head,
    cut_to_a_page,
    cut_to_nothing,
    text_instead,
    lose_a_table,
    lose_an_index,
)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda it: it.__name__)
def test_a_damaged_file_is_refused_at_the_start(kept: Path, damage: Callable[[Path], None]) -> None:
    damage(kept)
    before = kept.read_bytes()
    error = refusal(kept)
    assert error.code == "store/corrupt"
    assert "backup" in error.message
    # For whoever can still save something of it.
    assert kept.read_bytes() == before


def test_an_old_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "OLDEST_SQLITE", (99, 1, 0))
    with pytest.raises(FairbonesError) as caught:
        SqliteStore(path)
    assert caught.value.code == "store/old-sqlite"
    assert sqlite3.sqlite_version in caught.value.message
    assert "99.1.0" in caught.value.message
    assert not path.exists()


def test_what_is_no_file_is_refused(path: Path) -> None:
    path.mkdir()
    assert refusal(path).code == "store/foreign"
    path.rmdir()
    os.mkfifo(path)  # to open it would be to wait for ever
    assert refusal(path).code == "store/foreign"


def test_a_link_to_nowhere_is_refused(path: Path, tmp_path: Path) -> None:
    """A disk that is not mounted, as a rule: no new house is founded on the link."""
    path.symlink_to(tmp_path / "not mounted" / "fairbones.db")
    assert refusal(path).code == "store/read-only"
    assert path.is_symlink()


def test_a_link_to_a_database_is_followed(kept: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(kept)
    store = SqliteStore(link)
    assert store.whole(match_id()) == WHOLE
    store.close()


def test_a_log_without_its_database_is_refused(crashed: Path) -> None:
    """SQLite would read the old log into the new database."""
    crashed.unlink()
    error = refusal(crashed)
    assert error.code == "store/corrupt"
    assert str(beside(crashed, "-wal")) in error.message
    assert not crashed.exists()


def test_a_database_without_its_log_is_refused(crashed: Path) -> None:
    """SQLite would go on with less than what was promised, and say nothing."""
    beside(crashed, "-wal").unlink()
    error = refusal(crashed)
    assert error.code == "store/corrupt"
    assert str(beside(crashed, "-shm")) in error.message
    # As the sentence says, for who has no backup.
    beside(crashed, "-shm").unlink()
    store = SqliteStore(crashed)
    assert store.load(match_id()) is None
    store.close()


def test_an_empty_file_is_not_a_new_database(path: Path) -> None:
    path.touch()
    assert refusal(path).code == "store/corrupt"
    assert path.stat().st_size == 0
    path.unlink()
    SqliteStore(path).close()


def test_a_log_that_was_cut_short_keeps_what_is_whole(crashed: Path) -> None:
    log = beside(crashed, "-wal")
    beside(crashed, "-shm").unlink()
    os.truncate(log, log.stat().st_size - 100)
    store = SqliteStore(crashed)
    assert store.load(match_id()) is None
    assert store.check() == []
    store.close()


def test_after_a_crash_all_is_there(crashed: Path) -> None:
    store = SqliteStore(crashed)
    assert store.load(match_id()) == told(len(STORY))
    store.append(match_id(), step(11))
    store.close()


def test_a_new_database_appears_whole(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start that is cut short at any moment is as if it had not been."""

    def stopped(*_: object) -> None:
        assert not path.exists()
        raise KeyboardInterrupt

    for name in ("migrate", "connect"):
        with monkeypatch.context() as patch:
            patch.setattr(founding, name, stopped)
            with pytest.raises(KeyboardInterrupt):
                SqliteStore(path)
        assert list(path.parent.iterdir()) == []
    # Killed, so that nothing was cleared away: it is in nobody's way.
    path.with_name("fairbones.db.new").write_bytes(b"half of a database")
    SqliteStore(path).close()
    assert sorted(it.name for it in path.parent.iterdir()) == ["fairbones.db", "fairbones.db.new"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_database_that_came_meanwhile_is_not_replaced(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SqliteStore(tmp_path / "other.db")
    other.adopt(WHOLE)
    other.close()

    def slower(db: sqlite3.Connection) -> None:
        migrate(db)
        shutil.copy(tmp_path / "other.db", path)

    monkeypatch.setattr(founding, "migrate", slower)
    store = SqliteStore(path)
    assert store.whole(match_id()) == WHOLE
    store.close()
