"""An app behind a worker: it gets whole bodies, and may ask whether its client is still there."""

from __future__ import annotations

import io
import socket
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from gunicorn.http.errors import NoMoreData  # type: ignore[import-untyped]

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]

# What an app finds in its environ: `gone() -> bool`, whether the client has hung up.
GONE = "fairbones.gone"
_BODILESS = ("GET", "HEAD")


def whole_request(app: WsgiApp, body_max: int) -> WsgiApp:
    """`app`, called with the whole body and its true length.

    A body longer than `body_max` bytes is left unread (its length tells `app`); for one that
    breaks off `app` is not called.
    """

    def called(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or ""
        announced = int(length) if length.isdigit() else None
        if announced is None or announced <= body_max:
            wanted = body_max + 1 if announced is None else announced
            body = environ["wsgi.input"].read(wanted)
            if announced is not None and len(body) < announced:
                raise NoMoreData
            # A reader may wait for minutes: what it sent for nothing is not kept that long.
            kept = b"" if environ["REQUEST_METHOD"] in _BODILESS else body
            environ["wsgi.input"] = io.BytesIO(kept)
            if environ.pop("HTTP_TRANSFER_ENCODING", None) is not None:
                environ["CONTENT_LENGTH"] = str(len(body))
        environ[GONE] = partial(gone, environ["gunicorn.socket"])
        return app(environ, start_response)

    return called


def gone(sock: Any) -> bool:
    """Whether the client has closed its side; what it has sent stays unread."""
    try:
        # gevent's socket would wait; the one inside does not.
        return not getattr(sock, "_sock", sock).recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True
