"""Options that change nothing in some mixes: the meaning says so, and play agrees (SPEC R3, R8).

The catalogue is all that a player has. So each mix in which an option is said to have no effect
is played with every value of it, the same tiles and the same choices: nothing may differ. And
what is not said to be idle is not: some mix shows a difference.
"""

from __future__ import annotations

import random
from collections.abc import Mapping

import pytest

from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    after_hand,
    compile_rules,
    finish,
    legal,
    outcome,
    resolve,
    settle,
    to_act,
)
from fairbones.core.rules.options import OPTIONS, Choice
from fairbones.core.rules.rulesets import RULESETS, Ruleset
from tests.rules.games import dealt, steps

Mix = Mapping[str, object]
Row = dict[str, object]

HANDS = 3
# What an option is idle with; `id` is a ruleset in which it always is.
IDLE: dict[str, list[Mix]] = {
    "block_count": [{"partners": False}, {"block_winner": "causer"}],
    "call_seconds": [{"muggins": False}],
    "count_all": [{"settlement": "none"}],
    "difference_mode": [{"score": "total"}, {"settlement": "none"}],
    "direction": [{"transfer": False}, {"id": "block"}, {"id": "all-fives"}],
    "goes_out": [{"partners": False}],
    "last_tile_transfer": [{"transfer": False}],
    "no_winner_lead": [
        *({"next_lead": other} for other in ("rotate", "highest-double", "same")),
        *({"tie": other} for other in ("starter", "causer", "lightest-tile")),
        {"block_winner": "causer"},
    ],
    "score": [{"settlement": "none"}],
    "tie": [{"block_winner": "causer"}],
}
CHANGING = sorted(
    {
        name
        for it in RULESETS.values()
        for name in it.row
        if name not in it.fixed and isinstance(OPTIONS[name], Choice)
    }
    - {"set"}
)


def course(row: Mapping[str, object], seats: int, seed: int) -> list[object]:
    """A short match, everything that anybody could see of it; chance hangs on `seed` alone."""
    rules = compile_rules(row, seats)
    seen: list[object] = [rules.call_ms]
    scores: tuple[int, ...] = (0,) * rules.sides
    before = None
    for number in range(1, HANDS + 1):
        rnd = random.Random(f"{seed} {number}")
        hand = dealt(rules, rnd, scores, before, drawn=seed % seats)
        seen += [hand.leader, hand.must_set]
        for step in steps(hand, rnd):
            hand = step.after
            seen += [step.seat, step.action, step.points, to_act(hand), legal(hand)]
        end = finish(hand)
        assert end is not None
        settlement = settle(rules, hand, end)
        scores = tuple(map(sum, zip(hand.scores, settlement.points, strict=True)))
        before = outcome(hand, end, settlement)
        over = after_hand(rules, scores, number, HANDS)
        seen += [end, settlement, scores, over]
        if over is not None:
            break
    return seen


def some_options(ruleset: Ruleset, rnd: random.Random, seats: int) -> dict[str, object]:
    """Any mix that this many seats may have."""
    chosen: dict[str, object] = {"target": rnd.choice([10, 30, 61, 100])}
    for name in ruleset.row:
        option = OPTIONS[name]
        if isinstance(option, Choice) and name not in {*ruleset.fixed, "set"}:
            chosen[name] = rnd.choice([ruleset.row[name], rnd.choice(option.values)])
    if seats != 4:
        chosen["partners"] = False
    return chosen


def homes(name: str, mix: Mix) -> list[Ruleset]:
    """The rulesets in which an option can be chosen and a mix can be had."""
    return [
        it
        for it in RULESETS.values()
        if name in it.row
        and name not in it.fixed
        and mix.get("id", it.id) == it.id
        and all(
            other in it.row and (other not in it.fixed or it.row[other] == value)
            for other, value in mix.items()
            if other != "id"
        )
    ]


def differs(name: str, ruleset: Ruleset, mix: Mix, rnd: random.Random) -> bool:
    """Whether one match of the mix, picked at random, is another one with two values of it."""
    rows = None
    while rows is None:
        seats = rnd.choice([n for n in ruleset.seats if n <= 4])
        options = some_options(ruleset, rnd, seats) | {k: v for k, v in mix.items() if k != "id"}
        option = OPTIONS[name]
        values = rnd.sample(option.values if isinstance(option, Choice) else (1, 60), 2)
        rows = rows_of(ruleset.id, seats, [options | {name: value} for value in values])
    seed = rnd.randrange(10**6)
    return course(rows[0], seats, seed) != course(rows[1], seats, seed)


def rows_of(ruleset: str, seats: int, wanted: list[dict[str, object]]) -> list[Row] | None:
    """None for partners at fewer seats, and for all tiles with a difference."""
    try:
        return [resolve(ruleset, seats, options) for options in wanted]
    except Illegal:
        return None


@pytest.mark.parametrize(
    ("name", "mix"), [(name, mix) for name, mixes in IDLE.items() for mix in mixes]
)
def test_an_idle_option_changes_nothing(name: str, mix: Mix, seed: random.Random) -> None:
    """Its meaning says so, and play agrees."""
    assert "No effect" in OPTIONS[name].meaning
    for _ in range(60):
        assert not differs(name, seed.choice(homes(name, mix)), mix, seed)


def test_only_an_idle_option_is_called_so() -> None:
    """No meaning says more than is played here."""
    assert {name for name in OPTIONS if "No effect" in OPTIONS[name].meaning} == IDLE.keys()


@pytest.mark.parametrize("name", CHANGING)
def test_every_option_changes_something(name: str, seed: random.Random) -> None:
    """A test that finds no difference has to be able to find one."""
    assert any(differs(name, seed.choice(homes(name, {})), {}, seed) for _ in range(3000))


def test_the_top_double_is_the_highest(seed: random.Random) -> None:
    """SPEC R4: "Where it is held it is the highest double; the name says what the players
    expect"."""
    for _ in range(60):
        ruleset = seed.choice([it for it in RULESETS.values() if 4 in it.seats])
        options = some_options(ruleset, seed, 4) | {"count_all": False}
        number = seed.randrange(10**6)
        one, other = (
            course(resolve(ruleset.id, 4, options | {"first_lead": double}), 4, number)
            for double in ("highest-double", "top-double")
        )
        assert one == other
