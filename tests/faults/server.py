"""The real service with faults hung into it: `python -m tests.faults.server FOLDER`.

It is started as `fairbones serve` is, by the same variables of the environment; FOLDER is where
its faults are planted (`planting`). Nothing of this is in the product.
"""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from fairbones.config import EXIT_REFUSED, Settings, load_settings
from fairbones.core.errors import FairbonesError
from fairbones.store.points import Point
from tests.faults.planting import BEFORE_REPLY, Fault, Plan

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Faults:
    """What is planted in this process."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._guard = threading.Lock()
        self._number = -1
        self._passed = 0

    def probe(self, point: Point) -> None:
        """The store has come to a point."""
        fault = self._due(point)
        if fault is not None:
            self._happen(fault)
            if fault.then == "break":
                # As SQLite says it.
                raise sqlite3.OperationalError("disk I/O error")

    def around(self, app: WsgiApp) -> WsgiApp:
        """The app, which comes to a point of its own when an answer is made."""

        def called(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            answer = app(environ, start_response)
            fault = self._due(BEFORE_REPLY)
            if fault is not None:
                self._happen(fault)
                if fault.then == "hang-up":
                    environ["gunicorn.socket"].shutdown(socket.SHUT_RDWR)
            return answer

        return called

    def _due(self, point: str) -> Fault | None:
        with self._guard:
            planted = self._plan.current()
            if planted is None:
                return None
            number, fault = planted
            if fault.point != point:
                return None
            if number != self._number:
                self._number, self._passed = number, 0
            self._passed += 1
            if fault.then == "break":
                if self._passed < fault.nth:
                    return None
            elif self._passed != fault.nth or self._plan.has_happened(number):
                return None
            self._plan.happens(number)
            return fault

    def _happen(self, fault: Fault) -> None:
        if fault.then == "kill":
            os.killpg(os.getpgrp(), signal.SIGKILL)
        elif fault.then == "kill-worker":
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(fault.seconds)


def hang(faults: Faults, *, shared: bool) -> None:
    """The store that is going to be opened passes its points through these faults."""
    if shared:
        from fairbones.store import redis

        assert "fairbones.app" not in sys.modules
        redis.open_redis = partial(redis.open_redis, probe=faults.probe)
        return
    from fairbones.store.sqlite import SqliteStore

    made: Any = SqliteStore.__init__

    def probed(self: object, *words: Any, **named: Any) -> None:
        made(self, *words, **named | {"probe": faults.probe})

    SqliteStore.__init__ = probed  # type: ignore[method-assign]


def shift_clock(plan: Plan) -> None:
    """The wall clock is that of the plan."""
    nanoseconds, seconds = time.time_ns, time.time
    time.time_ns = lambda: nanoseconds() + plan.clock() * 1_000_000
    time.time = lambda: seconds() + plan.clock() / 1000


def create_app(settings: Settings, plan: Plan) -> Any:
    """The app as `fairbones serve` makes it, in the process that will answer."""
    faults = Faults(plan)
    hang(faults, shared=settings.shared)
    shift_clock(plan)
    import fairbones.app

    app: Any = fairbones.app.create_app(settings)
    app.wsgi_app = faults.around(app.wsgi_app)
    return app


def end_with_test() -> None:
    """Whoever started all this holds the other end of our standard input, and has died."""
    while os.read(0, 1):
        pass
    os.killpg(os.getpgrp(), signal.SIGKILL)


def main(folder: str) -> None:
    """Serve until a signal, or until a fault ends it."""
    from fairbones.serving import serve

    threading.Thread(target=end_with_test, daemon=True).start()
    plan = Plan(Path(folder))
    if os.environ.get("FAIRBONES_STORE", "sqlite") == "sqlite":
        # Loaded once, so that a worker that takes over is there at once.
        import_module("fairbones.app")
    try:
        serve(load_settings(), lambda settings: create_app(settings, plan))
    except FairbonesError as error:
        print(f"fairbones: {error.message}", file=sys.stderr)
        sys.exit(EXIT_REFUSED)


if __name__ == "__main__":
    main(sys.argv[1])
