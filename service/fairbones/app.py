"""The composition root: the only place that knows which store, keys and house there are."""

from __future__ import annotations

import os
import time
from pathlib import Path

import structlog
from flask import Flask

from fairbones.api.access import refuse_undeclared
from fairbones.api.description import register_api
from fairbones.api.front import front_of, set_up
from fairbones.api.headers import register_headers
from fairbones.api.limits import Limits, WaitingRoom
from fairbones.api.paths import register_paths
from fairbones.api.problems import register_problems
from fairbones.config import Settings
from fairbones.house.contract import HouseContract
from fairbones.house.service import House
from fairbones.keys.keyring import open_keyring
from fairbones.store.folder import DataFolder
from fairbones.store.sqlite import SqliteStore

_DATABASE = "fairbones.db"
_KEYS = "keys"


class Residents:
    """What lives as long as the service does, as `serving` knows it."""

    def __init__(self, folder: DataFolder, store: SqliteStore, waiting: WaitingRoom) -> None:
        self._folder = folder
        self._store = store
        self._waiting = waiting

    def stop(self) -> None:
        """The service stops: whoever waits for events is answered within a second."""
        self._waiting.closed.set()

    def close(self) -> None:
        """Nobody asks any more: the database is closed before its folder is let go."""
        self._store.close()
        self._folder.release()


def create_app(settings: Settings) -> Flask:
    """The whole service on the data folder of `settings`.

    Raises `FairbonesError` (`store/...`, `house/...`) when the folder, the database or the keys
    cannot be used; nothing is held then.
    """
    folder = DataFolder(settings.data)
    try:
        store = SqliteStore(settings.data / _DATABASE)
        try:
            keys = open_keyring(settings.data / _KEYS, store.known_keys())
            if keys.orphaned:
                _warn_of_lost_matches(settings.data)
            store.remember_keys(keys.key_ids)
            house = House(store, keys.vault, keys.signer, _now, os.urandom)
            app = build_api(house, _limits(settings))
        except BaseException:
            store.close()
            raise
    except BaseException:
        folder.release()
        raise
    app.extensions["fairbones"] = Residents(folder, store, front_of(app).waiting)
    return app


def build_api(house: HouseContract, limits: Limits) -> Flask:
    """The HTTP edge around any house.

    RuntimeError when an endpoint does not declare who may call it.
    """
    app = Flask("fairbones", static_folder=None, template_folder=None)
    app.url_map.merge_slashes = False  # an address is right or wrong, never redirected
    app.config["MAX_CONTENT_LENGTH"] = limits.body_max
    set_up(app, house, limits)
    register_api(app)
    register_paths(app)
    register_headers(app)
    register_problems(app)
    refuse_undeclared(app)
    return app


def _warn_of_lost_matches(data: Path) -> None:
    """Said once: from now on the new database knows the keys."""
    structlog.get_logger("app").warning(
        "keys were here but no database: matches opened before are not known",
        data=str(data),
        remedy="if there were any, stop the service and put fairbones.db back from a backup",
    )


def _limits(settings: Settings) -> Limits:
    return Limits(body_max=settings.body_max, wait_max=settings.wait_max, waiters=settings.waiters)


def _now() -> int:
    return time.time_ns() // 1_000_000
