"""A connection, and what its client has sent of its next request."""

from __future__ import annotations

import contextlib
import socket
import struct
from typing import Any

from gunicorn.http import get_parser  # type: ignore[import-untyped]
from gunicorn.workers import gthread  # type: ignore[import-untyped]

from fairbones.serving import patience
from fairbones.serving.arrival import Arrival


class Client(gthread.TConn):  # type: ignore[misc]
    """gunicorn's connection, whose parser reads from memory and never from the socket.

    The main thread puts a request there once it is complete. So a thread cannot wait for a client:
    where the request ends, the parser sees the end of the connection.
    """

    def __init__(self, cfg: Any, sock: socket.socket, client: Any, server: Any) -> None:
        super().__init__(cfg, sock, client, server)
        stall = struct.pack("@ll", patience.STALL_SECONDS, 0)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, stall)
        self.parser = get_parser(cfg, (), client)
        self.initialized = True
        self.inbox = bytearray()
        self.arrival: Arrival | None = None
        # Since when it waits for what it waits for, and until when its request has to be here.
        self.since = 0.0
        self.deadline = 0.0
        # Whether the request that was handed over ends where its bytes end.
        self.whole = False
        self.handed = 0
        # Whether the poller has an eye on it, and whether it is no longer the main thread's care.
        self.watched = False
        self.gone = False

    def hand_over(self, end: int, *, whole: bool) -> None:
        """The first bytes of the inbox are a request, for a thread to parse and answer."""
        self.parser.unreader.unread(bytes(self.inbox[:end]))
        del self.inbox[:end]
        self.arrival = None
        self.whole = whole
        self.handed = end

    def read_to_the_end(self) -> bool:
        """Whether gunicorn saw the last request end where we did; else nothing may follow it."""
        return self.whole and not self.parser.unreader.buf.getvalue()

    def say(self, words: bytes) -> None:
        """A few words, without waiting: from a client that does not read they are kept."""
        send_now(self.sock, words)


def send_now(sock: socket.socket, words: bytes) -> None:
    """Send what the system takes at once."""
    with contextlib.suppress(OSError):
        sock.send(words, socket.MSG_DONTWAIT)
