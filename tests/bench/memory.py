"""What a match in the house's memory takes, and what a reader that waits takes of a real server."""

from __future__ import annotations

import gc
import json
import os
import select
import socket
import subprocess
import sys
import time
import tracemalloc
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.bench.harness import BYTES, Bench, Done, Side, Watch
from tests.bench.servers import rss, server
from tests.bench.wsgi import Json, Rig, Seated, rig

PATIENCE_SECONDS = 20.0
_PROC = Path("/proc/self/smaps_rollup")
# A thread of Python that waits, as the waiting readers' threads do, and nothing else.
_THREADS = """
import re, sys, threading
def rss():
    return 1024 * int(re.search("Rss: +([0-9]+)", open("/proc/self/smaps_rollup").read())[1])
number = int(sys.argv[1])
before, release, there = rss(), threading.Event(), threading.Barrier(number + 1)
def wait():
    there.wait()
    release.wait(60)
threads = [threading.Thread(target=wait) for _ in range(number)]
for thread in threads:
    thread.start()
there.wait()
print(rss() - before)
release.set()
for thread in threads:
    thread.join()
"""


def benches(quick: bool, folder: Path) -> Iterator[Bench]:
    """Matches in the cache; readers that wait, where /proc says what a process holds."""
    with rig(folder / "memory", "memory") as service:
        matches = 1 if quick else 16
        yield _kept(service, "first hand", 12, matches)
        yield _kept(service, "whole match", 20 if quick else 1000, matches)
    if _PROC.exists():
        yield _waiting(folder, 3 if quick else 100)


def _kept(service: Rig, name: str, actions: int, matches: int) -> Bench:
    kept = [_play(service, actions) for _ in range(matches)]

    def remembered(watch: Watch) -> Done:
        house = service.another_house()
        house.ready()
        gc.collect()
        tracemalloc.start()
        try:
            seqs = []
            for match in kept:
                # As the service comes to hold it: read from the store, then looked at.
                head: Any = house.view(match.match_id, None).view["head"]
                seqs.append(head["seq"])
            gc.collect()
            watch.weigh(tracemalloc.get_traced_memory()[0])
        finally:
            tracemalloc.stop()
        return Done(matches, seqs)

    def stored(watch: Watch) -> Done:
        seqs = []
        for match in kept:
            found = service.store.load(match.match_id)
            assert found is not None
            for step in found.steps:
                watch.weigh(sum(map(len, step.events)) + len(step.receipt))
            seqs.append(found.steps[-1].head_seq)
        return Done(matches, seqs)

    return Bench(
        f"memory, {name}",
        "match",
        "the heads of all matches are the same",
        (
            Side("kept", f"tracemalloc: a four-handed match in the house, {name}", remembered),
            Side("stored", "the canonical bytes of its events and receipts", stored),
        ),
        (("kept", "stored"),),
        kinds=(BYTES,),
        rounds=3,
    )


def _play(service: Rig, actions: int) -> Seated:
    """A match after so many actions, or at its end."""
    match = service.seated("block", 4)
    for _ in range(actions):
        asked = service.next_action(match)
        if asked is None:
            break
        service.act(match, *asked)
    return match


def _waiting(folder: Path, readers: int) -> Bench:
    rounds = iter(range(1000))

    def waiting(watch: Watch) -> Done:
        threads = {"THREADS": max(4, 2 * readers)}
        with server(folder / f"server-{next(rounds)}", threads) as service:
            port, (worker,) = service.port, service.workers()
            match = _opened(port)
            before = rss(worker)
            with ExitStack() as stack:
                lines = [stack.enter_context(_line(port)) for _ in range(readers)]
                for line in lines:
                    line.sendall(
                        f"GET /v1/matches/{match}/events?after=0&wait=30 HTTP/1.1\r\n"
                        "Host: 127.0.0.1\r\n\r\n".encode()
                    )
                _settle(worker, readers)
                if select.select(lines, [], [], 0)[0]:
                    raise RuntimeError("a reader was answered that was to wait")
                watch.weigh(rss(worker) - before)
                _sit(port, match)
                answers = [_read(line) for line in lines]
        woken = all(b'"type":"seated"' in answer for answer in answers)
        return Done(readers, woken)

    def idle(watch: Watch) -> Done:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _THREADS, str(readers)],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        watch.weigh(int(done.stdout))
        return Done(readers, True)

    return Bench(
        "memory, waiting reader",
        "reader",
        f"all {readers} waited at once; the event that came woke every reader",
        (
            Side("reader", "a long poll on `fairbones serve`: resident memory it adds", waiting),
            Side("thread", "a bare Python thread that waits: resident memory it adds", idle),
        ),
        (("reader", "thread"),),
        kinds=(BYTES,),
        rounds=3,
    )


def _call(port: int, method: str, path: str, body: Json, token: str | None = None) -> Json:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", method=method)
    request.data = json.dumps(body).encode()
    request.add_header("Content-Type", "application/json")
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
        told: Json = json.load(answer)
        return told


def _opened(port: int) -> str:
    body = {"ruleset": "block", "seats": 4, "clear_seeds": True}
    return str(_call(port, "POST", "/v1/matches", body)["event"]["match"])


def _sit(port: int, match: str) -> None:
    _call(port, "PUT", f"/v1/matches/{match}/seats/0", {"client_seed": "11" * 32}, "t" * 43)


def _line(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_SECONDS)


def _read(line: socket.socket) -> bytes:
    """The body of an answer; the line stays open."""
    with line.makefile("rb") as answer:
        head = list(iter(answer.readline, b"\r\n"))
        length = next(it for it in head if it.lower().startswith(b"content-length:"))
        return answer.read(int(length.split(b":")[1]))


def _settle(worker: int, readers: int) -> None:
    """Until every reader has a thread, and nothing moves any more."""
    end, seen, since = time.monotonic() + PATIENCE_SECONDS, (0, 0), time.monotonic()
    while seen[0] < readers or time.monotonic() < since + 0.4:
        if time.monotonic() > end:
            raise TimeoutError("the readers were not let in")
        time.sleep(0.05)
        found = (len(os.listdir(f"/proc/{worker}/task")), rss(worker))
        if found != seen:
            seen, since = found, time.monotonic()
