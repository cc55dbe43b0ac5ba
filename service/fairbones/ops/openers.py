"""Who may open matches: API keys, of which a file of the keys folder has the hashes.

The file belongs to `fairbones keys api`, which replaces it whole. It is looked at again whenever it
has changed, so a key that is revoked opens nothing from the next request on; whatever is wrong with
the file, nobody is let in.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import stat
import threading
from dataclasses import dataclass
from pathlib import Path

import structlog

from fairbones.core.errors import FairbonesError, Forbidden

FILE = "api-keys.json"
_BYTES_MAX = 8 << 20
_KEY = re.compile(r"fbk_[A-Za-z0-9_-]{43}", re.ASCII)
_ID = re.compile(r"[0-9a-f]{8}", re.ASCII)
_HASH = re.compile(r"[0-9a-f]{64}", re.ASCII)
_MAKE = "make a key with: fairbones keys api create NAME"


@dataclass(frozen=True, slots=True)
class _Read:
    """What the file was when it was read, and the hash and the id of every key that holds."""

    mark: tuple[int, ...]
    keys: tuple[tuple[bytes, str], ...]


class _Unusable(Exception):
    """Says what is wrong with the file, and what to do."""


class KeyHolders:
    """Those who have an API key; fills `Openers`.

    FairbonesError `house/api-keys` when the file cannot be used from the start.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._guard = threading.Lock()
        self._told: str | None = None
        try:
            self._read = self._load()
        except _Unusable as wrong:
            raise FairbonesError("house/api-keys", f"{self._path} {wrong}") from None

    def admitted(self, key: str) -> str:
        keys = self._current()
        if _KEY.fullmatch(key) is not None:
            asked = hashlib.sha256(key.encode("ascii")).digest()
            # All of them, so that time says nothing about which one it was.
            found = [name for known, name in keys if hmac.compare_digest(known, asked)]
            if found:
                return found[0]
        raise Forbidden("auth/api-key-unknown", "This is no API key of this house.")

    def _current(self) -> tuple[tuple[bytes, str], ...]:
        """The keys of the file as it is now; `auth/api-keys-unreadable`."""
        try:
            read = self._read
            if _mark(os.stat(self._path)) != read.mark:
                with self._guard:
                    read = self._read = self._load()
        except OSError as error:
            raise self._closed(f"cannot be used: {error.strerror}") from None
        except _Unusable as wrong:
            raise self._closed(str(wrong)) from None
        self._told = None
        return read.keys

    def _closed(self, wrong: str) -> FairbonesError:
        if wrong != self._told:
            # Once for each fault, not for each request.
            self._told = wrong
            structlog.get_logger("openers").error(
                "nobody may open a match", file=str(self._path), because=wrong
            )
        return FairbonesError(
            "auth/api-keys-unreadable", "The house cannot read its API keys: try again later."
        )

    def _load(self) -> _Read:
        try:
            handle = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        except FileNotFoundError:
            raise _Unusable(f"is missing; {_MAKE}") from None
        except OSError as error:
            raise _Unusable(f"cannot be read: {error.strerror}") from None
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or status.st_size > _BYTES_MAX:
                raise _Unusable("is no file of API keys; restore it from a backup")
            if status.st_mode & 0o077:
                raise _Unusable(f"can be read or changed by others; run: chmod 600 {self._path}")
            with os.fdopen(os.dup(handle), "rb") as file:
                text = file.read()
        except OSError as error:
            raise _Unusable(f"cannot be read: {error.strerror}") from None
        finally:
            os.close(handle)
        try:
            return _Read(_mark(status), _parsed(text))
        except (ValueError, TypeError, KeyError, RecursionError):
            raise _Unusable("is damaged; restore it from a backup") from None


def _mark(status: os.stat_result) -> tuple[int, ...]:
    """What changes when the file is replaced, written or opened to others."""
    return (status.st_mtime_ns, status.st_ino, status.st_size, status.st_mode)


def _parsed(text: bytes) -> tuple[tuple[bytes, str], ...]:
    """The keys that hold; ValueError, TypeError or KeyError for any other shape."""
    whole = json.loads(text)
    if whole["version"] != 1 or type(whole["keys"]) is not list:
        raise ValueError
    found = []
    for key in whole["keys"]:
        times = [key["created"], *([key["revoked"]] if "revoked" in key else [])]
        if type(key["name"]) is not str or any(type(it) is not int for it in times):
            raise ValueError
        if _ID.fullmatch(key["id"]) is None or _HASH.fullmatch(key["hash"]) is None:
            raise ValueError
        if "revoked" not in key:
            found.append((bytes.fromhex(key["hash"]), key["id"]))
    return tuple(found)
