"""The store and the keys that the settings name, opened for one command."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from fairbones.archive.matches import Library
from fairbones.config import Settings
from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Archive, Store, Whole
from fairbones.keys.files import open_folder
from fairbones.keys.keyring import Keyring, open_keyring
from fairbones.keys.vault import sealed_under

DATABASE = "fairbones.db"


class WholeStore(Store, Archive, Protocol):
    """What every store of the service is."""


@dataclass(frozen=True, slots=True)
class Held:
    """A store to change, and the keys of what it holds."""

    store: WholeStore
    keys: Keyring

    def adopt(self, whole: Whole) -> bool:
        """`Archive.adopt`, with the seed under a key that the service reads: it reads no retired
        one.
        """
        vault, stored = self.keys.vault, whole.stored
        if sealed_under(stored.sealed_seed) in self.keys.retired:
            seed = vault.open(stored.match_id, stored.sealed_seed)
            again = vault.seal(stored.match_id, seed)
            whole = replace(whole, stored=replace(stored, sealed_seed=again))
        return self.store.adopt(whole)


@dataclass(frozen=True, slots=True)
class Looked:
    """A store to look at, and the keys of what it holds."""

    store: Library
    keys: Keyring


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def database(settings: Settings) -> Path:
    """The file of SQLite mode."""
    return settings.data / DATABASE


def shown(settings: Settings) -> str:
    """The store as it may be told to anybody: without its password."""
    return settings.store_shown if settings.shared else str(database(settings))


@contextlib.contextmanager
def to_change(settings: Settings, *, make: bool = False, retired: bool = False) -> Iterator[Held]:
    """Open the store for a command that writes; `retired` keys open seeds too.

    In SQLite mode the data folder is held meanwhile: `store/in-use` while a service runs. Without
    `make` a store that was never used is refused as `store/none`.
    """
    if settings.shared or not database(settings).exists():
        open_folder(settings.keys, make=False)  # before a new database is made for nothing
    with _store(settings, make=make) as store:
        keys = open_keyring(settings.keys, store.known_keys(), make=False, retired=retired)
        store.remember_keys(keys.key_ids)
        yield Held(store, keys)


@contextlib.contextmanager
def to_read(settings: Settings) -> Iterator[Looked]:
    """Open the store for a command that only looks, beside a running service or without one."""
    with library(settings) as store:
        yield Looked(store, open_keyring(settings.keys, store.known_keys(), make=False))


@contextlib.contextmanager
def library(settings: Settings) -> Iterator[Library]:
    """The store alone, whatever the keys are."""
    if settings.shared:
        with _store(settings, make=False) as store:
            yield store
        return
    from fairbones.store.reader import SqliteReader

    _refuse_missing(settings)
    with contextlib.closing(SqliteReader(database(settings))) as reader:
        yield reader


@contextlib.contextmanager
def _store(settings: Settings, *, make: bool) -> Iterator[WholeStore]:
    if settings.shared:
        with contextlib.closing(redis_store(settings)) as shared:
            yield shared
        return
    from fairbones.store.folder import DataFolder
    from fairbones.store.sqlite import SqliteStore

    if not make:
        _refuse_missing(settings)
    folder = DataFolder(settings.data, patience=0)
    try:
        with contextlib.closing(SqliteStore(database(settings))) as store:
            yield store
    finally:
        folder.release()


def redis_store(settings: Settings) -> WholeStore:
    """The store of Redis mode; raises `FairbonesError("store/...")`."""
    need_redis()
    from fairbones.store.redis import open_redis

    return open_redis(
        settings.store, password=settings.store_password(), wait_replicas=settings.wait_replicas
    )


def need_redis() -> None:
    """Refuse in a sentence where the client of Redis was not installed."""
    if find_spec("redis") is None:
        raise FairbonesError(
            "store/not-installed",
            "this Fairbones was installed without the client of Redis; "
            "run: pip install 'fairbones[redis]'",
        )


def _refuse_missing(settings: Settings) -> None:
    path = database(settings)
    if not path.exists():
        raise FairbonesError(
            "store/none",
            f"there is no database {path}; set FAIRBONES_DATA or FAIRBONES_STORE to where the "
            "matches are",
        )
