"""The row of a ruleset: checks 13 and 16 of spec/codes.md."""

from __future__ import annotations

from collections.abc import Iterator

from tests.forge.house import House, Setup
from tests.forge.paper import Json
from tests.forge.scenario import Scenario
from tests.forge.unreadable.fields import SAMPLES, with_data
from tests.forge.unreadable.spelling import unreadable


def ranges() -> Iterator[Scenario]:
    """13: the options that are a number in a range of its own."""
    row: Json = House(Setup("all-fives", phrase="samples")).told()[0]["data"]["ruleset"]
    for option, value in (
        ("hand", 96),
        ("target", 10_001),
        ("call_seconds", 0),
        ("call_seconds", 61),
    ):
        data = with_data("opened", ruleset=row | {option: value})
        name = f"option-{option.replace('_', '-')}-{value}"
        yield unreadable(name, f"{option} is {value}.", "format/range", data)


def rulesets() -> Iterator[Scenario]:
    """16: what a row may not say."""
    row = SAMPLES["opened"]["data"]["ruleset"]
    less = {name: value for name, value in row.items() if name != "tie"}
    block = House(Setup(phrase="samples")).told()[0]["data"]["ruleset"]
    cases: tuple[tuple[str, str, Json], ...] = (
        ("unknown", "A ruleset nobody knows.", row | {"id": "muggins"}),
        ("missing", "An option is missing.", less),
        ("option", "An option nobody knows.", row | {"spinner": "none"}),
        ("foreign", "An option of draw in block.", block | {"protected": 0}),
        ("tie", "A value nobody knows.", row | {"tie": "nobody"}),
        ("drawing", "The drawing of the other game.", row | {"drawing": "none"}),
        ("first-lead", "A lead that is not published.", row | {"first_lead": "draw-for-it"}),
        ("lots-kind", "A draw of another kind.", {"id": "lots", "kind": "cards", "n": 6}),
        (
            "lots-count",
            "A count where an order is drawn.",
            {"id": "lots", "kind": "order", "n": 6, "count": 2},
        ),
        ("lots-no-count", "No count of numbers.", {"id": "lots", "kind": "numbers", "n": 6}),
        (
            "no-id",
            "A row without a name.",
            {name: value for name, value in row.items() if name != "id"},
        ),
    )
    for name, about, changed in cases:
        yield unreadable(name, about, "format/ruleset", with_data("opened", ruleset=changed))
