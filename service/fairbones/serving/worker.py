"""gunicorn's threaded worker, made patient with clients but not for ever.

gunicorn gives a thread to a connection until its request is answered, however slowly the
client sends. Here a silent connection waits in the poller, a request has to arrive whole in
`ARRIVAL_SECONDS`, and an answer has to move on within `STALL_SECONDS`.
"""

from __future__ import annotations

import contextlib
import io
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterable
from types import FrameType
from typing import Any

from gunicorn.http.errors import NoMoreData  # type: ignore[import-untyped]
from gunicorn.workers import gthread  # type: ignore[import-untyped]

ARRIVAL_SECONDS = 10.0
STALL_SECONDS = 10
# How long, and how many at once, answered clients may take to hang up: a connection that is closed
# while its client still sends is reset, and the end of the answer with it.
LEAVING_SECONDS = 2.0
LEAVING_MAX = 256
# How long a thread waits for the first byte; after that the poller does.
_FIRST_BYTE_SECONDS = 0.05

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class HouseWorker(gthread.ThreadWorker):  # type: ignore[misc]
    """The one worker process of the service."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.residents: Any = None
        # The sockets whose request is on its way, and until when they may be.
        self._arriving: dict[socket.socket, float] = {}
        # Answered connections whose client has not hung up yet, and until when it may take.
        self._leaving: dict[socket.socket, float] = {}

    def load_wsgi(self) -> None:
        super().load_wsgi()
        app = self.app.wsgi()
        self.residents = getattr(app, "extensions", {}).get("fairbones")
        self.wsgi = whole_request(app, self.app.settings.body_max, self._arrived)

    def init_signals(self) -> None:
        super().init_signals()
        # Ctrl-C reaches the whole terminal; the parent hears it and stops us gracefully.
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM: whoever waits for events is told at once, everybody else gets an answer."""
        if self.alive and self.residents is not None:
            # Not here: a signal can come while the main thread holds any lock.
            self.method_queue.defer(self.residents.stop)
        super().handle_exit(sig, frame)

    def handle(self, conn: Any) -> Any:
        """One request; runs in a thread of the pool."""
        if not conn.initialized and not conn.wait_for_data(_FIRST_BYTE_SECONDS):
            return gthread._DEFER
        sock = conn.sock
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", STALL_SECONDS, 0))
        self._arriving[sock] = time.monotonic() + ARRIVAL_SECONDS
        try:
            return super().handle(conn)
        finally:
            self._arriving.pop(sock, None)

    def finish_request(self, conn: Any, fs: Any) -> None:
        """The main thread again. gunicorn would wait here, for everybody, until the client of an
        answered connection hangs up; that wait belongs to the connection alone.
        """
        if not fs.cancelled() and (fs.exception() is not None or fs.result()):
            super().finish_request(conn, fs)
            return
        self.nr_conns -= 1
        with contextlib.suppress(OSError):
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        self._leaving[conn.sock] = time.monotonic() + LEAVING_SECONDS
        if _hung_up(conn.sock):
            self._let_go(conn.sock)
        elif len(self._leaving) > LEAVING_MAX:
            self._let_go(next(iter(self._leaving)))

    def _let_go(self, sock: socket.socket) -> None:
        self._leaving.pop(sock, None)
        sock.close()

    def murder_keepalived(self, force: bool = False) -> None:
        """Called about every second, in the main thread."""
        super().murder_keepalived(force)
        now = time.monotonic()
        for sock, until in list(self._leaving.items()):
            if now > until or _hung_up(sock):
                self._let_go(sock)
        for sock, deadline in list(self._arriving.items()):
            if now > deadline and self._arriving.pop(sock, None) is not None:
                # Its thread reads the end of the request and gives the connection up.
                with contextlib.suppress(OSError):
                    sock.shutdown(socket.SHUT_RD)

    def _arrived(self, sock: socket.socket) -> None:
        self._arriving.pop(sock, None)


def _hung_up(sock: socket.socket) -> bool:
    """Whether the client has closed its side; what it sent before that is thrown away."""
    try:
        for _ in range(16):
            if not sock.recv(4096):
                return True
    except BlockingIOError:
        return False
    except OSError:
        return True
    return False


def whole_request(
    app: WsgiApp, body_max: int, arrived: Callable[[socket.socket], object]
) -> WsgiApp:
    """`app`, called once the whole body is here and with its true length.

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
            environ["wsgi.input"] = io.BytesIO(body)
            if environ.pop("HTTP_TRANSFER_ENCODING", None) is not None:
                environ["CONTENT_LENGTH"] = str(len(body))
        arrived(environ["gunicorn.socket"])
        return app(environ, start_response)

    return called
