"""The table of a match: every cell is there, and a refusal leaves no trace."""

from __future__ import annotations

import ast
import copy
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
)
from fairbones.core.match.table import TABLE
from fairbones.core.rules import DECLINE, DRAW, PASS, Action, Play, legal
from tests.match.playing import Table, open_table

SERVICE = Path(fairbones.__file__).resolve().parent
INSIDE = ("core", "house", "api", "store", "keys")
Staged = Callable[[Stage], Table]
KINDS = get_args(Command)
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
        actions: list[Action] = [DRAW, PASS, DECLINE]
        actions += [Play(tile, end) for tile in range(28) for end in (None, "left", "right", "up")]
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
    kept = copy.deepcopy(table.state)
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


def test_exactly_the_legal_actions_are_taken(seed: random.Random) -> None:
    """SPEC R6, the table's cell for an action: every action of the universe, by every seat."""
    for ruleset, options in (("block", {}), ("draw", {"drawn_tile": "may-play"})):
        table = open_table(seed, ruleset, 3, options, auto_forced=False).deal()
        for _ in range(25):
            if table.state.round is None:
                break
            hand = table.state.round.hand
            taken = set()
            for command in asked(table, Act):
                assert isinstance(command, Act)
                try:
                    decide(table.state, command)
                except FairbonesError:
                    continue
                taken.add((command.seat, command.action))
            wanted = {(hand.turn, action) for action in legal(hand)}
            if hand.ends and hand.ends[0].value == hand.ends[1].value:
                # "Of two equal ends either name is taken": SPEC R6, listed form.
                wanted |= {
                    (hand.turn, Play(action.tile, "right"))
                    for action in legal(hand)
                    if isinstance(action, Play)
                }
            assert taken == wanted
            table.act(seed.choice)


def callers(name: str) -> set[str]:
    """Where the house names a function: module and function. Its guests (bots, demo) may forge."""
    found = set()
    for path in (path for inner in INSIDE for path in sorted((SERVICE / inner).rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef):
                continue
            named = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            named |= {inner.attr for inner in ast.walk(node) if isinstance(inner, ast.Attribute)}
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
