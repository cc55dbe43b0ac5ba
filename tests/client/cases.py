"""The vectors: one for each way in which a client must stop, and some where it must not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.client import cases_chain, cases_play
from tests.client.course import SEAT
from tests.client.making import (
    DRAW,
    Case,
    course,
    last,
    stopped,
)
from tests.forge.house import House, Setup
from tests.forge.keys import HOUSE, OTHER
from tests.forge.paper import receipt_of, spell, transcript

FOLDER = Path(__file__).with_name("vectors")


def ends() -> Iterator[Case]:
    """C7."""
    made = course("ended")
    step = last(made)
    events = made.house.told()
    cut = events[: next(i for i, e in enumerate(events) if e["type"] == "dealt") + 1]
    yield stopped(
        "c7-end-cut-off",
        "The transcript ends before what was seen.",
        made,
        ("C7",),
        {**step, "text": transcript(cut).decode()},
    )
    other = House(Setup("draw", 2, names=True, phrase="client")).start()
    other.play(choose=lambda house: house.legal()[-1])
    yield stopped(
        "c7-other-history",
        "The transcript is of another history, which verifies by itself.",
        made,
        ("C7",),
        {**step, "text": other.transcript().decode()},
    )
    yield stopped(
        "c7-not-signed",
        "The transcript is signed by another key.",
        made,
        ("C7",),
        {
            **step,
            "text": spell(
                {**json.loads(step["text"]), "receipt": receipt_of(events[-1], OTHER)}
            ).decode(),
        },
    )


def honest() -> Iterator[Case]:
    """Where nobody may stop."""
    for name, setup in {
        "draw": DRAW,
        "keyed": Setup("draw", 2, names=True, signed=(SEAT,), phrase="client key"),
        "block": Setup("block", 3, {"hand": 3}, 2, phrase="client block"),
        "transfer": Setup("middle-eastern", 4, {"transfer": True}, phrase="client gift"),
        "fives": Setup("fives-and-threes", 2, {"hand": 4}, phrase="client fives"),
    }.items():
        made = course("ended", setup)
        yield Case(f"valid-{name}", "An honest match to its end.", made.knows(), made.steps)
    made = course("ended", DRAW, None)
    yield Case("valid-spectator", "A spectator of an honest match.", made.knows(), made.steps)
    made = course("seated")
    made.house.touch()
    made.follow()
    yield Case("valid-void", "Nobody shows a seed in time.", made.knows(), made.steps)
    fresh = course("dealt")
    yield Case(
        "valid-pinned",
        "The key that is known from elsewhere signs.",
        {**fresh.knows(), "house_keys": [HOUSE.public.hex()]},
        fresh.steps,
    )


PARTS = (
    cases_chain.seeds,
    cases_chain.receipts,
    cases_chain.chains,
    cases_chain.heads,
    cases_play.tiles,
    cases_play.events,
    cases_play.names,
    cases_play.clocks,
    cases_play.views,
    ends,
    honest,
)


def cases() -> Iterator[Case]:
    """All of them."""
    for part in PARTS:
        yield from part()


def files() -> dict[str, bytes]:
    """Every file by its name."""
    made = list(cases())
    assert len({case.name for case in made}) == len(made)
    return {f"{case.name}.json": case.text().encode() for case in made}
