"""All keys of a house, from one folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import key_id as key_id_of
from fairbones.house.ports import Entropy
from fairbones.keys.files import (
    KEY_BYTES,
    READ,
    clear_unfinished,
    key_files,
    locked,
    names,
    open_folder,
    read_keys,
    write_key,
)
from fairbones.keys.signer import ReceiptSigner, public_key_of
from fairbones.keys.vault import SeedVault, kek_id
from fairbones.keys.watching import FolderWatch

Remember = Callable[[Iterable[str]], None]


def _receipt_key_id(secret: bytes) -> str:
    return key_id_of(public_key_of(secret))


# What lies in the folder, and how a file's name follows from its bytes.
KINDS: dict[str, Callable[[bytes], str]] = {"receipt": _receipt_key_id, "kek": kek_id}


@dataclass(frozen=True, slots=True)
class Keyring:
    """A house's keys, ready for use; the bytes themselves are not kept here.

    `key_ids` are `receipt-KEYID` and `kek-KEYID` of every key in use: what is only prepared may be
    missing on another host, or be taken away again. `orphaned` says that
    keys were there although the database knows of none: it is not the one that they were used with.
    `retired` are the KEYIDs of keys that open seeds and that a service would not read.
    """

    signer: ReceiptSigner
    vault: SeedVault
    key_ids: frozenset[str]
    orphaned: bool
    retired: frozenset[str] = frozenset()


def open_keyring(
    folder: Path,
    known: frozenset[str],
    *,
    make: bool = True,
    remember: Remember | None = None,
    entropy: Entropy = os.urandom,
    retired: bool = False,
) -> Keyring:
    """Read the keys, or make them on a house's first start; see `watching` for those added later.

    `known` are the ids of the keys that the house's database was made with; empty for a new
    database. Nothing is made while it names a key that is not here, nor without `make`, as where
    many hosts need the same keys. `remember` tells the database of keys, before they are used for
    the first time. With `retired` key-encryption keys that were retired open seeds as well, as old
    copies need it. Raises `FairbonesError`: `house/other-keys`, `house/no-keys`, `house/key-file`.
    """
    if known and not make and not folder.exists():
        raise FairbonesError(
            "house/no-keys",
            f"there is no folder {folder}, and the store was made with keys; put it back, or set "
            "FAIRBONES_KEYS to where they are",
        )
    open_folder(folder, make=make)
    seen = names(folder)
    states = (*READ, "retired") if retired else READ
    keys = _read(folder, states)
    found = _ids(folder, "key")
    gone = missing(folder, known)
    if gone:
        raise FairbonesError(
            "house/other-keys",
            f"the database was made with other keys: {', '.join(gone)} not found in {folder}; "
            "put the key files back, or choose another data folder",
        )
    if not all(_usable(folder, kind) for kind in KINDS):
        if not make:
            raise FairbonesError(
                "house/no-keys",
                f"{folder} has not both keys of a house; run `fairbones keys create`, or copy the "
                "key files of the house's other hosts to there",
            )
        make_missing(folder, entropy)
        seen, keys = names(folder), _read(folder, states)
    ids = _ids(folder, "key")
    if remember is not None and not ids <= known:
        remember(ids - known)
    signer, vault = _watched(folder, keys, seen, ids | known, remember, entropy, states)
    out = {file.key_id for file in key_files(folder, "kek") if file.state == "retired"}
    return Keyring(
        signer,
        vault,
        ids,
        orphaned=bool(found) and not known,
        retired=frozenset(out) if retired else frozenset(),
    )


def missing(folder: Path, known: frozenset[str]) -> list[str]:
    """Those of the keys that a store knows which have no file here, in whatever state."""
    if not folder.exists():
        return sorted(known)
    return sorted(known - _ids(folder, "key", "next", "retired"))


def make_missing(folder: Path, entropy: Entropy) -> None:
    """Make the first key of each kind that has none; several processes may try at once."""
    with locked(folder):
        clear_unfinished(folder)
        for kind, key_id in KINDS.items():
            if not _usable(folder, kind):
                key = entropy(KEY_BYTES)
                number = 1 + max((it.number for it in key_files(folder, kind)), default=0)
                write_key(folder, kind, number, key_id(key), key)


def _watched(
    folder: Path,
    keys: dict[str, dict[str, bytes]],
    seen: frozenset[str],
    known: frozenset[str],
    remember: Remember | None,
    entropy: Entropy,
    states: tuple[str, ...],
) -> tuple[ReceiptSigner, SeedVault]:
    told = set(known)

    def read_again() -> None:
        later = _read(folder, states)
        if not all(_usable(folder, kind) for kind in KINDS):
            raise FairbonesError("house/no-keys", f"keys have gone from {folder}; put them back")
        new = _ids(folder, "key") - told
        if remember is not None and new:
            remember(new)
        told.update(new)
        signer.hold(tuple(later["receipt"].values()))
        vault.hold(tuple(later["kek"].values()))

    watch = FolderWatch(lambda: names(folder), read_again, seen)
    signer = ReceiptSigner(tuple(keys["receipt"].values()), watch=watch)
    vault = SeedVault(
        tuple(keys["kek"].values()),
        entropy=entropy,
        watch=watch,
        lying=lambda key_id: _retired(folder, key_id),
    )
    return signer, vault


def _read(folder: Path, states: tuple[str, ...]) -> dict[str, dict[str, bytes]]:
    return {kind: read_keys(folder, kind, key_id, states) for kind, key_id in KINDS.items()}


def _retired(folder: Path, key_id: str) -> Path | None:
    """The file of a key-encryption key that lies here and is not read."""
    files = (file for file in key_files(folder, "kek") if file.state == "retired")
    return next((file.path for file in files if file.key_id == key_id), None)


def _usable(folder: Path, kind: str) -> bool:
    """Whether there is a key to begin with, which one of `next` is not."""
    return any(file.state == "key" for file in key_files(folder, kind))


def _ids(folder: Path, *states: str) -> frozenset[str]:
    files = (file for kind in KINDS for file in key_files(folder, kind))
    return frozenset(file.label for file in files if file.state in states)
