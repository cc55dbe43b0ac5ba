"""Rows to play with: every ruleset at every number of seats, as published or with switches."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from fairbones.core.bones import tile_count
from fairbones.core.errors import Illegal
from fairbones.core.rules import catalogue, resolve

Options = dict[str, object]

RULESETS: dict[str, dict[str, Any]] = {str(told["id"]): told for told in catalogue()}
# Every ruleset with every number of seats it is played with.
TABLES: tuple[tuple[str, int], ...] = tuple(
    (name, seats)
    for name, told in RULESETS.items()
    for seats in range(told["seats"]["minimum"], told["seats"]["maximum"] + 1)
)
TARGETS = (1, 10, 40, 61, 100, 150)
SETS_WEIGHED = (6, 6, 6, 6, 9, 9, 12, 15, 18)  # a hand of a larger set takes longer


def switched(
    rnd: random.Random, ruleset: str, seats: int, percent: int = 30, sets: Sequence[int] = ()
) -> Options:
    """Options at random, each with that chance, that make a row which can be opened.

    `sets` are the sets to choose from.
    """
    for _ in range(1000):
        options = {
            option["name"]: _value(rnd, option, sets or SETS_WEIGHED)
            for option in RULESETS[ruleset]["options"]
            if rnd.randrange(100) < percent
        }
        _fill(rnd, ruleset, seats, options)
        try:
            resolve(ruleset, seats, options)
        except Illegal:
            continue
        return options
    raise LookupError(f"no row of {ruleset} for {seats}")


def _value(rnd: random.Random, option: dict[str, Any], sets: Sequence[int]) -> object:
    if option["name"] == "set":
        return rnd.choice([value for value in sets if value in option["values"]])
    if option["name"] == "target":
        return rnd.choice(TARGETS)
    if "values" in option:
        return rnd.choice(option["values"])
    return rnd.randint(option["minimum"], option["maximum"])


def _fill(rnd: random.Random, ruleset: str, seats: int, options: Options) -> None:
    """A hand that the chosen set has enough tiles for; all of them where the rules deal all."""
    told = {option["name"]: option for option in RULESETS[ruleset]["options"]}
    usual = told["hand"]["default_by_seats"][str(seats)]
    chosen = options.pop("hand", None) is not None
    if seats * usual > tile_count(6):
        options.setdefault("set", rnd.choice((9, 12)))  # so many need a larger set as it is
    tiles = tile_count(int(str(options.get("set", 6))))
    if "deal_all" in told:
        options["hand"] = tiles // seats
    elif chosen or seats * usual > tiles - 2:
        options["hand"] = rnd.randint(1, min((tiles - 2) // seats, rnd.choice((3, 7, 12, 95))))
