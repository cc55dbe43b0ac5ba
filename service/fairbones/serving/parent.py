"""gunicorn's parent process as `fairbones serve` has it: told everything, unmoved by signals."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any, Protocol

import structlog
from gunicorn.app.base import BaseApplication  # type: ignore[import-untyped]
from gunicorn.arbiter import Arbiter  # type: ignore[import-untyped]

from fairbones.config import EXIT_REFUSED, Settings
from fairbones.logs import configure_logging
from fairbones.serving import hooks
from fairbones.serving.tokens import Tokens

CreateApp = Callable[[Settings], Any]


class Companion(Protocol):
    """A process that is started beside the service and ended with it."""

    def look(self) -> str | None:
        """Called now and then: start it again where it has ended; what to say of it."""

    def terminate(self) -> None:
        """Ask it to end; nothing, when it has ended."""


class Parent(BaseApplication):  # type: ignore[misc]
    """gunicorn, told everything; it reads no file, no argument and no variable of its own."""

    def __init__(
        self,
        settings: Settings,
        create_app: CreateApp,
        listener: socket.socket,
        companion: Companion | None = None,
    ) -> None:
        self.settings = settings
        self.companion = companion
        self._create_app = create_app
        self._listener = listener
        # The last worker to be ready finds none left.
        self._coming = Tokens(settings.workers - 1)
        super().__init__()

    def load_config(self) -> None:
        wanted = hooks.gunicorn_settings(self.settings)
        # gunicorn takes the socket over.
        wanted["bind"] = f"fd://{self._listener.detach()}"
        wanted["post_worker_init"] = self._worker_ready
        for name, value in wanted.items():
            # Older versions have no control socket.
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Any:
        """The app, made in the worker: it holds the data folder, or connections of its own."""
        return hooks.made(lambda: self._create_app(self.settings))

    def run(self) -> None:
        configure_logging(self.settings.log_level)
        _Unmoved(self).run()

    def _worker_ready(self, worker: Any) -> None:
        if worker.age > self.settings.workers:
            worker.log.warning(
                "a worker has been started anew"
                if self.settings.shared
                else "the service has been started anew"
            )
        elif not self._coming.take():
            print(
                f"fairbones is listening on {self.settings.address} ({_where(self.settings)})",
                flush=True,
            )


def _where(settings: Settings) -> str:
    if settings.shared:
        return f"store: {settings.store_shown}, workers: {settings.workers}"
    return f"data: {settings.data}"


class _Unmoved(Arbiter):  # type: ignore[misc]
    """gunicorn's parent process, without the signals that change how many workers there are."""

    WORKER_BOOT_ERROR = EXIT_REFUSED

    def manage_workers(self) -> None:
        """Called every second: who comes along is looked after as well."""
        super().manage_workers()
        said = None if self.app.companion is None else self.app.companion.look()
        if said is not None:
            self.log.warning(said)

    def halt(self, reason: str | None = None, exit_status: int = 0) -> None:
        """The end, in a line of the log when it is a clean one."""
        try:
            super().halt(reason, exit_status)
        finally:
            if exit_status == 0:
                structlog.get_logger("serving").info("stopped")

    def handle_int(self) -> None:
        """Ctrl-C stops as gracefully as SIGTERM; a second one is in a hurry."""
        self.handle_term()

    def handle_hup(self) -> None:
        self.log.warning("SIGHUP is ignored: restart the service to change its settings")

    def handle_usr1(self) -> None:
        self.log.warning("SIGUSR1 is ignored: there are no log files to open again")

    def handle_usr2(self) -> None:
        self.log.warning("SIGUSR2 is ignored: start another service, then stop this one")

    def handle_ttin(self) -> None:
        self.log.warning("SIGTTIN is ignored: FAIRBONES_WORKERS says how many workers there are")

    def handle_ttou(self) -> None:
        self.log.warning("SIGTTOU is ignored: FAIRBONES_WORKERS says how many workers there are")
