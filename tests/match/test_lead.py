"""SPEC 4.5, R4: the lead draw, and who leads the hands after the first."""

from __future__ import annotations

import random
from typing import Any

import pytest

from fairbones.core.bones import HIGH, LOW, set_tiles, tile_bytes, tile_count
from fairbones.core.match import Stage
from fairbones.core.protocol.canonical import EVENT_BYTES_MAX
from fairbones.core.protocol.chain import Event
from fairbones.core.protocol.cut import cut_key
from fairbones.core.protocol.encoding import Tag
from fairbones.core.protocol.shuffle import shuffle
from fairbones.core.protocol.wash import wash
from tests.match.playing import Table, check_match, open_table, types

DRAWN: list[tuple[str, int, dict[str, object]]] = [
    ("blocking", 2, {}),
    ("fives-and-threes", 4, {"partners": True}),
    ("block", 8, {"first_lead": "draw-for-lead", "set": 12}),
    ("middle-eastern", 4, {"first_lead": "draw-for-lead", "set": 15, "hand": 34}),
]


def drawn(table: Table) -> Event:
    """The one `lead_drawn` of a match."""
    (event,) = (event for event in table.events if event.type == "lead_drawn")
    return event


@pytest.mark.parametrize("row", DRAWN, ids=lambda row: row[0])
def test_the_heaviest_tile_drawn_leads(
    row: tuple[str, int, dict[str, object]], seed: random.Random
) -> None:
    """SPEC 4.5: "each seat k has drawn the tile at position `shuffle(K, "cut-map", 0, N)[k]`; the
    event `lead_drawn` opens the whole wash at once with `R_0`"."""
    table = open_table(seed, *row).deal()
    event, opened = drawn(table), table.events[0]
    data: dict[str, Any] = dict(event.data)
    most = table.state.terms.rules.set
    things = [tile_bytes(tile) for tile in set_tiles(most)]
    told = wash(opened.match, bytes.fromhex(data["round_seed"]), 0, things)
    assert told.root.hex() == opened.data["lead_wash"]
    assert [seal.hex() for seal in told.seals] == data["seals"]
    key = cut_key(opened.hash, table.seeds)
    positions = shuffle(key, Tag.CUT_MAP, 0, tile_count(most))[: row[1]]
    tiles = [told.order[position] for position in positions]
    best = max(tiles, key=lambda tile: (HIGH[tile] + LOW[tile], HIGH[tile]))
    assert data["lead"] == tiles.index(best)
    dealt = table.events[event.seq + 1]
    assert (dealt.type, dealt.data["lead"]) == ("dealt", data["lead"])
    assert "must_set" not in dealt.data


@pytest.mark.parametrize("clear", [False, True])
def test_it_stands_in_the_step_of_the_last_seed(clear: bool, seed: random.Random) -> None:
    """SPEC 8.2: "after the last `seeded` (or, when every seat sat with a clear seed, the last
    `seated`) the lead is drawn where the rules draw for it, and hand 1 is `dealt`"."""
    table = open_table(seed, "blocking", 2, clear_seeds=clear)
    table.sit(0, clear=clear)
    events = table.sit(1, clear=clear)
    if not clear:
        table.reveal(1)
        events = table.reveal(0)
    assert types(events) == ["seated" if clear else "seeded", "lead_drawn", "dealt"]


def test_it_is_drawn_once(seed: random.Random) -> None:
    """SPEC R4: later hands do not draw again; after a hand that nobody won, `first-lead` takes
    "the seat drawn before hand 1, with any tile"."""
    options = {"first_lead": "draw-for-lead", "no_winner_lead": "first-lead", "target": 10_000}
    met = 0
    while not met:
        table = open_table(seed, "middle-eastern", 4, options, rounds_max=20).deal()
        while table.state.stage is Stage.PLAYING:
            table.act(seed.choice)
        ends = [event for event in table.events if event.type == "round_ended"]
        for event in ends[:-1]:
            if "winner" not in event.data:
                met += 1
                assert table.events[event.seq + 1].data["lead"] == drawn(table).data["lead"]
        check_match(table)


def test_others_have_no_lead_wash(seed: random.Random) -> None:
    """SPEC 7: `lead_wash`, "where the rules draw for the lead"."""
    table = open_table(seed, "draw", 3).deal()
    assert "lead_wash" not in table.events[0].data
    assert "lead_drawn" not in types(table.events)


def test_the_largest_set_is_opened_and_played(seed: random.Random) -> None:
    """SPEC 4.4, 6.2: `R * N <= 6144` of any set; every event stays below its limit."""
    options: dict[str, object] = {"set": 18, "hand": 23, "first_lead": "draw-for-lead"}
    table = open_table(seed, "all-fives", 8, options | {"spinner": "all"}, rounds_max=32).deal()
    while table.state.rounds == 1 and table.state.stage is Stage.PLAYING:
        table.act(seed.choice)
    assert max(len(event.raw) for event in table.events) < EVENT_BYTES_MAX
    check_match(table)
