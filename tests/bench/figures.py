"""Outcomes as text, and the block of figures in docs/performance.md."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.harness import BYTES, CPU, SLOW, WALL, Outcome, Ratio

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "performance.md"
BEGIN = "<!-- figures: written by `python3 dev.py bench --write` -->"
END = "<!-- end of figures -->"
COLUMNS = (CPU, WALL, SLOW, BYTES)
# Those of the other engines are written by themselves: few environments have the engines.
PEERS_BEGIN = "<!-- peers: written by `python3 dev.py oracles --bench --write` -->"
PEERS_END = "<!-- end of peers -->"


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Under what a run was made."""

    command: str
    commit: str
    python: str
    cores: int
    load: float

    def as_json(self) -> dict[str, object]:
        """JSON-ready."""
        return {
            "command": self.command,
            "commit": self.commit,
            "python": self.python,
            "cores": self.cores,
            "load": self.load,
        }


def circumstances(arguments: Sequence[str], command: str = "bench") -> Circumstances:
    """Those of this run."""
    return Circumstances(
        command=" ".join(("python3 dev.py", command, *arguments)),
        commit=_commit(),
        python=f"{platform.python_implementation()} {platform.python_version()}",
        cores=len(os.sched_getaffinity(0)),
        load=round(os.getloadavg()[0], 1),
    )


def _commit() -> str:
    """The commit, and whether the code differs from it; no git, no word."""
    head = _git("rev-parse", "--short=12", "HEAD")
    if head is None:
        return "unknown"
    changed = _git("status", "--porcelain", "--", "service", "verifier")
    return f"{head} with changes" if changed else head


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "--no-optional-locks", *arguments],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=10,
            check=False,
        )
    except OSError:
        return None
    return done.stdout.strip() if done.returncode == 0 else None


def spoken(outcome: Outcome) -> str:
    """A bench as text for a terminal: ratios first."""
    bench = outcome.bench
    lines = [f"{bench.name} (each figure is of one {bench.unit}; {outcome.rounds} rounds)"]
    for ratio in outcome.ratios:
        spread = f"{short(ratio.low)}-{short(ratio.high)}"
        lines.append(
            f"  {short(ratio.median):>7}  {ratio.kind:<5}  {ratio.of} / {ratio.to}  ({spread})"
        )
    for side in bench.sides:
        amounts = ", ".join(
            f"{kind} {amount(kind, value)}" for kind, value in outcome.medians[side.name].items()
        )
        lines.append(f"  {side.name}: {amounts}; {side.did}")
    lines.append(f"  compared: {bench.equal}")
    return "\n".join(lines)


def short(number: float) -> str:
    """Three digits that mean something."""
    if number >= 100:
        return f"{number:.0f}"
    return f"{number:.1f}" if number >= 10 else f"{number:.2f}"


def amount(kind: str, value: float) -> str:
    """A time in microseconds or milliseconds, a size in KB."""
    if kind == BYTES:
        return f"{value / 1000:.1f} KB"
    return f"{value * 1e3:.2f} ms" if value >= 1e-3 else f"{value * 1e6:.1f} us"


def block(
    told: Circumstances, outcomes: Sequence[Outcome], begin: str = BEGIN, end: str = END
) -> str:
    """The figures as Markdown: a table of ratios, then one of times of this machine."""
    lines = [
        begin,
        "",
        f"`{told.command}`, commit {told.commit};",
        f"{told.python}, {told.cores} cores, load {told.load}.",
        "",
        "| bench | ratio, per unit | CPU | clock | p99 | memory |",
        "|---|---|---|---|---|---|",
    ]
    for outcome in outcomes:
        for of, to in outcome.bench.pairs:
            cells = {it.kind: it for it in outcome.ratios if (it.of, it.to) == (of, to)}
            row = " | ".join(_cell(cells.get(kind)) for kind in COLUMNS)
            lines.append(f"| {outcome.bench.name} | {of} / {to} | {row} |")
    lines += [
        "",
        "A ratio is the median over the rounds; in brackets the quartiles. What the sides do, and",
        "what a unit of it took on the one machine this was written on:",
        "",
        "| bench, side | unit | CPU | clock | p99 | memory | what is measured |",
        "|---|---|---|---|---|---|---|",
    ]
    for outcome in outcomes:
        for side in outcome.bench.sides:
            taken = outcome.medians[side.name]
            row = " | ".join(amount(kind, taken[kind]) if kind in taken else "" for kind in COLUMNS)
            name = f"{outcome.bench.name}: {side.name}"
            lines.append(f"| {name} | {outcome.bench.unit} | {row} | {side.did} |")
    return "\n".join([*lines, "", end])


def _cell(ratio: Ratio | None) -> str:
    if ratio is None:
        return ""
    if ratio.low == ratio.high:
        return f"**{short(ratio.median)}**"
    return f"**{short(ratio.median)}** ({short(ratio.low)}-{short(ratio.high)})"


def write(text: str, page: Path = PAGE) -> None:
    """Put the block where the page has one. ValueError when it has none."""
    before = page.read_text(encoding="utf-8")
    begin, *_, end = text.splitlines()
    old = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    after, found = old.subn(lambda _: text, before)
    if found != 1:
        raise ValueError(f"{page} has {found} blocks of figures, not one")
    page.write_text(after, encoding="utf-8")
