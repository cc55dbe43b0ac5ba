"""The store alone: many threads append to matches of their own, as a busy house does.

One by one each append has a commit, and a wait for the disk, to itself; together whatever waits
shares one. Both sides are the same store; the first has a lock around it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path

from fairbones.house.ports import Opening, Step
from fairbones.store.sqlite import SqliteStore
from tests.bench.harness import WALL, Bench, Done, Side, Watch

THREADS = (1, 16, 64)
APPENDS = 1_200  # of all threads together
QUICK_APPENDS = 64
# What an event and its receipt are in the middle of a match, in bytes.
EVENT = b"e" * 420
RECEIPT = b"r" * 520


def benches(quick: bool, folder: Path) -> Iterator[Bench]:
    """Several appends of one event each, by 1, 16 and 64 threads."""
    appends = QUICK_APPENDS if quick else APPENDS
    for threads in THREADS:
        with ExitStack() as stack:
            sides = []
            for name, did, around in (
                ("one by one", "each append is a transaction of its own", threading.Lock()),
                ("together", "all appends that wait are one transaction", nullcontext()),
            ):
                store = SqliteStore(folder / f"{name} {threads}.db")
                stack.callback(store.close)
                sides.append(Side(name, did, _run(store, threads, appends // threads, around)))
            yield Bench(
                f"appends, {threads} at once",
                "append",
                "the last step of every match, read from the store",
                tuple(sides),
                (("one by one", "together"),),
                kinds=(WALL,),
            )


def _run(
    store: SqliteStore, threads: int, each: int, around: AbstractContextManager[object]
) -> Callable[[Watch], Done]:
    matches = [bytes([number]) * 16 for number in range(threads)]
    for match_id in matches:
        store.create(Opening(match_id, b"sealed", _step(0)))
    played = 0

    def play(match_id: bytes, gate: threading.Barrier) -> None:
        gate.wait()
        for seq in range(played + 1, played + each + 1):
            with around:
                store.append(match_id, _step(seq), None, None, _step(seq - 1))

    def run(watch: Watch) -> Done:
        nonlocal played
        gate = threading.Barrier(threads + 1)
        players = [threading.Thread(target=play, args=(it, gate)) for it in matches]
        for player in players:
            player.start()
        gate.wait()
        watch.start()
        for player in players:
            player.join()
        watch.stop()
        played += each
        kept = [store.load(match_id) for match_id in matches]
        return Done(threads * each, [it and (len(it.steps), it.steps[-1]) for it in kept])

    return run


def _step(seq: int) -> Step:
    return Step(seq, (EVENT,), RECEIPT + str(seq).encode())
