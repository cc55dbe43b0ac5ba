"""The table of a match: every cell is there, and a refusal leaves no trace."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

import fairbones
from fairbones.core.errors import FairbonesError
from fairbones.core.match import (
    Act,
    Command,
    GiveUp,
    Leave,
    LoseHistory,
    MatchState,
    Reveal,
    Sit,
    Stage,
    Touch,
    deadline,
    decide,
    replay,
)
from fairbones.core.match.table import TABLE
from fairbones.core.match.times import by_the_house
from fairbones.core.rules import (
    CALL,
    DECLINE,
    DRAW,
    PASS,
    Action,
    Give,
    GiveAt,
    Play,
    legal,
    scored,
    to_act,
)
from tests.match.playing import Table, open_table, taking

SERVICE = Path(fairbones.__file__).resolve().parent
INSIDE = ("core", "house", "api", "store", "keys")
Staged = Callable[[Stage], Table]
KINDS = get_args(Command)
ARMS = tuple(f"{side}{more}" for more in ("", "-2", "-3", "-4", "-5") for side in ("up", "down"))
ENDS = (None, "left", "right", *ARMS, "sideways")
PAIRS = [(stage, kind) for stage in Stage for kind in KINDS]


def test_every_pair_of_stage_and_command_has_a_cell() -> None:
    """The table's own rule: "every pair of a stage and a command has a cell"."""
    assert set(TABLE) == set(PAIRS)


def asked(table: Table, kind: type) -> list[Command]:
    """Commands of one kind, right and wrong ones: every seat, every action, every seed."""
    now, state = table.now + 5, table.state
    seats = [-1, *range(state.terms.seats), state.terms.seats, 63]
    if kind is Sit:
        seeds = [b"\1" * 32, table.seeds[0]]
        return [
            *(Sit(now, seat, None, seed) for seat in seats for seed in seeds),
            *(Sit(now, seat, "name", None, seed) for seat in seats for seed in seeds),
            *(Sit(now, seat) for seat in seats),
            *(Sit(now, k, None, s.commitment) for k in seats for s in state.seatings if s),
        ]
    if kind is Reveal:
        hashes = [state.seated_hash, bytes(32), state.head]
        seeds = [*table.seeds, bytes(32)]
        return [Reveal(now, k, seed, told) for k in seats for seed in seeds for told in hashes]
    if kind is Act:
        actions: list[Action | GiveAt] = [DRAW, PASS, DECLINE, CALL]
        actions += [Play(t, end, k) for t in range(28) for end in ENDS for k in (None, 1, 5)]
        actions += [Give(tile) for tile in range(28)]
        actions += [GiveAt(position) for position in (*range(30), 6143)]
        return [Act(now, seat, act) for seat in seats for act in actions]
    if kind is Leave:
        return [Leave(now, seat) for seat in seats]
    if kind is LoseHistory:
        return [LoseHistory(now, {"match": "00", "seq": 1})]
    return [Touch(now), Touch(now - 10_000)] if kind is Touch else [GiveUp(now)]


@pytest.mark.parametrize(("stage", "kind"), PAIRS, ids=lambda it: getattr(it, "__name__", it))
def test_a_refusal_leaves_the_state_as_it_was(stage: Stage, kind: type, staged: Staged) -> None:
    """The table's own rule: "a cell that refuses leaves no trace"; nor does one that accepts."""
    table = staged(stage)
    kept = replay(table.events, table.state.secret)
    refused = accepted = 0
    codes = set()
    for command in asked(table, kind):
        try:
            events, after = decide(table.state, command)
        except FairbonesError as error:
            refused += 1
            codes.add(error.code)
        else:
            accepted += 1
            assert bool(events) == (after is not table.state)
        assert table.state == kept
        assert repr(table.state) == repr(kept)
    assert all(re.fullmatch(r"[a-z]+/[a-z-]+", code) for code in codes)
    assert refused + accepted == len(asked(table, kind))
    assert bool(accepted) == expected_to_accept(stage, kind)


def expected_to_accept(stage: Stage, kind: type) -> bool:
    """SPEC 8, as a list: what can be said at all at a stage (a touch can always be)."""
    if kind is Touch:
        return True
    return kind in {
        Stage.JOINING: {Sit, Leave, LoseHistory, GiveUp},
        Stage.REVEALING: {Reveal, Leave, LoseHistory, GiveUp},
        Stage.PLAYING: {Act, Leave, LoseHistory, GiveUp},
    }.get(stage, set())


@pytest.mark.parametrize("stage", [Stage.ENDED, Stage.VOID])
def test_nothing_follows_the_end(stage: Stage, staged: Staged) -> None:
    """SPEC 8.1: "Nothing follows `match_ended` or `voided`"."""
    table = staged(stage)
    assert deadline(table.state) is None
    for kind in KINDS:
        for command in asked(table, kind):
            if kind is Touch:
                assert decide(table.state, command) == ((), table.state)
                continue
            with pytest.raises(FairbonesError) as caught:
                decide(table.state, command)
            assert caught.value.code == ("match/over" if stage is Stage.ENDED else "match/void")


GAMES: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("block", 3, {}),
    ("draw", 3, {"drawn_tile": "may-play"}),
    ("middle-eastern", 4, {"transfer": True}),
    ("middle-eastern", 4, {"transfer": True, "last_tile_transfer": "exempt"}),
    ("all-fives", 3, {}),
    ("all-fives", 2, {"muggins": True, "spinner": "all"}),
    ("all-fives", 4, {"muggins": True, "partners": True}),
    ("fives-and-threes", 4, {"partners": True, "hand": 2}),
)


@pytest.mark.parametrize("game", GAMES, ids=lambda it: f"{it[0]}-{'-'.join(it[2])}")
def test_exactly_the_legal_actions_are_taken(
    game: tuple[str, int, dict[str, object]], seed: random.Random
) -> None:
    """SPEC R6, R10, the table's cell for an action: every action of the universe, by every seat."""
    table = open_table(seed, *game, auto_forced=False).deal()
    for _ in range(12):
        if table.state.round is None:
            break
        assert taken(table) == allowed(table)
        table.act(seed.choice)


def taken(table: Table) -> set[tuple[int, Action]]:
    """The actions that the match takes, by seat; a gift is the same by tile and by position."""
    found: set[tuple[int, Action]] = set()
    at: set[tuple[int, Action]] = set()
    for command in asked(table, Act):
        assert isinstance(command, Act)
        try:
            decide(table.state, command)
        except FairbonesError:
            continue
        if isinstance(command.action, GiveAt):
            at.add((command.seat, Give(table.dealt.wash.order[command.action.seal])))
        else:
            found.add((command.seat, command.action))
    assert at == {it for it in found if isinstance(it[1], Give)}
    return found


def allowed(table: Table) -> set[tuple[int, Action]]:
    """The same, from the lists of the rules."""
    hand = table.hand
    seat = to_act(hand)
    found = {(seat, action) for action in legal(hand)}
    plays = [action for action in legal(hand) if isinstance(action, Play)]
    if not hand.rules.counts and len({end.value for end in hand.ends}) < len(hand.ends):
        # "A play at one of several open ends of equal value names the first": either is taken.
        found |= {(seat, Play(play.tile, "right")) for play in plays}
    for play in plays:
        if hand.rules.muggins:
            found |= {
                (seat, Play(play.tile, play.end, k)) for k in (1, 5) if k <= scored(hand, play)
            }
    return found | {(k, CALL) for k in range(hand.rules.seats) if taking(hand, k)}


def test_a_forced_step_is_the_houses(seed: random.Random) -> None:
    """SPEC 8.2, 8.8: with `auto_forced` nobody takes a draw or a pass from the house."""
    table = open_table(seed, "all-fives", 3, {"muggins": True}).deal()
    met = 0
    while table.state.round is not None:
        if by_the_house(table.state, table.dealt) is not None:
            met += 1
            assert {action for _, action in taken(table)} <= {CALL}
        table.act(seed.choice)
    assert met


def callers(name: str) -> set[str]:
    """Where the house names a function: module and function. Its guests (bots, demo) may forge."""
    found = set()
    for path in (path for inner in INSIDE for path in sorted((SERVICE / inner).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            names = [inner for inner in ast.walk(node) if isinstance(inner, ast.Name)]
            own = {inner.id for inner in names if isinstance(inner.ctx, ast.Store)}
            own |= {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
            # Of a module, not of an object: that is something else of the same name.
            named = {inner.id for inner in names} - own | {
                inner.attr
                for inner in ast.walk(node)
                if isinstance(inner, ast.Attribute)
                and isinstance(inner.value, ast.Name)
                and inner.value.id not in own
            }
            if name in named and name != node.name:
                found.add(f"{path.relative_to(SERVICE).with_suffix('')}.{node.name}")
    return found


def test_nothing_but_the_table_makes_the_first_event_of_a_step() -> None:
    """The table's own rule: "nothing else in the service makes the first event of a step"."""
    assert callers("seal_event") == {"core/match/decide._place", "core/match/decide.open_match"}
    assert callers("_place") == {"core/match/decide.decide"}
    assert callers("TABLE") == {"core/match/decide.decide"}
    assert callers("owed") == {"core/match/decide.decide"}


def test_a_state_has_no_way_back(staged: Staged) -> None:
    """A state is frozen: what was shown of it stays true."""
    state = staged(Stage.PLAYING).state
    with pytest.raises(AttributeError):
        state.seq = 0  # type: ignore[misc]
    assert isinstance(state, MatchState)
