"""A house at a table, dealt piece by piece: shared between cores, kept, and taken up again.

Each piece has a phrase of its own, so what comes out depends on neither cores nor interruptions.
"""

from __future__ import annotations

import hashlib
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from math import exp
from multiprocessing import Pool
from pathlib import Path

from tests.lab.dealing import HANDS, Table, twins
from tests.lab.faults import HOUSES
from tests.lab.judging import judge
from tests.lab.tally import Tally
from tests.lab.verdict import Finding

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "lab"
PIECE = 1_000  # deals
SAVED_EVERY = 10.0  # seconds
# What figures depend on: when one of these files changes, deals that were kept count no more.
SOURCES = tuple(
    ROOT / f"{name}.py"
    for name in (
        *(
            f"service/fairbones/core/{name}"
            for name in (
                "bones",
                "protocol/cut",
                "protocol/draws",
                "protocol/encoding",
                "protocol/shuffle",
                "protocol/wash",
                "rules/leads",
                "rules/rulesets",
            )
        ),
        "tests/forge/dice",
        *(
            f"tests/lab/{name}"
            for name in ("chances", "dealing", "faults", "judging", "progress", "tails", "tally")
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Part:
    """Which house deals at which table, how often, and from which seed."""

    house: str
    table: Table
    deals: int
    seed: int

    def __str__(self) -> str:
        return f"{self.house}: {self.table}"


@dataclass(slots=True)
class Outcome:
    """What came of a part, so far: `trail` are the findings after some numbers of deals.

    `tenths` has for each statistic how many pieces had a p-value in which tenth: each piece is
    judged by itself too, and if the p-values are honest, all tenths are alike. `rare` is how many
    of them were below 0.001.
    """

    part: Part
    tally: Tally
    trail: dict[int, list[Finding]] = field(default_factory=dict)
    tenths: dict[str, list[int]] = field(default_factory=dict)
    rare: int = 0

    @property
    def findings(self) -> list[Finding]:
        """The statistics over all deals."""
        return self.trail[self.part.deals]

    def add(self, piece: Tally) -> None:
        """One more piece, the next in order."""
        for found in judge(piece):
            if found.freedom:
                row = self.tenths.setdefault(found.name, [0] * 10)
                p = exp(found.ln_p)
                row[min(int(10 * p), 9)] += 1
                self.rare += p < 0.001
        self.tally.include(piece)
        deals = self.tally.deals
        if deals == self.part.deals or _round(deals):
            self.trail[deals] = judge(self.tally)


def piece(part: Part, number: int) -> Tally:
    """Piece `number` of a part."""
    tally = Tally(part.table)
    phrase = f"{part.seed} {part} {number}"
    for one, two, lots in twins(HOUSES[part.house](), part.table, phrase, PIECE // (2 * HANDS)):
        tally.count(one, two, lots)
    return tally


def run(part: Part, said: Callable[[int], None], folder: Path, cores: int) -> Outcome:
    """Deal a part to its end, from where an earlier run of it was stopped."""
    path = folder / f"{part.house}-{part.table.slug}-{part.seed}.pickle"
    key = _sources()
    outcome = _kept(path, key, part) or Outcome(part, Tally(part.table))
    numbers = range(outcome.tally.deals // PIECE, part.deals // PIECE)
    saved = time.monotonic()
    with _dealers(cores) as dealt:
        for tally in dealt(partial(piece, part), numbers):
            outcome.add(tally)
            said(outcome.tally.deals)
            if time.monotonic() - saved > SAVED_EVERY:
                _keep(path, key, outcome)
                saved = time.monotonic()
    if numbers:
        _keep(path, key, outcome)
    return outcome


@contextmanager
def _dealers(cores: int) -> Iterator[Callable[[Callable[[int], Tally], range], Iterable[Tally]]]:
    """Something that deals pieces in order: processes, or this one."""
    if cores == 1:
        yield map
        return
    with Pool(cores, _obey) as pool:
        yield pool.imap


def _obey() -> None:
    """An interrupt is for the one that keeps what was dealt; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _sources() -> str:
    texts = b"\0".join(path.read_bytes() for path in SOURCES)
    return hashlib.sha256(texts).hexdigest()


def _keep(path: Path, key: str, outcome: Outcome) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_bytes(pickle.dumps((key, outcome)))
    beside.replace(path)


def _kept(path: Path, key: str, part: Part) -> Outcome | None:
    """What is there of that part: not of other code, and no more deals than are asked for."""
    if not path.exists():
        return None
    found, outcome = pickle.loads(path.read_bytes())
    if found != key or outcome.tally.deals > part.deals:
        return None
    assert isinstance(outcome, Outcome)
    outcome.part = part
    outcome.trail = {n: it for n, it in outcome.trail.items() if _round(n) or n == part.deals}
    if part.deals == outcome.tally.deals:
        outcome.trail[part.deals] = judge(outcome.tally)
    return outcome


def _round(deals: int) -> bool:
    """1, 2 or 5 with zeros: numbers of deals after which a look is taken."""
    return str(deals).strip("0") in ("1", "2", "5")
