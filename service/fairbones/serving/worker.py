"""gunicorn's threaded worker, made patient with clients but not for ever.

gunicorn gives a thread to a connection until its request is answered, however slowly the client
sends. Here the main thread gathers what clients send, and a thread gets a request that is whole.
A request has to arrive, and an answer to move on, within the times of `patience`.

Where there are too many connections, or too many bytes of unfinished requests, the oldest of those
that are not being answered go: a client that means well needs its place for a moment only.
"""

from __future__ import annotations

import contextlib
import errno
import selectors
import signal
import socket
import time
from functools import partial
from types import FrameType
from typing import Any

from gunicorn.workers import gthread  # type: ignore[import-untyped]

from fairbones.serving import patience
from fairbones.serving.arrival import Arrival, State
from fairbones.serving.bodies import whole_request
from fairbones.serving.client import Client
from fairbones.serving.hooks import settings_of
from fairbones.serving.refusal import HEAD_TOO_LARGE, too_large
from fairbones.serving.refusing import Refusing

_READ_BYTES = 65_536
_TICK_SECONDS = 0.25
_NO_MORE_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class HouseWorker(Refusing, gthread.ThreadWorker):  # type: ignore[misc]
    """The one worker process of a service that keeps its matches in a file."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.residents: Any = None
        self._body_max = 0
        # Connections that have sent nothing yet and those that have sent a part of a request, each
        # the oldest first. Those that were answered before are in gunicorn's `keepalived_conns`.
        self._silent: dict[Client, None] = {}
        self._arriving: dict[Client, None] = {}
        # Answered connections whose client has not hung up yet, and until when it may take.
        self._leaving: dict[socket.socket, float] = {}
        self._held = 0
        self._next_tick = 0.0
        self._desk = memoryview(bytearray(_READ_BYTES))

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

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """SIGTERM: whoever waits for events is told at once, everybody else gets an answer."""
        if self.alive and self.residents is not None:
            # Not here: a signal can come while the main thread holds any lock.
            self.method_queue.defer(self.residents.stop)
        super().handle_exit(sig, frame)

    # The main thread: everything until a request is whole, and after its answer.

    def accept(self, listener: socket.socket) -> None:
        """Somebody new, who is listened to at once."""
        try:
            sock, address = listener.accept()
        except OSError as error:
            # No reason to end, as gunicorn would.
            if error.errno in _NO_MORE_FILES:
                if self._leaving:
                    self._let_go(next(iter(self._leaving)))
                elif not self._make_room():
                    time.sleep(_TICK_SECONDS / 10)
            return
        # One place stays free: without it gunicorn would accept nobody.
        while self.nr_conns + 1 >= self.worker_connections and self._make_room():
            pass
        try:
            conn = Client(self.cfg, sock, address, listener.getsockname())
        except OSError:
            sock.close()
            return
        self.nr_conns += 1
        conn.since = time.monotonic()
        conn.deadline = conn.since + self.cfg.keepalive
        self._silent[conn] = None
        self._hear(conn)

    def _make_room(self) -> bool:
        """Give up the connection that has had its place for the longest without being answered."""
        oldest = [next(iter(them)) for them in (self._silent, self._arriving) if them]
        if self.keepalived_conns:
            oldest.append(self.keepalived_conns[0])
        if oldest:
            self._drop(min(oldest, key=lambda conn: conn.since))
        return bool(oldest)

    def _hear(self, conn: Client, _sock: object = None) -> None:
        """The client may have sent something."""
        if conn.gone:
            # Given up for another whose event came just before.
            return
        if self._held > patience.HELD_BYTES and self._arriving:
            oldest = next(iter(self._arriving))
            self._drop(oldest)
            if oldest is conn:
                return
        try:
            size = conn.sock.recv_into(self._desk, 0, socket.MSG_DONTWAIT)
        except BlockingIOError:
            self._watch(conn)
            return
        except OSError:
            size = 0
        if size == 0:
            self._drop(conn)
            return
        conn.inbox += self._desk[:size]
        self._held += size
        self._weigh(conn)

    def _weigh(self, conn: Client) -> None:
        """Is that a request? If not, there is a time for the rest."""
        if conn.arrival is None:
            conn.arrival = Arrival(self._body_max, self.cfg.limit_request_line)
        arrival = conn.arrival
        state = arrival.look(conn.inbox)
        if state is State.MORE:
            if arrival.expects:
                arrival.expects = False
                conn.say(b"HTTP/1.1 100 Continue\r\n\r\n")
            if conn not in self._arriving:
                self._unlist(conn)
                conn.since = time.monotonic()
                conn.deadline = conn.since + patience.ARRIVAL_SECONDS
                self._arriving[conn] = None
            self._watch(conn)
            return
        self._unlist(conn)
        self._unwatch(conn)
        if state is State.READY:
            conn.hand_over(arrival.end, whole=arrival.whole)
            self.enqueue_req(conn)
            return
        if state is State.HEAD_TOO_LARGE:
            self._refuse(conn.sock, conn.client, HEAD_TOO_LARGE)
        else:
            body_max = self._body_max
            self._refuse(conn.sock, conn.client, too_large(body_max), maximum=body_max)
        self._part(conn)

    def finish_request(self, conn: Client, fs: Any) -> None:
        """The main thread again, after a thread. gunicorn would wait here, for everybody, until
        the client of an answered connection hangs up; that wait belongs to the connection alone.
        """
        self._held -= conn.handed
        conn.handed = 0
        kept = not fs.cancelled() and fs.exception() is None and fs.result()
        if not kept or not conn.read_to_the_end():
            self._part(conn)
            return
        conn.sock.setblocking(False)
        if conn.inbox:
            self._weigh(conn)
            return
        conn.since = time.monotonic()
        conn.timeout = conn.since + (self.cfg.keepalive if self.alive else patience.STOP_SECONDS)
        self.keepalived_conns.append(conn)
        self._watch(conn)

    def _watch(self, conn: Client) -> None:
        if not conn.watched:
            self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._hear, conn))
            conn.watched = True

    def _unwatch(self, conn: Client) -> None:
        if conn.watched:
            self.poller.unregister(conn.sock)
            conn.watched = False

    def _unlist(self, conn: Client) -> None:
        self._silent.pop(conn, None)
        self._arriving.pop(conn, None)
        if conn.timeout is not None:
            conn.timeout = None
            self.keepalived_conns.remove(conn)

    def _forget(self, conn: Client) -> None:
        conn.gone = True
        self._unlist(conn)
        self._unwatch(conn)
        self._held -= len(conn.inbox)
        conn.inbox.clear()
        self.nr_conns -= 1

    def _drop(self, conn: Client) -> None:
        """Without a word."""
        self._forget(conn)
        conn.sock.close()

    def _part(self, conn: Client) -> None:
        """After an answer."""
        self._forget(conn)
        with contextlib.suppress(OSError):
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
        self._leaving[conn.sock] = time.monotonic() + patience.LEAVING_SECONDS
        if _hung_up(conn.sock):
            self._let_go(conn.sock)
        elif len(self._leaving) > patience.LEAVING_MAX:
            self._let_go(next(iter(self._leaving)))

    def _let_go(self, sock: socket.socket) -> None:
        self._leaving.pop(sock, None)
        sock.close()

    def murder_keepalived(self, force: bool = False) -> None:
        """Called after every look at the poller, about every second when nothing happens."""
        now = time.monotonic()
        while self.keepalived_conns and (force or now >= self.keepalived_conns[0].timeout):
            self._drop(self.keepalived_conns[0])
        if now < self._next_tick and not force:
            return
        self._next_tick = now + _TICK_SECONDS
        for conn in [*self._silent, *self._arriving]:
            if not self.alive:
                conn.deadline = min(conn.deadline, now + patience.STOP_SECONDS)
            if force or now >= conn.deadline:
                self._drop(conn)
        for sock, until in list(self._leaving.items()):
            if now > until or _hung_up(sock):
                self._let_go(sock)

    # The threads.

    def handle_request(self, req: Any, conn: Client) -> Any:
        """A request whose head gunicorn finds good."""
        # Its body is here already, or is never going to be read.
        req._expected_100_continue = False
        if not conn.whole:
            req.force_close()
        return super().handle_request(req, conn)


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
