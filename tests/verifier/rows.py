"""The rows of SPEC R3, read from its own text, and random rows that a match may have."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

Row = dict[str, Any]

_TEXT = (Path(__file__).resolve().parents[2] / "verifier" / "spec" / "rules.md").read_text("utf-8")
_R3 = _TEXT.partition("## R3.")[2].partition("## R4.")[0]

# The published rows, each with the `hand` of the fewest seats.
ROWS: dict[str, Row] = {
    row["id"]: row
    for row in map(json.loads, _R3.partition("```json\n")[2].partition("\n```")[0].splitlines())
}

SEATS: dict[str, list[int]] = {}
HANDS: dict[str, list[int]] = {}
FIXED: dict[str, list[str]] = {}
for _name, _seats, _hands, _fixed in re.findall(
    r"^\| `([a-z-]+)` \| (\d(?: to \d)?) \| ([\d /]+) \| (.*?) \|$", _R3, re.MULTILINE
):
    _low, _, _high = _seats.partition(" to ")
    SEATS[_name] = list(range(int(_low), int(_high or _low) + 1))
    HANDS[_name] = [int(number) for number in _hands.split("/")]
    FIXED[_name] = re.findall(r"`(\w+)`", _fixed)

# Option -> (where it stands, the values that are listed); `hand`, `target` and `call_seconds` are
# numbers in a range, which the table says in words.
VALUES: dict[str, tuple[str, list[Any]]] = {
    option: (where, [json.loads(value) for value in re.findall(r"`(.*?)`", values)])
    for option, where, values in re.findall(
        r"^\| `(\w+)` \| ([a-z-]+) \| (.*?) \| ", _R3, re.MULTILINE
    )
}


def tiles_in(n: int) -> int:
    """R1: how many tiles a set double-n has."""
    return (n + 1) * (n + 2) // 2


def published(name: str, seats: int) -> Row:
    """The published row for a number of seats."""
    return {**ROWS[name], "hand": HANDS[name][SEATS[name].index(seats)]}


def random_row(rng: random.Random, name: str, seats: int, chance: float = 0.5) -> Row:
    """A row with every switch somewhere, and few enough tiles that a match is soon over."""
    row = published(name, seats)
    for option, (_, values) in VALUES.items():
        if option in row and option not in FIXED[name] and values and rng.random() < chance:
            row[option] = rng.choice(values)
    row["target"] = rng.choice([1, 20, 61, 150, 400])
    if "call_seconds" in row:
        row["call_seconds"] = rng.choice([1, 5, 60])
    if "muggins" in row and rng.random() < 0.5:
        row["muggins"] = True
    if seats != 4 and "partners" not in FIXED[name]:
        row["partners"] = False
    if row["count_all"]:
        row["score"] = "total"
    if row.get("deal_all"):
        # SPEC R3: "with 4 seats that is set 6 with hand 7, or set 15 with hand 34".
        row["set"], row["hand"] = (15, 34) if rng.random() < 0.02 else (6, 7)
    else:
        row["set"] = row["set"] if rng.random() < 0.2 else 6
        most = (tiles_in(row["set"]) - row.get("protected", 0)) // seats
        row["hand"] = rng.randint(1, min(most, 9))
    return row
