"""What counted matches add up to: seats, houses, seeds, washes, options (spec/audit.md, 3)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Callable

from .index import Index

USES = 10
BLAME = ("matches", "timed_out", "left", "withheld", "abandoned")
HOUSE = ("counted", "refuted", "convicts", "voided", "abandoned", "timed_out", "left", "withheld")
CHAIR = ("led_first", "led", "hands_won", "matches_won", "pips")
Told = dict[str, Any]


class Rows:
    """A list that is made when it is read, and anew each time: it may be longer than the memory."""

    def __init__(self, make: Callable[[], Iterable[Told]]) -> None:
        self.make = make

    def __iter__(self) -> Iterator[Told]:
        return iter(self.make())


def rows(index: Index, query: str, names: Iterable[str], *values: Any) -> Rows:
    """The rows of a query as objects; what is null is absent."""

    def made() -> Iterator[Told]:
        for row in index.rows(query, *values):
            yield {name: value for name, value in zip(names, row) if value is not None}

    return Rows(made)


def voids(index: Index) -> Told:
    """Matches called off, by the reason and by what the house knew."""
    query = "select reason, knew, matches from void_sum order by reason, knew"
    total = index.number("select sum(matches) from void_sum")
    return {"total": total, "list": rows(index, query, ("reason", "knew", "matches"))}


def seats(index: Index) -> Told:
    """Who ran out of time, left, kept a seed, sat in an abandoned match."""
    signed = (
        "select key, matches, timed_out, left_it, withheld, abandoned from seat_sum "
        "where key is not null and total > 0 order by total desc, key"
    )
    weak = (
        "select seat, name, matches, timed_out, left_it, withheld, abandoned from seat_sum "
        "where key is null and total > 0 order by total desc, seat, name"
    )
    idle = "select count(*) from seat_sum where total = 0 and (key is null) = ?"
    return {
        "signed": {
            "list": rows(index, signed, ("key", *BLAME)),
            "more": index.number(idle, 0),
        },
        "weak": {
            "list": rows(index, weak, ("seat", "name", *BLAME)),
            "more": index.number(idle, 1),
        },
    }


def houses(index: Index, pinned: Iterable[str]) -> Iterator[Told]:
    """By the key that a match names in its first event."""
    for key_id, *numbers in index.rows("select * from house_sum order by key_id"):
        yield {"key_id": key_id, "pinned": key_id in pinned, **dict(zip(HOUSE, numbers))}


def client_seeds(index: Index) -> Told:
    """Seeds of seats that were used again, or that nobody threw dice for."""
    within = (
        "select count(distinct match) from "
        "(select match from seed group by match, seed having count(*) > 1)"
    )
    odd = "select seed, kind, times from seed_odd order by times desc, seed"
    kinds = {
        kind: index.number("select sum(times) from seed_odd where kind = ?", kind)
        for kind in ("printable", "constant")
    }
    return {
        "shown": index.number("select count(*) from seed"),
        "repeated": {
            "within": index.number(within),
            "between": index.number("select count(*) from seed_again where matches > 1"),
            "list": Rows(lambda: seeds_again(index)),
        },
        "odd": {**kinds, "list": rows(index, odd, ("seed", "kind", "times"))},
    }


def seeds_again(index: Index) -> Iterator[Told]:
    """Each client seed that stands in several places, and the first of these."""
    uses = "select match, seat, key from seed where seed = ? order by match, seat limit ?"
    query = "select seed, times, matches from seed_again order by times desc, seed"
    for told in rows(index, query, ("seed", "times", "matches")):
        yield {**told, "uses": rows(index, uses, ("match", "seat", "key"), told["seed"], USES)}


def server_seeds(index: Index) -> Told:
    """Seeds of the house, and their hashes, that stand in several matches."""
    return {
        "shown": index.number("select count(*) from mark where kind = 'seed'"),
        **again(index, "seed", "seed"),
        "hashes": again(index, "hash", "server_seed_hash"),
    }


def roots(index: Index) -> Told:
    """Washes that were announced more than once."""
    announced = index.number("select count(*) from mark where kind = 'root'")
    return {"announced": announced, **again(index, "root", "root")}


def again(index: Index, kind: str, name: str) -> Told:
    """What the house has to make anew and has not: each, and the first places of it."""
    query = "select value, times from mark_again where kind = ? order by times desc, value"
    uses = (
        "select match, round from mark where kind = ? and value = ? order by match, round limit ?"
    )

    def found() -> Iterator[Told]:
        for told in rows(index, query, (name, "times"), kind):
            yield {**told, "uses": rows(index, uses, ("match", "round"), kind, told[name], USES)}

    repeated = index.number("select count(*) from mark_again where kind = ?", kind)
    return {"repeated": repeated, "list": Rows(found)}


def options(index: Index) -> Iterator[Told]:
    """House rules."""
    query = (
        "select ruleset, name, published, here, matches from choice_sum "
        "order by ruleset, name, matches desc, here"
    )
    for ruleset, name, published, here, matches in index.rows(query):
        values = {"published": json.loads(published), "here": json.loads(here)}
        yield {"ruleset": ruleset, "name": name, **values, "matches": matches}


def tables(index: Index) -> Iterator[Told]:
    """Leads, winners and pips."""
    chairs = (
        "select led_first, led, hands_won, matches_won, pips from chair_sum "
        "where ruleset = ? and seats = ? and partners = ? order by seat"
    )
    for row in index.rows("select * from play_sum order by ruleset, seats, partners"):
        ruleset, seats_, partners, matches, hands, nobody, drawn = row
        yield {
            "ruleset": ruleset,
            "seats": seats_,
            "partners": bool(partners),
            "matches": matches,
            "hands": hands,
            "nobody": nobody,
            "drawn": drawn,
            "by_seat": rows(index, chairs, CHAIR, ruleset, seats_, partners),
        }


def unchecked(index: Index) -> Rows:
    """What the reports say they could not check."""
    query = "select code, count(*) from note group by code order by code"
    return rows(index, query, ("code", "matches"))
