"""The list, the judgement and the step against a naive reading of SPEC R5 to R7.

The reading below shares no code with the engine: it takes tiles apart by their text, works on
lists, and tries every action there is.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator

import pytest

from fairbones.core.bones import bits, text
from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    Action,
    Decline,
    Draw,
    Hand,
    Pass,
    Play,
    Rules,
    admit,
    apply,
    compile_rules,
    deal,
    finish,
    first_lead,
    forced,
    legal,
    resolve,
)

Deal = Callable[[Rules], Hand]
Walk = Callable[[Hand], Iterator[Hand]]

UNIVERSE: list[Action] = [
    *(Play(tile, end) for tile in range(29) for end in (None, "left", "right", "up", "")),
    Draw(),
    Decline(),
    Pass(),
]


def halves(tile: int) -> list[int]:
    """The halves of a tile, read from its text."""
    return [int(half) for half in text(tile).split("-")]


def places(hand: Hand, tile: int) -> list[str]:
    """The ends one half of the tile equals, in order."""
    return [end.name for end in hand.ends if end.value in halves(tile)]


def is_over(hand: Hand) -> bool:
    """R7: somebody is out, or nobody holds a tile that fits and nobody may draw."""
    held = [list(bits(mask)) for mask in hand.hands]
    if not hand.line:
        return False
    if [] in held:
        return True
    if any(places(hand, tile) for tiles in held for tile in tiles):
        return False
    return not hand.rules.draws or len(hand.stock) <= hand.rules.protected


def naive(hand: Hand) -> list[tuple[Action, Action]]:
    """What the seat on turn may send and the listed form of each, in the listed order."""
    if is_over(hand):
        return []
    tiles = list(bits(hand.hands[hand.turn]))
    if not hand.line:
        free = hand.must_set is None
        first = [Play(t, None) for t in tiles if free or t == hand.must_set]
        return [(play, play) for play in first]
    values = [end.value for end in hand.ends]
    found: list[tuple[Action, Action]] = []
    for tile in tiles:
        for name in places(hand, tile):
            listed = "left" if values[0] == values[1] else name
            found.append((Play(tile, name), Play(tile, listed)))
    if found:
        if hand.drawn and hand.rules.may_decline:
            found.append((Decline(), Decline()))
    elif hand.rules.draws and len(hand.stock) > hand.rules.protected:
        found.append((Draw(), Draw()))
    else:
        found.append((Pass(), Pass()))
    return found


def compare(hand: Hand) -> None:
    """Every action of the universe, for every seat: the list, the judgement and the step."""
    may = dict(naive(hand))
    listed = list(dict.fromkeys(may.values()))
    assert list(legal(hand)) == listed
    for action in UNIVERSE:
        for seat in range(hand.rules.seats):
            if seat == hand.turn and action in may:
                assert admit(hand, seat, action) == may[action]
            else:
                with pytest.raises(Illegal):
                    admit(hand, seat, action)
        if action in listed:
            apply(hand, action)
        elif listed:
            with pytest.raises(Illegal):
                apply(hand, action)


def test_list_judgement_and_step_agree_with_the_text(
    rules: Rules, deal_one: Deal, walk: Walk
) -> None:
    """In every position of random hands."""
    for hand in itertools.chain(walk(deal_one(rules)), walk(deal_one(rules))):
        compare(hand)


def test_end_and_forced_agree_with_the_text(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """Forced when its only legal action is a draw or a pass. A play is never forced."""
    for hand in walk(deal_one(rules)):
        assert (finish(hand) is not None) == is_over(hand)
        only = [listed for _, listed in naive(hand)]
        if only in ([Draw()], [Pass()]):
            assert forced(hand) == only[0]
        else:
            assert forced(hand) is None


FAULTS: dict[str, tuple[str, object]] = {
    "forgets the right end": ("fairbones.core.rules.turns.distinct", lambda ends: ends[:1]),
    "lists equal ends twice": ("fairbones.core.rules.turns.distinct", lambda ends: ends),
    "never lets decline": ("fairbones.core.rules.turns.may_decline", lambda _hand: False),
    "plays on after the end": ("fairbones.core.rules.turns.finish", lambda _hand: None),
    "draws what is protected": (
        "fairbones.core.rules.hand.Hand.drawable",
        property(lambda hand: len(hand.stock)),
    ),
    "takes any tile": ("fairbones.core.rules.turns.fitting", lambda hand: hand.hands[hand.turn]),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_engine_is_seen(
    fault: str, seed: random.Random, deal_one: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison has teeth: it refuses engines that are wrong in one place."""
    row = resolve("draw", 2, {"drawn_tile": "may-play", "protected": 2})
    rules = compile_rules(row, 2)
    monkeypatch.setattr(*FAULTS[fault])

    def compare_many() -> None:
        for _ in range(200):
            hand = deal_one(rules)
            compare(hand)
            while may := naive(hand):
                hand = apply(hand, seed.choice(may)[1])
                compare(hand)

    with pytest.raises((AssertionError, pytest.fail.Exception, Illegal)):
        compare_many()


def test_codes_say_what_is_wrong(seed: random.Random) -> None:
    """A refusal names one reason of a known list; the worked cases fix which one when."""
    known = {
        "rules/not-your-turn",
        "rules/hand-over",
        "rules/not-in-hand",
        "rules/must-set",
        "rules/does-not-fit",
        "rules/unknown-end",
        "rules/end-needed",
        "rules/end-not-allowed",
        "rules/must-play",
        "rules/must-draw",
        "rules/may-not-draw",
        "rules/may-not-decline",
    }
    seen: set[str] = set()
    for row in ({"drawn_tile": "may-play", "protected": 2}, {}) * 30:
        rules = compile_rules(resolve("draw", 2, dict(row)), 2)
        tiles = list(range(28))
        seed.shuffle(tiles)
        hands = [tiles[:7], tiles[7:14]]
        hand = deal(rules, hands, tiles[14:], first_lead(rules, hands))
        while True:
            for seat, action in itertools.product(range(2), UNIVERSE):
                try:
                    admit(hand, seat, action)
                except Illegal as refused:
                    seen.add(refused.code)
            actions = legal(hand)
            if not actions:
                break
            hand = apply(hand, seed.choice(actions))
    assert seen == known
