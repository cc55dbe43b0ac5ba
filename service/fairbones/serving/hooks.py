"""What gunicorn is told and what it calls, by `fairbones serve` and by a gunicorn of one's own.

A `gunicorn.conf.py` for `gunicorn fairbones.wsgi:app` is two lines:

    from fairbones.serving.hooks import gunicorn_settings
    globals().update(gunicorn_settings())
"""

from __future__ import annotations

import _thread
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn, TypeVar

import structlog

from fairbones.config import EXIT_REFUSED, Settings, load_settings
from fairbones.core.errors import FairbonesError
from fairbones.serving.patience import LEAVING_MAX
from fairbones.serving.tokens import Tokens

KEEPALIVE_SECONDS = 15
# A worker whose main loop, not one of its requests, stands still for so long is replaced.
HUNG_SECONDS = 30
HEADER_LINE_BYTES = 4_094
HEADER_FIELDS = 64
HEADER_FIELD_BYTES = 8_190
# Connections beside those that a thread answers.
CONNECTIONS = 800
# Files that are not connections: the store, the log, the libraries.
OTHER_FILES = 128
AWAY_SECONDS = 1.0
# A worker that refuses after another waits so long to be ended with it.
SECOND_SECONDS = 20.0
_AWAY = "store/unreachable"
_MEMORY = Path("/dev/shm")  # noqa: S108 - gunicorn makes an unlinked file with an unforeseen name
_NUMBERS = "PROMETHEUS_MULTIPROC_DIR"

App = TypeVar("App")


class _Family:
    """What the parent lays out before there are workers; each of them has it by its fork."""

    refusals: Tokens | None = None
    numbers: str | None = None
    # In a worker that took the place of another.
    successor: Any = None


def gunicorn_settings(settings: Settings | None = None) -> dict[str, Any]:
    """Everything gunicorn has to be told, but for what it shall run.

    Reads the environment without `settings`; refuses as `fairbones serve` does when it is wrong.
    """
    if settings is None:
        try:
            settings = load_settings()
        except FairbonesError as error:
            refuse(error)
    kind = "crowd.CrowdWorker" if settings.shared else "worker.HouseWorker"
    wanted: dict[str, Any] = {
        "bind": f"{settings.host}:{settings.port}",
        "workers": settings.workers,
        "worker_class": f"fairbones.serving.{kind}",
        "threads": 1 if settings.shared else settings.threads,
        "worker_connections": connections_of(settings),
        # Locks and connections of one process are no good to another.
        "preload_app": False,
        "reload": False,
        "max_requests": 0,
        "timeout": HUNG_SECONDS,
        "graceful_timeout": settings.grace,
        "keepalive": KEEPALIVE_SECONDS,
        # The one whose framing `arrival` knows.
        "http_parser": "python",
        "limit_request_line": HEADER_LINE_BYTES,
        "limit_request_fields": HEADER_FIELDS,
        "limit_request_field_size": HEADER_FIELD_BYTES,
        "logger_class": "fairbones.serving.log.ServingLog",
        "loglevel": settings.log_level,
        "control_socket_disable": True,
        "proc_name": "fairbones",
        "on_starting": on_starting,
        "on_exit": on_exit,
        "post_fork": post_fork,
        "post_worker_init": post_worker_init,
        "worker_exit": worker_exit,
        "child_exit": child_exit,
    }
    if os.access(_MEMORY, os.W_OK | os.X_OK):
        # The sign of life must not wait for a busy disk.
        wanted["worker_tmp_dir"] = str(_MEMORY)
    return wanted


def settings_of(application: Any) -> Settings:
    """The settings that `fairbones serve` gave its application; else those of the environment."""
    found = getattr(application, "settings", None)
    return found if isinstance(found, Settings) else load_settings()


def connections_of(settings: Settings) -> int:
    """How many connections one worker may hold open."""
    if settings.shared:
        return files_for(settings.connections)
    return connections_max(settings.threads)


def connections_max(threads: int) -> int:
    """How many connections may be open at once, so that there are files left for the rest."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = max(CONNECTIONS, 2 * threads)
    if files != resource.RLIM_INFINITY:
        wanted = min(wanted, files - LEAVING_MAX - OTHER_FILES)
    # gunicorn wants more of them than threads.
    return max(wanted, threads + 2)


def files_for(connections: int) -> int:
    """Ask the system for so many files and some more; how many connections it then has room for."""
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # To the store there may be as many again while everybody asks at once.
    needed = connections + OTHER_FILES + LEAVING_MAX
    if files != resource.RLIM_INFINITY and files < needed:
        files = needed if most == resource.RLIM_INFINITY else min(needed, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    if files == resource.RLIM_INFINITY or files >= needed:
        return connections
    return max(16, files - OTHER_FILES - LEAVING_MAX)


def refuse(error: FairbonesError) -> NoReturn:
    """Say why nothing starts, once for all workers, and end so that no other is tried."""
    if _Family.refusals is None or _Family.refusals.take():
        for sentence in error.message.splitlines():
            print(f"fairbones: {sentence}", file=sys.stderr, flush=True)
        raise SystemExit(EXIT_REFUSED)
    # The parent ends on the first refusal, and stumbles over a second one while it does.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    time.sleep(SECOND_SECONDS)
    raise SystemExit(EXIT_REFUSED)


def made(make: Callable[[], App]) -> App:
    """The app of a worker, or a refusal.

    A worker that takes the place of another waits for a store that is away: the others serve on,
    and a refusal would end them all.
    """
    while True:
        try:
            return make()
        except FairbonesError as error:
            worker = _Family.successor
            if error.code != _AWAY or worker is None or not worker.alive:
                refuse(error)
            structlog.get_logger("serving").warning(
                "a new worker waits for the store", code=error.code
            )
            worker.notify()
            time.sleep(AWAY_SECONDS)


def on_starting(server: Any) -> None:
    """gunicorn's: before there is any worker."""
    _Family.refusals = Tokens(1)
    if server.cfg.workers > 1 and _NUMBERS not in os.environ:
        _Family.numbers = os.environ[_NUMBERS] = tempfile.mkdtemp(prefix="fairbones-numbers-")


def on_exit(_server: Any) -> None:
    """gunicorn's: after the last worker."""
    if _Family.numbers is not None:
        shutil.rmtree(_Family.numbers, ignore_errors=True)


def post_fork(server: Any, worker: Any) -> None:
    """gunicorn's, in a new worker."""
    if worker.age > server.cfg.workers:
        _Family.successor = worker


def post_worker_init(worker: Any) -> None:
    """gunicorn's, in a worker that has its app."""
    if hasattr(worker, "residents"):
        return
    # A worker of gunicorn's own knows nothing of those who wait.
    worker.residents = getattr(worker.wsgi, "extensions", {}).get("fairbones")
    if worker.residents is not None:
        _stop_before(worker.residents, signal.getsignal(signal.SIGTERM))


def _stop_before(residents: Any, graceful: Any) -> None:
    def stop(signum: int, frame: FrameType | None) -> None:
        # Not here: a signal can come while this very thread holds any lock. And by a call that
        # waits for nothing, unlike `Thread.start`: where threads are greenlets it may be their hub
        # that is interrupted.
        _thread.start_new_thread(residents.stop, ())
        graceful(signum, frame)

    signal.signal(signal.SIGTERM, stop)


def worker_exit(_server: Any, worker: Any) -> None:
    """gunicorn's, at the end of a worker; called in the parent too, which never made an app."""
    residents = getattr(worker, "residents", None)
    if residents is not None:
        residents.close()


def child_exit(_server: Any, worker: Any) -> None:
    """gunicorn's, in the parent: what a worker counts as going on has ended with it."""
    if _NUMBERS in os.environ:
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
