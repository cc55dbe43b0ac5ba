"""gunicorn's gevent worker for a store that many processes share: thousands may wait at once.

Each connection has a greenlet of its own, so a slow client holds nobody but itself. What a client
sends is gathered and framed as in `worker`, by the same `arrival`, within the same times.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import time
from collections.abc import Iterable
from datetime import datetime
from functools import partial
from types import FrameType
from typing import Any

import gevent  # type: ignore[import-untyped]
from gevent.pool import Pool  # type: ignore[import-untyped]
from gevent.server import StreamServer  # type: ignore[import-untyped]
from gunicorn.http import get_parser, wsgi  # type: ignore[import-untyped]
from gunicorn.http.errors import NoMoreData  # type: ignore[import-untyped]
from gunicorn.workers.base import Worker  # type: ignore[import-untyped]
from gunicorn.workers.ggevent import GeventWorker  # type: ignore[import-untyped]

from fairbones.logs import configure_logging
from fairbones.serving import patience
from fairbones.serving.arrival import Arrival, State
from fairbones.serving.bodies import whole_request
from fairbones.serving.client import send_now
from fairbones.serving.hooks import settings_of
from fairbones.serving.refusal import HEAD_TOO_LARGE, too_large
from fairbones.serving.refusing import Refusing
from fairbones.serving.streams import HOLD, Hold, Streams

_BEAT_SECONDS = 0.25
_READ_BYTES = 65_536
# An answer goes out in pieces, and each of them has the patience of `patience.STALL_SECONDS`.
_PIECE_BYTES = 65_536


class Caller:
    """A connection, and what its client has sent of its next request."""

    __slots__ = ("addr", "inbox", "parser", "sock", "whole")

    def __init__(self, sock: Any, addr: Any, parser: Any) -> None:
        self.sock = sock
        self.addr = addr
        self.parser = parser
        self.inbox = bytearray()
        # Whether the request that was handed over ends where its bytes end.
        self.whole = False


class CrowdWorker(Refusing, GeventWorker):  # type: ignore[misc]
    """One of several worker processes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.residents: Any = None
        self._body_max = 0
        self._held = 0
        # Those who have not sent a whole request yet, the longest waiting first.
        self._unheard: dict[Caller, None] = {}
        self._streams = Streams()
        self._desk = memoryview(bytearray(_READ_BYTES))

    def patch(self) -> None:
        super().patch()
        # A log that the parent opened has locks which know nothing of greenlets.
        configure_logging(self.cfg.loglevel)
        self.log.setup(self.cfg)

    def load_wsgi(self) -> None:
        super().load_wsgi()
        app = self.app.wsgi()
        self.residents = getattr(app, "extensions", {}).get("fairbones")
        self._body_max = settings_of(self.app).body_max
        self.wsgi = whole_request(app, self._body_max)

    def init_signals(self) -> None:
        super().init_signals()
        # Ctrl-C reaches the whole terminal; the parent hears it and stops us gracefully.
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def handle_exit(self, _sig: int, _frame: FrameType | None) -> None:
        self.alive = False

    def notify(self) -> None:
        """A sign of life; an orphan ends as gracefully as it would have with its parent."""
        Worker.notify(self)
        if self.ppid != os.getppid():
            self.alive = False

    def run(self) -> None:
        """Serve until there is a reason to stop, then answer whoever is being answered."""
        self._streams.start()
        pool = Pool(self.worker_connections)
        servers = [self._server(sock, pool) for sock in self.sockets]
        while self.alive:
            self.notify()
            gevent.sleep(_BEAT_SECONDS)
        for server in servers:
            server.close()
        until = time.monotonic() + self.cfg.graceful_timeout
        if self.residents is not None:
            self.residents.stop()
        hurry = time.monotonic() + patience.STOP_SECONDS
        while len(pool) and time.monotonic() < until:
            self._dismiss(everybody=time.monotonic() > hurry)
            self.notify()
            gevent.sleep(_BEAT_SECONDS / 5)
        pool.kill(timeout=1)

    def _server(self, sock: Any, pool: Pool) -> StreamServer:
        sock.setblocking(1)
        server = StreamServer(sock, handle=partial(self._welcome, sock, pool), spawn=pool)
        if self.cfg.workers > 1:
            server.max_accept = 1
        server.start()
        return server

    def _dismiss(self, *, everybody: bool) -> None:
        """The service stops: whoever has sent nothing goes, and later whoever is not done yet."""
        for caller in [it for it in self._unheard if everybody or not it.inbox]:
            self._drop(caller)

    def _make_room(self) -> None:
        """Give up the connection that has waited for the longest without being answered."""
        oldest = next(iter(self._unheard), None)
        if oldest is not None:
            self._drop(oldest)

    def _drop(self, caller: Caller) -> None:
        self._unheard.pop(caller, None)
        # It reads the end of its connection, wherever it is by now.
        with contextlib.suppress(OSError):
            caller.sock._sock.shutdown(socket.SHUT_RDWR)

    def _welcome(self, listener: Any, pool: Pool, sock: Any, addr: Any) -> None:
        """A connection, from its first byte to its end."""
        # One place stays free: without it nobody would be accepted.
        if pool.free_count() < 1:
            self._make_room()
        caller = Caller(sock, addr, get_parser(self.cfg, (), addr))
        try:
            name = listener.getsockname()
            while self._gathered(caller) and self._answered(caller, name):
                pass
            self._part(caller)
        except (OSError, NoMoreData, StopIteration):
            # The client has gone, or was too slow.
            pass
        except gevent.GreenletExit:
            pass
        finally:
            self._held -= len(caller.inbox)
            sock.close()

    def _gathered(self, caller: Caller) -> bool:
        """Wait for a whole request; False when there was none, or a refusal of it."""
        arrival = Arrival(self._body_max, self.cfg.limit_request_line)
        deadline = time.monotonic() + (self.cfg.keepalive if self.alive else patience.STOP_SECONDS)
        begun = False
        self._unheard[caller] = None
        try:
            while True:
                if caller.inbox:
                    state = arrival.look(caller.inbox)
                    if state is not State.MORE:
                        return self._handed_over(caller, arrival, state)
                    if arrival.expects:
                        arrival.expects = False
                        send_now(caller.sock._sock, b"HTTP/1.1 100 Continue\r\n\r\n")
                    if not begun:
                        begun, deadline = True, time.monotonic() + patience.ARRIVAL_SECONDS
                if not self._heard(caller, deadline):
                    return False
        finally:
            self._unheard.pop(caller, None)

    def _heard(self, caller: Caller, deadline: float) -> bool:
        """More of what the client sends; False when there is nothing more to come in time."""
        caller.sock.settimeout(max(0.001, deadline - time.monotonic()))
        size = caller.sock.recv_into(self._desk)
        caller.inbox += self._desk[:size]
        self._held += size
        if self._held > patience.HELD_BYTES:
            self._make_room()
        return bool(size)

    def _handed_over(self, caller: Caller, arrival: Arrival, state: State) -> bool:
        if state is State.READY:
            caller.parser.unreader.unread(bytes(caller.inbox[: arrival.end]))
            del caller.inbox[: arrival.end]
            self._held -= arrival.end
            caller.whole = arrival.whole
            return True
        if state is State.HEAD_TOO_LARGE:
            self._refuse(caller.sock._sock, caller.addr, HEAD_TOO_LARGE)
        else:
            most = self._body_max
            self._refuse(caller.sock._sock, caller.addr, too_large(most), maximum=most)
        return False

    def _answered(self, caller: Caller, name: Any) -> bool:
        """Parse the request, ask the app, send its answer; whether another request may follow."""
        request = None
        # Those who came before have their turn: without this a burst of one client is served whole.
        gevent.sleep(0)
        caller.sock.settimeout(patience.STALL_SECONDS)
        try:
            request = next(caller.parser)
            # Its body is here already, or is never going to be read.
            request._expected_100_continue = False
            if not caller.whole or not self.alive:
                request.force_close()
            kept = self._served(caller, request, name)
        except TimeoutError:
            self.log.stalled()
            raise
        except (OSError, NoMoreData, StopIteration, gevent.GreenletExit):
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the client is told
            self.handle_error(request, caller.sock._sock, caller.addr, error)
            return False
        return kept and caller.whole and not caller.parser.unreader.buf.getvalue()

    def _served(self, caller: Caller, request: Any, name: Any) -> bool:
        begun = datetime.now()  # noqa: DTZ005 - gunicorn's log wants a difference of two
        answer, environ = wsgi.create(request, caller.sock, caller.addr, name, self.cfg)
        environ["wsgi.multithread"] = True
        environ[HOLD] = hold = Hold(self._streams, caller.sock, environ)
        self.nr += 1
        pieces: Iterable[bytes] = ()
        try:
            pieces = self.wsgi(environ, answer.start_response)
            for piece in pieces:
                for at in range(0, len(piece), _PIECE_BYTES):
                    answer.write(piece[at : at + _PIECE_BYTES])
            answer.close()
        except Exception as error:
            if not answer.headers_sent or isinstance(error, OSError):
                raise
            self.log.error("an answer broke off: %s", type(error).__name__)
            return False
        finally:
            hold.end()
            self.log.access(answer, request, environ, datetime.now() - begun)  # noqa: DTZ005
            close = getattr(pieces, "close", None)
            if close is not None:
                close()
        return not answer.should_close()

    def _part(self, caller: Caller) -> None:
        """After an answer: a client that still sends would lose the end of it by a reset."""
        with contextlib.suppress(OSError), gevent.Timeout(patience.LEAVING_SECONDS, False):
            caller.sock.shutdown(socket.SHUT_WR)
            caller.sock.settimeout(patience.LEAVING_SECONDS)
            while caller.sock.recv_into(self._desk):
                pass
