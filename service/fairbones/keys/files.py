"""Key files: 32 raw bytes, for their owner's eyes only, named `KIND-NUMBER-KEYID.key`.

The number says which is newest, even after a restore has lost the dates; the id says which
file a sealed seed or a receipt asks for, and betrays two files that were exchanged.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from fairbones.core.errors import FairbonesError

KEY_BYTES = 32
_NAME = re.compile(r"([a-z]+)-([0-9]{4})-([0-9a-f]{16})\.key")
_UNFINISHED = ".unfinished"


def open_folder(folder: Path) -> None:
    """Make the folder (0700) or check that it is ours alone. Raises `house/key-file`."""
    with _told(folder):
        folder.mkdir(mode=0o700, exist_ok=True)
        _check_owner(folder, folder.stat(), "700")


def read_keys(folder: Path, kind: str, key_id_of: Callable[[bytes], str]) -> dict[str, bytes]:
    """All keys of a kind by id, newest first; `house/key-file` says what to put right."""
    found: dict[int, tuple[str, bytes]] = {}
    with _told(folder):
        paths = sorted(folder.glob(f"{kind}-*.key"))
    for path in paths:
        named = _NAME.fullmatch(path.name)
        if named is None or named[1] != kind:
            raise _refusal(path, f"is not named {kind}-NUMBER-KEYID.key; move it elsewhere")
        number, key_id = int(named[2]), named[3]
        key = _read(path)
        if key_id_of(key) != key_id:
            raise _refusal(path, "holds another key than its name says; restore it from a backup")
        if number in found:
            raise _refusal(path, f"has the number of {kind} key {found[number][0]}; renumber one")
        found[number] = (key_id, key)
    return dict(found[number] for number in sorted(found, reverse=True))


def write_key(folder: Path, kind: str, number: int, key_id: str, key: bytes) -> None:
    """Make a key file: whole and durable, or not at all."""
    path = folder / f"{kind}-{number:04}-{key_id}.key"
    unfinished = path.with_suffix(_UNFINISHED)
    with _told(path):
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(handle, 0o600)
            os.write(handle, key)
            os.fsync(handle)
        finally:
            os.close(handle)
        unfinished.rename(path)
        _sync(folder)


def clear_unfinished(folder: Path) -> None:
    """Remove what a crash left of a key that nobody has used yet."""
    with _told(folder):
        for path in folder.glob(f"*{_UNFINISHED}"):
            path.unlink()


def _read(path: Path) -> bytes:
    with _told(path):
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise _refusal(path, "is not a file; restore it from a backup")
            _check_owner(path, status, "600")
            key = os.read(handle, KEY_BYTES + 1)
        finally:
            os.close(handle)
    if len(key) != KEY_BYTES or status.st_size != KEY_BYTES:
        raise _refusal(
            path, f"has {status.st_size} bytes and not {KEY_BYTES}; restore it from a backup"
        )
    return key


def _check_owner(path: Path, status: os.stat_result, mode: str) -> None:
    if status.st_uid != os.geteuid():
        raise _refusal(
            path,
            f"belongs to user {status.st_uid} and not to user {os.geteuid()}, who runs this; "
            f"run: chown {os.geteuid()} {path}",
        )
    if status.st_mode & 0o077:
        raise _refusal(path, f"can be read or changed by others; run: chmod {mode} {path}")


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refusal(path: Path, trouble: str) -> FairbonesError:
    return FairbonesError("house/key-file", f"{path} {trouble}")


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _refusal(path, f"cannot be used: {error.strerror}") from None
