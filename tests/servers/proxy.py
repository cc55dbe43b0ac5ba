"""A TCP proxy on the loopback interface that can cut, delay, hold or drop what goes through it."""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


class Proxy:
    """Carries bytes between whoever connects to `port` and 127.0.0.1:`target`.

    `cut()` ends all connections and refuses new ones, until `mend()`. `delay` (seconds) goes before
    every reply. `lose_reply(when)` ends the connection in place of the next reply to a request
    that `when` is true of: the server has done it, and nobody hears. `hold()` passes nothing in
    either direction and ends nothing, until `mend()`: a network that is gone.
    """

    def __init__(self, target: int) -> None:
        self.target = target
        self.delay = 0.0
        self.lost = 0
        self._losing: Callable[[bytes], bool] | None = None
        self._open = threading.Event()
        self._open.set()
        self._refusing = False
        self._closed = False
        self._lines: set[socket.socket] = set()
        self._guard = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        """The server without a password, through the proxy."""
        return f"redis://127.0.0.1:{self.port}/0"

    def cut(self) -> None:
        """End all connections, and every new one at once."""
        self._refusing = True
        self._end_all()

    def hold(self) -> None:
        """Pass nothing on, end nothing."""
        self._open.clear()

    def mend(self) -> None:
        """As if nothing had been."""
        self._refusing = False
        self._losing = None
        self.delay = 0.0
        self._open.set()

    def lose_reply(self, when: Callable[[bytes], bool] = lambda _sent: True) -> None:
        """Once: the next reply to a request that `when` is true of does not arrive."""
        self._losing = when

    def close(self) -> None:
        """End everything."""
        self._closed = True
        self._open.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._end_all()
        for thread in self._threads:
            thread.join(10)

    def _end_all(self) -> None:
        with self._guard:
            lines, self._lines = self._lines, set()
        for line in lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        while not self._closed:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                if self._refusing or self._closed:
                    raise ConnectionRefusedError
                far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                near.close()
                continue
            with self._guard:
                self._lines |= {near, far}
            thread = threading.Thread(target=self._carry, args=(near, far), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _carry(self, near: socket.socket, far: socket.socket) -> None:
        other = {near: far, far: near}
        losing = False
        with near, far, selectors.DefaultSelector() as ready:
            for line in other:
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                line.settimeout(10)
                ready.register(line, selectors.EVENT_READ)
            with suppress(OSError):
                while True:
                    for key, _ in ready.select():
                        line = near if key.fileobj is near else far
                        data = line.recv(1 << 16)
                        if not data:
                            return
                        self._open.wait()
                        if line is near and self._losing is not None and self._losing(data):
                            self._losing, losing = None, True
                        elif line is far and losing:
                            self.lost += 1
                            return
                        elif line is far and self.delay:
                            time.sleep(self.delay)
                        other[line].sendall(data)
        with self._guard:
            self._lines -= {near, far}


@contextmanager
def proxy_to(port: int) -> Iterator[Proxy]:
    """A proxy in front of a port of 127.0.0.1, closed afterwards."""
    proxy = Proxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
