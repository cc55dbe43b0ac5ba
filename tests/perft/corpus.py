"""The files of counts: one entry for each deal, made by the naive engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from tests.perft.engine import Counts, Start, count
from tests.perft.naive_engine import NaiveEngine
from tests.perft.tables import TABLES, Table, deals

FOLDER = Path(__file__).resolve().parent
# A fast engine needs a fraction of a second for so many sequences, the naive one some seconds.
MOST_SEQUENCES = 6_000
DEEPEST = 40


class Entry(NamedTuple):
    """A deal and what is counted from it."""

    name: str
    start: Start
    counts: Counts


def entry(name: str, start: Start) -> Entry:
    """Counted as deep as `MOST_SEQUENCES` allows, or until every sequence has ended."""
    return Entry(name, start, count(NaiveEngine(), start, DEEPEST, MOST_SEQUENCES))


def of_table(table: Table) -> list[Entry]:
    return [entry(name, start) for name, start in deals(table)]


def written(entries: Iterable[Entry]) -> dict[str, str]:
    """The text of each file, by its name."""
    files: dict[str, list[str]] = {}
    for one in entries:
        data = {"id": one.name} | one.start._asdict() | one.counts._asdict()
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in data.items()]
        text = " {\n" + ",\n".join(lines) + "\n }"
        files.setdefault(f"{one.start.ruleset}.json", []).append(text)
    return {name: "[\n" + ",\n".join(texts) + "\n]\n" for name, texts in files.items()}


def make(of_tables: Callable[[tuple[Table, ...]], Iterable[list[Entry]]]) -> dict[str, str]:
    """All files, from what makes the entries of all tables, in their order."""
    return written(one for entries in of_tables(TABLES) for one in entries)


def _entry(data: dict[str, Any]) -> Entry:
    start = Start(**{name: data[name] for name in Start._fields})
    return Entry(data["id"], start, Counts(data["sequences"], data["ended"]))


def load() -> list[Entry]:
    """Every entry of every file."""
    return [
        _entry(data)
        for file in sorted(FOLDER.glob("*.json"))
        for data in json.loads(file.read_text("utf-8"))
    ]


def shallow(counts: Counts, most: int) -> int:
    """The greatest depth with at most so many sequences in all, at least 1."""
    depth = 1
    while depth < len(counts.sequences) and sum(counts.sequences[: depth + 1]) <= most:
        depth += 1
    return depth
