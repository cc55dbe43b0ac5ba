"""Try mutants until the time is up, and say which of them no test saw."""

from __future__ import annotations

import argparse
import hashlib
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from itertools import zip_longest

from tests.mutation import areas, equivalents, page
from tests.mutation.kept import Results, digest
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.page import Figures, Tried
from tests.mutation.runs import Broken
from tests.mutation.trial import ROOT, Verdict, copied

SUSPECTS = 5  # tests of a module that are asked first


def modules(only: str) -> Iterator[str]:
    """The modules to try, by area."""
    found = [
        path.relative_to(ROOT).as_posix()
        for folder in ("service/fairbones", "verifier/fairbones_verify")
        for path in sorted((ROOT / folder).rglob("*.py"))
    ]
    for area in areas.AREAS:
        wanted = "*" if only == area else only
        yield from (p for p in found if areas.area_of(p) == area and fnmatch(p, wanted))


def drawn(every: list[Mutant], seed: int, most: dict[str, int]) -> list[Mutant]:
    """The mutants in the order of the seed, one of each area in turn, and so many of an area.

    The place of a mutant within its area depends on nothing but its own text.
    """

    def lot(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed}\n{mutant.key}".encode()).digest()

    of_areas = [
        sorted((m for m in every if areas.area_of(m.path) == area), key=lot)[: most.get(area)]
        for area in areas.AREAS
    ]
    return [mutant for one_each in zip_longest(*of_areas) for mutant in one_each if mutant]


class Digests:
    """Of each module and of its tests, made once."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], str] = {}

    def of(self, path: str) -> tuple[str, str]:
        tests = areas.files_of(path)
        for names in ((path,), tests):
            if names not in self._known:
                self._known[names] = digest(names)
        return self._known[path,], self._known[tests]


def tried(mutants_: list[Mutant], results: Results, seed: int, seconds: float) -> list[Tried]:
    """What became of the mutants, as many as the time allows; known verdicts take none."""
    end, digests, told = time.monotonic() + seconds, Digests(), []
    listed = equivalents.known()
    with copied(seed) as copy:
        for mutant in mutants_:
            if equivalents.named(mutant) in listed:
                told.append(Tried(mutant, Verdict("equivalent", "")))
                continue
            of = digests.of(mutant.path)
            verdict = results.of(mutant, *of)
            if verdict is None and time.monotonic() < end:
                first = results.killers(mutant.path, areas.quick_files_of(mutant.path), SUSPECTS)
                verdict = copy.judge(mutant, areas.courses_of(mutant.path), first)
                results.keep(mutant, verdict, *of)
                _say(mutant, verdict)
            if verdict is not None:
                told.append(Tried(mutant, verdict))
    return told


def _say(mutant: Mutant, verdict: Verdict) -> None:
    by = f" by {verdict.by}" if verdict.by else ""
    where = f"{mutant.path}:{mutant.line}"
    print(f"{verdict.fate}{by}: {where}: {mutant.before} => {mutant.after}", file=sys.stderr)


def main(argv: list[str]) -> int:
    """0 when every mutant was seen, 1 when some survived, 2 when the tests fail without one."""
    parser = argparse.ArgumentParser(prog="tests.mutation", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600, metavar="CAP", help="usually 600")
    parser.add_argument(
        "--seed", type=int, default=1, help="the order of the mutants and the tests"
    )
    parser.add_argument("--only", default="*", metavar="GLOB", help="modules, or an area by name")
    parser.add_argument("--all", action="store_true", help="more than the sample of each area")
    parser.add_argument("--resume", action="store_true", help="go on where the last run stopped")
    parser.add_argument("--write", action="store_true", help=f"write {page.PAGE.name}")
    given = parser.parse_args(argv)
    print(f"seed {given.seed}", file=sys.stderr)
    every = [
        mutant
        for path in modules(given.only)
        for mutant in mutants(path, (ROOT / path).read_text("utf-8"))
    ]
    sample = drawn(every, given.seed, {} if given.all else areas.SAMPLE)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # the copy goes too
    results = Results(given.seed, resume=given.resume)
    try:
        told = tried(sample, results, given.seed, given.seconds)
    except Broken as broken:
        print(broken, file=sys.stderr)
        return 2
    figures = Figures(Counter(mutant.path for mutant in every), len(sample), told)
    print(page.table(figures), page.survivors(figures), sep="\n\n")
    print(f"seed {given.seed}: {len(told)} of {len(sample)} have a verdict")
    looked = {mutant.path for mutant in every}
    listed = (one for one in equivalents.known() if one.path in looked)
    for one in equivalents.stale(listed, every):
        print(f"equivalent.txt lists what is no mutant of {one.path}: {one.before} => {one.after}")
    if given.write:
        page.write(page.text(figures, _command(given)))
    return int(any(verdict.fate == "survived" for _, verdict in told))


def _command(given: argparse.Namespace) -> str:
    only = "" if given.only == "*" else f" --only '{given.only}'"
    return f"python3 dev.py mutate --seed {given.seed}{only}{' --all' if given.all else ''}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
