"""The rules engine against the same rules written plainly: same deals, same choices."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairbones.core.bones import HIGH, LOW, set_tiles
from fairbones.core.rules import (
    Action,
    Finish,
    Rules,
    Settlement,
    action_to_json,
    apply,
    compile_rules,
    deal,
    finish,
    lead,
    legal,
    resolve,
    settle,
)
from tests.bench import plain
from tests.bench.harness import BUSY, Bench, Done, Side, Watch

CHOICES = 100  # more than a hand has actions


@dataclass(frozen=True, slots=True)
class Lot:
    """A deal as tile ids, and the choices that its players will make."""

    hands: list[list[int]]
    stock: list[int]
    choices: list[int]


Told = tuple[list[tuple[int, Action]], Finish, Settlement]


def benches(quick: bool, _folder: Path) -> Iterator[Bench]:
    """Random hands of block for four and draw for two."""
    for ruleset, seats in (("block", 4), ("draw", 2)):
        yield _bench(ruleset, seats, 5 if quick else 400)


def _bench(ruleset: str, seats: int, hands: int) -> Bench:
    rules = compile_rules(resolve(ruleset, seats, {}), seats)
    rnd = random.Random(ruleset)
    lots = [_lot(rnd, rules) for _ in range(hands)]
    pairs = [
        ([_pairs(it) for it in lot.hands], _pairs(lot.stock), rules.draws, lot.choices)
        for lot in lots
    ]

    def engine(watch: Watch) -> Done:
        watch.start()
        told = [_play(rules, lot) for lot in lots]
        watch.stop()
        return Done(hands, [_story(it) for it in told])

    def plainly(watch: Watch) -> Done:
        watch.start()
        told = [plain.play(*lot) for lot in pairs]
        watch.stop()
        return Done(hands, told)

    return Bench(
        f"rules, {ruleset} for {seats}",
        "hand",
        f"{hands} hands: every action, how it ended, winner, points and counts are equal",
        (
            Side("engine", "deal, legal, apply, finish, settle of `fairbones.core.rules`", engine),
            Side("plain", "the same hands by a reference of lists and pairs", plainly),
        ),
        (("engine", "plain"),),
        kinds=BUSY,
    )


def _lot(rnd: random.Random, rules: Rules) -> Lot:
    tiles = list(set_tiles(rules.set))
    rnd.shuffle(tiles)
    size, seats = rules.hand, rules.seats
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(seats)]
    choices = [rnd.randrange(1 << 16) for _ in range(CHOICES)]
    return Lot(hands, tiles[seats * size :], choices)


def _pairs(tiles: Sequence[int]) -> list[plain.Tile]:
    return [(HIGH[tile], LOW[tile]) for tile in tiles]


def _play(rules: Rules, lot: Lot) -> Told:
    hand = deal(rules, lot.hands, lot.stock, lead(rules, lot.hands, None, None))
    taken: list[tuple[int, Action]] = []
    while actions := legal(hand):
        action = actions[lot.choices[len(taken)] % len(actions)]
        taken.append((hand.turn, action))
        hand = apply(hand, action)
    over = finish(hand)
    assert over is not None
    return taken, over, settle(rules, hand, over)


def _story(told: Told) -> plain.Story:
    """The engine's values in the words of the reference."""
    taken, over, settled = told
    steps = []
    for seat, action in taken:
        written = action_to_json(action, {})  # a gift would need its place
        words = [str(written.get(name, "")) for name in ("type", "tile", "end")]
        steps.append((seat, words[0], words[1], words[2]))
    return steps, over.reason, settled.winner, list(settled.points), list(settled.counts)
