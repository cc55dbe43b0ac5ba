"""Every action there is, tried in positions of rows with random options (SPEC R6, R10)."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from fairbones.core.bones import tile_count
from fairbones.core.errors import Illegal
from fairbones.core.rules import (
    CALL,
    Action,
    Decline,
    Draw,
    Give,
    Hand,
    Pass,
    Play,
    action_from_json,
    action_to_json,
    admit,
    apply,
    finish,
    legal,
    listed,
    parse_action,
    to_act,
    write_action,
)
from fairbones.core.rules.actions import END_NAMES
from tests.rules.games import Game, dealt, games, steps
from tests.rules.reading import CODES, acting, is_over, naive, score_of, table_of


def universe(hand: Hand, rnd: random.Random) -> Iterator[Action]:
    """Every tile of the set and one beside it at every end, some claims, and all the rest."""
    tiles = range(tile_count(hand.rules.set) + 1)
    ends = (None, *END_NAMES, "", "middle")
    for tile, end in itertools.product(tiles, ends):
        yield Play(tile, end)
    for tile, end in itertools.product(tiles, (None, *(end.name for end in hand.ends))):
        for claim in rnd.sample(range(37), 4):
            yield Play(tile, end, claim)
    yield from (Give(tile) for tile in tiles)
    yield from (Draw(), Decline(), Pass(), CALL)


def wanted(game: Game, hand: Hand) -> dict[Action, Action]:
    """What the seat to act may send, claims included, and its listed form."""
    may = dict(naive(hand))
    if not game.rules.muggins:
        return may
    for play in [action for action in may if isinstance(action, Play)]:
        table = table_of(hand, str(game.row["spinner"]))
        table.lay(play)
        due = score_of(table.count, str(game.row["counting"]))
        for claim in range(1, due + 1):
            may[Play(play.tile, play.end, claim)] = Play(play.tile, play.end, claim)
    return may


def accepted(hand: Hand, seat: int, action: Action) -> Action | None:
    """The listed form, if the action is admitted; every refusal has one of the known codes."""
    try:
        return admit(hand, seat, action)
    except Illegal as refused:
        code = refused.code
    assert code in CODES
    return None


def applied(hand: Hand, action: Action) -> bool:
    """Whether `apply` takes it."""
    try:
        apply(hand, action)
    except Illegal as refused:
        code = refused.code
    else:
        return True
    assert code == "rules/not-listed"
    return False


def compare(game: Game, hand: Hand, rnd: random.Random) -> None:
    """The list, the judgement and the step, for everything that can be sent."""
    may = wanted(game, hand)
    forms = list(dict.fromkeys(may.values()))
    assert list(legal(hand)) == [
        form for form in forms if not isinstance(form, Play) or form.claim is None
    ]
    assert (finish(hand) is not None) == is_over(hand)
    acts = acting(hand)
    assert to_act(hand) == acts
    other = rnd.choice([seat for seat in range(game.rules.seats) if seat != acts])
    before = copy.deepcopy(hand)
    for action in universe(hand, rnd):
        if action == CALL:
            continue
        assert accepted(hand, acts, action) == may.get(action), action
        assert accepted(hand, other, action) is None, action
        assert applied(hand, action) == (action in forms), action
        assert hand == before, action
    for seat in range(game.rules.seats):
        assert not (accepted(hand, seat, CALL) and CALL not in listed(hand, seat))
    place = {tile: 189 - tile for tile in range(190)}
    for form in forms:
        sent = action_from_json(action_to_json(form, place))
        assert isinstance(form, Give) or sent == form
        assert parse_action(write_action(form)) == form


@given(games(), st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_nothing_else_is_taken_and_nothing_is_missing(game: Game, rnd: random.Random) -> None:
    """SPEC R6: "The legal actions of the seat to act are listed by tile id, then by end in the
    order of ends; then `draw`, `decline`, the gifts by tile id, `pass`, `call`".
    """
    hand = dealt(game.rules, rnd)
    positions = [hand, *(step.after for step in steps(hand, rnd))]
    for position in (positions[0], rnd.choice(positions), positions[-1]):
        compare(game, position, rnd)


@given(games(), st.randoms(use_true_random=False))
def test_where_a_call_is_listed(game: Game, rnd: random.Random) -> None:
    """SPEC R10: "`call` is listed for every opponent from the play until then, whether or not
    anything was missed, so that the list tells nothing".
    """
    rules = game.rules
    played: int | None = None
    for step in steps(dealt(rules, rnd), rnd):
        if step.action is not None:  # a call leaves the time for calls as it was
            played = step.seat if isinstance(step.action, Play) else None
        open_for = [
            seat
            for seat in range(rules.seats)
            if rules.muggins
            and played is not None
            and finish(step.after) is None
            and seat % rules.sides != played % rules.sides
        ]
        assert [s for s in range(rules.seats) if CALL in listed(step.after, s)] == open_for
        for seat in open_for:
            assert listed(step.after, seat, frozenset({seat})) == ()
