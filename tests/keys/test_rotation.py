"""Keys that are added, prepared and retired while processes run on them."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fairbones.core.errors import FairbonesError
from fairbones.keys import changing, files
from fairbones.keys.keyring import Keyring, open_keyring
from fairbones.keys.vault import sealed_under

NOTHING: frozenset[str] = frozenset()
MATCH, SEED = b"m" * 16, b"s" * 32


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    changing.create(tmp_path / "keys")
    return tmp_path / "keys"


def code(call: object, *words: object, **named: object) -> str:
    assert callable(call)
    with pytest.raises(FairbonesError) as caught:
        call(*words, **named)
    assert "\n" not in caught.value.message
    return caught.value.code


def signed(ring: Keyring, key_id: str, by: Keyring) -> None:
    """What one process signs under a key, another has the public key for."""
    public = dict(by.signer.public_keys())[key_id]
    Ed25519PublicKey.from_public_bytes(public).verify(ring.signer.sign(b"m", key_id), b"m")


def test_a_running_process_begins_with_the_new_key_at_once(folder: Path) -> None:
    ring = open_keyring(folder, NOTHING)
    old_receipt, old_kek = ring.signer.key_id, ring.vault.key_id
    sealed = ring.vault.seal(MATCH, SEED)
    receipt = changing.rotate(folder, "receipt")
    kek = changing.rotate(folder, "kek")
    assert (receipt.number, kek.number) == (2, 2)
    assert ring.signer.key_id == receipt.key_id != old_receipt
    assert sealed_under(ring.vault.seal(MATCH, SEED)) == kek.key_id != old_kek
    assert ring.vault.open(MATCH, sealed) == SEED
    signed(ring, old_receipt, ring)


def test_one_process_signs_and_opens_what_another_began(folder: Path) -> None:
    """The second has not looked at its folder since: it does when it needs the key."""
    first, second = (open_keyring(folder, NOTHING) for _ in range(2))
    receipt = changing.rotate(folder, "receipt")
    changing.rotate(folder, "kek")
    sealed = first.vault.seal(MATCH, SEED)
    signature = first.signer.sign(b"m", first.signer.key_id)
    assert second.vault.open(MATCH, sealed) == SEED
    assert second.signer.verify(receipt.key_id, b"m", signature)
    third = open_keyring(folder, NOTHING)
    later = changing.rotate(folder, "receipt")
    signed(third, later.key_id, second)
    assert second.signer.public_keys()[0][0] == later.key_id
    assert not second.signer.verify("0" * 16, b"m", signature)


def test_a_prepared_key_is_known_and_begins_nothing(folder: Path) -> None:
    first, second = (open_keyring(folder, NOTHING) for _ in range(2))
    current = first.signer.key_id
    waiting = changing.rotate(folder, "receipt", prepare=True)
    assert waiting.path.suffix == ".next"
    assert first.signer.key_id == current
    signed(second, waiting.key_id, first)
    assert code(changing.rotate, folder, "receipt", prepare=True) == "house/key-prepared"
    assert changing.rotate(folder, "receipt").key_id == waiting.key_id
    assert second.signer.key_id == waiting.key_id
    assert [it.state for it in changing.all_files(folder)] == ["key"] * 3


def test_a_prepared_key_may_be_missing_elsewhere(folder: Path, tmp_path: Path) -> None:
    """The store is not told of it: a host that has not got it yet can start."""
    other = tmp_path / "other"
    shutil.copytree(folder, other)
    changing.rotate(folder, "receipt", prepare=True)
    told: set[str] = set()
    running = open_keyring(folder, NOTHING, remember=told.update)
    assert open_keyring(other, frozenset(told)).signer.key_id == running.signer.key_id
    used = changing.rotate(folder, "receipt")
    assert running.signer.key_id == used.key_id
    assert used.label in told
    assert code(open_keyring, other, frozenset(told)) == "house/other-keys"


def test_a_prepared_key_alone_is_no_key_to_begin_with(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    for file in changing.create(folder):
        files.rename(file, "next")
    assert code(open_keyring, folder, NOTHING, make=False) == "house/no-keys"
    ring = open_keyring(folder, NOTHING)
    assert len(ring.key_ids) == 2
    assert len(ring.signer.public_keys()) == 2
    assert [it.number for it in files.key_files(folder, "kek")] == [2, 1]


def test_a_retired_key_is_read_no_more_and_not_missed(folder: Path) -> None:
    running = open_keyring(folder, NOTHING)
    known = running.key_ids
    old = running.vault.key_id
    sealed = running.vault.seal(MATCH, SEED)
    assert code(changing.retire, folder, old) == "house/key-newest"
    newer = changing.rotate(folder, "kek")
    assert code(changing.retire, folder, "0" * 16) == "house/key-unknown"
    file = changing.retire(folder, old)
    assert file.path.exists()
    assert code(changing.retire, folder, old) == "house/key-unknown"
    started = open_keyring(folder, known)
    assert started.vault.key_id == newer.key_id
    assert code(started.vault.open, MATCH, sealed) == "house/seed-sealed"
    assert running.vault.open(MATCH, sealed) == SEED  # until its next start
    # Taken back, as for a backup from before.
    files.rename(file, "key")
    assert started.vault.open(MATCH, sealed) == SEED
    assert changing.rotate(folder, "kek").number == 3


def test_the_database_hears_of_a_key_before_it_is_used(folder: Path) -> None:
    told: list[set[str]] = []
    refuses = False

    def remember(key_ids: Iterable[str]) -> None:
        if refuses:
            raise FairbonesError("store/unreachable", "the store does not answer")
        told.append(set(key_ids))

    ring = open_keyring(folder, NOTHING, remember=remember)
    current = ring.signer.key_id
    assert told == [set(ring.key_ids)]
    refuses = True
    newer = changing.rotate(folder, "receipt")
    # What it has it goes on with; what it has not it does not use untold.
    assert ring.signer.key_id == current
    assert code(ring.signer.sign, b"m", newer.key_id) == "store/unreachable"
    refuses = False
    assert ring.signer.key_id == newer.key_id
    assert told[1:] == [{newer.label}]


def test_a_file_half_copied_stops_nobody(folder: Path) -> None:
    ring = open_keyring(folder, NOTHING)
    current = ring.signer.key_id
    newer = changing.rotate(folder, "receipt")
    content = newer.path.read_bytes()
    newer.path.write_bytes(content[:20])
    assert ring.signer.key_id == current
    assert ring.signer.public_keys()[0][0] == current
    assert code(ring.signer.sign, b"m", newer.key_id) == "house/key-file"
    newer.path.write_bytes(content)
    assert ring.signer.key_id == newer.key_id


def test_a_folder_that_is_gone_stops_nobody(folder: Path) -> None:
    ring = open_keyring(folder, NOTHING)
    sealed = ring.vault.seal(MATCH, SEED)
    folder.rename(folder.with_name("away"))
    assert ring.vault.open(MATCH, ring.vault.seal(MATCH, SEED)) == SEED
    assert ring.vault.open(MATCH, sealed) == SEED
    assert len(ring.signer.sign(b"m")) == 64
    folder.mkdir(mode=0o700)
    assert len(ring.signer.sign(b"m")) == 64
    assert code(ring.signer.sign, b"m", "0" * 16) == "house/no-keys"


def test_where_others_have_the_keys_none_are_made(tmp_path: Path) -> None:
    folder = tmp_path / "keys"
    assert code(open_keyring, folder, NOTHING, make=False) == "house/no-keys"
    assert not folder.exists()
    folder.mkdir(mode=0o700)
    assert code(open_keyring, folder, NOTHING, make=False) == "house/no-keys"
    assert list(folder.iterdir()) == []


def test_keys_are_made_once(folder: Path) -> None:
    assert code(changing.create, folder) == "house/keys-exist"
    assert len(changing.all_files(folder)) == 2


def test_processes_that_start_together_have_the_same_keys(tmp_path: Path) -> None:
    rings: list[Keyring] = []
    gate = threading.Barrier(6)

    def start() -> None:
        gate.wait()
        rings.append(open_keyring(tmp_path / "keys", NOTHING))

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rings) == 6
    assert len({ring.key_ids for ring in rings}) == 1


def test_threads_that_find_a_new_key_together(folder: Path) -> None:
    """Whoever looks sees a whole set of keys: the old one or the new one."""
    ring = open_keyring(folder, NOTHING)
    failures: list[BaseException] = []
    stopped = threading.Event()

    def use() -> None:
        try:
            while not stopped.is_set():
                key_id = ring.signer.key_id
                assert key_id in dict(ring.signer.public_keys())
                assert ring.signer.verify(key_id, b"m", ring.signer.sign(b"m", key_id))
                assert ring.vault.open(MATCH, ring.vault.seal(MATCH, SEED)) == SEED
        except BaseException as error:  # noqa: BLE001 - told below
            failures.append(error)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(5):
        receipt = changing.rotate(folder, "receipt")
        kek = changing.rotate(folder, "kek")
    stopped.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert (ring.signer.key_id, ring.vault.key_id) == (receipt.key_id, kek.key_id)


def test_one_writer_at_a_time(folder: Path) -> None:
    with files.locked(folder):
        with pytest.raises(FairbonesError, match="another command"), files.locked(folder, 0):
            pass
        waiting = threading.Thread(target=changing.rotate, args=(folder, "kek"))
        waiting.start()
        assert len(files.key_files(folder, "kek")) == 1
    waiting.join()
    assert len(files.key_files(folder, "kek")) == 2
