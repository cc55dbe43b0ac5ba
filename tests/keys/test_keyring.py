"""Key files: made once, for their owner alone, and refused with advice when they are not."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import key_id as key_id_of
from fairbones.house.ports import Opening, Step
from fairbones.keys import files
from fairbones.keys.keyring import Keyring, open_keyring
from fairbones.keys.signer import public_key_of
from fairbones.keys.vault import kek_id
from fairbones.store.sqlite import SqliteStore

NOTHING: frozenset[str] = frozenset()
MATCH = b"m" * 16


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "keys"


def refusal(folder: Path, known: frozenset[str] = NOTHING) -> str:
    with pytest.raises(FairbonesError) as caught:
        open_keyring(folder, known)
    assert caught.value.code in ("house/key-file", "house/other-keys")
    assert "\n" not in caught.value.message
    return caught.value.message


def file_of(folder: Path, kind: str) -> Path:
    (path,) = folder.glob(f"{kind}-*.key")
    return path


def test_a_first_start_makes_both_keys_for_their_owner_alone(folder: Path) -> None:
    before = os.umask(0)
    try:
        ring = open_keyring(folder, NOTHING)
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    paths = sorted(folder.glob("*.key"))
    assert {it.name for it in folder.iterdir()} == {*(it.name for it in paths), "lock"}
    assert [bool(re.fullmatch(r"(kek|receipt)-0001-[0-9a-f]{16}\.key", it.name)) for it in paths]
    assert [stat.S_IMODE(it.stat().st_mode) for it in paths] == [0o600, 0o600]
    assert [it.stat().st_size for it in paths] == [32, 32]
    assert ring.key_ids == {re.sub("-0001", "", it.stem) for it in paths}
    assert file_of(folder, "receipt").name == f"receipt-0001-{ring.signer.key_id}.key"


def test_a_second_start_finds_the_same_keys(folder: Path) -> None:
    first = open_keyring(folder, NOTHING)
    sealed = first.vault.seal(MATCH, b"s" * 32)
    second = open_keyring(folder, first.key_ids)
    assert second.signer.public_key == first.signer.public_key
    assert second.vault.open(MATCH, sealed) == b"s" * 32
    assert second.key_ids == first.key_ids


def test_two_houses_have_different_keys(tmp_path: Path) -> None:
    first, second = (open_keyring(tmp_path / name, NOTHING) for name in "ab")
    assert not first.key_ids & second.key_ids


def test_the_highest_number_is_the_newest(folder: Path) -> None:
    old = open_keyring(folder, NOTHING)
    old_id = old.signer.key_id
    for kind in ("receipt", "kek"):
        path = file_of(folder, kind)
        path.rename(path.with_name(path.name.replace("0001", "0002")))
    new = bytes(range(32))
    new_id = key_id_of(public_key_of(new))
    files.write_key(folder, "receipt", 3, new_id, new)
    both = open_keyring(folder, old.key_ids)
    assert [key_id for key_id, _ in both.signer.public_keys()] == [new_id, old_id]
    assert both.signer.key_id == new_id


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644, 0o601])
@pytest.mark.parametrize("kind", ["receipt", "kek"])
def test_a_key_file_others_can_use_is_refused(folder: Path, kind: str, mode: int) -> None:
    ring = open_keyring(folder, NOTHING)
    path = file_of(folder, kind)
    path.chmod(mode)
    assert refusal(folder, ring.key_ids).endswith(f"run: chmod 600 {path}")
    path.chmod(0o600)
    open_keyring(folder, ring.key_ids)


def test_a_folder_others_can_use_is_refused(folder: Path) -> None:
    open_keyring(folder, NOTHING)
    folder.chmod(0o755)
    assert refusal(folder).endswith(f"run: chmod 700 {folder}")


@pytest.mark.parametrize("size", [0, 31, 33, 64])
def test_a_key_file_of_a_wrong_size_is_refused(folder: Path, size: int) -> None:
    open_keyring(folder, NOTHING)
    path = file_of(folder, "kek")
    path.write_bytes(b"x" * size)
    message = refusal(folder)
    assert str(path) in message
    assert f"{size} bytes" in message


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_key_file_of_somebody_else_is_refused(folder: Path) -> None:
    open_keyring(folder, NOTHING)
    path = file_of(folder, "kek")
    os.chown(path, 12_345, -1)
    message = refusal(folder)
    assert "user 12345" in message
    assert message.endswith(f"run: chown 0 {path}")


def test_exchanged_key_files_are_noticed(folder: Path) -> None:
    open_keyring(folder, NOTHING)
    one, other = file_of(folder, "kek"), file_of(folder, "receipt")
    key = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(key)
    assert "another key than its name says" in refusal(folder)


def test_strange_names_and_equal_numbers_are_refused(folder: Path) -> None:
    open_keyring(folder, NOTHING)
    stray = folder / "kek-old.key"
    stray.write_bytes(b"x" * 32)
    assert str(stray) in refusal(folder)
    stray.unlink()
    key = bytes(32)
    files.write_key(folder, "kek", 1, kek_id(key), key)
    assert "renumber" in refusal(folder)


def test_what_is_no_file_is_refused(folder: Path) -> None:
    open_keyring(folder, NOTHING)
    path = file_of(folder, "kek")
    path.unlink()
    os.mkfifo(path, 0o600)
    assert "is not a file" in refusal(folder)


def test_no_key_is_made_while_the_database_asks_for_another(folder: Path) -> None:
    known = open_keyring(folder, NOTHING).key_ids
    path = file_of(folder, "kek")
    path.rename(path.with_suffix(".away"))
    message = refusal(folder, known)
    assert message.startswith("the database was made with other keys: kek-")
    assert not list(folder.glob("kek-*.key"))
    path.with_suffix(".away").rename(path)
    open_keyring(folder, known)


def test_a_start_that_was_cut_short_is_no_trouble(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        assert "No space left on device" in refusal(folder)
    assert sorted(it.suffix for it in folder.iterdir()) == ["", ".unfinished"]
    ring = open_keyring(folder, NOTHING)
    assert sorted(it.suffix for it in folder.iterdir()) == ["", ".key", ".key"]
    assert len(ring.key_ids) == 2


def test_a_house_whose_keys_are_lost_does_not_open(tmp_path: Path) -> None:
    """Store and keys together, the way a house puts them together."""

    def start(keys: Path) -> Keyring:
        store = SqliteStore(tmp_path / "fairbones.db")
        try:
            ring = open_keyring(keys, store.known_keys())
            store.remember_keys(ring.key_ids)
            return ring
        finally:
            store.close()

    first = start(tmp_path / "keys")
    assert start(tmp_path / "keys").key_ids == first.key_ids
    with pytest.raises(FairbonesError) as caught:
        start(tmp_path / "other-keys")
    assert caught.value.code == "house/other-keys"
    assert list((tmp_path / "other-keys").iterdir()) == []


def test_keys_that_the_database_does_not_know_are_told(folder: Path) -> None:
    """They were used with another database, and what it held is not here."""
    first = open_keyring(folder, NOTHING)
    assert not first.orphaned
    assert not open_keyring(folder, first.key_ids).orphaned
    again = open_keyring(folder, NOTHING)
    assert again.orphaned
    assert again.key_ids == first.key_ids


def test_no_file_but_the_key_files_holds_a_secret(tmp_path: Path) -> None:
    ring = open_keyring(tmp_path / "keys", NOTHING)
    store = SqliteStore(tmp_path / "fairbones.db")
    seed = os.urandom(32)
    store.create(Opening(MATCH, ring.vault.seal(MATCH, seed), Step(0, (b"event",), b"receipt")))
    kept = store.load(MATCH)
    assert kept is not None
    assert ring.vault.open(MATCH, kept.sealed_seed) == seed
    secrets = [seed, *(it.read_bytes() for it in (tmp_path / "keys").glob("*.key"))]
    at_rest = [it for it in tmp_path.iterdir() if it.is_file()]
    assert len(at_rest) == 3
    for path in at_rest:
        content = path.read_bytes()
        for secret in secrets:
            assert secret not in content
            assert secret.hex().encode() not in content
    store.close()
