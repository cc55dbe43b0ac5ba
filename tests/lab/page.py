"""What a run found, as text, as JSON, and as the block of figures in docs/statistics.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite, log
from pathlib import Path

from tests.bench.figures import Circumstances
from tests.lab.faults import HOUSES
from tests.lab.judging import finding, fit
from tests.lab.progress import ROOT, Outcome
from tests.lab.verdict import ALARM, Finding, below, holm, rejected, written

PAGE = ROOT / "docs" / "statistics.md"
PICTURES = ROOT / "docs" / "pictures"
BEGIN = "<!-- figures: written by `python3 dev.py lab --write` -->"
END = "<!-- end of figures -->"
GOOD = ("honest", "reference")
SHOWN = {
    "wash": "Tile x position of the wash: even when honest, patterned with naive swaps and coins",
    "p-values": "The p-values of honest deals in order, beside those of chance",
    "faults": "Which statistic rejects which planted fault, and how clearly",
}


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that was dealt in one run of the command."""

    outcomes: tuple[Outcome, ...]

    def of(self, *houses: str) -> list[Outcome]:
        """The outcomes of these houses."""
        return [it for it in self.outcomes if it.part.house in houses]

    @property
    def faults(self) -> list[Outcome]:
        """The outcomes of houses that have to be rejected."""
        return [it for it in self.outcomes if it.part.house not in GOOD]

    def family(self) -> list[tuple[str, Finding]]:
        """Every p-value that the verdict is made of, with whose it is."""
        whole = [(str(it.part), found) for it in self.of(*GOOD) for found in it.findings]
        parts = [(str(it.part), found) for it in self.of(*GOOD) for found in evenness(it)]
        return whole + parts

    def alarms(self) -> list[tuple[str, Finding]]:
        """Statistics of good houses that reject, all taken together."""
        family = self.family()
        adjusted = holm([found.ln_p for _, found in family])
        return [it for it, ln_p in zip(family, adjusted, strict=True) if ln_p <= log(ALARM)]

    def missed(self) -> list[Outcome]:
        """Planted faults that were dealt often enough to be seen, and were not."""
        return [
            it
            for it in self.faults
            if it.part.deals >= HOUSES[it.part.house].shows and not rejected(it.findings)
        ]

    @property
    def well(self) -> bool:
        """Whether the honest pass and the faults are found."""
        return not self.alarms() and not self.missed()


def evenness(outcome: Outcome) -> list[Finding]:
    """For each statistic, whether the p-values of single pieces fall evenly into tenths.

    With less than ten pieces a tenth nothing can be said.
    """
    return [
        finding(f"{name}: p-values of pieces", *fit(row, [Fraction(1, 10)] * 10, 0.0))
        for name, row in outcome.tenths.items()
        if sum(row) >= 100
    ]


def seen_from(outcome: Outcome) -> int | None:
    """The number of deals from which on a fault was rejected at every look."""
    looks = [(deals, bool(rejected(found))) for deals, found in sorted(outcome.trail.items())]
    since = None
    for deals, seen in looks:
        since = (since or deals) if seen else None
    return since


def spoken(outcome: Outcome) -> str:
    """A part for a terminal: all of an honest one, the strongest of another."""
    part, found = outcome.part, outcome.findings
    lines = [f"{part}, {part.deals:,} deals, seed {part.seed}"]
    if part.house in GOOD:
        lines += [
            f"  {it.p:>9}  {it.name}"
            + (f"  ({it.value:.1f} of {it.freedom})" if it.freedom else "")
            for it in found
        ]
        low = below(found, 0.01)
        lines.append(f"  {low} of {len(found)} below 0.01; {len(found) / 100:.1f} are expected")
    else:
        strong = rejected(found)
        lines.append(f"  {HOUSES[part.house].about}")
        lines += [f"  {it.p:>9}  {it.name}" for it in strong[:4]]
        since = seen_from(outcome)
        lines.append(
            f"  rejected by {len(strong)} of {len(found)}, from {since:,} deals on"
            if since
            else "  not rejected"
        )
    return "\n".join(lines)


def verdict(run: Run) -> str:
    """The run in a few lines."""
    family, alarms = run.family(), run.alarms()
    lines = []
    if family:
        least = min(holm([found.ln_p for _, found in family]))
        lines.append(
            f"{len(family)} p-values of honest deals, the least {written(least)} when adjusted for "
            f"their number: {'REJECTED' if alarms else 'not rejected'} at {ALARM}"
        )
    lines += [f"  {found.p}  {whose}: {found.name}" for whose, found in alarms]
    for outcome in run.faults:
        part = outcome.part
        if outcome in run.missed():
            lines.append(f"{part}: NOT FOUND, though {part.deals:,} deals are enough")
        elif not rejected(outcome.findings):
            shows = HOUSES[part.house].shows
            lines.append(f"{part}: not found; that is to be expected of fewer than {shows:,} deals")
    found = [it for it in run.faults if rejected(it.findings)]
    if run.faults:
        lines.append(f"{len(found)} of {len(run.faults)} planted faults are rejected")
    return "\n".join(lines)


def as_json(told: Circumstances, run: Run) -> dict[str, object]:
    """JSON-ready. A p-value is given as its logarithm too: few of the faults' fit into a float."""
    return {
        **told.as_json(),
        "alarm": ALARM,
        "well": run.well,
        "parts": [
            {
                "house": outcome.part.house,
                "table": str(outcome.part.table),
                "deals": outcome.part.deals,
                "seed": outcome.part.seed,
                "rejected": [it.name for it in rejected(outcome.findings)],
                "seen_from": seen_from(outcome),
                "findings": [_json(it) for it in outcome.findings],
                "evenness": [_json(it) for it in evenness(outcome)],
            }
            for outcome in run.outcomes
        ],
    }


def _json(found: Finding) -> dict[str, object]:
    return {
        "name": found.name,
        "value": found.value,
        "freedom": found.freedom,
        "p": found.p,
        "log10_p": found.ln_p / log(10) if isfinite(found.ln_p) else None,
    }


def block(told: Circumstances, run: Run, pictures: Sequence[Path]) -> str:
    """The figures as Markdown."""
    lines = [BEGIN, "", f"`{told.command}`, commit {told.commit}; {told.python}.", ""]
    lines += [f"- {line.strip()}" for line in verdict(run).splitlines()]
    lines += ["", *_honest(run), *_evenness(run), *_faults(run)]
    for path in pictures:
        lines += ["", f"![{SHOWN[path.stem]}](pictures/{path.name})"]
    return "\n".join([*lines, "", END])


def _honest(run: Run) -> Iterator[str]:
    outcomes = run.of("honest")
    main, *others = outcomes
    yield f"### The house as it is: {main.part.table}, {main.part.deals:,} deals"
    yield ""
    yield "| statistic | chi-square | degrees of freedom | p |"
    yield "|---|---:|---:|---:|"
    for it in main.findings:
        value = f"{it.value:,.1f} | {it.freedom:,}" if it.freedom else f"{it.value:,.0f} |"
        yield f"| {it.name} | {value} | {it.p} |"
    yield ""
    yield "Of repeats the number of them stands there, and p is that of a Poisson distribution."
    yield ""
    yield "| house, table | deals | statistics | least p | below 0.01 | expected |"
    yield "|---|---:|---:|---:|---:|---:|"
    for outcome in [main, *others, *run.of("reference")]:
        found = outcome.findings
        least = min(found, key=lambda it: it.ln_p)
        yield (
            f"| {outcome.part} | {outcome.part.deals:,} | {len(found)} | {least.p} ({least.name}) "
            f"| {below(found, 0.01)} | {len(found) / 100:.1f} |"
        )


def _evenness(run: Run) -> Iterator[str]:
    rows = [(it, evenness(it)) for it in run.of(*GOOD) if evenness(it)]
    if not rows:
        return
    yield ""
    yield "### The p-values themselves"
    yield ""
    yield (
        "| house, table | pieces | p-values | in the lowest tenth | in the highest | below 0.001 "
        "| expected | least p of a statistic |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for outcome, found in rows:
        tenths = [sum(column) for column in zip(*outcome.tenths.values(), strict=True)]
        least = min(found, key=lambda it: it.ln_p)
        pieces = max(sum(row) for row in outcome.tenths.values())
        low, high = (f"{100 * tenths[k] / sum(tenths):.1f} %" for k in (0, 9))
        yield (
            f"| {outcome.part} | {pieces} | {sum(tenths):,} | {low} | {high} | {outcome.rare} "
            f"| {sum(tenths) / 1000:.1f} | {least.p} of {len(found)} |"
        )


def _faults(run: Run) -> Iterator[str]:
    if not run.faults:
        return
    yield ""
    yield f"### Planted faults, {run.faults[0].part.deals:,} deals each"
    yield ""
    yield "| fault | what it does | strongest statistic | value | p | rejected by | from deals |"
    yield "|---|---|---|---:|---:|---:|---:|"
    for outcome in run.faults:
        found = outcome.findings
        strong = rejected(found)
        least = min(found, key=lambda it: it.ln_p)
        since = seen_from(outcome)
        yield (
            f"| `{outcome.part.house}` | {HOUSES[outcome.part.house].about} | {least.name} "
            f"| {least.value:,.0f} | {least.p} | {len(strong)} of {len(found)} "
            f"| {f'{since:,}' if since else 'not seen'} |"
        )
    yield ""
    yield (
        "A look is taken after 1,000 deals, 2,000, 5,000, 10,000 and so on: a fault is rejected at "
        "each look from the last column's on. Repeats are counted, all else is chi-square."
    )
