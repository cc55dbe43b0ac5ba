"""OpenSpiel's two domino games: block for two, and four players in two teams.

Both are dealt through their public interface, by the outcomes of chance. A play is a tile and the
value it is put to. The team game pays the lighter team even where the heavier one went out, so
its returns are not compared; its moves and its ends are.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any

from fairbones.core.bones import HIGH, LOW, PIPS, set_tiles, tile_id
from fairbones.core.rules import Hand, Play, Rules, Settlement
from tests.oracles.engines import module
from tests.oracles.following import Ending, Lot, Script, Word, follow, lot_of
from tests.oracles.pairing import Pairing, Way

LIBRARY = module("pyspiel")
module("open_spiel.python.games.block_dominoes")  # makes itself known to the library
module("open_spiel.python.games.team_dominoes")

BLOCK = "python_block_dominoes"
TEAM = "python_team_dominoes"
# Chance deals by a tile's place in the order of (low half, high half).
_IN_ORDER = sorted(set_tiles(6), key=lambda tile: (LOW[tile], HIGH[tile]))
_PLACE = {tile: place for place, tile in enumerate(_IN_ORDER)}


def dealt(name: str, lot: Lot) -> Any:
    """Its state before the first tile; seat 0 leads with any. Teams are dealt a tile in turn."""
    state = LIBRARY.load_game(name).new_initial_state()
    by_seat = [tile for hand in lot.hands for tile in hand]
    in_turn = [tile for tiles in zip(*lot.hands, strict=True) for tile in tiles]
    for tile in in_turn if name == TEAM else by_seat:
        state.apply_action(_PLACE[tile])
    return state


def play(state: Any, script: Sequence[int]) -> list[float]:
    """A whole hand: at each turn the action at that index of what is legal; what it pays."""
    for index in script:
        state.apply_action(state.legal_actions()[index])
    paid: list[float] = state.returns()
    return paid


def play_checked(state: Any, script: Sequence[int]) -> list[float]:
    """The same, each action checked as it is made."""
    for index in script:
        state.apply_action_with_legality_check(state.legal_actions()[index])
    paid: list[float] = state.returns()
    return paid


def ending(state: Any) -> Ending | None:
    """How a hand came out; the last to act went out or blocked."""
    if not state.is_terminal():
        return None
    counts = tuple(int(sum(map(sum, hand))) for hand in state.hands)
    reason = "blocked" if all(state.hands) else "domino"
    return Ending(reason, int(state.actions_history[-1].player), counts)


def points(state: Any) -> tuple[int, ...]:
    """What a hand that is over pays, by seat."""
    return tuple(max(0, int(paid)) for paid in state.returns())


def moves(state: Any) -> list[tuple[int, Word]]:
    """Who played what."""
    return [(it.player, _word(it)) for it in state.actions_history]


def _word(action: Any) -> Word:
    tile = tile_id(*map(int, action.tile))
    return tile, None if action.edge is None else int(action.edge)


class Table:
    """A hand to be followed."""

    def __init__(self, name: str, lot: Lot) -> None:
        self.state = dealt(name, lot)
        self._known = module(f"open_spiel.python.games.{name.removeprefix('python_')}")._ACTIONS

    def turn(self) -> int:
        """The seat whose plays were listed."""
        return int(self.state.current_player())

    def listed(self) -> list[Word]:
        """Tile id and the value it is put to; None for the first tile."""
        return [_word(self._known[number]) for number in self.state.legal_actions()]

    def named(self, hand: Hand, play: Play) -> Word:
        """The same for ours."""
        values = {end.name: end.value for end in hand.ends}
        return play.tile, None if play.end is None else values[play.end]

    def unlisted(self, _hand: Hand) -> frozenset[Word]:
        """Nothing."""
        return frozenset()

    def take(self, index: int) -> None:
        """Make the play at that place."""
        self.state.apply_action_with_legality_check(self.state.legal_actions()[index])

    def scores(self) -> tuple[int, ...]:
        """Nothing is scored in play."""
        return (0, 0)

    def ending(self) -> Ending | None:
        """How it came out."""
        return ending(self.state)


def _script(name: str, rules: Rules, rnd: random.Random) -> Script:
    lot = lot_of(rnd, rules)
    script, _ = follow(rules, lot, Table(name, lot), rnd)
    return script


def _told_moves(state: Any) -> object:
    return moves(state), ending(state)


def _told_points(state: Any) -> object:
    return _told_moves(state), points(state)


def _tell_moves(hand: Hand, settled: Settlement) -> object:
    assert hand.over is not None
    played: list[tuple[int, Word]] = []
    values: dict[str, int] = {}
    for seat, play, _ in hand.line:
        if play.end is None:
            values = {"left": HIGH[play.tile], "right": LOW[play.tile]}
            played.append((seat, (play.tile, None)))
        else:
            played.append((seat, (play.tile, values[play.end])))
            values[play.end] = PIPS[play.tile] - values[play.end]
    return played, Ending(hand.over.reason, hand.over.seat, settled.counts)


def _tell_points(hand: Hand, settled: Settlement) -> object:
    return _tell_moves(hand, settled), settled.points


_WAYS = (
    Way("open-spiel", "`legal_actions`, `apply_action`, `returns`", play),
    Way("checked", "the same with `apply_action_with_legality_check`", play_checked),
)
PAIRINGS = (
    Pairing(
        "block-partners for 4",
        "block-partners",
        4,
        {},
        250,
        "who played what, how it ended and by whom, the pips left",
        partial(_script, TEAM),
        partial(dealt, TEAM),
        _WAYS,
        _told_moves,
        _tell_moves,
    ),
    Pairing(
        "block for 2",
        "block",
        2,
        {},
        400,
        "who played what, how it ended and by whom, the pips left, the points",
        partial(_script, BLOCK),
        partial(dealt, BLOCK),
        _WAYS,
        _told_points,
        _tell_points,
    ),
)
