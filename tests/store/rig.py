"""What the contract asks of those who run it: a place for a store, and harm for it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from fairbones.house.ports import Archive, Store
from fairbones.store.points import Point

ROOT = Path(__file__).resolve().parents[2]


class ArchivedStore(Store, Archive, Protocol):
    """What a store of ours is: for the house, and for its operator."""


class Rig(Protocol):
    """One place for a store, empty at first, and the harm that can come to it.

    `points` are those a write passes here, each once; a test that waits for others would not end.
    `foreseen` are the codes of those harms below that `Store.ready` sees.
    """

    kind: str
    place: str
    points: tuple[Point, ...]
    foreseen: frozenset[str]

    def open(self) -> ArchivedStore:
        """A handle; several may be open at once. The rig closes them at the end."""

    def fresh(self) -> Rig:
        """Another empty place."""

    def full(self, store: Store) -> AbstractContextManager[None]:
        """Inside, there is no room for one more match."""

    def read_only(self, store: Store) -> AbstractContextManager[None]:
        """Inside, nothing can be written."""

    def busy(self, store: Store) -> AbstractContextManager[None]:
        """Inside, another program holds what a write needs, and does not let go."""

    def damages(self) -> Sequence[Callable[[], None]]:
        """Ways to ruin what is kept; called while no handle is open."""


def together(*calls: Callable[[], object]) -> list[object]:
    """Call all at once, each in a thread; their results, or the errors they raised."""
    gate = threading.Barrier(len(calls))
    results: list[object] = [None] * len(calls)

    def run(index: int) -> None:
        gate.wait()
        try:
            results[index] = calls[index]()
        except Exception as error:  # noqa: BLE001 - handed to the caller
            results[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def child(rig: Rig, *words: str) -> subprocess.CompletedProcess[str]:
    """Another process at the same store; see `tests.store.child`."""
    return subprocess.run(
        [sys.executable, "-m", "tests.store.child", rig.kind, rig.place, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT / 'service'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
