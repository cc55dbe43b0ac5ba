"""Actions a second over real HTTP, beside a bare Flask route behind the same web server.

All servers run throughout; the load comes from a process of its own (`pounding`) to one of them at
a time. Requests are made beforehand, so it costs the same whoever answers. A ratio is of times a
request: 0.5 of "Flask / SQLite" says that the service answers half as many actions as a bare
route answers requests. CPU is that of the server's processes.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from tests.bench import pounding
from tests.bench.harness import CPU, SLOW, WALL, Bench, Done, Side, Watch
from tests.bench.plans import Planned, Planner
from tests.bench.servers import Server, on_a_shared_store, server
from tests.servers import Config, redis_server

ROUNDS = 7
CONNECTIONS = (16, 64)
HANDS = 96  # in a round, as long as that is one a connection


def benches(quick: bool, folder: Path) -> Iterator[Bench]:
    """Each store and its yardstick, at few and at many connections."""
    counts, hands = ((2,), 2) if quick else (CONNECTIONS, HANDS)
    with ExitStack() as stack:
        store = stack.enter_context(redis_server("valkey", Config(appendfsync="everysec")))
        sample = folder / "sample.json"
        plain: Mapping[str, object] = {}
        shared = on_a_shared_store(store.url, folder / "keys")
        rows = (
            ("SQLite", plain, "the service: SQLite (WAL, FULL), one process of many threads"),
            ("Redis", shared, "the service: Valkey (everysec), two processes of greenlets"),
        )
        tables = []
        for name, variables, did in rows:
            service = stack.enter_context(server(folder / name, variables))
            planner = stack.enter_context(closing(Planner(service.port, name)))
            if not sample.exists():
                sample.write_text(json.dumps(_answer(planner)))
            bare = stack.enter_context(
                server(folder / f"{name}-bare", variables, ("tests.bench.bare", str(sample)))
            )
            tables.append((name, did, Table(folder, service, bare, planner)))
        for connections in counts:
            for name, did, table in tables:
                yield _bench(name, did, table, connections, max(1, hands // connections))


@dataclass(frozen=True, slots=True)
class Table:
    """A service and its yardstick."""

    folder: Path
    service: Server
    bare: Server
    planner: Planner


def _bench(name: str, did: str, table: Table, connections: int, hands: int) -> Bench:
    plan: list[list[Planned]] = []

    def serving(watch: Watch) -> Done:
        plan[:] = [[table.planner.hand() for _ in range(hands)] for _ in range(connections)]
        answered = pound(table, table.service, plan, watch)
        for hand in (hand for line in plan for hand in line):
            if not table.planner.ended(hand):
                raise RuntimeError(f"the match {hand.match} is not where it was played to")
        return Done(answered, answered)

    def bare(watch: Watch) -> Done:
        answered = pound(table, table.bare, plan, watch)
        return Done(answered, answered)

    return Bench(
        f"actions, {name}, {connections} connections",
        "request",
        "as many requests were answered; every match of the service has ended, signed",
        (
            Side(name, did, serving),
            Side("Flask", "a bare Flask route behind the same web server: JSON in and out", bare),
        ),
        (("Flask", name),),
        kinds=(CPU, WALL, SLOW),
        rounds=ROUNDS,
    )


def pound(table: Table, at: Server, plan: list[list[Planned]], watch: Watch) -> int:
    """Send it all from a process of its own; how many requests were answered."""
    file = table.folder / "plan"
    file.write_bytes(pickle.dumps([[it for hand in line for it in hand.requests] for line in plan]))
    before = at.cpu()
    done = subprocess.run(
        [sys.executable, "-I", "-S", pounding.__file__, str(at.port), str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr)
    told = json.loads(done.stdout)
    watch.note(at.cpu() - before, told["seconds"], told["slowest"])
    return int(told["answered"])


def _answer(planner: Planner) -> object:
    """What the service answers in the middle of a hand: as long as answers are."""
    hand = planner.hand()
    for request in hand.requests[: len(hand.requests) // 2]:
        answer = planner.send(request)
    return answer
