"""The hot routes of the whole service through WSGI, in units of a bare Flask request."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.bench.harness import Bench, Done, Side, Watch
from tests.bench.wsgi import Environ, Json, Rig, Seated, ask, bare_app, getting, posting, rig


def benches(quick: bool, folder: Path) -> Iterator[Bench]:
    """POST an action, the same late in a long match, and the GETs that follow a match."""
    with rig(folder / "routes", "routes") as service:
        with closing(_table(folder / "floor.db")) as floor:
            yield _act(service, floor, 5 if quick else 60)
        yield _late(service, *((6, 3) if quick else (500, 20)))
        yield from _gets(service, 5 if quick else 150)


def _table(path: Path) -> sqlite3.Connection:
    """A database that commits like the service's, and does nothing else."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute("CREATE TABLE kept (id INTEGER PRIMARY KEY, body BLOB NOT NULL)")
    return db


def _act(service: Rig, floor: sqlite3.Connection, actions: int) -> Bench:
    told: list[tuple[Environ, Json]] = []  # what this round's requests were, and their answers

    def acting(watch: Watch) -> Done:
        told.clear()
        while len(told) < actions:
            match = service.seated("block", 4)
            while len(told) < actions and (asked := service.next_action(match)) is not None:
                token, body = asked
                sent = posting(f"{match.path}/actions", body, token)
                answer = json.loads(ask(service.app, sent, watch))
                told.append((posting("/actions", {"seq": len(told), **_action(body)}), answer))
        return Done(actions, [answer for _, answer in told])

    def bare(watch: Watch) -> Done:
        app = bare_app({str(n): answer for n, (_, answer) in enumerate(told)})
        return Done(actions, [json.loads(ask(app, sent, watch)) for sent, _ in told])

    def floored(watch: Watch) -> Done:
        app = bare_app({str(n): answer for n, (_, answer) in enumerate(told)})
        got = []
        for sent, answer in told:
            got.append(json.loads(ask(app, sent, watch)))
            kept = json.dumps([answer["events"], answer["receipt"]]).encode()
            watch.start()
            floor.execute("BEGIN IMMEDIATE")
            floor.execute("INSERT INTO kept (body) VALUES (?)", (kept,))
            floor.execute("COMMIT")
            watch.stop()
        return Done(actions, got)

    return Bench(
        "POST action",
        "request",
        "the three answer with equal JSON",
        (
            Side("service", "the whole route: real house, SQLite (WAL, FULL), Ed25519", acting),
            Side("Flask", "a bare Flask route: the same body read, the same JSON made", bare),
            Side("Flask + commit", "the same, and one bare INSERT committed alike", floored),
        ),
        (("service", "Flask"), ("service", "Flask + commit")),
    )


def _action(body: Json) -> Json:
    return {"action": body["action"]}


def _late(service: Rig, long: int, actions: int) -> Bench:
    old = service.seated("block", 4, target=10_000, rounds_max=64)
    for _ in range(long):
        _play(service, old, Watch())

    def play(match: Seated, watch: Watch) -> Done:
        # Plays that are a step by themselves: the ends of hands stand elsewhere in each match.
        done = 0
        while done < actions:
            single = Watch()
            if len(_play(service, match, single)["events"]) == 1:
                watch.include(single)
                done += 1
        return Done(done, "one event an action")

    def young(watch: Watch) -> Done:
        return play(service.seated("block", 4, target=10_000, rounds_max=64), watch)

    return Bench(
        "POST action, late",
        "request",
        "each request appended one event, a play",
        (
            Side(
                "late", f"the whole route, in a match after {long} actions", lambda w: play(old, w)
            ),
            Side("young", f"the whole route, in the first {actions} or so of a match", young),
        ),
        (("late", "young"),),
        # An old match has an end too.
        rounds=12,
    )


def _play(service: Rig, match: Seated, watch: Watch) -> Json:
    asked = service.next_action(match)
    assert asked is not None, "the match is long enough"
    sent = posting(f"{match.path}/actions", asked[1], asked[0])
    answer: Json = json.loads(ask(service.app, sent, watch))
    return answer


def _gets(service: Rig, requests: int) -> Iterator[Bench]:
    match = service.seated("block", 4)
    for _ in range(10):
        _play(service, match, Watch())
    asked = service.next_action(match)
    assert asked is not None
    token, body = asked
    after = body["seq"] - 2
    rows = {
        "GET view": (getting(match.path, token), "a seat's view with its hand and actions"),
        "GET public view": (getting(match.path), "the view of the public"),
        "GET events": (
            getting(f"{match.path}/events?after={after}"),
            "the newest event, the head and its receipt",
        ),
    }
    for name, (sent, what) in rows.items():
        yield _get(service, name, sent, what, requests)


def _get(service: Rig, name: str, sent: Environ, what: str, requests: int) -> Bench:
    app = bare_app({"it": _still(json.loads(ask(service.app, sent)))})
    plain = getting("/it")

    def asking(watch: Watch) -> Done:
        answers = [ask(service.app, sent, watch) for _ in range(requests)]
        return Done(requests, [_still(json.loads(it)) for it in answers])

    def bare(watch: Watch) -> Done:
        answers = [ask(app, plain, watch) for _ in range(requests)]
        return Done(requests, [json.loads(it) for it in answers])

    return Bench(
        name,
        "request",
        "both answer with equal JSON, but for the time of day",
        (
            Side("service", f"the whole route: {what}", asking),
            Side("Flask", "a bare Flask route that makes the same JSON", bare),
        ),
        (("service", "Flask"),),
    )


def _still(answer: Any) -> Json:
    """An answer without the time of day."""
    return {name: it for name, it in answer.items() if name != "now"}
