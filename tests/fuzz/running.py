"""A run of a target: bounded, repeatable, and able to go on where it was stopped.

Input `n` is drawn from the seed and `n`, out of the corpus and of whatever has had a new outcome;
that pool and the counts are kept in `.cache/fuzz`, so that `--resume` goes on with the next `n`.
"""

from __future__ import annotations

import hashlib
import json
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz import target_requests, target_transcripts
from tests.fuzz.mutator import Change, mutated

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "fuzz"
FOUND = Path(__file__).resolve().parent / "found"
SLOW_SECONDS = 10.0  # of this process; whoever sends so little may not cost so much


@dataclass(frozen=True, slots=True)
class Target:
    """What is fuzzed: `outcome` raises on a fault; `changes` are those of this kind of text."""

    name: str
    outcome: Callable[[bytes], str]
    corpus: Callable[[], list[bytes]]
    changes: Sequence[Change]


TARGETS = {
    it.name: it
    for it in (
        Target(
            "transcripts",
            target_transcripts.outcome,
            target_transcripts.corpus,
            target_transcripts.CHANGES,
        ),
        Target(
            "requests", target_requests.outcome, target_requests.corpus, target_requests.CHANGES
        ),
    )
}


class Slow(Exception):
    """An input that takes far too long."""


@dataclass
class Run:
    """How far a run of one target and seed has come."""

    target: Target
    seed: int
    folder: Path = CACHE
    done: int = 0
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    pool: list[bytes] = field(default_factory=list)

    @property
    def _kept(self) -> Path:
        return self.folder / f"{self.target.name}-{self.seed}"

    def resume(self) -> None:
        """Go on from what an earlier run has kept, if there was one."""
        told = self._kept / "progress.json"
        if told.exists():
            progress = json.loads(told.read_text("utf-8"))
            self.done, self.seconds = progress["done"], progress["seconds"]
            self.outcomes = Counter(progress["outcomes"])
            names = progress["pool"]
            self.pool = [(self._kept / f"{name}.bin").read_bytes() for name in names]

    def keep(self) -> None:
        """Write down how far it has come."""
        self._kept.mkdir(parents=True, exist_ok=True)
        for data in self.pool:
            path = self._kept / f"{digest(data)}.bin"
            if not path.exists():
                path.write_bytes(data)
        progress = {
            "done": self.done,
            "seconds": self.seconds,
            "outcomes": self.outcomes,
            "pool": [digest(data) for data in self.pool],
        }
        beside = self._kept / "progress.new"
        beside.write_text(json.dumps(progress), "utf-8")
        beside.replace(self._kept / "progress.json")

    def go(self, seconds: float, count: int | None = None) -> bytes | None:
        """Until the time is over, or so many inputs were tried; the input that failed, if any."""
        corpus = self.target.corpus()
        started, before = time.monotonic(), self.seconds
        tried = 0
        try:
            while time.monotonic() - started < seconds and tried != count:
                data = self._drawn(corpus)
                tried += 1
                self.done += 1
                if not self._holds(data):
                    return data
        finally:
            self.seconds = before + time.monotonic() - started
        return None

    def _drawn(self, corpus: list[bytes]) -> bytes:
        rnd = random.Random(f"{self.target.name} {self.seed} {self.done}")
        old = self.pool if self.pool and rnd.random() < 0.3 else corpus
        return mutated(rnd, rnd.choice(old), corpus, self.target.changes)

    def _holds(self, data: bytes) -> bool:
        started = time.process_time()
        try:
            outcome = self.target.outcome(data)
            if time.process_time() - started > SLOW_SECONDS:
                raise Slow(f"{time.process_time() - started:.1f} s")
        except Exception:  # noqa: BLE001 - whatever it is, it is what is looked for
            traceback.print_exc()
            return False
        if outcome not in self.outcomes and len(data) < 100_000:
            self.pool.append(data)
        self.outcomes[outcome] += 1
        return True

    def report(self) -> str:
        """Executions and outcomes, the most frequent first."""
        told = f"{self.target.name}, seed {self.seed}: {self.done} executions"
        told += f" in {self.seconds:.0f} s, {len(self.outcomes)} distinct outcomes"
        counts = [f"{count:>9}  {outcome}" for outcome, count in self.outcomes.most_common()]
        return "\n".join([told, *counts])


def digest(data: bytes) -> str:
    """The name of an input."""
    return hashlib.sha256(data).hexdigest()[:16]


def write_found(target: Target, data: bytes, folder: Path = FOUND) -> Path:
    """Keep an input that failed, for the tests that run it again."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{target.name}-{digest(data)}.bin"
    path.write_bytes(data)
    return path
