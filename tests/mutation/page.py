"""What a run found, for the terminal and as a page (docs/mutation.md)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.mutation.areas import area_of
from tests.mutation.mutants import Mutant
from tests.mutation.trial import ROOT, Verdict
from tests.soak.evidence import git

PAGE = ROOT / "docs" / "mutation.md"
BEGIN = "<!-- figures: written by `python3 dev.py mutate --write` -->"
END = "<!-- end of figures -->"


class Tried(NamedTuple):
    """A mutant and what became of it."""

    mutant: Mutant
    verdict: Verdict


class Figures(NamedTuple):
    """How many mutants there are, and what became of those that were tried."""

    there: Counter[str]  # by module
    sample: int  # how many were drawn
    tried: Sequence[Tried]


def commit() -> str:
    """What was tried, as git names it; the page itself changes nothing."""
    name = git("describe", "--always") or "no commit"
    changed = git("status", "--porcelain", "--", ".", ":!docs/mutation.md")
    return f"{name}-dirty" if changed else name


def table(figures: Figures) -> str:
    """The figures by area and module."""
    fates: dict[str, Counter[str]] = defaultdict(Counter)
    for mutant, verdict in figures.tried:
        fates[mutant.path][verdict.fate] += 1
    rows = ["| module | mutants | tried | killed | timed out | equivalent | survived |"]
    rows.append("|---|---:|---:|---:|---:|---:|---:|")
    areas: dict[str, list[str]] = defaultdict(list)
    for path in figures.there:
        areas[area_of(path) or ""].append(path)
    for area, paths in areas.items():
        rows.append(_row(f"**{area}**", paths, figures, fates))
        rows += [_row(path, [path], figures, fates) for path in paths if fates[path]]
    return "\n".join(rows)


def _row(name: str, paths: list[str], figures: Figures, fates: dict[str, Counter[str]]) -> str:
    fate = sum((fates[path] for path in paths), Counter[str]())
    numbers = (
        sum(figures.there[path] for path in paths),
        fate.total(),
        fate["killed"],
        fate["timed out"],
        fate["equivalent"],
        fate["survived"],
    )
    return f"| {name} | " + " | ".join(f"{number:,}" for number in numbers) + " |"


def survivors(figures: Figures) -> str:
    """What no test saw: where, the line before and after."""
    alive = sorted(mutant for mutant, verdict in figures.tried if verdict.fate == "survived")
    told = [_diff(mutant) for mutant in alive]
    return "\n".join(told) if told else "No fault survived."


def _diff(mutant: Mutant) -> str:
    again = f"@ {mutant.again}\n" if mutant.again else ""
    change = f"- {mutant.before}\n+ {mutant.after}\n{again}"
    return f"{mutant.path}:{mutant.line}\n\n```diff\n{change}```\n"


def text(figures: Figures, command: str) -> str:
    """The part of the page that a run writes."""
    return (
        f"{BEGIN}\n\n`{command}`, commit {commit()}: {len(figures.tried):,} of "
        f"{figures.sample:,} that were drawn.\n\n{table(figures)}\n\n"
        "A module that no mutant was drawn from has no line; it is counted in its area.\n\n"
        f"### Survivors\n\n{survivors(figures).rstrip()}\n\n{END}"
    )


def write(part: str, page: Path = PAGE) -> None:
    """Replace that part of the page; what is around it is written by hand."""
    old = page.read_text("utf-8")
    head, _, rest = old.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not end:
        raise ValueError(f"{page.name} has no place for figures")
    page.write_text(f"{head}{part}{tail}", "utf-8")
