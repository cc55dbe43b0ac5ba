"""What gunicorn has to say, and one line for each request, through our own log."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import structlog
from gunicorn.glogging import Logger  # type: ignore[import-untyped]

from fairbones.config import EXIT_REFUSED

# Where an app puts the id of a request.
REQUEST_ID = "fairbones.request_id"


class ServingLog(Logger):  # type: ignore[misc]
    """gunicorn's logger without handlers of its own; its chatter is debug to us."""

    def setup(self, cfg: Any) -> None:
        self.cfg = cfg
        self._lines = structlog.get_logger("serving")
        self._requests = structlog.get_logger("request")

    def critical(self, msg: str, *args: object, **_: object) -> None:
        self._lines.critical(_filled(msg, args))

    def error(self, msg: str, *args: object, **extra: Any) -> None:
        if _is_refusal(msg, args):
            # Whoever refused to start has said why, in one sentence.
            return
        self._lines.error(_filled(msg, args), exc_info=bool(extra.get("exc_info")))

    def warning(self, msg: str, *args: object, **_: object) -> None:
        self._lines.warning(_filled(msg, args))

    def info(self, msg: str, *args: object, **_: object) -> None:
        self._lines.debug(_filled(msg, args))

    def debug(self, msg: str, *args: object, **_: object) -> None:
        self._lines.debug(_filled(msg, args))

    def exception(self, msg: str, *args: object, **_: object) -> None:
        if isinstance(sys.exc_info()[1], BlockingIOError):
            # The socket's own time limit, see `client`.
            self.stalled()
            return
        self._lines.error(_filled(msg, args), exc_info=True)

    def stalled(self) -> None:
        """An answer was given up half-way."""
        self._lines.info("a client did not take its answer in time")

    def log(self, lvl: object, msg: str, *args: object, **_: object) -> None:
        self._lines.info(_filled(msg, args), level_name=str(lvl))

    def access(
        self, resp: Any, _req: object, environ: Mapping[str, Any], request_time: timedelta
    ) -> None:
        """One line. The query stays out: people put secrets into queries."""
        self._requests.info(
            "request",
            method=environ.get("REQUEST_METHOD"),
            path=environ.get("PATH_INFO"),
            status=_number(resp.status),
            bytes=resp.sent,
            ms=round(request_time.total_seconds() * 1000, 1),
            remote=environ.get("REMOTE_ADDR"),
            **_named(environ),
        )

    def refused(self, status: int, why: str, address: Any) -> None:
        """One line for what was refused before there was a request; `why` is no client's text."""
        remote = address[0] if isinstance(address, tuple) else None
        self._requests.info("refused", status=status, why=why, remote=remote)

    def reopen_files(self) -> None:
        """There are none."""

    def close_on_exec(self) -> None:
        """stderr stays."""


def _filled(msg: object, args: tuple[object, ...]) -> str:
    text = str(msg)
    try:
        return text % args if args else text
    except (TypeError, ValueError):
        return text


def _named(environ: Mapping[str, Any]) -> dict[str, str]:
    """The id that the app has given a request, if it has."""
    found = environ.get(REQUEST_ID)
    return {"request_id": found} if isinstance(found, str) else {}


def _number(status: object) -> int | str:
    first = str(status).split(None, 1)[0]
    return int(first) if first.isdigit() else first


def _is_refusal(msg: str, args: tuple[object, ...]) -> bool:
    if msg.startswith("Worker (pid:%s) exited with code"):
        return args[1] == EXIT_REFUSED
    return msg.startswith(("Reason: %s", "Shutting down: %s"))
