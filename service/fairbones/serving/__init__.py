"""`fairbones serve`: gunicorn with one worker process and many threads.

One process, because limits, waiting readers and the database's writer are then one as well;
gunicorn's parent only starts the worker anew when it dies. A new one cannot serve beside an
old one: the parent starts it after the other's end, and the data folder's lock says so again.
"""

from __future__ import annotations

import dataclasses
import errno
import os
import resource
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]

from fairbones.config import EXIT_REFUSED, Settings
from fairbones.core.errors import FairbonesError
from fairbones.logs import configure_logging
from fairbones.serving.log import ServingLog
from fairbones.serving.worker import LEAVING_MAX, HouseWorker

BACKLOG = 1024
# A parent that was killed leaves its worker the port for a moment.
PORT_PATIENCE_SECONDS = 2.0
CONNECTIONS = 800
# Files that are not connections: the store, the log, the libraries.
OTHER_FILES = 128
KEEPALIVE_SECONDS = 15
# A worker whose main loop, not one of its requests, stands still for so long is replaced.
HUNG_SECONDS = 30
HEADER_LINE_BYTES = 4_094
HEADER_FIELDS = 64
HEADER_FIELD_BYTES = 8_190
_MEMORY = Path("/dev/shm")  # noqa: S108 - gunicorn makes an unlinked file with an unforeseen name

CreateApp = Callable[[Settings], Any]


class Residents(Protocol):
    """What an app may put into `app.extensions["fairbones"]` to hear of the end."""

    def stop(self) -> None:
        """The service stops: answer everybody who waits. Called once, in the main thread."""

    def close(self) -> None:
        """Nobody asks any more: release files and locks."""


def serve(settings: Settings, create_app: CreateApp) -> None:
    """Listen until a signal; ends with `SystemExit` 0, or `EXIT_REFUSED` when the app refuses.

    Raises `FairbonesError` (`start/port-in-use`, `start/address`) when it cannot listen.
    """
    listener = listen(settings)
    settings = dataclasses.replace(settings, port=listener.getsockname()[1])
    _House(settings, create_app, listener).run()


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


def connections_max(threads: int) -> int:
    """How many connections may be open at once, so that there are files left for the rest."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(CONNECTIONS, 2 * threads)
    if files != resource.RLIM_INFINITY:
        wanted = min(wanted, files - LEAVING_MAX - OTHER_FILES)
    # gunicorn wants more of them than threads.
    return max(wanted, threads + 2)


class _House(BaseApplication):  # type: ignore[misc]
    """gunicorn, told everything; it reads no file, no argument and no variable of its own."""

    def __init__(self, settings: Settings, create_app: CreateApp, listener: socket.socket) -> None:
        self.settings = settings
        self._create_app = create_app
        self._listener = listener
        super().__init__()

    def load_config(self) -> None:
        wanted: dict[str, object] = {
            # gunicorn takes the socket over.
            "bind": f"fd://{self._listener.detach()}",
            "workers": 1,
            "worker_class": HouseWorker,
            "threads": self.settings.threads,
            "worker_connections": connections_max(self.settings.threads),
            "preload_app": False,
            "reload": False,
            "max_requests": 0,
            "timeout": HUNG_SECONDS,
            "graceful_timeout": self.settings.grace,
            "keepalive": KEEPALIVE_SECONDS,
            # The one whose framing `arrival` knows.
            "http_parser": "python",
            "limit_request_line": HEADER_LINE_BYTES,
            "limit_request_fields": HEADER_FIELDS,
            "limit_request_field_size": HEADER_FIELD_BYTES,
            "logger_class": ServingLog,
            "loglevel": self.settings.log_level,
            "control_socket_disable": True,
            "proc_name": "fairbones",
            "post_worker_init": self._worker_ready,
            "worker_exit": _worker_gone,
        }
        if os.access(_MEMORY, os.W_OK | os.X_OK):
            # The sign of life must not wait for a busy disk.
            wanted["worker_tmp_dir"] = str(_MEMORY)
        for name, value in wanted.items():
            # Older versions have no control socket.
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Any:
        """The app, made in the worker: it holds the data folder."""
        try:
            return self._create_app(self.settings)
        except FairbonesError as error:
            print(f"fairbones: {error.message}", file=sys.stderr, flush=True)
            raise SystemExit(EXIT_REFUSED) from None

    def run(self) -> None:
        configure_logging(self.settings.log_level)
        _OneWorker(self).run()

    def _worker_ready(self, worker: HouseWorker) -> None:
        if worker.age == 1:
            print(
                f"fairbones is listening on {self.settings.address} (data: {self.settings.data})",
                flush=True,
            )
        else:
            worker.log.warning("the service has been started anew")


def _worker_gone(_arbiter: object, worker: HouseWorker) -> None:
    # Called in the parent too, which never made an app.
    residents = worker.residents
    if residents is not None:
        residents.close()


class _OneWorker(Arbiter):  # type: ignore[misc]
    """gunicorn's parent process, without the signals that make a second worker or a reload."""

    WORKER_BOOT_ERROR = EXIT_REFUSED

    def handle_int(self) -> None:
        """Ctrl-C stops as gracefully as SIGTERM; a second one is in a hurry."""
        self.handle_term()

    def handle_hup(self) -> None:
        self.log.warning("SIGHUP is ignored: restart the service to change its settings")

    def handle_usr1(self) -> None:
        self.log.warning("SIGUSR1 is ignored: there are no log files to open again")

    def handle_usr2(self) -> None:
        self.log.warning("SIGUSR2 is ignored: the data folder belongs to one process")

    def handle_ttin(self) -> None:
        self.log.warning("SIGTTIN is ignored: there is one worker")

    handle_ttou = handle_ttin
