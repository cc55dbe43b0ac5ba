"""Keys made, rotated and retired by their operator; the service finds them (`watching`).

A match is signed to its end under the key of its `opened` (SPEC 6.5), and a seed opens under the
key it was sealed with: so a new key is added and no old one is taken away.
"""

from __future__ import annotations

import os
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Entropy
from fairbones.keys.files import (
    KEY_BYTES,
    KeyFile,
    clear_unfinished,
    key_files,
    locked,
    open_folder,
    read_key,
    rename,
    write_key,
)
from fairbones.keys.keyring import KINDS, make_missing
from fairbones.keys.signer import public_key_of


def create(folder: Path, *, entropy: Entropy = os.urandom) -> tuple[KeyFile, ...]:
    """Make the first key of each kind; `house/keys-exist` when there is any."""
    open_folder(folder)
    found = all_files(folder)
    if found:
        raise FairbonesError(
            "house/keys-exist",
            f"{folder} has keys already, {found[0].path.name} for one; "
            "`fairbones keys rotate` adds a newer key beside them",
        )
    make_missing(folder, entropy)
    return all_files(folder)


def rotate(
    folder: Path, kind: str, *, prepare: bool = False, entropy: Entropy = os.urandom
) -> KeyFile:
    """Add a newer key of a kind, or begin to use the one that was prepared.

    With `prepare` it is read from now on and used for nothing new until it is rotated to: give it
    to every host meanwhile. Raises `house/no-keys`, `house/key-prepared`.
    """
    open_folder(folder, make=False)
    with locked(folder):
        clear_unfinished(folder)
        files = key_files(folder, kind)
        if not any(file.state == "key" for file in files):
            todo = "put its file back" if all_files(folder) else "run `fairbones keys create`"
            raise FairbonesError("house/no-keys", f"{folder} has no {kind} key in use; {todo}")
        waiting = [file for file in files if file.state == "next"]
        if waiting and prepare:
            raise FairbonesError(
                "house/key-prepared",
                f"{waiting[0].path} is prepared already; once every host has it, run "
                f"`fairbones keys rotate {kind}`",
            )
        for file in waiting[:1]:
            read_key(file, KINDS[kind])
            return rename(file, "key")
        key = entropy(KEY_BYTES)
        number = 1 + max(file.number for file in files)
        key_id = KINDS[kind](key)
        write_key(folder, kind, number, key_id, key, "next" if prepare else "key")
        return next(file for file in key_files(folder, kind) if file.key_id == key_id)


def retire(folder: Path, key_id: str) -> KeyFile:
    """Read a key-encryption key no more; that nothing needs it is the caller's business.

    Its file stays, for backups that do. Raises `house/key-unknown`, `house/key-newest`.
    """
    open_folder(folder, make=False)
    with locked(folder):
        files = [file for file in key_files(folder, "kek") if file.state == "key"]
        for file in files:
            if file.key_id != key_id:
                continue
            if file is files[0]:
                raise FairbonesError(
                    "house/key-newest",
                    f"kek-{key_id} is the newest and seals every new seed; rotate first",
                )
            return rename(file, "retired")
    raise FairbonesError("house/key-unknown", f"{folder} has no key kek-{key_id} in use")


def all_files(folder: Path) -> tuple[KeyFile, ...]:
    """Every key file, receipt keys first, newest first; `house/no-keys` without a folder."""
    open_folder(folder, make=False)
    return tuple(file for kind in KINDS for file in key_files(folder, kind))


def public_key(file: KeyFile) -> bytes:
    """The 32 bytes of a receipt key that everybody may see. Raises `house/key-file`."""
    return public_key_of(read_key(file, KINDS["receipt"]))
