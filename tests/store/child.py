"""Another process at a store: `python -m tests.store.child KIND PLACE COMMAND ...`.

`story POINT N` tells `STORY`, prints `done` after each write, and kills itself the Nth
time it comes to a point. `adopt POINT` and `forget POINT` do that to the match of the story and
kill themselves there. `race BY COUNT` appends until COUNT of its steps were kept.
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
from fairbones.house.ports import SeqTaken, Step
from fairbones.store.points import Point, Probe, unprobed
from fairbones.store.redis import open_redis
from fairbones.store.sqlite import SqliteStore
from tests.store.rig import ArchivedStore
from tests.store.story import STORY, WHOLE, match_id, opening, step

KINDS: dict[str, Callable[[str, Probe], ArchivedStore]] = {
    "sqlite": lambda place, probe: SqliteStore(Path(place), probe=probe),
    "redis": lambda place, probe: open_redis(place, probe=probe),
}


def say(word: str) -> None:
    os.write(1, f"{word}\n".encode())


def dying(point: str, nth: int) -> Probe:
    """Kills the process the Nth time it comes to the point."""
    hits: Counter[Point] = Counter()

    def probe(here: Point) -> None:
        hits[here] += 1
        if here == point and hits[here] == nth:
            os.kill(os.getpid(), signal.SIGKILL)

    return probe


def adopt(kind: str, place: str, point: str) -> None:
    KINDS[kind](place, dying(point, 1)).adopt(WHOLE)


def forget(kind: str, place: str, point: str) -> None:
    KINDS[kind](place, dying(point, 1)).forget(match_id())


def story(kind: str, place: str, point: str, nth: str) -> None:
    store = KINDS[kind](place, dying(point, int(nth)))
    for write in STORY:
        write.do(store)
        say("done")


def race(kind: str, place: str, by: str, count: str) -> None:
    store = KINDS[kind](place, unprobed)
    won = 0
    seen: tuple[Step, ...] = (step(0),)
    while won < int(count):
        try:
            mine = step(len(seen), by=by)
            store.append(match_id(), mine, after=seen[-1])
            say(by)
            won += 1
            seen += (mine,)
        except SeqTaken:
            tail = store.tail(match_id(), seen)
            assert tail is not None
            seen += tail[0]
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
        "adopt": adopt,
        "forget": forget,
        "race": race,
        "fill": fill,
        "reopen": reopen,
    }
    commands[command](kind, place, *words)
