"""`python -I -S pounding.py PORT PLAN`: many connections, each with requests made beforehand.

A process of its own that does as little as can be: one thread, raw sockets, an answer is looked
at for its status and its length and for nothing else. So it takes as much of the machine whoever
answers. PLAN is a pickle: for each connection the bytes of its requests, in order. It prints one
JSON object: `seconds` from the first request to the last answer, `answered` requests, and
`slowest`, the seconds that 99 of 100 answers took at most.
"""

from __future__ import annotations

import json
import pickle
import select
import socket
import sys
import time
from pathlib import Path

PATIENCE_SECONDS = 60.0


class Line:
    """A connection with one request on its way."""

    __slots__ = ("at", "inbox", "requests", "sent", "sock", "wanted")

    def __init__(self, port: int, requests: list[bytes]) -> None:
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.requests = requests
        self.at = 0
        self.inbox = b""
        self.wanted = 0
        self.sent = 0.0

    def ask(self) -> None:
        """Send the next request."""
        self.inbox, self.wanted = b"", 0
        self.sent = time.perf_counter()
        self.sock.sendall(self.requests[self.at])
        self.at += 1

    def heard(self) -> bool:
        """Read what is there; whether the answer is whole. ValueError for a refusal."""
        piece = self.sock.recv(65_536)
        if not piece:
            raise ValueError(f"hung up after {self.inbox[:200]!r}")
        self.inbox = self.inbox + piece if self.inbox else piece
        if not self.wanted:
            end = self.inbox.find(b"\r\n\r\n")
            if end < 0:
                return False
            head = self.inbox[:end].lower()
            if not head.startswith(b"http/1.1 2"):
                raise ValueError(self.inbox[:2000].decode("latin-1"))
            begin = head.index(b"content-length:") + 15
            self.wanted = end + 4 + int(head[begin:].split(b"\r\n", 1)[0])
        return len(self.inbox) >= self.wanted


def pound(port: int, plan: list[list[bytes]]) -> dict[str, float]:
    """Send all of it; what came of it. ValueError when an answer is none to be counted."""
    lines = {line.sock.fileno(): line for line in (Line(port, them) for them in plan if them)}
    poll = select.epoll()
    for number in lines:
        poll.register(number, select.EPOLLIN)
    took: list[float] = []
    begun = time.perf_counter()
    for line in lines.values():
        line.ask()
    open_lines = len(lines)
    while open_lines:
        ready = poll.poll(PATIENCE_SECONDS)
        if not ready:
            raise ValueError("no answer")
        for number, _ in ready:
            line = lines[number]
            if not line.heard():
                continue
            took.append(time.perf_counter() - line.sent)
            if line.at < len(line.requests):
                line.ask()
            else:
                poll.unregister(number)
                line.sock.close()
                open_lines -= 1
    seconds = time.perf_counter() - begun
    poll.close()
    took.sort()
    slowest = took[min(len(took) - 1, len(took) * 99 // 100)]
    return {"seconds": seconds, "answered": len(took), "slowest": slowest}


if __name__ == "__main__":
    try:
        print(json.dumps(pound(int(sys.argv[1]), pickle.loads(Path(sys.argv[2]).read_bytes()))))
    except (ValueError, OSError) as error:
        sys.exit(f"pounding: {error}")
