"""Rows with random options and what is played by them, for Hypothesis."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from hypothesis import strategies as st

from fairbones.core.bones import tile_count
from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    Action,
    Hand,
    Lead,
    Outcome,
    Play,
    Rules,
    apply,
    call,
    compile_rules,
    credited,
    deal,
    lead,
    legal,
    listed,
    resolve,
    scored,
)
from fairbones.core.rules.options import OPTIONS, Choice
from fairbones.core.rules.rulesets import RULESETS

_SETS = (6, 6, 6, 9, 12)  # a hand of the larger ones takes long to look at
COUNTING = tuple(name for name, it in RULESETS.items() if "counting" in it.row)


class Game(NamedTuple):
    """A row that somebody could have asked for."""

    row: dict[str, object]
    rules: Rules


@st.composite
def games(draw: st.DrawFn, among: tuple[str, ...] = tuple(RULESETS)) -> Game:
    """Any ruleset with any mixture of the values its options may have."""
    ruleset = RULESETS[draw(st.sampled_from(among))]
    seats = draw(st.sampled_from(ruleset.seats))
    options: dict[str, object] = {}
    for name in ruleset.row:
        option = OPTIONS[name]
        if isinstance(option, Choice) and name not in ruleset.fixed:
            options[name] = draw(st.sampled_from(option.values))
    options["target"] = draw(st.sampled_from([1, 5, 20, 61, 150]))
    if seats != 4 and "partners" in options:
        options["partners"] = False
    if options["count_all"]:
        options["score"] = "total"
    n = 6 if "deal_all" in ruleset.row else draw(st.sampled_from(_SETS))
    most = (tile_count(n) - 2) // seats
    options["set"] = n
    options["hand"] = 7 if "deal_all" in ruleset.row else draw(st.integers(1, min(9, most)))
    row = resolve(ruleset.id, seats, options)
    return Game(row, compile_rules(row, seats))


class Step(NamedTuple):
    """A hand, what was done in it (None: the seat called), and what came of it."""

    before: Hand
    seat: int
    action: Action | None
    after: Hand
    points: int


def dealt(
    rules: Rules,
    rnd: random.Random,
    scores: tuple[int, ...] | None = None,
    before: Outcome | None = None,
    drawn: int = 0,
) -> Hand:
    """A random deal, led as the rules say."""
    tiles = list(range(tile_count(rules.set)))
    rnd.shuffle(tiles)
    size = rules.hand
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
    led: Lead = lead(rules, hands, before, drawn)
    return deal(rules, hands, tiles[rules.seats * size :], led, scores)


def steps(hand: Hand, rnd: random.Random) -> Iterator[Step]:
    """A hand played at random to its end, claims and calls included."""
    while actions := legal(hand):
        action = rnd.choice(actions)
        if isinstance(action, Play) and hand.rules.muggins:
            claim = rnd.randint(0, scored(hand, action))
            action = Play(action.tile, action.end, claim or None)
        points = credited(hand, action) if isinstance(action, Play) else 0
        after = apply(hand, action)
        yield Step(hand, hand.turn, action, after, points)
        hand = after
        for seat in range(hand.rules.seats):
            if rnd.random() < 0.5 and len(listed(hand, seat)) > 0:
                try:
                    after, taken = call(hand, seat)
                except Illegal:
                    continue
                yield Step(hand, seat, None, after, taken)
                hand = after
