"""All keys of a house, from the folder `keys/` of its data folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import key_id as key_id_of
from fairbones.house.ports import Entropy
from fairbones.keys.files import (
    KEY_BYTES,
    clear_unfinished,
    open_folder,
    read_keys,
    write_key,
)
from fairbones.keys.signer import ReceiptSigner, public_key_of
from fairbones.keys.vault import SeedVault, kek_id


def _receipt_key_id(secret: bytes) -> str:
    return key_id_of(public_key_of(secret))


# What lies in the folder, and how a file's name follows from its bytes.
_KINDS: dict[str, Callable[[bytes], str]] = {"receipt": _receipt_key_id, "kek": kek_id}


@dataclass(frozen=True, slots=True)
class Keyring:
    """A house's keys, ready for use; the bytes themselves are not kept here.

    `key_ids` are `receipt-KEYID` and `kek-KEYID` of every key in the folder. `orphaned` says that
    keys were there although the database knows of none: it is not the one that they were used with.
    """

    signer: ReceiptSigner
    vault: SeedVault
    key_ids: frozenset[str]
    orphaned: bool


def open_keyring(folder: Path, known: frozenset[str], *, entropy: Entropy = os.urandom) -> Keyring:
    """Read the keys, or make them on a house's first start.

    `known` are the ids of the keys that the house's database was made with; empty for a new
    database. Nothing is made while it names a key that is not here. Raises `FairbonesError`:
    `house/other-keys`, `house/key-file`.
    """
    open_folder(folder)
    keys = {kind: read_keys(folder, kind, key_id) for kind, key_id in _KINDS.items()}
    found = _ids(keys)
    missing = sorted(known - found)
    if missing:
        raise FairbonesError(
            "house/other-keys",
            f"the database was made with other keys: {', '.join(missing)} not found in {folder}; "
            "put the key files back, or choose another data folder",
        )
    clear_unfinished(folder)
    for kind, key_id in _KINDS.items():
        if not keys[kind]:
            key = entropy(KEY_BYTES)
            write_key(folder, kind, 1, key_id(key), key)
            keys[kind] = {key_id(key): key}
    return Keyring(
        signer=ReceiptSigner(tuple(keys["receipt"].values())),
        vault=SeedVault(tuple(keys["kek"].values()), entropy=entropy),
        key_ids=_ids(keys),
        orphaned=bool(found) and not known,
    )


def _ids(keys: dict[str, dict[str, bytes]]) -> frozenset[str]:
    return frozenset(f"{kind}-{key_id}" for kind, found in keys.items() for key_id in found)
