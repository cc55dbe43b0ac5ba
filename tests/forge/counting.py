"""`docs/forgeries.md`: how each row of the threat model is shown, by which checks and games."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tests.forge.compared import Pair
from tests.forge.scenario import Scenario

NONE = "no game"  # a text that is no transcript of any
HEAD = """# Forgeries, counted

Written by `python -m tests.forge`, never by hand. Each row is one of [the threat
model](threat-model.md). A forgery is a file in `tests/forgeries` with the one check that has to
find it ([its page](../tests/vectors/README.md) says how to read them); a comparison is a pair of
files in `tests/vectors/compared`, which `compare` has to hold against each other. A file that
stands for several rows is counted in each. Rows that no file can show (clocks, secrecy, the
service's own refusals) are not here: the threat model says what shows those.
"""


@dataclass(slots=True)
class Row:
    """One row of the threat model."""

    games: Counter[str] = field(default_factory=Counter)
    codes: Counter[str] = field(default_factory=Counter)
    comparisons: int = 0


def game(transcript: bytes) -> str:
    """The ruleset that a transcript names, whatever else is wrong with it."""
    try:
        named = json.loads(transcript)["events"][0]["data"]["ruleset"]["id"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return NONE
    return named if isinstance(named, str) else NONE


def rows(forgeries: Iterable[Scenario], pairs: Sequence[Pair]) -> dict[int, Row]:
    """Every row that has something, in order."""
    found: dict[int, Row] = {}
    for scenario in forgeries:
        for threat in scenario.threats:
            row = found.setdefault(int(threat[1:]), Row())
            row.games[game(scenario.transcript)] += 1
            row.codes[str(scenario.code)] += 1
    for pair in pairs:
        for threat in pair.threats:
            found.setdefault(int(threat[1:]), Row()).comparisons += 1
    return dict(sorted(found.items()))


def counted(counts: Mapping[str, int]) -> str:
    """The most frequent first."""
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{name} {number}" for name, number in ordered)


def page(forgeries: Iterable[Scenario], pairs: Sequence[Pair]) -> str:
    """The whole page."""
    given = list(forgeries)
    verdicts = Counter(scenario.verdict for scenario in given)
    games = Counter(game(scenario.transcript) for scenario in given)
    lines = [
        HEAD,
        f"{len(given)} forgeries: {counted(verdicts)}. {len(pairs)} comparisons.",
        f"By ruleset: {counted(games)}.",
        "",
        "| row | forgeries | comparisons | rulesets | checks |",
        "|---|---:|---:|---|---|",
    ]
    for number, row in rows(given, pairs).items():
        codes = ", ".join(
            f"`{code}` {times}"
            for code, times in sorted(row.codes.items(), key=lambda one: (-one[1], one[0]))
        )
        total = sum(row.games.values())
        lines.append(
            f"| T{number} | {total} | {row.comparisons} | {counted(row.games)} | {codes} |"
        )
    return "\n".join(lines) + "\n"
