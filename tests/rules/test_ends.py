"""Ends and lines are made once where they can be, and never more than a bound (SPEC R5)."""

from __future__ import annotations

import copy
import itertools
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

from fairbones.core.bones import LARGEST_SET, SUIT
from fairbones.core.rules import (
    Hand,
    Lead,
    Line,
    Play,
    Rules,
    apply,
    compile_rules,
    deal,
    legal,
    resolve,
)
from fairbones.core.rules.actions import END_NAMES, PLAYS
from fairbones.core.rules.ends import BARE, CLOSED, DOUBLE, SINGLE
from fairbones.core.rules.lines import EMPTY, CountedLine, PlainLine, plain_line

Deal = Callable[[Rules], Hand]
TABLES = {"single": SINGLE, "double": DOUBLE, "bare": BARE, "closed": CLOSED}


@pytest.mark.parametrize("kind", TABLES)
def test_every_end_there_can_be_is_there_once(kind: str) -> None:
    """SPEC R5: "An end has a name, a value, a **weight**", and is open or closed."""
    weight = {"single": 1, "double": 2, "bare": 0, "closed": 0}[kind]
    for place, value in itertools.product(range(len(END_NAMES)), range(LARGEST_SET + 1)):
        end = TABLES[kind][place][value]
        assert (end.name, end.value, end.weight) == (END_NAMES[place], value, weight)
        assert end.open == (kind != "closed")
        assert end.count == value * weight
        assert end.suits == (SUIT[value] if end.open else 0)
        assert end.plays is PLAYS[end.name]


def test_what_plain_lines_keep_is_bounded(seed: random.Random) -> None:
    """However much is played and whatever is asked, by who knows no rule too."""
    rules = compile_rules(resolve("block", 8, {"set": 18, "hand": 20}), 8)
    tiles = list(range(190))
    for _ in range(3):
        seed.shuffle(tiles)
        hand = _dealt(rules, tiles)
        while actions := legal(hand):
            hand.table.after(Play(seed.randrange(190), "middle").code)
            hand.table.after(Play(seed.randrange(190), "left", 5).code)
            hand = apply(hand, seed.choice(actions))
    lines = {id(line): line for line in _reached(plain_line(()))}
    assert len(lines) <= 1 + (LARGEST_SET + 1) ** 2
    for line in lines.values():
        assert len(kept(line.after)) <= (190 if not line.ends else 2 * (LARGEST_SET + 1))
        assert all(mask.bit_count() <= 2 for mask in kept(line.plays))


def _dealt(rules: Rules, tiles: list[int]) -> Hand:
    hands = [tiles[seat * rules.hand :][: rules.hand] for seat in range(rules.seats)]
    return deal(rules, hands, tiles[rules.seats * rules.hand :], Lead(0, None))


def kept(answers: object) -> dict[int, object]:
    """What a line remembers: the dictionary that its bound look-up is of."""
    found = getattr(answers, "__self__", None)
    assert isinstance(found, dict)
    return found


def _reached(line: PlainLine) -> list[PlainLine]:
    found, new = {id(line): line}, [line]
    while new:
        after = [it for it in kept(new.pop().after).values() if isinstance(it, PlainLine)]
        new += [it for it in after if id(it) not in found]
        found |= {id(it): it for it in after}
    return list(found.values())


@pytest.mark.parametrize("spinner", ["none", "first", "all"])
def test_counted_lines_are_values(spinner: str) -> None:
    """Two that were laid apart are equal when their ends are, and only then."""

    def laid(*plays: Play) -> Line:
        line: Line | None = EMPTY[True, spinner]
        for play in plays:
            assert line is not None
            line = line.after(play.code)
        assert line is not None
        return line

    first, other = Play(20, None), Play(0, None)
    assert laid(first) is not laid(first)
    assert laid(first) == laid(first)
    assert hash(laid(first)) == hash(laid(first))
    assert laid(first) != laid(other)
    assert laid(first) != EMPTY[True, spinner]
    assert laid(first) != object()


def test_a_lone_double_is_not_a_line_of_the_same_ends() -> None:
    """SPEC R5: "the double is still the end at the other side, whose weight becomes 2"."""
    ends = SINGLE[0][5], SINGLE[1][5]
    assert CountedLine(ends, 2, lone=True) != CountedLine(ends, 2)


@pytest.mark.parametrize(
    "through", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))]
)
def test_a_copy_is_the_same_thing(
    rules: Rules, deal_one: Deal, through: Callable[[Any], Any]
) -> None:
    """What there is once stays that, through copies and other processes."""
    hand = deal_one(rules)
    hand = apply(hand, legal(hand)[0])
    again = through(hand.table)
    assert again == hand.table
    assert all(one is other for one, other in zip(again.ends, hand.table.ends, strict=True))
    if isinstance(hand.table, PlainLine):
        assert again is hand.table
