"""Random hands played by the naive engine and another one, which must agree at every step."""

from __future__ import annotations

import random
from typing import Any, TypeVar

from tests.naive.actions import Refused, write
from tests.naive.leading import first_lead
from tests.naive.rows import FIXED, PUBLISHED, SEATS, VALUES, Row, option, resolve, sides
from tests.naive.tiles import text, tile_set
from tests.perft.engine import Start, Watched
from tests.perft.naive_engine import NaiveEngine, texts, tiles

State = TypeVar("State")
Action = TypeVar("Action")

TARGETS = (1, 10, 20, 40, 61, 150)


def random_row(ruleset: str, seats: int, rng: random.Random) -> Row:
    """Options that R3 allows together; about half of them are not the defaults."""
    while True:
        options: Row = {}
        for name in PUBLISHED[ruleset]:
            if name == "id" or name in FIXED[ruleset] or rng.random() < 0.4:
                continue
            options[name] = rng.choice(VALUES[name])
        options["target"] = rng.choice(TARGETS)
        if "hand" in options:
            options["hand"] = rng.randint(1, 7)
        if rng.random() < 0.8:  # a hand with a larger set takes long to look at
            options.pop("set", None)
        if "deal_all" in PUBLISHED[ruleset] and options.pop("set", 6) == 15:
            options |= {"set": 15, "hand": 34}
        elif "deal_all" in PUBLISHED[ruleset]:
            options.pop("hand", None)
        try:
            resolve(ruleset, seats, options)
        except Refused:
            continue
        return options


def random_deal(row: Row, seats: int, rng: random.Random) -> tuple[list[list[str]], list[str]]:
    """The hands and the boneyard of a shuffled set."""
    order, size = texts(tile_set(row["set"])), row["hand"]
    rng.shuffle(order)
    return [order[seat * size : (seat + 1) * size] for seat in range(seats)], order[seats * size :]


def random_start(rng: random.Random, ruleset: str) -> tuple[Start, int]:
    """A hand, led as hand 1 or with any tile by any seat; and a seat that won a lead draw."""
    seats = rng.choice(SEATS[ruleset])
    options = random_row(ruleset, seats, rng)
    row = resolve(ruleset, seats, options)
    hands, boneyard = random_deal(row, seats, rng)
    drawn = rng.randrange(seats)
    lead, must_set = rng.randrange(seats), None
    if rng.random() < 0.5:
        lead, tile = first_lead(row, [tiles(held) for held in hands], drawn)
        must_set = None if tile is None else text(tile)
    scores = [rng.randrange(row["target"]) for _ in range(sides(row, seats))]
    return Start(ruleset, seats, options, hands, boneyard, lead, must_set, scores, []), drawn


def _choose(naive: NaiveEngine, state: Any, rng: random.Random) -> str:
    """A legal action; with muggins a play claims all, something or nothing."""
    action = rng.choice(naive.legal(state))
    if action.kind == "play" and option(state.row, "muggins"):
        claim = rng.choice([0, rng.randint(0, state.score(action)), state.score(action)])
        return write(action._replace(claim=claim or None))
    return write(action)


def _weightless(told: dict[str, Any], counts: bool) -> dict[str, Any]:
    """Weights and counts decide nothing in a game that does not count: R10 has them for others."""
    if counts:
        return told
    ends = [(name, value, is_open) for name, value, _, is_open in told["ends"]]
    return {name: value for name, value in told.items() if name != "count"} | {"ends": ends}


def _same(where: str, told: dict[str, Any], known: dict[str, Any]) -> None:
    """All that the other engine tells is what the naive one knows."""
    for name, value in told.items():
        assert value == known[name], f"{where}: {name} is {value!r}, and should be {known[name]!r}"


def _same_table(where: str, told: dict[str, Any], known: dict[str, Any], counts: bool) -> None:
    _same(where, _weightless(told, counts), _weightless(known, counts))


def play(other: Watched[State, Action], rng: random.Random, ruleset: str) -> str:
    """One random hand by both engines; the reason for which it ended."""
    naive, (start, drawn) = NaiveEngine(), random_start(rng, ruleset)
    ours, theirs = naive.start(start), other.start(start)
    told: list[str] = []
    while True:
        where = f"{start} after {' '.join(told)}"
        legal = [other.text(action) for action in other.legal(theirs)]
        assert legal == [write(action) for action in naive.legal(ours)], where
        _same_table(where, other.seen(theirs), naive.seen(ours), ours.counts())
        reason = naive.over(ours)
        assert other.over(theirs) == reason, where
        if reason is not None:
            break
        for seat in rng.sample(range(start.seats), rng.choice([0, 0, 1, start.seats])):
            called, by_other = naive.after_call(ours, seat), other.after_call(theirs, seat)
            assert (called is None) == (by_other is None), f"{where}: call of {seat}"
            if called is not None and by_other is not None:
                ours, theirs = called, by_other
                told.append(f"{seat}:call")
                break
        if told and told[-1].endswith("call"):
            _same_table(where, other.seen(theirs), naive.seen(ours), ours.counts())
            if naive.over(ours) is not None:
                continue
        action = _choose(naive, ours, rng)
        told.append(action)
        ours = naive.after(ours, naive.read(action))
        theirs = other.after(theirs, other.read(action))
    where = f"{start} after {' '.join(told)}"
    _same(where, other.settled(theirs), naive.settled(ours))
    if reason != "target":
        hands, _ = random_deal(ours.row, start.seats, rng)
        lead = naive.next_lead(ours, hands, drawn)
        assert other.next_lead(theirs, hands, drawn) == lead, where
    return reason
