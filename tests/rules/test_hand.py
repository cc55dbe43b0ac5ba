"""What holds in every position of every hand (SPEC R4 to R7)."""

from __future__ import annotations

import copy
import itertools
import pickle
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from fairbones.core.bones import HEAVIER, HIGH, LOW, SUIT, bits, mask_of
from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    Decline,
    Draw,
    Hand,
    Lead,
    Pass,
    Play,
    Rules,
    apply,
    counts,
    deal,
    finish,
    first_lead,
    fixed,
    forced,
    legal,
)

Deal = Callable[[Rules], Hand]
Walk = Callable[[Hand], Iterator[Hand]]


def test_tiles_are_conserved(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """Every tile of the set is in one hand, on the line or in the boneyard, once."""
    for hand in walk(deal_one(rules)):
        held = [tile for mask in hand.hands for tile in bits(mask)]
        played = [play.tile for _, play in hand.line]
        assert Counter([*held, *played, *hand.stock]) == Counter(range(28))
        assert sum(counts(hand)) == sum(HIGH[tile] + LOW[tile] for tile in held)


def test_line_touches(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """The other half is the new value of that end (a double leaves it as it was)."""
    *_, last = walk(deal_one(rules))
    chain: list[tuple[int, int]] = []  # from left to right, each tile as it lies
    for _, play in last.line:
        high, low = HIGH[play.tile], LOW[play.tile]
        if play.end is None:
            chain = [(high, low)]
        elif play.end == "left":
            chain.insert(0, (low, high) if high == chain[0][0] else (high, low))
        else:
            chain.append((low, high) if low == chain[-1][1] else (high, low))
    assert all(one[1] == next_[0] for one, next_ in itertools.pairwise(chain))
    assert [end.value for end in last.ends] == [chain[0][0], chain[-1][1]]
    assert [end.name for end in last.ends] == ["left", "right"]


def test_hand_ends_for_one_of_two_reasons(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """A hand ends by domino or blocked, and after a play or a draw, never after a pass."""
    positions = list(walk(deal_one(rules)))
    assert all(finish(hand) is None for hand in positions[:-1])
    last, before = positions[-1], positions[-2]
    end = finish(last)
    assert end is not None
    assert end.seat == last.line[-1][0]
    assert (end.reason == "domino") == (0 in last.hands)
    assert last.line != before.line or last.stock != before.stock
    with pytest.raises(Illegal):
        fixed(last)
    assert forced(last) is None
    # Every round of the table holds a play or a draw, and every decline a draw before it.
    assert len(positions) <= (28 + 2 * 28) * rules.seats


def test_turn_goes_round(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """After a play, a pass or a decline the next seat; after a draw the same one."""
    positions = list(walk(deal_one(rules)))
    for before, after in itertools.pairwise(positions):
        drew = len(after.stock) < len(before.stock)
        assert after.turn == (before.turn if drew else (before.turn + 1) % rules.seats)
        assert after.drawn == drew
        assert after.leader == before.leader


def test_a_pass_is_the_last_resort(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """Who can neither play nor draw passes, and somebody else can still play."""
    for hand in walk(deal_one(rules)):
        if legal(hand) == (Pass(),):
            suits = 0
            for end in hand.ends:
                suits |= SUIT[end.value]
            assert not hand.hands[hand.turn] & suits
            assert any(mask & suits for mask in hand.hands)
            assert not rules.draws or len(hand.stock) <= rules.protected


def test_protected_tiles_stay(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """The last tiles of the boneyard, never drawn; a draw takes the front tile."""
    first, *others = walk(deal_one(rules))
    for hand in others:
        assert hand.stock == first.stock[len(first.stock) - len(hand.stock) :]
        assert len(hand.stock) >= min(rules.protected, len(first.stock))
        assert rules.draws or hand.stock == first.stock


def test_forced_is_the_only_action_and_no_play(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """A seat's action is forced when its only legal action is a draw or a pass."""
    for hand in walk(deal_one(rules)):
        action = forced(hand)
        assert not isinstance(action, Play | Decline)
        assert (action is not None) == (legal(hand) in ((Draw(),), (Pass(),)))
        assert action is None or legal(hand) == (action,)


def test_fixed_rule(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """Play the heaviest tile that can be played, at the first end that it fits; draw; pass."""
    for hand in walk(deal_one(rules)):
        actions = legal(hand)
        if not actions:
            continue
        plays = [action for action in actions if isinstance(action, Play)]
        if plays:
            heaviest = max(HEAVIER[play.tile] for play in plays)
            assert fixed(hand) == next(p for p in plays if HEAVIER[p.tile] == heaviest)
        else:
            assert fixed(hand) == actions[0]


def test_listed_form_is_unique(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """By tile id, then `left` before `right`, then the rest; two actions lead to two positions."""
    for hand in walk(deal_one(rules)):
        actions = legal(hand)
        assert len({apply(hand, action) for action in actions}) == len(actions)
        plays = [(a.tile, a.end or "") for a in actions if isinstance(a, Play)]
        assert plays == sorted(plays)
        assert all(isinstance(action, Play) for action in actions[: len(plays)])


def test_a_step_changes_nothing_behind_it(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """A hand is a value: a step leaves it as it was, and copies are the same hand."""
    for hand in walk(deal_one(rules)):
        twin = copy.deepcopy((hand.hands, hand.stock, hand.ends, hand.line))
        for action in legal(hand):
            apply(hand, action)
        assert twin == (hand.hands, hand.stock, hand.ends, hand.line)
        assert pickle.loads(pickle.dumps(hand)) == hand


def test_first_lead(rules: Rules, deal_one: Deal) -> None:
    """The seat that holds the highest double leads; if nobody does, that of the heaviest tile."""
    for _ in range(50):
        hands = [list(bits(mask)) for mask in deal_one(rules).hands]
        lead = first_lead(rules, hands)
        assert lead.must_set in hands[lead.seat]
        held = [(HIGH[tile], LOW[tile]) for tiles in hands for tile in tiles]
        doubles = [pair for pair in held if pair[0] == pair[1]]
        best = max(doubles) if doubles else max(held, key=lambda pair: (sum(pair), pair[0]))
        assert (HIGH[lead.must_set], LOW[lead.must_set]) == best
        hand = deal(rules, hands, (), lead)
        assert legal(hand) == (Play(lead.must_set, None),)


def test_later_lead_sets_any_tile(rules: Rules, deal_one: Deal) -> None:
    """Every tile is legal as the first, but for `must_set`."""
    dealt = deal_one(rules)
    hand = deal(rules, [list(bits(mask)) for mask in dealt.hands], dealt.stock, Lead(1, None))
    assert [action.tile for action in legal(hand) if isinstance(action, Play)] == list(
        bits(dealt.hands[1])
    )


def test_mask_of_a_hand_is_its_tiles(rules: Rules, deal_one: Deal) -> None:
    """A deal keeps who holds what, in whatever order it is written."""
    dealt = deal_one(rules)
    hands = [list(bits(mask))[::-1] for mask in dealt.hands]
    again = deal(rules, hands, dealt.stock, Lead(dealt.leader, dealt.must_set))
    assert again == dealt
    assert again.hands == tuple(mask_of(tiles) for tiles in hands)
