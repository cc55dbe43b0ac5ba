"""One mutant against its tests, in a copy of the project and a process of its own."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from tests.mutation.mutants import Mutant
from tests.mutation.runs import Broken, Ended, Nursery, Took

ROOT = Path(__file__).resolve().parents[2]
FOREIGN = (".git", ".venv", ".cache", ".hypothesis", "__pycache__", "build", "dist")

Fate = Literal["killed", "timed out", "equivalent", "survived"]


class Verdict(NamedTuple):
    """What became of a mutant, and the first test that failed."""

    fate: Fate
    by: str


FEW = Took(0, 2)  # of the tests that are asked first


@dataclass
class Copy:
    """A copy of the project that mutants are put into, one at a time."""

    root: Path
    nursery: Nursery
    _took: dict[tuple[str, ...], Took] = field(default_factory=dict)

    def judge(
        self, mutant: Mutant, courses: tuple[tuple[str, ...], ...], first: tuple[str, ...] = ()
    ) -> Verdict:
        """Whether a test fails; a mutant that hangs is as good as seen.

        first: tests of the courses that are likely to see it, so that it is soon done with.
        """
        for course in courses:
            self._rehearse(course)
        module = self.root / mutant.path
        # Compiled code is told from the text by its second and size: too little for a mutant.
        Path(importlib.util.cache_from_source(str(module))).unlink(missing_ok=True)
        whole = module.read_bytes()
        try:
            module.write_text(mutant.text, "utf-8")
            return self._suspected(first) or self._judged(courses)
        finally:
            module.write_bytes(whole)

    def _suspected(self, first: tuple[str, ...]) -> Verdict | None:
        """The verdict of some tests where one of them fails; nothing else is said by them."""
        if first:
            ended = self._run(first, FEW)
            if ended.code == 1:  # a test failed; what is not found or does not import is another
                return Verdict("killed", _failed(ended.said))
        return None

    def _judged(self, courses: tuple[tuple[str, ...], ...]) -> Verdict:
        for course in courses:
            ended = self._run(course, self._took[course])
            if ended.code is None:
                return Verdict("timed out", "")
            if ended.code:
                return Verdict("killed", _failed(ended.said))
        return Verdict("survived", "")

    def _rehearse(self, course: tuple[str, ...]) -> None:
        """The course without a mutant, once: it has to pass, and the time it takes is noted."""
        if course in self._took:
            return
        ended = self._run(course, None)
        if ended.code != 0:
            raise Broken(f"{' '.join(course)} fails without a mutant:\n{ended.said[-2000:]}")
        self._took[course] = ended.took

    def _run(self, course: tuple[str, ...], usual: Took | None) -> Ended:
        return self.nursery.run(course, usual)


def _failed(said: str) -> str:
    """The first test that failed, its parameters as far as the first space."""
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    return found[1] if found else ""


@contextmanager
def copied(seed: int, root: Path = ROOT) -> Iterator[Copy]:
    """A copy of the working tree for as long as it is needed; the tree itself is never touched."""
    with tempfile.TemporaryDirectory(prefix="fairbones-mutation-") as folder:
        target = Path(folder) / "copy"
        shutil.copytree(root, target, ignore=shutil.ignore_patterns(*FOREIGN))
        with Nursery(target, seed) as nursery:
            yield Copy(target, nursery)
