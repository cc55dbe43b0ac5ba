"""How far a long test has come, kept between its runs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".cache" / "soak"


class Progress:
    """Items done and figures counted, for one test and one seed."""

    def __init__(self, name: str, seed: int, folder: Path = FOLDER) -> None:
        self._path = folder / f"{name}-{seed}.json"
        self.done = 0
        self.figures: Counter[str] = Counter()
        self.commits: list[str] = []  # what was tested, in the order it was met
        if self._path.exists():
            told = json.loads(self._path.read_text("utf-8"))
            self.done, self.figures = told["done"], Counter(told["figures"])
            self.commits = told["commits"]

    def count(self, figures: Counter[str], commit: str) -> None:
        """One more item; written at once, so that a run may be stopped anywhere."""
        self.done += 1
        if commit not in self.commits:
            self.commits.append(commit)
        self.figures.update(figures)  # a zero is a figure too
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_suffix(".new")
        told = {"done": self.done, "figures": self.figures, "commits": self.commits}
        beside.write_text(json.dumps(told), "utf-8")
        beside.replace(self._path)
