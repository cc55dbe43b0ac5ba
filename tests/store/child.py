"""Another process at a store: `python -m tests.store.child KIND PLACE COMMAND ...`.

`story POINT N` tells `STORY`, prints `done` after each write, and kills itself the Nth
time it comes to a point. `race BY COUNT` appends until COUNT of its steps were kept.
`fill MEGABYTES` writes until the disk is full. `reopen` expects that it cannot write.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import SeqTaken, Step, Store
from fairbones.store.points import Point, Probe, unprobed
from fairbones.store.sqlite import SqliteStore
from tests.store.story import STORY, match_id, opening, step

KINDS: dict[str, Callable[[str, Probe], Store]] = {
    "sqlite": lambda place, probe: SqliteStore(Path(place), probe=probe),
}


def say(word: str) -> None:
    os.write(1, f"{word}\n".encode())


def story(kind: str, place: str, point: str, nth: str) -> None:
    hits: Counter[Point] = Counter()

    def probe(here: Point) -> None:
        hits[here] += 1
        if here == point and hits[here] == int(nth):
            os.kill(os.getpid(), signal.SIGKILL)

    store = KINDS[kind](place, probe)
    for write in STORY:
        write.do(store)
        say("done")


def race(kind: str, place: str, by: str, count: str) -> None:
    store = KINDS[kind](place, unprobed)
    won = 0
    head = 0
    while won < int(count):
        try:
            store.append(match_id(), step(head + 1, by=by))
            say(by)
            won += 1
            head += 1
        except SeqTaken:
            tail = store.tail(match_id(), head)
            assert tail is not None
            head += len(tail[0])
    store.close()


def fill(kind: str, place: str) -> None:
    """On a disk of its own: full for real, then not any more."""
    ballast = Path(place).parent / "ballast"
    ballast.write_bytes(b"x" * 200_000)
    store = KINDS[kind](place, unprobed)
    store.create(opening())
    head = 0
    body = os.urandom(3000)
    code = ""
    while not code:
        try:
            store.append(match_id(), Step(head + 1, (body, body), body))
            head += 2
        except FairbonesError as error:
            code = error.code
    say(code)
    kept = store.load(match_id())
    assert kept is not None
    assert kept.steps[-1].head_seq == head > 0
    ballast.unlink()
    store.append(match_id(), Step(head + 1, (body,), body))
    store.close()
    kept = KINDS[kind](place, unprobed).load(match_id())
    assert kept is not None
    assert kept.steps[-1].head_seq == head + 1
    say("went on")


def reopen(kind: str, place: str) -> None:
    try:
        KINDS[kind](place, unprobed).create(opening(77))
    except FairbonesError as error:
        say(error.code)


if __name__ == "__main__":
    _, kind, place, command, *words = sys.argv
    commands: dict[str, Callable[..., None]] = {
        "story": story,
        "race": race,
        "fill": fill,
        "reopen": reopen,
    }
    commands[command](kind, place, *words)
