"""A real house on a port of its own that can be closed and opened again, with a clock to turn."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path
from typing import Any

from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.house.service import House
from fairbones.keys.vault import SeedVault
from fairbones.store.sqlite import SqliteStore
from tests.house.party import NOW, Signer

Json = dict[str, Any]


class Quiet(WSGIRequestHandler):
    """Says nothing about requests."""

    def log_request(self, *_: object) -> None:
        pass


class Hall:
    """`turned` seconds are added to its clock."""

    def __init__(self, folder: Path, seed: random.Random, waiters: int = 32) -> None:
        self._path = folder / "fairbones.db"
        self._waiters = waiters
        self._vault = SeedVault([seed.randbytes(32)])
        self._signer = Signer(seed.randbytes(32))
        self._entropy = seed.randbytes
        self._begun = time.monotonic()
        self.turned = 0.0
        self.port = 0
        self.closed = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _now(self) -> int:
        return NOW + round((time.monotonic() - self._begun + self.turned) * 1000)

    def open(self) -> Hall:
        """Begin to answer; on the port it had, if it had one."""
        self._store = SqliteStore(self._path)
        self._house = House(self._store, self._vault, self._signer, self._now, self._entropy)
        app = build_api(self._house, Limits(waiters=self._waiters))
        self._server: BaseWSGIServer = make_server(
            "127.0.0.1", self.port, app, threaded=True, request_handler=Quiet
        )
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        self.closed = False
        return self

    def close(self) -> None:
        """Answer nobody any more."""
        if not self.closed:
            self.closed = True
            self._server.shutdown()
            self._server.server_close()
            self._house.close()
            self._store.close()
