"""The tables at which sequences are counted: which rules, how many deals, and the deals."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from tests.naive.leading import drawn_lead, first_lead
from tests.naive.rows import Row, resolve, sides
from tests.naive.tiles import Tile, text, tile_set
from tests.perft.engine import Start
from tests.perft.naive_engine import NaiveEngine, texts


class Table(NamedTuple):
    """A row, and the scores before the hand where they matter.

    With `last` every deal is played at random to its end, and counted from so many actions
    before it.
    """

    name: str
    ruleset: str
    seats: int
    options: dict[str, Any]
    scores: tuple[int, ...] = ()
    deals: int = 2
    last: int = 0


MAY_PLAY = {"drawn_tile": "may-play"}
EARLY = {"early_block": True}
PARTNERS = {"partners": True}
TRANSFER = {"transfer": True}
ALL = {"spinner": "all"}
ONCE = {"win_at": "at-once"}
EXACT = {"exact_target": True}
EXEMPT = {"last_tile_transfer": "exempt"}
CLOCKWISE = {"direction": "clockwise"}

TABLES = (
    Table("two", "block", 2, {}),
    Table("two-short", "block", 2, {"hand": 4}),
    Table("three", "block", 3, {"tie": "split"}),
    Table("four-short", "block", 4, {"hand": 3, "first_lead": "top-double"}),
    Table("five", "block", 5, {"set": 9, "hand": 3}),
    Table("six", "block", 6, {"set": 9}),
    Table("seven", "block", 7, {"set": 9, "hand": 2}),
    Table("eight", "block", 8, {"set": 12}),
    Table("eighteen", "block", 2, {"set": 18, "hand": 12}),
    Table("late", "block", 4, {}, last=12),
    Table("four", "block-partners", 4, {}),
    Table("short", "block-partners", 4, {"hand": 3}),
    Table("nine", "block-partners", 4, {"set": 9, "hand": 5}),
    Table("late", "block-partners", 4, {}, deals=3, last=13),
    Table("two", "draw", 2, {}),
    Table("may-play", "draw", 2, MAY_PLAY),
    Table("protected-one", "draw", 2, {"protected": 1, "hand": 3}),
    Table("protected-two", "draw", 3, {"protected": 2, "hand": 6}),
    Table("early-block", "draw", 2, EARLY | {"hand": 5}),
    Table("may-play-early", "draw", 3, MAY_PLAY | EARLY | {"hand": 2}),
    Table("four", "draw", 4, {}),
    Table("partners", "draw", 4, PARTNERS | MAY_PLAY | {"hand": 3, "protected": 2}),
    Table("five", "draw", 5, {"hand": 3}),
    Table("six", "draw", 6, {"set": 9, "protected": 2}),
    Table("seven", "draw", 7, {"set": 12, "hand": 2}),
    Table("eight", "draw", 8, {"set": 15} | MAY_PLAY),
    Table("late", "draw", 3, {"protected": 1}, deals=3, last=14),
    Table("late-may-play", "draw", 2, MAY_PLAY, deals=3, last=12),
    Table("plain", "blocking", 2, {}),
    Table("short", "blocking", 2, {"hand": 3}),
    Table("early-block", "blocking", 2, EARLY),
    Table("may-play", "blocking", 2, MAY_PLAY | {"hand": 4, "set": 9}),
    Table("late", "blocking", 2, {}, deals=4, last=14),
    Table("late-early", "blocking", 2, EARLY | MAY_PLAY, deals=4, last=10),
    Table("plain", "middle-eastern", 4, {}),
    Table("transfer", "middle-eastern", 4, TRANSFER, deals=4),
    Table("clockwise", "middle-eastern", 4, TRANSFER | CLOCKWISE, deals=3),
    Table("exempt", "middle-eastern", 4, TRANSFER | EXEMPT, deals=3),
    Table("fifteen", "middle-eastern", 4, TRANSFER | {"set": 15, "hand": 34}),
    Table("late", "middle-eastern", 4, {}, last=12),
    Table("late-transfer", "middle-eastern", 4, TRANSFER, deals=4, last=12),
    Table("late-exempt", "middle-eastern", 4, TRANSFER | EXEMPT, deals=4, last=12),
    Table("late-clockwise", "middle-eastern", 4, TRANSFER | CLOCKWISE, deals=4, last=12),
    Table("plain", "latin-american", 4, {}),
    Table("short", "latin-american", 4, {"hand": 4}),
    Table("nine", "latin-american", 4, {"set": 9, "hand": 3}),
    Table("late", "latin-american", 4, {}, deals=3, last=13),
    Table("two", "all-fives", 2, {}, deals=3),
    Table("spinner-all", "all-fives", 2, ALL, deals=3),
    Table("spinner-none", "all-fives", 2, {"spinner": "none"}),
    Table("short", "all-fives", 2, {"hand": 3}),
    Table("early-block", "all-fives", 3, EARLY | ALL | {"hand": 3}),
    Table("may-play", "all-fives", 2, MAY_PLAY | {"protected": 2, "hand": 4}),
    Table("muggins", "all-fives", 3, {"muggins": True, "hand": 4}),
    Table("at-once", "all-fives", 2, ONCE | {"target": 40}, (30, 20)),
    Table("exact", "all-fives", 2, ONCE | EXACT | {"target": 40}, (30, 25)),
    Table("low", "all-fives", 2, ONCE | {"target": 40, "better": "low"}, (30, 20)),
    Table("partners", "all-fives", 4, PARTNERS | {"hand": 3}),
    Table("five", "all-fives", 5, {"hand": 3} | ALL),
    Table("six", "all-fives", 6, {"set": 9}),
    Table("eight", "all-fives", 8, {"set": 12, "hand": 3} | ALL),
    Table("late", "all-fives", 2, {}, deals=3, last=10),
    Table("late-all", "all-fives", 4, ALL | EARLY, deals=3, last=9),
    Table("late-muggins", "all-fives", 4, PARTNERS | {"muggins": True}, last=9),
    Table("two", "fives-and-threes", 2, {}),
    Table("near-exact", "fives-and-threes", 2, {"hand": 4}, (58, 57), 3),
    Table("near-past", "fives-and-threes", 2, {"exact_target": False, "hand": 4}, (58, 57)),
    Table("near-end", "fives-and-threes", 3, {"win_at": "hand-end", "hand": 3}, (58, 57, 50)),
    Table("spinner", "fives-and-threes", 3, {"spinner": "first"}),
    Table("spinner-all", "fives-and-threes", 2, ALL | {"set": 9, "hand": 6}),
    Table("partners", "fives-and-threes", 4, PARTNERS | {"hand": 2}, deals=3),
    Table("partners-long", "fives-and-threes", 4, PARTNERS | {"hand": 3}, (59, 58)),
    Table("partners-seat", "fives-and-threes", 4, PARTNERS | {"goes_out": "seat", "hand": 3}),
    Table("no-out-point", "fives-and-threes", 2, {"out_points": 0, "hand": 3}, (59, 60)),
    Table("seven", "fives-and-threes", 7, {"set": 9, "hand": 3}),
    Table("eight", "fives-and-threes", 8, {"set": 9}),
    Table("late", "fives-and-threes", 3, {}, (50, 51, 52), last=10),
    Table("late-partners", "fives-and-threes", 4, PARTNERS | ALL, (40, 40), 3, 11),
)


def _shuffled(tiles: list[Tile], word: str) -> list[Tile]:
    """An order that depends on the word alone, in every version of Python."""
    return sorted(tiles, key=lambda tile: hashlib.sha256(f"{word} {text(tile)}".encode()).digest())


def deals(table: Table) -> list[tuple[str, Start]]:
    """The named deals of a table: the first led as hand 1, the others with any tile by any seat."""
    row = resolve(table.ruleset, table.seats, table.options)
    made = []
    for number in range(1, table.deals + 1):
        name = f"{table.ruleset}-{table.name}-{number}"
        start = _deal(table, row, name, number == 1)
        played = _played(name, start)[: -table.last] if table.last else []
        made.append((name, start._replace(played=played)))
    return made


def _played(name: str, start: Start) -> list[str]:
    """The actions of a whole hand, chosen by chance that depends on the name alone."""
    engine = NaiveEngine()
    state, played = engine.start(start), list[str]()
    while legal := engine.legal(state):
        chance = hashlib.sha256(f"{name} action {len(played)}".encode()).digest()
        action = legal[int.from_bytes(chance, "big") % len(legal)]
        played.append(engine.text(action))
        state = engine.after(state, action)
    return played


def _deal(table: Table, row: Row, name: str, first: bool) -> Start:
    order, size = _shuffled(tile_set(row["set"]), name), row["hand"]
    hands = [order[seat * size : (seat + 1) * size] for seat in range(table.seats)]
    drawn = drawn_lead(_shuffled(tile_set(row["set"]), f"{name} lead")[: table.seats])
    lead = first_lead(row, hands, drawn)
    must_set = lead.must_set if first else None
    scores = list(table.scores) or [0] * sides(row, table.seats)
    return Start(
        table.ruleset,
        table.seats,
        table.options,
        [texts(held) for held in hands],
        texts(order[table.seats * size :]),
        lead.seat if first else drawn,
        None if must_set is None else text(must_set),
        scores,
        [],
    )
