"""API keys: who may open matches where not everybody may. Hashes only, in `api-keys.json`.

`{"version":1,"keys":[{"id","name","hash","created","revoked"}]}`: `hash` is the hex SHA-256 of the
whole key text, times are ms since 1970, `revoked` is there only when it is. The service reads the
file again when it has changed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Clock, Entropy
from fairbones.keys.files import locked, open_folder, read_private, write_file

NAME = "api-keys.json"
PREFIX = "fbk_"
KEYS_MAX = 10_000
NAME_MAX = 64
# More than KEYS_MAX keys with names of NAME_MAX characters take, each escaped to 12 bytes.
_BYTES_MAX = 16 * 1024 * 1024
_MOMENT_MAX = 253_402_300_799_999  # the last ms of the year 9999, which is as far as dates go
_ID = re.compile(r"[0-9a-f]{8}")
_HASH = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ApiKey:
    """One key as it is kept; times in ms since 1970."""

    id: str
    name: str
    hash: str
    created: int
    revoked: int | None = None

    def told(self) -> dict[str, object]:
        """As it stands in the file."""
        told: dict[str, object] = {
            "id": self.id,
            "name": self.name,
            "hash": self.hash,
            "created": self.created,
        }
        return told if self.revoked is None else {**told, "revoked": self.revoked}


def read(folder: Path) -> tuple[ApiKey, ...]:
    """All keys in the order of their making; none where there is no file.

    Raises `house/key-file` for a file that others may read, `house/api-keys` for a damaged one.
    """
    path = folder / NAME
    if not os.path.lexists(path):
        return ()
    if not path.exists():
        # To begin anew in its place would drop every key.
        raise FairbonesError(
            "house/api-keys",
            f"{path} is a link that leads nowhere; put back what it leads to, or remove it",
        )
    text = read_private(path, _BYTES_MAX)
    try:
        told = json.loads(text)
        if told["version"] != 1:
            raise ValueError
        keys = tuple(map(_read, told["keys"]))
        if len({key.id for key in keys}) != len(keys):
            raise ValueError
        return keys
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise FairbonesError(
            "house/api-keys", f"{path} is not a list of API keys; restore it from a backup"
        ) from None


def create(folder: Path, name: str, clock: Clock, entropy: Entropy) -> tuple[ApiKey, str]:
    """A new key, and its text, which is kept nowhere.

    Raises `house/api-key-name` for a name that is taken or no name, `house/api-keys-full`.
    """
    if not _is_name(name):
        raise FairbonesError(
            "house/api-key-name", f"the name of a key has 1 to {NAME_MAX} characters of one line"
        )
    open_folder(folder)
    with locked(folder):
        keys = read(folder)
        if any(key.name == name and key.revoked is None for key in keys):
            raise FairbonesError(
                "house/api-key-name",
                f"a key named {name!r} is in use; revoke it, or take a name of its own for each",
            )
        if len(keys) >= KEYS_MAX:
            raise FairbonesError(
                "house/api-keys-full", f"{folder / NAME} has {KEYS_MAX} keys, the most it may have"
            )
        text = PREFIX + base64.urlsafe_b64encode(entropy(32)).decode("ascii").rstrip("=")
        taken = {key.id for key in keys}
        key_id = entropy(4).hex()
        while key_id in taken:
            key_id = entropy(4).hex()
        key = ApiKey(key_id, name, hashlib.sha256(text.encode("ascii")).hexdigest(), clock())
        _write(folder, (*keys, key))
    return key, text


def revoke(folder: Path, key_id: str, clock: Clock) -> ApiKey:
    """The key opens nothing any more; again: nothing changes. `house/key-unknown`."""
    open_folder(folder, make=False)
    with locked(folder):
        keys = read(folder)
        for index, key in enumerate(keys):
            if key.id != key_id:
                continue
            if key.revoked is not None:
                return key
            revoked = ApiKey(key.id, key.name, key.hash, key.created, clock())
            _write(folder, (*keys[:index], revoked, *keys[index + 1 :]))
            return revoked
    raise FairbonesError(
        "house/key-unknown", f"no API key has the id {key_id}; `fairbones keys api list` has all"
    )


def _write(folder: Path, keys: tuple[ApiKey, ...]) -> None:
    told = {"version": 1, "keys": [key.told() for key in keys]}
    text = json.dumps(told, ensure_ascii=True, indent=1) + "\n"
    write_file(folder / NAME, text.encode("ascii"))


def _is_name(name: str) -> bool:
    return 0 < len(name) <= NAME_MAX and name.isprintable()  # a lone surrogate is not


def _is_moment(moment: object) -> TypeGuard[int]:
    return type(moment) is int and 0 <= moment <= _MOMENT_MAX


def _read(told: Mapping[str, object]) -> ApiKey:
    key_id, name, hashed = told["id"], told["name"], told["hash"]
    created, revoked = told["created"], told.get("revoked")
    if not (
        isinstance(key_id, str)
        and _ID.fullmatch(key_id)
        and isinstance(name, str)
        and _is_name(name)
        and isinstance(hashed, str)
        and _HASH.fullmatch(hashed)
        and _is_moment(created)
        and (revoked is None or _is_moment(revoked))
    ):
        raise ValueError
    return ApiKey(key_id, name, hashed, created, revoked)
