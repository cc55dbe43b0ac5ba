"""Clients that strike at one moment: threads of this process, or a process of its own.

As a program (standard library alone) it reads a line with a volley, says that it is ready, waits
for "go" and prints what came back.
"""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Callable, Sequence

PATIENCE = 30


def volley(
    port: int, raws: Sequence[bytes], ready: Callable[[], object] | None = None
) -> list[bytes]:
    """Send each request on a connection of its own, all at once; what came back until the end.

    All connections stand, and `ready` has returned, before the first byte is sent.
    """
    clients = [socket.create_connection(("127.0.0.1", port), PATIENCE) for _ in raws]
    if ready is not None:
        ready()
    gate = threading.Barrier(len(raws))
    answers = [b""] * len(raws)

    def strike(place: int) -> None:
        gate.wait(PATIENCE)
        with clients[place] as client, contextlib.suppress(ConnectionError):
            client.sendall(raws[place])
            while chunk := client.recv(65_536):
                answers[place] += chunk

    threads = [threading.Thread(target=strike, args=(place,)) for place in range(len(raws))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return answers


def main() -> None:
    """One volley after the other until the input ends."""
    for line in sys.stdin:
        told = json.loads(line)

        def ready() -> None:
            print("ready", flush=True)
            sys.stdin.readline()

        answers = volley(told["port"], [bytes.fromhex(raw) for raw in told["raws"]], ready)
        print(json.dumps([answer.hex() for answer in answers]), flush=True)


if __name__ == "__main__":
    main()
