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

from fairbones.core.bones import bits, pips_of, tile_bytes
from fairbones.core.errors import FairbonesError
from fairbones.core.match import Act, MatchState, Stage, deadline, decide, wake
from fairbones.core.match.owed import owed
from fairbones.core.match.times import by_the_house
from fairbones.core.protocol.wash import seal, wash_root
from fairbones.core.rules import (
    CALL,
    DECLINE,
    DRAW,
    PASS,
    Action,
    Finish,
    GiveAt,
    Hand,
    Play,
    forced,
    giver,
    legal,
)
from fairbones.core.views import view
from tests.match.claims import claiming
from tests.match.playing import NOW, Table, check_tiles, open_table
from tests.match.rows import TABLES, switched

BONEYARD = -1
Show = Callable[[MatchState, int | None], object]


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
    hand = refitted(
        dealt.hand.but(
            hands=tuple(
                sum(1 << other.get(tile, tile) for tile in bits(mask)) for mask in dealt.hand.hands
            ),
            stock=tuple(other.get(tile, tile) for tile in dealt.hand.stock),
            since=dealt.hand.since._replace(
                given=other.get(given, given) if (given := dealt.hand.given) is not None else None
            ),
        )
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


def refitted(hand: Hand) -> Hand:
    """A hand whose tiles were changed, with what is worked out from them (SPEC R6, R7)."""
    suits = hand.table.suits
    fits = hand.hands[hand.turn] & suits
    if not hand.ends and hand.must_set is not None:
        fits = 1 << hand.must_set
    if hand.given is not None:
        fits = 1 << hand.given & suits
    stuck = hand.ends and not hand.drawable and not any(mask & suits for mask in hand.hands)
    over = Finish("blocked", hand.causer) if stuck and hand.causer is not None else None
    return hand.but(fits=0 if over else fits, over=over)


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
                # That nobody's step is owed, and for whom it waits, is seen by all.
                if a != b and owed(other) is None and other.turn == state.turn:
                    yield other, viewers


def tells_apart(show: Show, state: MatchState, rnd: random.Random, several: int = 2) -> int:
    """How many of the other states a viewer of `show` tells from this one."""
    found = 0
    for other, viewers in others(state, rnd, several):
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
                table.act(lambda actions: claiming(table.hand, rnd.choice(actions), rnd))


def shown(state: MatchState, viewer: int | None) -> object:
    """The view under test."""
    return view(state, viewer, NOW)


def answered(state: MatchState, viewer: int | None) -> object:
    """The view, and what a seat is answered that tries things, in time and late."""
    if viewer is None:
        return shown(state, None)
    moments = {state.at, state.at + 4_999, state.at + 6_000, deadline(state), state.at + 10**6}
    tries: list[Action | GiveAt] = [CALL, DRAW, PASS, DECLINE, Play(3, "left"), Play(20, None)]
    tries += [GiveAt(position) for position in (0, 7, 9999)]
    commands = [Act(now or 0, viewer, action) for now in moments for action in tries]
    return shown(state, viewer), [outcome(state, command) for command in commands]


def outcome(state: MatchState, command: Act) -> object:
    """A refusal in full, or the first event without what hashes and seals make of it."""
    try:
        events, _ = decide(state, command)
    except FairbonesError as error:
        return error.code, error.message, error.details
    return [(event.type, event.data) for event in events[:1]]


@pytest.mark.parametrize(("ruleset", "seats"), TABLES)
def test_no_answer_depends_on_what_is_hidden(ruleset: str, seats: int, seed: random.Random) -> None:
    """T23: two unseen tiles exchanged, every other viewer is answered the same: tiles, counts,
    legal actions, deadlines, refusals, and their shape and length with them (T24)."""
    tried = 0
    for auto_forced in (False, True):
        options = switched(seed, ruleset, seats, seed.choice((0, 40)), sets=(6, 9))
        table = open_table(seed, ruleset, seats, options, rounds_max=1, auto_forced=auto_forced)
        for state in positions(table, seed):
            if tried < 5 or seed.random() < 0.1:
                assert tells_apart(answered, state, seed, 1) == 0
                tried += 1
    assert tried


@pytest.mark.parametrize("game", ["gifts", "exempt", "calls", "partners"])
def test_gifts_and_calls_tell_nothing(game: str, seed: random.Random) -> None:
    """The same where tiles change hands in secret, and where a forced step waits for calls: the
    exchange makes a choice of it and back again, and nobody else can tell (SPEC 8.8)."""
    options: dict[str, dict[str, object]] = {
        "gifts": {"transfer": True},
        "exempt": {"transfer": True, "last_tile_transfer": "exempt"},
        "calls": {"muggins": True},
        "partners": {"muggins": True, "partners": True, "spinner": "all"},
    }
    gifts = game in ("gifts", "exempt")
    met = 0
    while met < 3:
        ruleset = "middle-eastern" if gifts else "all-fives"
        table = open_table(seed, ruleset, 4, options[game], rounds_max=1)
        for state in positions(table, seed):
            dealt = state.round
            assert dealt is not None
            if gifts and (giver(dealt.hand) is not None or dealt.hand.given is not None):
                met += 1
                assert tells_apart(answered, state, seed) == 0
            if dealt.hand.window is not None:
                ours = by_the_house(state, dealt) is None
                for other, viewers in others(state, seed, 1):
                    assert other.round is not None
                    met += ours is not (by_the_house(other, other.round) is None)
                    assert all(answered(state, it) == answered(other, it) for it in viewers)


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
        hand = state.round.hand
        return forced(refitted(hand.but(turn=(hand.turn + 1) % 2))) is not None

    def choices(state: MatchState) -> int:
        assert state.round is not None
        return len(legal(state.round.hand))

    def forced_now(state: MatchState) -> object:
        assert state.round is not None
        return state.round.hand.window is not None and forced(state.round.hand)

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
        "when a touch changes something": wake,
        "what the house will do after the calls": forced_now,
    }


@pytest.mark.parametrize("name", leaks())
def test_a_leak_would_be_found(name: str, seed: random.Random) -> None:
    """A test of leaks that cannot fail says nothing: each of these is found in one match."""
    leak = leaks()[name]

    def leaky(state: MatchState, viewer: int | None) -> object:
        return shown(state, viewer), leak(state)

    waits = name in ("when a touch changes something", "what the house will do after the calls")
    game = ("all-fives", 2, {"muggins": True}) if waits else ("draw", 2, {})
    assert any(
        tells_apart(leaky, state, seed)
        for _ in range(5)
        for state in positions(open_table(seed, *game, rounds_max=1), seed)
    )
