"""`fairbones backup`: a whole moment of a database in use, checked, without the keys."""

from __future__ import annotations

import json
import random
import re
import shutil
import sqlite3
import stat
import threading
from contextlib import closing
from pathlib import Path

import pytest

from fairbones.keys.files import key_files
from fairbones.store.folder import DataFolder
from tests.cli.houses import Place, begun, finished, transcripts


def only(folder: Path) -> Path:
    (path,) = folder.iterdir()
    return path


def test_while_a_service_writes(place: Place, seed: random.Random, tmp_path: Path) -> None:
    """The folder is held and matches are opened all the time; the copy is of one moment."""
    place.data.mkdir(mode=0o700)
    held = DataFolder(place.data)
    stopped = threading.Event()
    opened = 0
    with place.serving(seed) as party:
        over = finished(party)
        paper = party.house.transcript(over.match_id)

        def write() -> None:
            nonlocal opened
            while not stopped.is_set():
                party.open()
                opened += 1

        writer = threading.Thread(target=write)
        writer.start()
        try:
            ended = place.process("backup", str(tmp_path / "backups"), "--json").ok()
        finally:
            stopped.set()
            writer.join()
    held.release()
    path = only(tmp_path / "backups")
    assert re.fullmatch(r"fairbones-\d{8}T\d{6}Z\.db", path.name)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    told = ended.json()
    assert (told["file"], told["problems"]) == (str(path), [])
    assert 1 <= told["matches"] <= opened + 1
    secrets = [it.read_bytes() for it in place.keys.glob("*.key")]
    assert all(secret not in path.read_bytes() for secret in secrets)
    # What was over is taken from it into a new store.
    old, other = Place(tmp_path / "old"), Place(tmp_path / "restored")
    old.data.mkdir(mode=0o700)
    for it in (old, other):
        shutil.copytree(place.keys, it.keys)
    shutil.copy(path, old.database)
    old.run("export", "--ended-before", "2040-01-01", str(tmp_path / "ended")).ok()
    other.run("import", "--ended-only", str(tmp_path / "ended")).ok()
    with other.serving(seed) as party:
        assert party.house.transcript(over.match_id) == paper
        begun(party)


def test_one_is_never_served(place: Place, seed: random.Random, tmp_path: Path) -> None:
    """Nor written by a command; it is read by those that look."""
    with place.serving(seed) as party:
        finished(party), begun(party)
    ended = place.run("backup", str(tmp_path / "backups")).ok()
    assert f"fairbones: the store is {place.database}\n" in ended.err
    path = only(tmp_path / "backups")
    old = Place(tmp_path / "old")
    old.data.mkdir(mode=0o700)
    shutil.copytree(place.keys, old.keys)
    shutil.copy(path, old.database)
    before = old.database.read_bytes()
    for words in (("serve",), ("sweep",), ("prune", "--older-than", "1"), ("keys", "rewrap")):
        said = old.process(*words)
        assert (said.code, said.out) == (3, ""), said
        assert f"{old.database} is a backup; never serve it" in said.err
        assert "import --ended-only" in said.err
    assert old.database.read_bytes() == before
    told = old.run("doctor", "--json").ok().json()["findings"]
    assert any("which no service may go on with" in it["text"] for it in told)
    old.run("export", str(tmp_path / "all")).ok()
    # A copy of a copy is one too.
    old.run("backup", str(tmp_path / "again")).ok()
    shutil.copy(only(tmp_path / "again"), old.database)
    assert "is a backup" in old.run("sweep").refused()


def test_only_the_last_folder_is_made(place: Place, seed: random.Random, tmp_path: Path) -> None:
    """A disk that is not mounted is no place for a backup."""
    with place.serving(seed) as party:
        party.open()
    said = place.run("backup", str(tmp_path / "disk" / "backups")).refused()
    assert f"there is no folder {tmp_path / 'disk'}" in said
    assert not (tmp_path / "disk").exists()


def test_old_ones_need_old_keys(place: Place, seed: random.Random, tmp_path: Path) -> None:
    with place.serving(seed) as party:
        finished(party)
    place.run("backup", str(tmp_path / "backups")).ok()
    path = only(tmp_path / "backups")
    (old,) = key_files(place.keys, "kek")
    place.run("keys", "rotate", "kek").ok()
    place.run("keys", "rewrap").ok()
    place.run("keys", "retire", old.key_id).ok()
    assert place.run("backup", "--check", str(path)).ok().out == f"{path}: 1 match, checked\n"
    next(place.keys.glob("*.retired")).unlink()
    ended = place.run("backup", "--check", str(path))
    assert (ended.code, f"kek-*-{old.key_id}.key" in ended.err) == (1, True)


def test_it_says_that_the_keys_are_not_in_it(
    place: Place, seed: random.Random, tmp_path: Path
) -> None:
    with place.serving(seed) as party:
        party.open()
    ended = place.run("backup", str(tmp_path / "backups")).ok()
    assert "1 match, checked" in ended.out
    assert "keys are not in it" in ended.err
    assert str(place.keys) in ended.err


def test_a_redis_store_becomes_an_export(
    shared: Place, seed: random.Random, tmp_path: Path
) -> None:
    with shared.serving(seed) as party:
        match_ids = [finished(party).match_id, begun(party).match_id]
        papers = transcripts(party, match_ids)
    ended = shared.process("backup", str(tmp_path / "backups")).ok()
    path = only(tmp_path / "backups")
    assert ended.out == f"{path}: 2 matches, checked\n"
    assert path.suffix == ".jsonl"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    other = Place(tmp_path / "restored")
    other.data.mkdir()
    shutil.copytree(shared.keys, other.keys)
    other.run("import", "--running", str(path)).ok()
    with other.serving(seed) as party:
        assert transcripts(party, match_ids) == papers


def test_one_can_be_checked_again(place: Place, seed: random.Random, tmp_path: Path) -> None:
    with place.serving(seed) as party:
        finished(party)
    place.run("backup", str(tmp_path / "backups")).ok()
    path = only(tmp_path / "backups")
    before = path.read_bytes()
    assert place.run("backup", "--check", str(path)).ok().out == f"{path}: 1 match, checked\n"
    assert only(tmp_path / "backups").read_bytes() == before
    place.run("export", str(tmp_path / "exported")).ok()
    told = place.run("backup", "--check", str(tmp_path / "exported"), "--json").ok().json()
    assert told == {"file": str(tmp_path / "exported"), "matches": 1, "problems": []}
    assert place.run("backup").code == 2
    assert place.run("backup", str(tmp_path), "--check", str(path)).code == 2
    assert place.run("backup", "--check", str(tmp_path / "none")).code == 2


@pytest.mark.parametrize("damage", ["row", "event", "page", "cut", "export"])
def test_a_damaged_one_is_told(
    place: Place, seed: random.Random, tmp_path: Path, damage: str
) -> None:
    with place.serving(seed) as party:
        for _ in range(8):
            begun(party)
    place.run("backup", str(tmp_path / "backups")).ok()
    path = only(tmp_path / "backups")
    if damage in ("row", "event"):
        seats = (
            "UPDATE event SET body = CAST(replace(CAST(body AS TEXT), 'seats', 'sears') AS BLOB)"
        )
        with closing(sqlite3.connect(path)) as db:
            db.execute(seats if damage == "event" else "DELETE FROM event WHERE seq = 3")
            db.commit()
    elif damage == "page":
        content = bytearray(path.read_bytes())
        middle = len(content) // 2 // 4096 * 4096
        content[middle : middle + 4096] = bytes(4096)
        path.write_bytes(content)
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-4096])
    else:
        path = tmp_path / "exported"
        place.run("export", str(path)).ok()
        path.write_bytes(path.read_bytes()[:-200])
    ended = place.run("backup", "--check", str(path))
    assert ended.code == 1 or (damage == "cut" and ended.code == 3), ended
    assert ended.err.startswith("fairbones: ")


def test_a_backup_of_a_damaged_database_has_another_name(
    place: Place, seed: random.Random, tmp_path: Path
) -> None:
    with place.serving(seed) as party:
        match_id = begun(party).match_id
    with closing(sqlite3.connect(place.database)) as db:
        db.execute("UPDATE step SET receipt = CAST('{}' AS BLOB) WHERE first_seq = 0")
        db.commit()
    ended = place.run("backup", str(tmp_path / "backups"), "--json")
    assert ended.code == 1
    path = only(tmp_path / "backups")
    assert path.suffix == ".damaged"
    assert match_id.hex() in json.loads(ended.out)["problems"][0]


def test_where_there_is_nothing_to_copy(place: Place, tmp_path: Path) -> None:
    place.run("keys", "create").ok()
    assert "there is no database" in place.run("backup", str(tmp_path / "backups")).refused()
    place.database.write_bytes(b"not a database, and long enough to look at " * 100)
    assert place.run("backup", str(tmp_path / "backups")).refused()
    assert list((tmp_path / "backups").iterdir()) == []
    assert place.run("backup", "/dev/null/backups").refused()
