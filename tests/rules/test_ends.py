"""Lines remember where plays lead; that is never seen but by the clock (docs/decisions/0001)."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from fairbones.core.rules import Hand, Line, Play, Rules, apply, legal
from fairbones.core.rules import ends as lines
from fairbones.core.rules.ends import Kind

Deal = Callable[[Rules], Hand]


def walked(hand: Hand, rnd: random.Random) -> list[tuple[object, ...]]:
    """A hand played at random, and what could be seen of it."""
    seen: list[tuple[object, ...]] = []
    while actions := legal(hand):
        seen.append((actions, hand.ends, hand.scores))
        hand = apply(hand, rnd.choice(actions))
    return [*seen, (hand.over, hand.ends, hand.scores)]


def test_what_was_forgotten_is_found_again(
    rules: Rules, deal_one: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With room for a handful of answers every hand goes as it goes with plenty."""
    hand = deal_one(rules)
    wanted = walked(hand, random.Random(1))
    monkeypatch.setattr(lines, "REMEMBERED_MAX", 5)
    kind = Kind(rules.kind.grower)
    again = hand._replace(
        opening=hand.opening._replace(rules=replace(rules, kind=kind)), table=kind.empty
    )
    assert walked(again, random.Random(1)) == wanted


def test_what_is_remembered_is_bounded(
    rules: Rules, deal_one: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hand that is kept keeps its own line, and not all lines there ever were."""
    most = 200
    monkeypatch.setattr(lines, "REMEMBERED_MAX", most)
    kind = Kind(rules.kind.grower)
    rules = replace(rules, kind=kind)
    kept = []
    for number in range(40):
        hand = deal_one(rules)
        for _ in range(number % 6):
            hand = apply(hand, legal(hand)[0])
            if not legal(hand):
                break
        kept.append(hand)
        walked(hand, random.Random(number))
    gc.collect()
    alive = [it for it in gc.get_objects() if isinstance(it, Line) and it.kind is kind]
    assert sum(len(line.after) + len(line.plays) for line in alive) <= most + 10 * len(kept)
    assert len(alive) <= most + 1 + len(kept)


def test_equal_lines_are_equal_though_one_was_forgotten(rules: Rules) -> None:
    """A hand is a value: two lines with the same ends are the same line."""
    kind = Kind(rules.kind.grower)
    first = kind.empty.after[Play(0, None).code]
    kind.remembered = lines.REMEMBERED_MAX
    kind.remember()
    second = kind.empty.after[Play(0, None).code]
    assert first is not second
    assert first == second
    assert hash(first) == hash(second)
    assert first != kind.empty
    assert first != kind.empty.after[Play(1, None).code]
