"""What became of the mutants of one seed, kept between runs."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from tests.mutation.mutants import Mutant
from tests.mutation.trial import ROOT, Fate, Verdict

FOLDER = ROOT / ".cache" / "mutation"


class Kept(NamedTuple):
    """A verdict and what it was reached with: digests of the module and of its tests."""

    fate: Fate
    by: str
    module: str
    tests: str


def digest(paths: Iterable[str], root: Path = ROOT) -> str:
    """What some files hold, in short."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(hashlib.sha256((root / path).read_bytes()).digest())
    return whole.hexdigest()[:16]


class Results:
    """The verdicts so far; a survivor is tried again when its tests have changed."""

    def __init__(self, seed: int, *, resume: bool, folder: Path = FOLDER) -> None:
        self._path = folder / f"{seed}.json"
        self._kept: dict[str, Kept] = {}
        if resume and self._path.exists():
            told = json.loads(self._path.read_text("utf-8"))
            self._kept = {key: Kept(*row) for key, row in told.items()}

    def of(self, mutant: Mutant, module: str, tests: str) -> Verdict | None:
        """The verdict that still holds, None where there is none."""
        kept = self._kept.get(mutant.key)
        if kept is None or kept.module != module:
            return None
        if kept.fate == "survived" and kept.tests != tests:
            return None
        return Verdict(kept.fate, kept.by)

    def killers(self, path: str, of: Collection[str], most: int) -> tuple[str, ...]:
        """The tests of some files that saw the most mutants of a module, without parameters."""
        seen = (
            kept.by.partition("[")[0]
            for key, kept in self._kept.items()
            if key.startswith(f"{path}\n") and "::" in kept.by and kept.by.partition("::")[0] in of
        )
        return tuple(name for name, _ in Counter(seen).most_common(most))

    def keep(self, mutant: Mutant, verdict: Verdict, module: str, tests: str) -> None:
        """One more; written at once, so that a run may be stopped anywhere."""
        self._kept[mutant.key] = Kept(*verdict, module, tests)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        beside.write_text(json.dumps(self._kept, indent=0), "utf-8")
        beside.replace(self._path)
