"""The rows of options (SPEC R3 and 11.1): what is published, and which other values may stand."""

from __future__ import annotations

from typing import Any, NamedTuple


class Row(NamedTuple):
    """One published ruleset: its row, `hand` by number of seats, the options that are fixed."""

    published: dict[str, Any]
    hand: dict[int, int]
    fixed: frozenset[str]


COMMON: dict[str, Any] = {
    "set": 6,
    "partners": False,
    "direction": "clockwise",
    "first_lead": "highest-double",
    "next_lead": "winner",
    "drawing": "none",
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

# What the games with a boneyard have besides.
DRAWING: dict[str, Any] = {
    "drawing": "until-fits",
    "drawn_tile": "must-play",
    "protected": 0,
    "early_block": False,
}

FEW = {2: 7, 3: 5, 4: 5, 5: 5, 6: 5, 7: 5, 8: 5}

NO_POINTS_IN_PLAY = frozenset({"drawing", "win_at"})
COUNTING = frozenset({"counting", "drawing", "settlement"})


def _row(
    name: str, hand: dict[int, int], fixed: frozenset[str], *more: dict[str, Any], **own: Any
) -> Row:
    row = dict(COMMON)
    for part in (*more, own):
        row.update(part)
    return Row({**row, "id": name}, hand, fixed)


ROWS: dict[str, Row] = {
    row.published["id"]: row
    for row in (
        _row("block", dict.fromkeys(range(2, 9), 7), NO_POINTS_IN_PLAY),
        _row("block-partners", {4: 7}, NO_POINTS_IN_PLAY | {"partners"}, partners=True),
        _row("draw", FEW, NO_POINTS_IN_PLAY, DRAWING),
        _row(
            "blocking",
            {2: 7},
            NO_POINTS_IN_PLAY | {"partners", "protected"},
            DRAWING,
            first_lead="draw-for-lead",
            block_winner="causer",
        ),
        _row(
            "middle-eastern",
            {4: 7},
            NO_POINTS_IN_PLAY | {"deal_all", "partners"},
            direction="counter-clockwise",
            deal_all=True,
            first_lead="top-double",
            no_winner_lead="first-lead",
            transfer=False,
            last_tile_transfer="wins",
        ),
        _row(
            "latin-american",
            {4: 7},
            NO_POINTS_IN_PLAY | {"partners"},
            partners=True,
            tie="starter",
        ),
        _row(
            "all-fives",
            FEW,
            COUNTING,
            DRAWING,
            spinner="first",
            counting="fives",
            muggins=False,
            call_seconds=5,
            settlement="nearest-five",
            target=150,
        ),
        _row(
            "fives-and-threes",
            FEW,
            COUNTING,
            first_lead="draw-for-lead",
            next_lead="rotate",
            spinner="none",
            counting="fives-and-threes",
            goes_out="side",
            out_points=1,
            settlement="none",
            target=61,
            exact_target=True,
            win_at="at-once",
        ),
    )
}

# Every value of every option; in a row, an option that is fixed there has only its own.
VALUES: dict[str, tuple[Any, ...]] = {
    "set": (6, 9, 12, 15, 18),
    "partners": (False, True),
    "direction": ("clockwise", "counter-clockwise"),
    "deal_all": (True,),
    "first_lead": ("highest-double", "draw-for-lead", "top-double"),
    "next_lead": ("winner", "rotate", "highest-double", "same"),
    "no_winner_lead": ("first-lead", "same"),
    "drawing": ("none", "until-fits"),
    "drawn_tile": ("must-play", "may-play"),
    "protected": (0, 1, 2),
    "early_block": (False, True),
    "transfer": (False, True),
    "last_tile_transfer": ("wins", "exempt"),
    "spinner": ("first", "all", "none"),
    "counting": ("fives", "fives-and-threes"),
    "muggins": (False, True),
    "goes_out": ("side", "seat"),
    "out_points": (1, 0),
    "settlement": ("nearest-five", "none"),
    "score": ("total", "difference"),
    "difference_mode": ("once", "per-opponent"),
    "count_all": (False, True),
    "block_winner": ("lowest", "causer"),
    "block_count": ("side", "lowest-individual"),
    "tie": ("void", "starter", "causer", "split", "lightest-tile"),
    "exact_target": (False, True),
    "win_at": ("hand-end", "at-once"),
    "better": ("high", "low"),
}

# Options that are a number with a range of its own (check 13).
RANGES: dict[str, tuple[int, int]] = {
    "hand": (1, 95),
    "target": (1, 10_000),
    "call_seconds": (1, 60),
}

LOTS: dict[str, dict[str, tuple[int, int]]] = {
    "order": {"n": (1, 900)},
    "numbers": {"n": (1, 65_536), "count": (1, 4_096)},
}

# The fewest and the most seats of each.
SEATS: dict[str, tuple[int, int]] = {
    **{name: (min(row.hand), max(row.hand)) for name, row in ROWS.items()},
    "lots": (1, 64),
}


def values(name: str, option: str) -> tuple[Any, ...]:
    """Which values an option may have in a row (SPEC R3), the published one first.

    Not for the options of RANGES, which may have any number of their range.
    """
    row = ROWS[name]
    own = row.published[option]
    others = () if option in row.fixed or option == "id" else VALUES[option]
    return (own, *(value for value in others if value != own))


def flaws(row: dict[str, Any]) -> list[tuple[str, str, str, Any]]:
    """What is wrong with a row by itself: (code, option, what is expected, what stands there)."""
    name = row.get("id")
    if name is not None and not isinstance(name, str):
        return [("format/type", "id", "a string", name)]
    if name == "lots":
        kind = row.get("kind")
        if kind is not None and not isinstance(kind, str):
            return [("format/type", "kind", "a string", kind)]
        if kind not in LOTS:
            return [("format/ruleset", "kind", "order or numbers", kind)]
        return _options(row, {"id": (name,), "kind": (kind,)}, LOTS[kind])
    if name not in ROWS:
        return [("format/ruleset", "id", f"{', '.join(ROWS)} or lots", name)]
    options = (*ROWS[name].published, "hand")
    ranges = {option: RANGES[option] for option in options if option in RANGES}
    listed = {option: values(name, option) for option in options if option not in RANGES}
    return _options(row, listed, ranges)


def _options(
    row: dict[str, Any], listed: dict[str, tuple[Any, ...]], ranges: dict[str, tuple[int, int]]
) -> list[tuple[str, str, str, Any]]:
    found: list[tuple[str, str, str, Any]] = []
    for option in sorted({*listed, *ranges, *row}):
        value = row.get(option)
        if option not in row:
            found.append(("format/ruleset", option, "this option", "nothing"))
        elif option in ranges:
            low, high = ranges[option]
            if type(value) is not int:
                found.append(("format/type", option, "a number", value))
            elif not low <= value <= high:
                found.append(("format/range", option, f"{low} to {high}", value))
        elif option not in listed:
            found.append(("format/ruleset", option, "no such option", value))
        elif type(value) is not type(listed[option][0]):
            found.append(("format/type", option, f"the type of {listed[option][0]!r}", value))
        elif value not in listed[option]:
            found.append(("format/ruleset", option, " or ".join(map(str, listed[option])), value))
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
