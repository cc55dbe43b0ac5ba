"""API keys: shown once, kept as hashes, never written over by two at once."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
import threading
from pathlib import Path

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.keys import apikeys

CLOCK = 1_790_000_000_000


def clock() -> int:
    return CLOCK


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keys"


def code(call: object, *words: object) -> str:
    assert callable(call)
    with pytest.raises(FairbonesError) as caught:
        call(*words)
    assert "\n" not in caught.value.message
    return caught.value.code


def test_the_form_of_the_file(folder: Path) -> None:
    key, text = apikeys.create(folder, "the lobby", clock, os.urandom)
    assert re.fullmatch(r"fbk_[A-Za-z0-9_-]{43}", text)
    assert re.fullmatch(r"[0-9a-f]{8}", key.id)
    path = folder / "api-keys.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    hashed = hashlib.sha256(text.encode()).hexdigest()
    row = {"id": key.id, "name": "the lobby", "hash": hashed, "created": CLOCK}
    assert json.loads(path.read_bytes()) == {"version": 1, "keys": [row]}
    apikeys.revoke(folder, key.id, lambda: CLOCK + 5)
    assert json.loads(path.read_bytes())["keys"] == [row | {"revoked": CLOCK + 5}]
    assert all(text.encode() not in it.read_bytes() for it in folder.iterdir())


def test_a_key_is_revoked_once(folder: Path) -> None:
    key, _ = apikeys.create(folder, "bot", clock, os.urandom)
    other, _ = apikeys.create(folder, "other", clock, os.urandom)
    first = apikeys.revoke(folder, key.id, clock)
    assert apikeys.revoke(folder, key.id, lambda: CLOCK + 1) == first
    assert apikeys.read(folder) == (first, other)
    assert code(apikeys.revoke, folder, "00000000", clock) == "house/key-unknown"
    assert code(apikeys.revoke, folder / "none", key.id, clock) == "house/no-keys"


def test_a_name_is_in_use_once(folder: Path) -> None:
    key, _ = apikeys.create(folder, "bot", clock, os.urandom)
    assert code(apikeys.create, folder, "bot", clock, os.urandom) == "house/api-key-name"
    apikeys.revoke(folder, key.id, clock)
    apikeys.create(folder, "bot", clock, os.urandom)
    for name in ("", "two\nlines", "x" * 65, "\x1b[31m", "\udcff", "\u202e"):
        assert code(apikeys.create, folder, name, clock, os.urandom) == "house/api-key-name"


def test_there_are_so_many_at_most(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apikeys, "KEYS_MAX", 2)
    for name in "ab":
        apikeys.create(folder, name, clock, os.urandom)
    assert code(apikeys.create, folder, "c", clock, os.urandom) == "house/api-keys-full"


def test_ids_that_come_twice_are_drawn_again(folder: Path) -> None:
    drawn = iter([b"a" * 32, b"1234", b"b" * 32, b"1234", b"5678"])
    keys = [apikeys.create(folder, name, clock, lambda _: next(drawn))[0] for name in "ab"]
    assert [key.id for key in keys] == [b"1234".hex(), b"5678".hex()]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version":2,"keys":[]}',
        '{"version":1,"keys":{}',
        '{"version":1,"keys":[1]}',
        '{"version":1,"keys":[{"id":"00000000","name":"n","hash":"short","created":1}]}',
        '{"version":1,"keys":[{"id":"0","name":"n","hash":"' + "0" * 64 + '","created":1}]}',
        '{"version":1,"keys":[{"id":"00000000","name":1,"hash":"' + "0" * 64 + '","created":1}]}',
        '{"version":1,"keys":[{"id":"00000000","name":"n","hash":"' + "0" * 64 + '"}]}',
        "[" * 100_000,
        "\xff",
    ],
)
def test_a_damaged_file_is_refused_and_left_alone(folder: Path, text: str) -> None:
    """Written over, it would lock everybody out."""
    folder.mkdir(mode=0o700)
    path = folder / "api-keys.json"
    path.write_bytes(text.encode("latin-1"))
    path.chmod(0o600)
    assert code(apikeys.read, folder) == "house/api-keys"
    assert code(apikeys.create, folder, "bot", clock, os.urandom) == "house/api-keys"
    assert path.read_bytes() == text.encode("latin-1")


def test_a_file_others_may_read_is_refused(folder: Path) -> None:
    apikeys.create(folder, "bot", clock, os.urandom)
    (folder / "api-keys.json").chmod(0o644)
    assert code(apikeys.read, folder) == "house/key-file"


def test_a_full_disk_leaves_the_file_as_it_was(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    apikeys.create(folder, "bot", clock, os.urandom)
    before = (folder / "api-keys.json").read_bytes()

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert code(apikeys.create, folder, "other", clock, os.urandom) == "house/key-file"
    assert (folder / "api-keys.json").read_bytes() == before
    apikeys.create(folder, "other", clock, os.urandom)
    assert len(apikeys.read(folder)) == 2


def test_of_many_writers_none_is_lost(folder: Path) -> None:
    names = [f"bot {number}" for number in range(8)]
    threads = [
        threading.Thread(target=apikeys.create, args=(folder, name, clock, os.urandom))
        for name in names
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(key.name for key in apikeys.read(folder)) == names
    assert len({key.id for key in apikeys.read(folder)}) == 8


def row(**changes: object) -> dict[str, object]:
    """A key as it stands in the file."""
    usual = {"id": "00000000", "name": "n", "hash": "0" * 64, "created": CLOCK}
    return usual | changes


def put(folder: Path, *rows: dict[str, object]) -> Path:
    folder.mkdir(mode=0o700)
    path = folder / apikeys.NAME
    path.write_text(json.dumps({"version": 1, "keys": rows}))
    path.chmod(0o600)
    return path


@pytest.mark.parametrize(
    "rows",
    [
        [row(revoked=10**29)],
        [row(created=10**29)],
        [row(created=-1)],
        [row(revoked=True)],
        [row(revoked=253_402_300_800_000)],
        [row(name="\ud800")],
        [row(name="")],
        [row(name="n" * 65)],
        [row(name="two\nlines")],
        [row(), row(name="m")],
    ],
)
def test_what_no_command_has_written_is_damage(folder: Path, rows: list[dict[str, object]]) -> None:
    put(folder, *rows)
    assert code(apikeys.read, folder) == "house/api-keys"
    assert code(apikeys.create, folder, "new", clock, os.urandom) == "house/api-keys"


def test_the_last_moment_there_is_can_be_shown(folder: Path) -> None:
    from fairbones.cli.output import moment

    put(folder, row(created=0, revoked=253_402_300_799_999))
    (key,) = apikeys.read(folder)
    assert key.revoked is not None
    assert moment(key.revoked) == "9999-12-31T23:59:59Z"


def test_a_link_that_leads_nowhere_is_not_written_over(folder: Path, tmp_path: Path) -> None:
    path = put(folder, row())
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    assert len(apikeys.read(folder)) == 1
    (tmp_path / "elsewhere").rename(tmp_path / "away")
    assert code(apikeys.read, folder) == "house/api-keys"
    assert code(apikeys.create, folder, "new", clock, os.urandom) == "house/api-keys"
    assert code(apikeys.revoke, folder, "00000000", clock) == "house/api-keys"
    assert path.is_symlink()
    path.unlink()
    path.symlink_to(path)
    assert code(apikeys.read, folder) == "house/api-keys"


def test_a_full_list_of_the_longest_names_is_read(folder: Path) -> None:
    name = "\U0001f600" * apikeys.NAME_MAX
    assert name.isprintable()
    last = 253_402_300_799_999
    put(folder, row())
    keys = tuple(
        apikeys.ApiKey(f"{number:08x}", name, "f" * 64, last, last)
        for number in range(apikeys.KEYS_MAX)
    )
    apikeys._write(folder, keys)
    assert apikeys.read(folder) == keys
