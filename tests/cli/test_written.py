"""Files that commands make: of one name at one moment, one is made and the other refused."""

from __future__ import annotations

import os
import random
import threading
from pathlib import Path

import pytest

from fairbones.cli import backup as backups
from fairbones.cli.transfer import written
from fairbones.core.errors import FairbonesError
from fairbones.keys.keyring import Keyring
from fairbones.store.reader import SqliteReader
from fairbones.store.sqlite import SqliteStore
from tests.cli.houses import Place


@pytest.fixture
def opened(place: Place, seed: random.Random) -> Place:
    place.data.mkdir(mode=0o700)
    with place.serving(seed) as party:
        party.open()
    return place


def test_two_exports_to_one_name(tmp_path: Path) -> None:
    file = tmp_path / "file"
    with pytest.raises(FairbonesError, match="exists"), written(file) as late:
        late.write(b"late")
        with written(file) as first:
            first.write(b"first")
        late.write(b"later")
    assert [it.name for it in tmp_path.iterdir()] == ["file"]
    assert file.read_bytes() == b"first"
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.stat().st_nlink == 1


def test_no_link_is_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    for target in (precious, tmp_path / "nothing"):
        link = tmp_path / "link"
        link.symlink_to(target)
        with pytest.raises(FairbonesError, match="exists"), written(link):
            raise AssertionError
        link.unlink()
    (tmp_path / "new.unfinished").symlink_to(precious)
    with written(tmp_path / "new") as out:
        out.write(b"new")
    assert precious.read_text() == "precious"
    assert not (tmp_path / "nothing").exists()


def test_what_goes_wrong_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "link"):
        with monkeypatch.context() as patched:
            patched.setattr(os, name, full)
            with pytest.raises(OSError, match="No space"), written(tmp_path / "file") as out:
                out.write(b"half")
    assert list(tmp_path.iterdir()) == []


def test_two_copies_to_one_name(opened: Place, tmp_path: Path) -> None:
    """All at once: one is whole under its name, all others say that it is there."""
    target, said = tmp_path / "copies" / "copy.db", list[str]()
    target.parent.mkdir()
    start = threading.Barrier(6)

    def copy() -> None:
        reader = SqliteReader(opened.database)
        start.wait(30)
        try:
            reader.backup_to(target)
        except FairbonesError as error:
            said.append(error.code)
        finally:
            reader.close()

    threads = [threading.Thread(target=copy) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert said == ["store/target"] * 5
    assert list(target.parent.iterdir()) == [target]
    opened.run("backup", "--check", str(target)).ok()


def test_a_new_database_of_two_at_one_moment(tmp_path: Path) -> None:
    path, said = tmp_path / "both" / "fairbones.db", list[BaseException]()
    path.parent.mkdir()
    start = threading.Barrier(4)

    def make() -> None:
        start.wait(30)
        try:
            SqliteStore(path).close()
        except BaseException as error:  # noqa: BLE001 - looked at below
            said.append(error)

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    # One may find another in the middle of its own first steps, and says so.
    assert [it for it in said if getattr(it, "code", "") != "store/busy"] == []
    assert not list(path.parent.glob("*.new"))
    SqliteStore(path).close()


def test_a_backup_is_not_written_over(
    opened: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever made one of this name while this one was checked."""
    folder = tmp_path / "backups"
    real = backups._check

    def meanwhile(keys: Keyring, file: Path) -> backups.Checked:
        file.with_suffix("").write_text("precious")
        return real(keys, file)

    monkeypatch.setattr(backups, "_check", meanwhile)
    said = opened.run("backup", str(folder))
    assert said.code == 3
    assert "exists; the backup made now is" in said.err
    kept, unchecked = sorted(folder.iterdir())
    assert kept.read_text() == "precious"
    assert unchecked.suffix == ".unchecked"
    monkeypatch.undo()
    opened.run("backup", "--check", str(unchecked)).ok()


def test_what_is_no_file_is_refused_and_not_waited_for(opened: Place, tmp_path: Path) -> None:
    opened.database.rename(opened.data / "away")
    os.mkfifo(opened.database)
    folder = str(tmp_path / "backups")
    for words in (("export", "-"), ("backup", folder), ("sweep",)):
        assert "is not a file" in opened.process(*words).err, words
    assert opened.process("doctor").code == 1
    opened.database.unlink()
    (opened.data / "away").rename(opened.database)
    for suffix in ("-wal", "-shm", "-journal"):
        beside = Path(f"{opened.database}{suffix}")
        beside.unlink(missing_ok=True)
        os.mkfifo(beside)
        for words in (("export", "-"), ("sweep",)):
            assert f"{beside} is not a file" in opened.process(*words).err, words
        beside.unlink()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "is not a file" in opened.process("backup", "--check", str(pipe)).refused()
