"""The list, the judgement and the step against a naive reading of SPEC R5 to R7 and R10."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    CALL,
    Action,
    Call,
    Decline,
    Draw,
    Give,
    Hand,
    Pass,
    Play,
    Rules,
    action_from_json,
    action_to_json,
    admit,
    apply,
    call,
    compile_rules,
    deal,
    finish,
    forced,
    lead,
    legal,
    lines,
    listed,
    parse_action,
    resolve,
    to_act,
    write_action,
)
from fairbones.core.rules.actions import END_NAMES
from fairbones.core.rules.lines import PlainLine
from tests.rules.reading import CODES, acting, is_over, naive

Deal = Callable[[Rules], Hand]
Walk = Callable[[Hand], Iterator[Hand]]

_ENDS = (None, *END_NAMES[:6], "middle")
UNIVERSE: list[Action] = [
    *(Play(tile, end) for tile in range(29) for end in _ENDS),
    *(Give(tile) for tile in range(29)),
    Draw(),
    Decline(),
    Pass(),
]
CLAIMS = (0, 1, 2, 5, 10, 15, 36)


def compare(hand: Hand) -> None:
    """Every action of the universe, for every seat: the list, the judgement and the step."""
    may = dict(naive(hand))
    wanted = list(dict.fromkeys(may.values()))
    assert list(legal(hand)) == wanted
    assert to_act(hand) == acting(hand)
    for action in UNIVERSE:
        for seat in range(hand.rules.seats):
            if seat == acting(hand) and action in may:
                assert admit(hand, seat, action) == may[action]
            else:
                with pytest.raises(Illegal):
                    admit(hand, seat, action)
        if action in wanted:
            apply(hand, action)
        else:
            with pytest.raises(Illegal):
                apply(hand, action)
    place = {tile: 189 - tile for tile in range(190)}
    for action in wanted:
        sent = action_from_json(action_to_json(action, place))
        assert isinstance(action, Give) or sent == action
        assert parse_action(write_action(action)) == action


def compare_claims(hand: Hand) -> None:
    """SPEC R10: "absent for nothing, else 1 to what it scores; a higher claim is illegal"."""
    for play in (action for action in legal(hand) if isinstance(action, Play)):
        after = apply(hand, play)
        count = sum(end.value * end.weight for end in after.ends)
        due = count if hand.rules.muggins and count % 5 == 0 else 0
        for points in CLAIMS:
            claim = Play(play.tile, play.end, points)
            if 1 <= points <= due:
                assert admit(hand, to_act(hand), claim) == claim
                side = hand.rules.side_of[hand.turn]
                made = apply(hand, claim).scores[side] - hand.scores[side]
                assert made == points or (made == 0 and hand.rules.exact)
            else:
                with pytest.raises(Illegal):
                    admit(hand, to_act(hand), claim)
                with pytest.raises(Illegal):
                    apply(hand, claim)


def test_list_judgement_and_step_agree_with_the_text(
    rules: Rules, deal_one: Deal, walk: Walk
) -> None:
    """In every position of a random hand."""
    for step, hand in enumerate(walk(deal_one(rules))):
        if step % 6 == 0 or hand.given is not None or not legal(hand):
            compare(hand)
            compare_claims(hand)


def test_calls_agree_with_the_text(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """SPEC R10: "any opponent of the player that has not left may call"."""
    before: Hand | None = None
    for hand in walk(deal_one(rules)):
        played = before is not None and len(hand.line) > len(before.line) and not is_over(hand)
        for seat in range(rules.seats):
            opponent = played and rules.side_of[seat] != rules.side_of[hand.line[-1][0]]
            may = rules.muggins and opponent
            assert (CALL in listed(hand, seat)) == may
            assert listed(hand, seat, frozenset({seat})) == ()
            assert [a for a in listed(hand, seat) if a != CALL] == list(
                legal(hand) if seat == to_act(hand) else ()
            )
            with pytest.raises(Illegal):
                apply(hand, Call())
            if not may or hand.window is None or not hand.window.missed:
                with pytest.raises(Illegal):
                    call(hand, seat)
                continue
            side = rules.side_of[seat]
            room = not rules.exact or hand.scores[side] + hand.window.missed <= rules.target
            if not room:
                with pytest.raises(Illegal):
                    call(hand, seat)
                continue
            after, taken = call(hand, seat)
            assert taken == hand.window.missed == after.scores[side] - hand.scores[side]
            for other in range(rules.seats):
                with pytest.raises(Illegal):
                    call(after, other)
        before = hand


def test_end_and_forced_agree_with_the_text(rules: Rules, deal_one: Deal, walk: Walk) -> None:
    """Forced when its only legal action is a draw or a pass. A play is never forced."""
    for hand in walk(deal_one(rules)):
        assert (finish(hand) is not None) == is_over(hand)
        only = [form for _, form in naive(hand)]
        if only in ([Draw()], [Pass()]):
            assert forced(hand) == only[0]
        else:
            assert forced(hand) is None


def _first_end_only(line: PlainLine, tile: int) -> list[int]:
    return _PLACES(line, tile)[:1]


_PLACES = PlainLine._places
FAULTS: dict[str, tuple[str, object]] = {
    "forgets the right end": ("fairbones.core.rules.lines.PlainLine._places", _first_end_only),
    "never lets decline": ("fairbones.core.rules.turns.DECLINE", Pass()),
    "plays on after the end": ("fairbones.core.rules.moves.blocked", lambda *_: None),
    "draws what is protected": (
        "fairbones.core.rules.hand.Hand.drawable",
        property(lambda hand: len(hand.stock)),
    ),
    "takes any seat's action": ("fairbones.core.rules.turns.to_act", lambda _hand: 0),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_engine_is_seen(
    fault: str, seed: random.Random, deal_one: Deal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The comparison has teeth: it refuses engines that are wrong in one place."""
    row = resolve("draw", 2, {"drawn_tile": "may-play", "protected": 2, "hand": 10})
    # Lines of their own: what the faulty engine remembers must not outlive the fault.
    monkeypatch.setattr(lines, "_PLAIN", {})
    rules = replace(compile_rules(row, 2), empty=lines.plain_line(()))
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


_WALKED: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("draw", 2, {"drawn_tile": "may-play", "protected": 2}),
    ("draw", 2, {}),
    ("all-fives", 2, {"muggins": True}),
    ("middle-eastern", 4, {"transfer": True}),
)


def test_codes_say_what_is_wrong(seed: random.Random) -> None:
    """A refusal names one reason of a known list; the worked cases fix which one when."""
    seen: set[str] = set()
    universe = [*UNIVERSE, CALL, *(Play(tile, "left", 3) for tile in range(28))]
    for ruleset, seats, options in _WALKED * 12:
        rules = compile_rules(resolve(ruleset, seats, options), seats)
        tiles = list(range(28))
        seed.shuffle(tiles)
        hands = [tiles[seat * 7 : seat * 7 + 7] for seat in range(seats)]
        hand = deal(rules, hands, tiles[7 * seats :], lead(rules, hands, None, 0))
        while True:
            for seat, action in itertools.product(range(seats), universe):
                try:
                    admit(hand, seat, action)
                except Illegal as refused:
                    seen.add(refused.code)
            actions = legal(hand)
            if not actions:
                break
            hand = apply(hand, seed.choice(actions))
    assert seen == CODES
