"""The faults that no test can see, and why: `equivalent.txt`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.mutation.mutants import Mutant

LIST = Path(__file__).with_name("equivalent.txt")


class Equivalent(NamedTuple):
    """A change of a file's text that changes nothing else."""

    path: str
    before: str
    after: str
    again: int  # as `Mutant.again`


def read(text: str) -> dict[Equivalent, str]:
    """A list as it is written: `equivalent.txt` says how at its top."""
    found: dict[Equivalent, str] = {}
    path = before = after = ""
    again = 0
    for number, line in enumerate(text.splitlines(), 1):
        mark, rest = line[:2], line[2:]
        if mark == "- ":
            before, again = rest, 0
        elif mark == "+ ":
            after = rest
        elif mark == "@ ":
            again = int(rest)
        elif mark == "= ":
            found[Equivalent(path, before, after, again)] = rest
        elif line.endswith(".py"):
            path = line
        elif line and mark != "# ":
            raise ValueError(f"line {number}: {line}")
    return found


def known() -> dict[Equivalent, str]:
    """The list as it stands."""
    return read(LIST.read_text("utf-8"))


def named(mutant: Mutant) -> Equivalent:
    """A mutant as the list names it."""
    return Equivalent(mutant.path, mutant.before, mutant.after, mutant.again)


def stale(listed: Iterable[Equivalent], every: Iterable[Mutant]) -> list[Equivalent]:
    """What is listed and is no mutant any more."""
    there = set(map(named, every))
    return [one for one in listed if one not in there]
