"""What holds in every position of every hand (SPEC R4 to R7)."""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from fairbones.core.bones import HEAVIER, HIGH, LOW, SUIT, bits, mask_of, tile_count
from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    Decline,
    Draw,
    Give,
    Hand,
    Lead,
    Pass,
    Play,
    Rules,
    apply,
    counts,
    deal,
    finish,
    fixed,
    forced,
    lead,
    legal,
    to_act,
)

Deal = Callable[[Rules], Hand]
Walk = Callable[[Hand], Iterator[Hand]]


def test_tiles_are_conserved(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """Every tile of the set is in one hand, on the line or in the boneyard, once."""
    for hand in walk(deal_one(rules)):
        held = [tile for mask in hand.hands for tile in bits(mask)]
        played = [play.tile for _, play, _ in hand.line]
        assert Counter([*held, *played, *hand.stock]) == Counter(range(tile_count(rules.set)))
        assert sum(counts(hand)) == sum(HIGH[tile] + LOW[tile] for tile in held)


def test_line_touches(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """SPEC R5: "The other half is the new value of that end (a double leaves it as it was)"."""
    for before, after in itertools.pairwise(walk(deal_one(rules))):
        if len(after.line) == len(before.line):
            assert after.ends == before.ends
            continue
        _, play, _ = after.line[-1]
        halves = [HIGH[play.tile], LOW[play.tile]]
        values = {end.name: end.value for end in after.ends}
        if play.end is None:
            assert [values["left"], values["right"]] == halves
            continue
        touched = {end.name: end.value for end in before.ends if end.open}
        halves.remove(touched[play.end])
        assert values[play.end] == halves[0]
        others = {end.name: end.value for end in before.ends if end.name != play.end}
        assert others.items() <= values.items()


def test_hand_ends_at_once(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """SPEC R7: "The hand ends at once: no pass stands between the block and `round_ended`"."""
    positions = list(walk(deal_one(rules)))
    assert all(finish(hand) is None for hand in positions[:-1])
    last, before = positions[-1], positions[-2]
    end = finish(last)
    assert end is not None
    assert (end.seat == last.line[-1][0]) or before.hands[end.seat].bit_count() == 1
    assert (0 in last.hands) or end.reason != "domino"
    assert last.line != before.line or last.hands != before.hands
    with pytest.raises(Illegal):
        fixed(last)
    assert forced(last) is None
    assert legal(last) == ()


def test_turn_goes_round(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """After a play, a pass or a decline the next seat that holds a tile; else the same one."""
    positions = list(walk(deal_one(rules)))
    for before, after in itertools.pairwise(positions[:-1]):
        drew = len(after.stock) < len(before.stock)
        gave = after.given is not None
        turn = before.turn
        if not drew and not gave:
            turn = next(
                seat
                for step in range(1, rules.seats + 1)
                if after.hands[seat := (before.turn + step) % rules.seats]
            )
        assert after.turn == turn
        assert after.drawn == drew
        assert after.leader == before.leader


def test_a_pass_is_the_last_resort(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """Who can neither play nor draw passes, and somebody else can still play."""
    for hand in walk(deal_one(rules)):
        if legal(hand) == (Pass(),):
            suits = 0
            for end in hand.ends:
                suits |= SUIT[end.value] if end.open else 0
            assert not hand.hands[hand.turn] & suits
            assert rules.transfer or any(mask & suits for mask in hand.hands)
            assert to_act(hand) == hand.turn
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
    """SPEC R6: "play the heaviest tile that can be played...draw; give its heaviest tile; pass"."""
    for hand in walk(deal_one(rules)):
        actions = legal(hand)
        if not actions:
            continue
        chosen = fixed(hand)
        plays = [action for action in actions if isinstance(action, Play)]
        gifts = [action for action in actions if isinstance(action, Give)]
        if plays:
            heaviest = max(HEAVIER[play.tile] for play in plays)
            first = next(p for p in plays if HEAVIER[p.tile] == heaviest)
            assert isinstance(chosen, Play)
            assert (chosen.tile, chosen.end) == (first.tile, first.end)
            assert rules.muggins or chosen.claim is None
        elif gifts:
            assert chosen == max(gifts, key=lambda gift: HEAVIER[gift.tile])
        else:
            assert chosen == actions[0]
        apply(hand, chosen)


def test_listed_form_is_unique(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """By tile id, then by end in the order of ends; no action is listed twice."""
    for hand in walk(deal_one(rules)):
        actions = legal(hand)
        assert len(set(actions)) == len(actions)
        names = [None, *(end.name for end in hand.ends)]
        plays = [(a.tile, names.index(a.end)) for a in actions if isinstance(a, Play)]
        assert plays == sorted(plays)
        assert all(isinstance(action, Play) for action in actions[: len(plays)])
        if not rules.counts:  # where equal ends are different actions, two may lead to one hand
            assert len({apply(hand, action) for action in actions}) == len(actions)


def test_a_step_changes_nothing_behind_it(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """A hand is a value: a step leaves it as it was."""
    for hand in walk(deal_one(rules)):
        twin = copy.deepcopy((hand.hands, hand.stock, hand.ends, hand.line, hand.scores))
        for action in legal(hand):
            apply(hand, action)
        assert twin == (hand.hands, hand.stock, hand.ends, hand.line, hand.scores)


def test_first_lead(rules: Rules, deal_one: Deal) -> None:
    """The seat that holds the highest double leads; if nobody does, that of the heaviest tile."""
    for _ in range(50):
        hands = [list(bits(mask)) for mask in deal_one(rules).hands]
        led = lead(rules, hands, None, 1)
        if rules.draws_for_lead:
            assert led == Lead(1, None)
            continue
        assert led.must_set is not None
        assert led.must_set in hands[led.seat]
        held = [(HIGH[tile], LOW[tile]) for tiles in hands for tile in tiles]
        doubles = [pair for pair in held if pair[0] == pair[1]]
        best = max(doubles) if doubles else max(held, key=lambda pair: (sum(pair), pair[0]))
        assert (HIGH[led.must_set], LOW[led.must_set]) == best
        hand = deal(rules, hands, (), led)
        assert legal(hand) == (Play(led.must_set, None),)


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
