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
    """

    signer: ReceiptSigner
    vault: SeedVault
    key_ids: frozenset[str]
    orphaned: bool


def open_keyring(
    folder: Path,
    known: frozenset[str],
    *,
    make: bool = True,
    remember: Remember | None = None,
    entropy: Entropy = os.urandom,
) -> Keyring:
    """Read the keys, or make them on a house's first start; see `watching` for those added later.

    `known` are the ids of the keys that the house's database was made with; empty for a new
    database. Nothing is made while it names a key that is not here, nor without `make`, as where
    many hosts need the same keys. `remember` tells the database of keys, before they are used for
    the first time. Raises `FairbonesError`: `house/other-keys`, `house/no-keys`, `house/key-file`.
    """
    open_folder(folder, make=make)
    seen = names(folder)
    keys = _read(folder)
    found = _ids(folder, "key")
    missing = sorted(known - found - _ids(folder, "next", "retired"))
    if missing:
        raise FairbonesError(
            "house/other-keys",
            f"the database was made with other keys: {', '.join(missing)} not found in {folder}; "
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
        seen, keys = names(folder), _read(folder)
    ids = _ids(folder, "key")
    if remember is not None and not ids <= known:
        remember(ids - known)
    signer, vault = _watched(folder, keys, seen, ids | known, remember, entropy)
    return Keyring(signer, vault, ids, orphaned=bool(found) and not known)


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
) -> tuple[ReceiptSigner, SeedVault]:
    told = set(known)

    def read_again() -> None:
        later = _read(folder)
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
    vault = SeedVault(tuple(keys["kek"].values()), entropy=entropy, watch=watch)
    return signer, vault


def _read(folder: Path) -> dict[str, dict[str, bytes]]:
    return {kind: read_keys(folder, kind, key_id) for kind, key_id in KINDS.items()}


def _usable(folder: Path, kind: str) -> bool:
    """Whether there is a key to begin with, which one of `next` is not."""
    return any(file.state == "key" for file in key_files(folder, kind))


def _ids(folder: Path, *states: str) -> frozenset[str]:
    files = (file for kind in KINDS for file in key_files(folder, kind))
    return frozenset(file.label for file in files if file.state in states)
