"""Thousands of event streams that wait, in Redis mode: what each takes, what the others feel."""

from __future__ import annotations

import re
import resource
import select
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from tests.bench.harness import BYTES, CPU, SLOW, WALL, Bench, Done, Side, Watch
from tests.bench.plans import Planned, Planner
from tests.bench.servers import Server, on_a_shared_store, rss, server
from tests.bench.serving import Table, pound
from tests.servers import Config, redis_server

STREAMS = 5000
TOGETHER = 100
CONNECTIONS = 16
PATIENCE_SECONDS = 120.0
ASK = (
    "GET /v1/matches/{match}/events?after={after} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    "Accept: text/event-stream\r\n\r\n"
)


# A greenlet that waits, as the streams' do, and nothing else.
_GREENLETS = """
import re, sys, gevent, gevent.event
def rss():
    return 1024 * int(re.search("Rss: +([0-9]+)", open("/proc/self/smaps_rollup").read())[1])
release = gevent.event.Event()
gevent.spawn(release.wait, 0).join()
before = rss()
waiting = [gevent.spawn(release.wait) for _ in range(int(sys.argv[1]))]
gevent.sleep(0)
print(rss() - before)
release.set()
gevent.joinall(waiting)
"""


def benches(quick: bool, folder: Path) -> Iterator[Bench]:
    """Memory of a stream, and actions beside them all."""
    count = 20 if quick else streams_possible()
    with ExitStack() as stack:
        store = stack.enter_context(redis_server("valkey", Config(appendfsync="everysec")))
        shared = on_a_shared_store(store.url, folder / "stream-keys")
        service = stack.enter_context(server(folder / "streams", shared))
        planner = stack.enter_context(closing(Planner(service.port, "streams")))
        yield _memory(service, planner, count)
        yield _beside(Table(folder, service, service, planner), count, 2 if quick else CONNECTIONS)


def streams_possible() -> int:
    """As many as are wanted, or as this process may have files for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < STREAMS + 500:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, STREAMS + 500), hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return min(STREAMS, soft - 400)


@contextmanager
def waiting(service: Server, hand: Planned, count: int) -> Iterator[list[socket.socket]]:
    """So many streams of one match that have got what there is, and wait for more."""
    asked = ASK.format(match=hand.match, after=hand.dealt - 1).encode()
    with ExitStack() as stack:
        lines: list[socket.socket] = []
        while len(lines) < count:
            # Not all in one moment: a store has only so many connections.
            fresh = []
            for _ in range(min(TOGETHER, count - len(lines))):
                line = stack.enter_context(
                    socket.create_connection(("127.0.0.1", service.port), 60)
                )
                line.sendall(asked)
                fresh.append(line)
            for line in fresh:
                heard(line, hand.dealt)
            lines += fresh
        yield lines


def heard(line: socket.socket, seq: int) -> None:
    """Read until the message with this id, or one beyond it; RuntimeError when there is none."""
    said = b""
    line.settimeout(PATIENCE_SECONDS)
    while True:
        if any(int(it) >= seq for it in re.findall(rb"(?m)^id: ?(\d+)\r?\n", said)):
            return
        piece = line.recv(65_536)
        if not piece:
            raise RuntimeError(f"a stream ended before event {seq}: {said[-300:]!r}")
        said += piece


def _memory(service: Server, planner: Planner, count: int) -> Bench:
    def streams(watch: Watch) -> Done:
        hand = planner.hand()
        before = sum(map(rss, service.workers()))
        with waiting(service, hand, count) as lines:
            watch.weigh(sum(map(rss, service.workers())) - before)
            planner.send(hand.requests[0])
            for line in lines:
                heard(line, hand.dealt + 1)
        return Done(count, True)

    def greenlets(watch: Watch) -> Done:
        done = subprocess.run(
            [sys.executable, "-c", _GREENLETS, str(count)],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        watch.weigh(int(done.stdout))
        return Done(count, True)

    return Bench(
        f"memory, {count} event streams",
        "stream",
        "every stream got the event that came then",
        (
            Side(
                "stream", "Redis mode, two processes: resident memory that a stream adds", streams
            ),
            Side("greenlet", "a bare greenlet that waits: resident memory it adds", greenlets),
        ),
        (("stream", "greenlet"),),
        kinds=(BYTES,),
        rounds=1,
    )


def _beside(table: Table, count: int, connections: int) -> Bench:
    def plan() -> list[list[Planned]]:
        return [[table.planner.hand() for _ in range(6)] for _ in range(connections)]

    def alone(watch: Watch) -> Done:
        return Done(pound(table, table.service, plan(), watch), True)

    def beside(watch: Watch) -> Done:
        with waiting(table.service, table.planner.hand(), count) as lines:
            answered = pound(table, table.service, plan(), watch)
            if any_heard(lines):
                raise RuntimeError("a stream got what is not of its match")
        return Done(answered, True)

    return Bench(
        f"actions beside {count} event streams",
        "request",
        "all actions were answered; no stream got anything of another match",
        (
            Side("beside", f"Redis mode: {connections} connections act while streams wait", beside),
            Side("alone", "the same without streams", alone),
        ),
        (("alone", "beside"),),
        kinds=(CPU, WALL, SLOW),
        rounds=5,
    )


def any_heard(lines: list[socket.socket]) -> bool:
    """Whether any has an event to read; comments that keep it open are read away."""
    poll = select.poll()
    by_number = {line.fileno(): line for line in lines}
    for number in by_number:
        poll.register(number, select.POLLIN)
    return any(b"data:" in by_number[number].recv(65_536) for number, _ in poll.poll(0))
