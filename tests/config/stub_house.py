"""A service with an app of a few lines: `python -m tests.config.stub_house`.

The app holds the data folder, as the real one does, and can be slow, wait and refuse.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask, Response, request

from fairbones.config import EXIT_REFUSED, Settings, load_settings
from fairbones.core.errors import FairbonesError
from fairbones.serving import hooks, patience, serve
from fairbones.store.folder import DataFolder

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

# What takes ten seconds in service would take a test too long; these are no variables there.
patience.ARRIVAL_SECONDS = float(os.environ.pop("FAIRBONES_ARRIVAL", "1"))
hooks.CONNECTIONS = int(os.environ.pop("FAIRBONES_PLACES", hooks.CONNECTIONS))
patience.STALL_SECONDS = 1


class Residents:
    def __init__(self, settings: Settings) -> None:
        # On a shared store nobody has the folder alone.
        self.folder = None if settings.shared else DataFolder(settings.data)
        self.path = settings.data
        self.path.mkdir(exist_ok=True)
        self.stopping = threading.Event()
        self.closed = False

    def stop(self) -> None:
        self.stopping.set()

    def close(self) -> None:
        self.closed = True
        (self.path / "closed").write_text(str(os.getpid()))
        if self.folder is not None:
            self.folder.release()


def create_app(settings: Settings) -> Flask:
    residents = Residents(settings)
    (settings.data / "closed").unlink(missing_ok=True)
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = settings.body_max
    app.extensions["fairbones"] = residents

    @app.get("/pid")
    def pid() -> str:
        return str(os.getpid())

    @app.get("/slow")
    def slow() -> str:
        time.sleep(float(request.args["seconds"]))
        # A request that is still being answered needs what `close` takes away.
        return "closed too early" if residents.closed else "slow but sure"

    @app.get("/wait")
    def wait() -> str:
        return "stopped" if residents.stopping.wait(20) else "waited"

    @app.post("/echo")
    def echo() -> Response:
        return Response(request.get_data())

    @app.get("/big")
    def big() -> Response:
        return Response(b"x" * 30_000_000)

    inner = app.wsgi_app

    def fragile(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if "HTTP_X_BREAK" in environ:
            raise RuntimeError(environ["QUERY_STRING"])
        return inner(environ, start_response)

    app.wsgi_app = fragile  # type: ignore[method-assign]
    return app


if __name__ == "__main__":
    try:
        serve(load_settings(), create_app)
    except FairbonesError as error:
        print(f"fairbones: {error.message}", file=sys.stderr)
        sys.exit(EXIT_REFUSED)
