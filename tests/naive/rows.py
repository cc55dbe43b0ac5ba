"""SPEC R3: the published rows, and which rows a match may have."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.naive.actions import Refused

Row = dict[str, Any]

_TEXT = Path(__file__).resolve().parents[2] / "verifier" / "spec" / "rules.md"


def _published() -> dict[str, Row]:
    """The rows as the text of R3 states them."""
    _, _, after = _TEXT.read_text("utf-8").partition("```json\n")
    block, _, _ = after.partition("\n```")
    rows = [json.loads(line) for line in block.splitlines()]
    return {row["id"]: row for row in rows}


PUBLISHED = _published()

SEATS = {
    "block": range(2, 9),
    "block-partners": range(4, 5),
    "draw": range(2, 9),
    "blocking": range(2, 3),
    "middle-eastern": range(4, 5),
    "latin-american": range(4, 5),
    "all-fives": range(2, 9),
    "fives-and-threes": range(2, 9),
}
FIVE_EACH_FROM_THREE_SEATS = ("draw", "all-fives", "fives-and-threes")
FIXED = {
    "block": ("drawing", "win_at"),
    "block-partners": ("drawing", "partners", "win_at"),
    "draw": ("drawing", "win_at"),
    "blocking": ("drawing", "partners", "protected", "win_at"),
    "middle-eastern": ("deal_all", "drawing", "partners", "win_at"),
    "latin-american": ("drawing", "partners", "win_at"),
    "all-fives": ("counting", "drawing", "settlement"),
    "fives-and-threes": ("counting", "drawing", "settlement"),
}
VALUES: dict[str, list[Any] | range] = {
    "set": [6, 9, 12, 15, 18],
    "hand": range(1, 96),
    "partners": [False, True],
    "direction": ["clockwise", "counter-clockwise"],
    "deal_all": [True],
    "first_lead": ["highest-double", "draw-for-lead", "top-double"],
    "next_lead": ["winner", "rotate", "highest-double", "same"],
    "no_winner_lead": ["first-lead", "same"],
    "drawing": ["none", "until-fits"],
    "drawn_tile": ["must-play", "may-play"],
    "protected": [0, 1, 2],
    "early_block": [False, True],
    "transfer": [False, True],
    "last_tile_transfer": ["wins", "exempt"],
    "spinner": ["first", "all", "none"],
    "counting": ["fives", "fives-and-threes"],
    "muggins": [False, True],
    "call_seconds": range(1, 61),
    "goes_out": ["side", "seat"],
    "out_points": [1, 0],
    "settlement": ["nearest-five", "none"],
    "score": ["total", "difference"],
    "difference_mode": ["once", "per-opponent"],
    "count_all": [False, True],
    "block_winner": ["lowest", "causer"],
    "block_count": ["side", "lowest-individual"],
    "tie": ["void", "starter", "causer", "split", "lightest-tile"],
    "target": range(1, 10001),
    "exact_target": [False, True],
    "win_at": ["hand-end", "at-once"],
    "better": ["high", "low"],
}
# "An option that a row has not is as good as" (R3).
ABSENT: Row = {
    "protected": 0,
    "drawn_tile": "must-play",
    "early_block": False,
    "transfer": False,
    "muggins": False,
    "spinner": "none",
    "goes_out": "seat",
    "out_points": 0,
    "no_winner_lead": "same",
    "deal_all": False,
    "counting": None,
    "settlement": None,
}


def option(row: Row, name: str) -> Any:
    """The value of an option in a row, also of one the row has not."""
    return row[name] if name in row else ABSENT[name]


def resolve(ruleset: str, seats: int, options: Row) -> Row:
    """The whole row of a match, after defaults; Refused where R3 does not allow it."""
    if ruleset not in PUBLISHED:
        raise Refused("no such ruleset")
    if seats not in SEATS[ruleset]:
        raise Refused("not for so many seats")
    row = dict(PUBLISHED[ruleset])
    row["hand"] = 5 if ruleset in FIVE_EACH_FROM_THREE_SEATS and seats > 2 else 7
    for name, value in options.items():
        if name not in row or name == "id":
            raise Refused(f"no option {name}")
        if not any(value == one and type(value) is type(one) for one in VALUES[name]):
            raise Refused(f"no value {value!r} of {name}")
        if name in FIXED[ruleset] and value != row[name]:
            raise Refused(f"{name} is fixed")
        row[name] = value
    _join(row, seats)
    return row


def _join(row: Row, seats: int) -> None:
    """The conditions that join options, at the end of R3."""
    tiles = (row["set"] + 1) * (row["set"] + 2) // 2
    if seats * row["hand"] + option(row, "protected") > tiles:
        raise Refused("more tiles than the set has")
    if row["partners"] and seats != 4:
        raise Refused("partners need four seats")
    if option(row, "deal_all") and seats * row["hand"] != tiles:
        raise Refused("not every tile is dealt")
    if row["count_all"] and row["score"] != "total":
        raise Refused("count_all is for totals")


def sides(row: Row, seats: int) -> int:
    """How many sides there are (SPEC R2)."""
    return 2 if row["partners"] else seats


def side_of(row: Row, seat: int) -> int:
    """The side of a seat (SPEC R2)."""
    return seat % 2 if row["partners"] else seat
