"""A real house on a loopback port, in this process: the service's own app, as it is shipped."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from flask import Flask
from werkzeug.serving import WSGIRequestHandler, make_server

from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.house.service import House
from fairbones.keys.signer import ReceiptSigner
from fairbones.keys.vault import SeedVault
from fairbones.store.sqlite import SqliteStore

Json = dict[str, Any]


class Silent(WSGIRequestHandler):
    """HTTP/1.1, so that a connection stays, and no log."""

    protocol_version = "HTTP/1.1"

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002 - werkzeug's
        return


class Loopback:
    """`url` of a house that lives for as long as the `with`. `signer` is its receipt key."""

    def __init__(self, folder: Path, entropy: Callable[[int], bytes] = os.urandom) -> None:
        self.folder, self.entropy = folder, entropy
        self.store = SqliteStore(folder / "fairbones.db")
        self.signer = ReceiptSigner((entropy(32),))
        self.ahead = 0  # how many milliseconds the house's clock is ahead
        self.vault = SeedVault((entropy(32),), entropy=entropy)
        self.old: list[SqliteStore] = []
        self.begin()
        self.url = ""

    def begin(self) -> None:
        """A house that knows nothing but what is in its store."""
        self.house = House(self.store, self.vault, self.signer, self._now, self.entropy)
        self.app: Flask = build_api(self.house, Limits(wait_max=5, waiters=16))

    def back_up(self, name: str = "backup.db") -> Path:
        """A copy of the store as it was opened first, as it is now."""
        path = self.folder / name
        with (
            contextlib.closing(sqlite3.connect(self.folder / "fairbones.db")) as now,
            contextlib.closing(sqlite3.connect(path)) as copy,
        ):
            now.backup(copy)
        return path

    def restore(self, path: Path) -> None:
        """What no house should do: go on from a copy (SPEC 8.7)."""
        self.old.append(self.store)
        self.store = SqliteStore(path)
        self.begin()

    def _now(self) -> int:
        return time.time_ns() // 1_000_000 + self.ahead

    def wsgi(self) -> Any:
        """What answers."""
        return self._of_now

    def _of_now(self, environ: Json, start: Any) -> Any:
        return self.app(environ, start)

    def __enter__(self) -> Self:
        self.server = make_server(
            "127.0.0.1", 0, self.wsgi(), threaded=True, request_handler=Silent
        )
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        self._thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.server.shutdown()
        self._thread.join(10)
        self.server.server_close()
        for store in (*self.old, self.store):
            store.close()

    def open(self, ruleset: str = "draw", seats: int = 2, **more: Any) -> str:
        """A new match; its id."""
        wanted = {"ruleset": ruleset, "seats": seats, **more}
        request = urllib.request.Request(
            self.url + "/v1/matches",
            json.dumps(wanted).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return str(json.load(answer)["event"]["match"])
