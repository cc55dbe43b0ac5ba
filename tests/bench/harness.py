"""Sides of a bench run in turn (A, B, A, B, ...), and what they took as ratios of each other.

A time by itself says as much about the machine as about the program. So every figure is a ratio of
two sides that ran in the same process in the same seconds: the median over the rounds of what the
one took in a round by what the other took in it. Both sides of a ratio hand back what came of their
work, and a round in which that differs ends the run.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

CPU = "cpu"  # seconds of this thread on a core
WALL = "wall"  # seconds on the clock: with waiting for the disk, and for other programs
SLOW = "p99"  # seconds that 99 of 100 units took at most
BYTES = "bytes"
TIMES = (CPU, WALL)
BUSY = (CPU,)  # of work that waits for nothing: the clock would tell what else was running


class Unequal(Exception):
    """Two sides that were to do equal work did not."""


class Watch:
    """Adds up what the measured stretches of a run took."""

    def __init__(self) -> None:
        self.taken = {CPU: 0.0, WALL: 0.0, SLOW: 0.0, BYTES: 0.0}
        self._cpu = self._wall = 0

    def start(self) -> None:
        """A measured stretch begins."""
        self._wall = time.perf_counter_ns()
        self._cpu = time.thread_time_ns()

    def stop(self) -> None:
        """It is over; what happens until the next `start` is nobody's time."""
        cpu, wall = time.thread_time_ns(), time.perf_counter_ns()
        self.taken[CPU] += (cpu - self._cpu) / 1e9
        self.taken[WALL] += (wall - self._wall) / 1e9

    def include(self, other: Watch) -> None:
        """Add what another watch has taken."""
        for kind, taken in other.taken.items():
            self.taken[kind] += taken

    def note(self, cpu: float, wall: float, slow: float) -> None:
        """What another process has measured: seconds of all units, and of the slowest of 100."""
        self.taken[CPU] += cpu
        self.taken[WALL] += wall
        self.taken[SLOW] = slow

    def weigh(self, size: int) -> None:
        """Bytes that were found to be held."""
        self.taken[BYTES] += size


@dataclass(frozen=True, slots=True)
class Done:
    """What a run has done: how many units of work, and what came of them."""

    units: int
    result: object


@dataclass(frozen=True, slots=True)
class Side:
    """One way to do the work. `did` says in words what is measured."""

    name: str
    did: str
    run: Callable[[Watch], Done]


@dataclass(frozen=True, slots=True)
class Bench:
    """Sides that run in turn, and which of them are compared: (side, yardstick) by name.

    `unit` is what a time or a size is of; `equal` says what of both sides was compared. `rounds`
    is the most that make sense, None: as many as the run has.
    """

    name: str
    unit: str
    equal: str
    sides: tuple[Side, ...]
    pairs: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...] = TIMES
    rounds: int | None = None


@dataclass(frozen=True, slots=True)
class Ratio:
    """`of` by `to`, per unit: the median over the rounds and the quartiles around it."""

    of: str
    to: str
    kind: str
    median: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """A bench that has run; `medians` are by side and kind, in seconds or bytes a unit."""

    bench: Bench
    rounds: int
    medians: dict[str, dict[str, float]]
    ratios: tuple[Ratio, ...]

    def as_json(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "name": self.bench.name,
            "unit": self.bench.unit,
            "rounds": self.rounds,
            "equal": self.bench.equal,
            "sides": [
                {"name": side.name, "did": side.did, "medians": self.medians[side.name]}
                for side in self.bench.sides
            ],
            "ratios": [
                {
                    "of": ratio.of,
                    "to": ratio.to,
                    "kind": ratio.kind,
                    "median": ratio.median,
                    "quartiles": [ratio.low, ratio.high],
                }
                for ratio in self.ratios
            ],
        }


def measure(bench: Bench, rounds: int) -> Outcome:
    """Run the sides in turn, after one round that only warms up. `Unequal` when results differ."""
    rounds = rounds if bench.rounds is None else min(rounds, bench.rounds)
    taken: dict[str, list[dict[str, float]]] = {side.name: [] for side in bench.sides}
    gc.collect()
    gc.freeze()  # what was here before is not looked through again and again
    try:
        if BYTES not in bench.kinds and rounds > 1:
            _round(bench)
        for _ in range(rounds):
            for name, amounts in _round(bench).items():
                taken[name].append(amounts)
    finally:
        gc.unfreeze()
    medians = {
        name: {kind: statistics.median(it[kind] for it in samples) for kind in bench.kinds}
        for name, samples in taken.items()
    }
    ratios = tuple(
        _ratio(of, to, kind, [a[kind] / b[kind] for a, b in zip(taken[of], taken[to], strict=True)])
        for of, to in bench.pairs
        for kind in bench.kinds
    )
    return Outcome(bench, rounds, medians, ratios)


def _round(bench: Bench) -> dict[str, dict[str, float]]:
    """Every side once; what each took a unit."""
    amounts: dict[str, dict[str, float]] = {}
    results: dict[str, object] = {}
    for side in bench.sides:
        gc.collect()
        watch = Watch()
        done = side.run(watch)
        amounts[side.name] = {
            kind: watch.taken[kind] / (1 if kind == SLOW else done.units) for kind in bench.kinds
        }
        results[side.name] = done.result
    for of, to in bench.pairs:
        if results[of] != results[to]:
            raise Unequal(f"{bench.name}: {of} and {to} did not do equal work: {bench.equal}")
    return amounts


def _ratio(of: str, to: str, kind: str, samples: Sequence[float]) -> Ratio:
    if len(samples) == 1:
        return Ratio(of, to, kind, samples[0], samples[0], samples[0])
    low, median, high = statistics.quantiles(samples, n=4, method="inclusive")
    return Ratio(of, to, kind, median, low, high)
