"""The rows of options (SPEC R3 and 11.1): what is published, and which other values may stand."""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """One published ruleset: its row with `hand` by number of seats, and the values allowed."""

    published: dict[str, Any]
    hand: dict[int, int]


COMMON: dict[str, Any] = {
    "set": 6,
    "partners": False,
    "direction": "clockwise",
    "first_lead": "highest-double",
    "next_lead": "winner",
    "score": "total",
    "difference_mode": "once",
    "count_all": False,
    "block_winner": "lowest",
    "block_count": "side",
    "tie": "void",
    "target": 100,
    "exact_target": False,
    "win_at": "hand-end",
    "better": "high",
}

ROWS: dict[str, Row] = {
    "block": Row({**COMMON, "id": "block", "drawing": "none"}, {2: 7, 3: 7, 4: 7}),
    "draw": Row(
        {
            **COMMON,
            "id": "draw",
            "drawing": "until-fits",
            "drawn_tile": "must-play",
            "early_block": False,
            "protected": 0,
        },
        {2: 7, 3: 5, 4: 5},
    ),
}

# The values of each option beside the published one; an option that is not here has only that.
OTHERS: dict[str, tuple[Any, ...]] = {
    "partners": (True,),
    "direction": ("counter-clockwise",),
    "drawn_tile": ("may-play",),
    "protected": (1, 2),
    "score": ("difference",),
    "difference_mode": ("per-opponent",),
    "tie": ("starter", "causer", "split", "lightest-tile"),
}

# Options that are a number in a range.
RANGES: dict[str, tuple[int, int]] = {"hand": (1, 95), "target": (1, 10_000)}

LOTS: dict[str, dict[str, tuple[int, int]]] = {
    "order": {"n": (1, 900)},
    "numbers": {"n": (1, 65_536), "count": (1, 4_096)},
}

SEATS: dict[str, tuple[int, int]] = {"block": (2, 4), "draw": (2, 4), "lots": (1, 64)}


def flaws(row: dict[str, Any]) -> list[tuple[str, str, str, Any]]:
    """What is wrong with a row by itself: (code, option, what is expected, what stands there)."""
    name = row.get("id")
    if name == "lots":
        kind = row.get("kind")
        if kind is not None and not isinstance(kind, str):
            return [("format/type", "kind", "a string", kind)]
        if kind not in LOTS:
            return [("format/ruleset", "kind", "order or numbers", kind)]
        return _options(row, {"id": "lots", "kind": kind}, LOTS[kind])
    if name is not None and not isinstance(name, str):
        return [("format/type", "id", "a string", name)]
    if name not in ROWS:
        return [("format/ruleset", "id", "block, draw or lots", name)]
    return _options(row, ROWS[name].published, RANGES)


def _options(
    row: dict[str, Any], published: dict[str, Any], ranges: dict[str, tuple[int, int]]
) -> list[tuple[str, str, str, Any]]:
    found: list[tuple[str, str, str, Any]] = []
    for option in sorted(set(published) | set(ranges) | set(row)):
        value = row.get(option)
        if option not in row:
            found.append(("format/ruleset", option, "this option", "nothing"))
        elif option in ranges:
            low, high = ranges[option]
            if type(value) is not int:
                found.append(("format/type", option, "a number", value))
            elif not low <= value <= high:
                found.append(("format/range", option, f"{low} to {high}", value))
        elif option not in published:
            found.append(("format/ruleset", option, "no such option", value))
        elif type(value) is not type(published[option]):
            found.append(("format/type", option, f"the type of {published[option]!r}", value))
        elif value != published[option] and value not in OTHERS.get(option, ()):
            listed = (published[option], *OTHERS.get(option, ()))
            found.append(("format/ruleset", option, " or ".join(map(str, listed)), value))
    return found


def differences(row: dict[str, Any], seats: int) -> list[dict[str, Any]]:
    """Every option of a row that differs from the published one (SPEC 9.6)."""
    published: Row | None = ROWS.get(row["id"])
    if published is None:
        return []
    usual = {**published.published, "hand": published.hand.get(seats, 0)}
    return [
        {"name": name, "published": usual[name], "here": row[name]}
        for name in sorted(row)
        if row[name] != usual[name]
    ]
