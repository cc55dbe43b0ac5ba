"""A view may not depend on what its viewer cannot see.

Grepping a view for tiles misses everything derived from them. So two unseen tiles are exchanged
between two hidden places, and every other viewer must be shown the very same thing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.bones import bits, pips_of, tile_bytes
from fairbones.core.match import MatchState, Stage
from fairbones.core.match.owed import owed
from fairbones.core.protocol.wash import seal, wash_root
from fairbones.core.rules import forced, legal
from fairbones.core.views import view
from tests.match.playing import NOW, RANDOM, Table, check_tiles, open_table

BONEYARD = -1
Show = Callable[[MatchState, int | None], object]
ROWS: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("block", 2, {}),
    ("block", 4, {"partners": True, "hand": 5}),
    ("draw", 3, {"drawn_tile": "may-play", "protected": 2}),
    ("draw", 4, {}),
)


def exchanged(state: MatchState, a: int, b: int) -> MatchState:
    """The same match, had the wash put tile `a` where `b` lies and `b` where `a` lies.

    Positions, salts and the cut stay; seals follow the tiles, as they would have.
    """
    dealt = state.round
    assert dealt is not None
    other = {a: b, b: a}
    order = tuple(other.get(tile, tile) for tile in dealt.wash.order)
    seals = tuple(
        seal(state.terms.match, dealt.number, p, dealt.wash.salts[p], tile_bytes(tile))
        for p, tile in enumerate(order)
    )
    root = wash_root(state.terms.match, dealt.number, seals)
    hand = replace(
        dealt.hand,
        hands=tuple(
            sum(1 << other.get(tile, tile) for tile in bits(mask)) for mask in dealt.hand.hands
        ),
        stock=tuple(other.get(tile, tile) for tile in dealt.hand.stock),
    )
    return replace(
        state,
        round=replace(
            dealt,
            wash=replace(dealt.wash, order=order, seals=seals, root=root),
            position={tile: p for p, tile in enumerate(order)},
            hand=hand,
        ),
    )


def hidden(state: MatchState) -> dict[int, list[int]]:
    """The tiles of every hidden place: a seat's hand, or the boneyard."""
    assert state.round is not None
    hand = state.round.hand
    # Whose tile must be set is told to everybody, so that tile is seen.
    known = set() if hand.ends or hand.must_set is None else {hand.must_set}
    places = {seat: [*bits(mask)] for seat, mask in enumerate(hand.hands)}
    places[BONEYARD] = list(hand.stock)
    return {place: [t for t in tiles if t not in known] for place, tiles in places.items()}


def others(
    state: MatchState, rnd: random.Random, several: int = 2
) -> Iterator[tuple[MatchState, list[int | None]]]:
    """Other states, and who must not be able to tell them from this one."""
    places = hidden(state)
    pairs = [*combinations(places, 2), (BONEYARD, BONEYARD)]
    for x, y in pairs:
        viewers = [None, *(seat for seat in range(state.terms.seats) if seat not in (x, y))]
        for _ in range(several):
            if places[x] and places[y]:
                a, b = rnd.choice(places[x]), rnd.choice(places[y])
                other = exchanged(state, a, b)
                # That nobody's step is owed is seen by all: the match waits here.
                if a != b and owed(other) is None:
                    yield other, viewers


def tells_apart(show: Show, state: MatchState, rnd: random.Random) -> int:
    """How many of the other states a viewer of `show` tells from this one."""
    found = 0
    for other, viewers in others(state, rnd):
        check_tiles(other)
        found += any(show(state, viewer) != show(other, viewer) for viewer in viewers)
    return found


def positions(table: Table, rnd: random.Random) -> Iterator[MatchState]:
    """The positions of a match played at random."""
    table.deal()
    while table.state.stage is Stage.PLAYING:
        yield table.state
        for _ in range(rnd.randint(1, 2)):  # not every position: neighbours are alike
            if table.state.stage is Stage.PLAYING:
                table.act(rnd.choice)


def shown(state: MatchState, viewer: int | None) -> object:
    """The view under test."""
    return view(state, viewer, NOW)


@given(rnd=RANDOM, row=st.sampled_from(ROWS), auto_forced=st.booleans())
def test_no_view_depends_on_what_is_hidden_from_it(
    rnd: random.Random, row: tuple[str, int, dict[str, object]], auto_forced: bool
) -> None:
    """T23: two unseen tiles exchanged, every other viewer's view is equal: tiles, counts, legal
    actions, deadlines, and its shape and length with them (T24)."""
    tried = 0
    for state in positions(open_table(rnd, *row, rounds_max=1, auto_forced=auto_forced), rnd):
        assert tells_apart(shown, state, rnd) == 0
        tried += 1
    assert tried


def test_who_holds_an_exchanged_tile_sees_it(seed: random.Random) -> None:
    """The exchange is one: the holder of either tile is shown another hand, of the same shape."""
    state = open_table(seed, "draw", 3).deal().state
    places = hidden(state)
    a, b = places[0][0], places[1][0]
    other = exchanged(state, a, b)
    for seat in (0, 1):
        assert shown(state, seat) != shown(other, seat)
    assert exchanged(other, a, b) == state


def leaks() -> dict[str, Callable[[MatchState], object]]:
    """What careless views have shown."""

    def hand(state: MatchState) -> object:
        assert state.round is not None
        return state.round.hand

    def masks(state: MatchState) -> tuple[int, ...]:
        assert state.round is not None
        return state.round.hand.hands

    def stock(state: MatchState) -> tuple[int, ...]:
        assert state.round is not None
        return state.round.hand.stock

    def may_pass(state: MatchState) -> bool:
        assert state.round is not None
        return forced(replace(state.round.hand, turn=(state.round.hand.turn + 1) % 2)) is not None

    def choices(state: MatchState) -> int:
        assert state.round is not None
        return len(legal(state.round.hand))

    return {
        "hands": hand,
        "the pips of a hand": lambda state: [pips_of(mask) for mask in masks(state)],
        "whether a hand has doubles": lambda state: [
            bool(mask & 0x8102421) for mask in masks(state)
        ],
        "the order of the boneyard": lambda state: [stock(state)[i : i + 1] for i in range(3)],
        "the heaviest tile of the boneyard": lambda state: max(stock(state), default=None),
        "whether the next seat can play": may_pass,
        "how many choices a seat has": choices,
    }


@pytest.mark.parametrize("name", leaks())
def test_a_leak_would_be_found(name: str, seed: random.Random) -> None:
    """A test of leaks that cannot fail says nothing: each of these is found in one match."""
    leak = leaks()[name]

    def leaky(state: MatchState, viewer: int | None) -> object:
        return shown(state, viewer), leak(state)

    assert any(
        tells_apart(leaky, state, seed)
        for _ in range(3)
        for state in positions(open_table(seed, "draw", 2, rounds_max=1), seed)
    )
