"""Key files: 32 raw bytes, for their owner's eyes only, named `KIND-NUMBER-KEYID.STATE`.

The number says which is newest, even after a restore has lost the dates; the id says which
file a sealed seed or a receipt asks for, and betrays two files that were exchanged. The state is
`key`; `next` for one that is read but begins nothing yet, so that every host can have it before
any uses it; `retired` for one that is not read, because nothing kept needs it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairbones.core.errors import FairbonesError

KEY_BYTES = 32
LOCK_NAME = "lock"
PATIENCE_SECONDS = 5.0
READ = ("key", "next")
_NAME = re.compile(r"([a-z]+)-([0-9]{4})-([0-9a-f]{16})\.(key|next|retired)")
_UNFINISHED = ".unfinished"
_POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class KeyFile:
    """What the name of a key file says; `label` is how the database remembers the key."""

    path: Path
    kind: str
    number: int
    key_id: str
    state: str

    @property
    def label(self) -> str:
        return f"{self.kind}-{self.key_id}"


def open_folder(folder: Path, *, make: bool = True) -> None:
    """Make the folder (0700) or check that it is ours alone.

    Raises `house/key-file`, and without `make` `house/no-keys` where there is none.
    """
    with told(folder):
        if make:
            for path in (folder.parent, folder):  # a data folder that is not there yet, too
                if not path.exists():
                    path.mkdir(mode=0o700, parents=True, exist_ok=True)
        elif not folder.exists():
            raise FairbonesError(
                "house/no-keys",
                f"there is no folder {folder}; run `fairbones keys create`, or set FAIRBONES_KEYS "
                "to where the keys are",
            )
        _check_owner(folder, folder.stat(), "700")


def names(folder: Path) -> frozenset[str]:
    """The names of all files of keys, whose change says that keys were added."""
    with told(folder), os.scandir(folder) as entries:
        suffixes = tuple(f".{state}" for state in (*READ, "retired"))
        return frozenset(it.name for it in entries if it.name.endswith(suffixes))


def key_files(folder: Path, kind: str) -> tuple[KeyFile, ...]:
    """The files of a kind, newest first; those to be used before those of `next` and `retired`.

    Raises `house/key-file` for a name that says nothing, and for two of one number.
    """
    found: dict[int, KeyFile] = {}
    for name in sorted(names(folder)):
        if not name.startswith(f"{kind}-"):
            continue
        path = folder / name
        named = _NAME.fullmatch(name)
        if named is None or named[1] != kind:
            raise _refusal(path, f"is not named {kind}-NUMBER-KEYID.key; move it elsewhere")
        file = KeyFile(path, kind, int(named[2]), named[3], named[4])
        other = found.setdefault(file.number, file)
        if other is not file:
            raise _refusal(path, f"has the number of {kind} key {other.key_id}; renumber one")
    order = ("key", "next", "retired")
    return tuple(sorted(found.values(), key=lambda it: (order.index(it.state), -it.number)))


def read_keys(
    folder: Path, kind: str, key_id_of: Callable[[bytes], str], states: Sequence[str] = READ
) -> dict[str, bytes]:
    """The keys of a kind in these states by id, newest first, those in use before all others.

    `house/key-file` says what to put right.
    """
    keys: dict[str, bytes] = {}
    for file in key_files(folder, kind):
        if file.state in states:
            keys[file.key_id] = read_key(file, key_id_of)
    return keys


def read_key(file: KeyFile, key_id_of: Callable[[bytes], str]) -> bytes:
    """The bytes of one file, which are what its name says. Raises `house/key-file`."""
    key = _read(file.path)
    if key_id_of(key) != file.key_id:
        raise _refusal(file.path, "holds another key than its name says; restore it from a backup")
    return key


def write_key(
    folder: Path, kind: str, number: int, key_id: str, key: bytes, state: str = "key"
) -> None:
    """Make a key file: whole and durable, or not at all."""
    write_file(folder / f"{kind}-{number:04}-{key_id}.{state}", key)


def write_file(path: Path, content: bytes) -> None:
    """Make or replace a file (0600): whole and durable, or as it was."""
    unfinished = path.with_suffix(_UNFINISHED)
    with told(path):
        # Under the folder's lock: what lies there is of somebody who died.
        unfinished.unlink(missing_ok=True)
        handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(handle, 0o600)
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(handle, rest) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        unfinished.rename(path)
        _sync(path.parent)


def rename(file: KeyFile, state: str) -> KeyFile:
    """Give a key file another state, durably."""
    path = file.path.with_suffix(f".{state}")
    with told(file.path):
        file.path.rename(path)
        _sync(path.parent)
    return KeyFile(path, file.kind, file.number, file.key_id, state)


@contextlib.contextmanager
def locked(folder: Path, patience: float = PATIENCE_SECONDS) -> Iterator[None]:
    """One writer to the folder at a time; `house/key-file` after `patience` seconds."""
    with told(folder):
        handle = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + patience
        while not _lock(handle, folder):
            if time.monotonic() >= deadline:
                raise _refusal(folder, "is being changed by another command; try again")
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        # The file stays: removing it would let two processes lock two files of one name.
        os.close(handle)


def _lock(handle: int, folder: Path) -> bool:
    with told(folder):
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True


def clear_unfinished(folder: Path) -> None:
    """Remove what a crash left of a key that nobody has used yet; under the folder's lock."""
    with told(folder):
        for path in folder.glob(f"*{_UNFINISHED}"):
            path.unlink()


def read_private(path: Path, most: int) -> bytes:
    """A file that is its owner's alone, up to `most` bytes. Raises `house/key-file`."""
    with told(path):
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise _refusal(path, "is not a file; restore it from a backup")
            _check_owner(path, status, "600")
            with os.fdopen(os.dup(handle), "rb") as file:
                return file.read(most)
        finally:
            os.close(handle)


def _read(path: Path) -> bytes:
    key = read_private(path, 4096)
    if len(key) != KEY_BYTES:
        raise _refusal(path, f"has {len(key)} bytes and not {KEY_BYTES}; restore it from a backup")
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
def told(path: Path) -> Iterator[None]:
    """Raise `house/key-file` for what the system says inside."""
    try:
        yield
    except OSError as error:
        raise _refusal(path, f"cannot be used: {error.strerror}") from None
