"""The composition root: the only place that knows which store, keys and house there are."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Protocol

import structlog
from flask import Flask

from fairbones.api.access import refuse_undeclared
from fairbones.api.description import register_api
from fairbones.api.door import register_door
from fairbones.api.front import Front, front_of, set_up
from fairbones.api.headers import register_headers
from fairbones.api.limits import Limits
from fairbones.api.paths import register_paths
from fairbones.api.problems import register_problems
from fairbones.config import Settings
from fairbones.core.errors import FairbonesError
from fairbones.house.contract import HouseContract
from fairbones.house.ports import Archive, Store
from fairbones.house.service import House
from fairbones.keys.keyring import Keyring, open_keyring
from fairbones.ops import Ops
from fairbones.ops.openers import KeyHolders
from fairbones.ops.rates import Limiter, Tries
from fairbones.ops.tries import memory_windows, shared_windows
from fairbones.serving.sweeper import Sweeper
from fairbones.store.folder import DataFolder
from fairbones.store.sqlite import SqliteStore

_DATABASE = "fairbones.db"


class WholeStore(Store, Archive, Protocol):
    """What every store of the service is."""


class Residents:
    """What lives as long as the service does, as `serving` knows it."""

    def __init__(self, front: Front, sweeper: Sweeper, opened: contextlib.ExitStack) -> None:
        self._front = front
        self._sweeper = sweeper
        self._opened = opened

    def stop(self) -> None:
        """The service stops: whoever waits for events is answered at once."""
        self._sweeper.stop()
        self._front.stop()

    def close(self) -> None:
        """Nobody asks any more: the store is closed before its folder is let go."""
        self._sweeper.stop()
        self._sweeper.join()
        self._opened.close()


def create_app(settings: Settings) -> Flask:
    """The whole service on the store of `settings`.

    Raises `FairbonesError` (`store/...`, `house/...`, `config/password-file`) when the folder, the
    store or the keys cannot be used; nothing is held then.
    """
    with contextlib.ExitStack() as opened:
        store = _open_store(settings, opened)
        keys = _open_keys(settings, store)
        ops = _ops(settings, opened)
        house = House(store, keys.vault, keys.signer, _now, os.urandom, ops.meter)
        app = build_api(house, _limits(settings), ops)
        sweeper = Sweeper(house.sweep, settings.sweep)
        app.extensions["fairbones"] = Residents(front_of(app), sweeper, opened.pop_all())
    sweeper.start()
    return app


def _open_store(settings: Settings, opened: contextlib.ExitStack) -> WholeStore:
    if settings.shared:
        from fairbones.store.redis import open_redis

        shared: WholeStore = open_redis(
            settings.store, settings.store_password(), settings.wait_replicas
        )
        opened.callback(shared.close)
        return shared
    folder = DataFolder(settings.data)
    opened.callback(folder.release)
    store = SqliteStore(settings.data / _DATABASE)
    opened.callback(store.close)
    return store


def _open_keys(settings: Settings, store: WholeStore) -> Keyring:
    """On a shared store keys are never made here: each host would make its own."""
    if settings.shared and not settings.keys.exists():
        raise FairbonesError(
            "house/no-keys",
            f"there is no folder {settings.keys}; run `fairbones keys create`, or copy the key "
            "files of the house's other hosts to there",
        )
    keys = open_keyring(
        settings.keys, store.known_keys(), make=not settings.shared, remember=store.remember_keys
    )
    if keys.orphaned and not settings.shared:
        _warn_of_lost_matches(settings.data)
    return keys


def _ops(settings: Settings, opened: contextlib.ExitStack) -> Ops:
    """The operator's side, as the settings want it; what is limited counts for all processes."""
    rates = None
    if settings.rate or settings.open_cost:
        rates = Limiter(settings.rate, settings.open_cost, _windows(settings, opened))
    openers = KeyHolders(settings.keys) if settings.openers == "keys" else None
    return Ops(rates=rates, openers=openers, proxies=settings.proxies)


def _windows(settings: Settings, opened: contextlib.ExitStack) -> Tries:
    if not settings.shared:
        return memory_windows()
    from fairbones.store.redis.url import parse_url
    from fairbones.store.redis.wire import Wire

    # Without WAIT: a count that a fail-over loses is no loss.
    wire = Wire(parse_url(settings.store, settings.store_password()))
    opened.callback(wire.close)
    return shared_windows(wire.run)


def build_api(house: HouseContract, limits: Limits, ops: Ops | None = None) -> Flask:
    """The HTTP edge around any house.

    RuntimeError when an endpoint does not declare who may call it.
    """
    app = Flask("fairbones", static_folder=None, template_folder=None)
    app.url_map.merge_slashes = False  # an address is right or wrong, never redirected
    app.config["MAX_CONTENT_LENGTH"] = limits.body_max
    set_up(app, house, limits, ops or Ops())
    register_door(app)
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
    return Limits(
        body_max=settings.body_max,
        wait_max=settings.wait_max,
        waiters=settings.waiters,
        heartbeat=settings.heartbeat,
    )


def _now() -> int:
    return time.time_ns() // 1_000_000
