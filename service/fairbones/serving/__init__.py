"""`fairbones serve`: gunicorn, as a store wants it.

On a file of its own the service is one process with many threads (`worker`): limits, waiting
readers and the database's writer are then one as well. On a shared store it is as many processes
as there are cores, each with a crowd of greenlets (`crowd`).
"""

from __future__ import annotations

import dataclasses
import errno
import socket
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Protocol

from fairbones.config import Settings
from fairbones.core.errors import FairbonesError
from fairbones.serving.hooks import connections_max
from fairbones.serving.parent import Companion, CreateApp, Parent

__all__ = ["CreateApp", "Residents", "connections_max", "listen", "serve"]

BACKLOG = 1024
# A parent that was killed leaves its worker the port for a moment.
PORT_PATIENCE_SECONDS = 2.0


class Residents(Protocol):
    """What an app may put into `app.extensions["fairbones"]` to hear of the end."""

    def stop(self) -> None:
        """The service stops: answer everybody who waits. Called once, in the main thread."""

    def close(self) -> None:
        """Nobody asks any more: release files and locks."""


def serve(
    settings: Settings,
    create_app: CreateApp,
    beside: Callable[[str], Companion] | None = None,
) -> None:
    """Listen until a signal; ends with `SystemExit` 0, or `EXIT_REFUSED` when the app refuses.

    `beside` is called with the address that is listened on.

    Raises `FairbonesError` (`start/port-in-use`, `start/address`, `start/extra`) when it cannot
    listen.
    """
    if settings.shared and not (find_spec("gevent") and find_spec("redis")):
        raise FairbonesError(
            "start/extra",
            "FAIRBONES_STORE names a Redis, which needs more packages; install fairbones[redis], "
            "or set it to sqlite",
        )
    listener = listen(settings)
    settings = dataclasses.replace(settings, port=listener.getsockname()[1])
    companion = None if beside is None else beside(settings.address)
    try:
        Parent(settings, create_app, listener, companion).run()
    finally:
        # The workers come by here too; for them it is nobody's child and left alone.
        if companion is not None:
            companion.terminate()


def listen(settings: Settings, *, patience: float = PORT_PATIENCE_SECONDS) -> socket.socket:
    """A socket that listens as the settings say; see `serve` for errors."""
    deadline = time.monotonic() + patience
    while True:
        try:
            family, _, _, _, address = socket.getaddrinfo(
                settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )[0]
            return socket.create_server(address[:2], family=family, backlog=BACKLOG)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < deadline:
                time.sleep(0.05)
                continue
            raise _cannot_listen(settings, error) from None


def _cannot_listen(settings: Settings, error: OSError) -> FairbonesError:
    if error.errno == errno.EADDRINUSE:
        return FairbonesError(
            "start/port-in-use",
            f"port {settings.port} of {settings.host} is in use; stop the other program, or set "
            "FAIRBONES_PORT to another port (0 takes any free one)",
        )
    if error.errno in (errno.EACCES, errno.EPERM):
        return FairbonesError(
            "start/address",
            f"this user may not listen on port {settings.port}; set FAIRBONES_PORT to one above "
            "1023",
        )
    return FairbonesError(
        "start/address",
        f"cannot listen on {settings.host} ({error.strerror}); set FAIRBONES_HOST to a name or "
        "an address of this machine",
    )
