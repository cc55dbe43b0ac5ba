"""A server that drips is not waited for, whatever it drips: by the client nor the verifier."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
from collections.abc import Iterator

import pytest

from fairbones_verify import sources
from fairbones_verify.client import Unreachable, Wire

BOUND = 0.6  # seconds in all
DROP = 0.02
LONGEST = 20.0  # where nobody counted, the drops would go on for so long
HEAD = b"HTTP/1.1 200 OK\r\n"


@contextlib.contextmanager
def dripping(flood: bytes, drop: bytes) -> Iterator[str]:
    """Answers every request with `flood` at once, and then with drop after drop; its address."""
    over = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve(line: socket.socket) -> None:
        with contextlib.suppress(OSError), line:
            line.recv(65_536)
            line.sendall(flood)
            for _ in range(int(LONGEST / DROP)):
                if over.wait(DROP):
                    return
                line.sendall(drop)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = listening.accept()
                threading.Thread(target=serve, args=(line,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        over.set()
        listening.close()


DRIPS = {
    "a body": (HEAD + b"\r\n", b" "),
    "a body of a length": (HEAD + b"Content-Length: 9999\r\n\r\n", b" "),
    "the size of a chunk": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
    "chunks": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "a status": (b"", b"X"),
    "headers": (HEAD, b"X-Y: z\r\n"),
    "interim answers": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
}


@pytest.mark.parametrize("name", DRIPS)
def test_a_transcript_that_drips(name: str) -> None:
    """The bound holds for the answer in all, and not from drop to drop."""
    with dripping(*DRIPS[name]) as url, pytest.raises(sources.Problem) as caught:
        sources.fetched(url, BOUND)
    assert caught.value.args[0] == "start/url"


@pytest.mark.parametrize("name", DRIPS)
def test_a_house_that_drips(name: str) -> None:
    with dripping(*DRIPS[name]) as url, pytest.raises(Unreachable):
        Wire(url, most=BOUND).ask("GET", "/v1/keys")


def test_a_slow_transcript_in_time_is_read() -> None:
    """Drops alone are no reason: an answer that ends is taken."""
    with dripping(HEAD + b"Content-Length: 9\r\n\r\n", b"abc") as url:
        assert sources.fetched(url, 10) == b"abcabcabc"


def test_a_connection_is_used_again() -> None:
    """Also by a Python whose `read1` does not close an answer of which all is read."""
    listening = socket.create_server(("127.0.0.1", 0))
    lines = itertools.count()

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                line, _ = listening.accept()
                next(lines)
                with line:
                    while line.recv(65_536):
                        line.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")

    threading.Thread(target=serve, daemon=True).start()
    wire = Wire(f"http://127.0.0.1:{listening.getsockname()[1]}")
    for _ in range(3):
        assert wire.ask("GET", "/v1/keys").json() == {}
    wire.close()
    listening.close()
    assert next(lines) == 1
