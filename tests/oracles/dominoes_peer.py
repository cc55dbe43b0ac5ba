"""`dominoes` 6.1.0: four players, no drawing, all tiles dealt.

Its game is built on given hands by its public constructor. It passes by itself. Its points are of
two teams and count every tile that is left, the winners' too: our partners with `count_all`.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from fairbones.core.bones import HIGH, LOW, tile_id
from fairbones.core.rules import Hand, Play, Rules, Settlement
from tests.oracles.engines import module
from tests.oracles.following import Ending, Lot, Script, Word, follow, lot_of
from tests.oracles.pairing import Pairing, Way

LIBRARY = module("dominoes")


def dealt(lot: Lot) -> Any:
    """Its game before the first tile; seat 0 leads with any."""
    tiles = [[LIBRARY.Domino(HIGH[tile], LOW[tile]) for tile in hand] for hand in lot.hands]
    hands = [LIBRARY.Hand(hand) for hand in tiles]
    first = tuple((tile, True) for tile in hands[0])
    return LIBRARY.Game(LIBRARY.Board(), hands, [], 0, first, 0, None)


def play(game: Any, script: Sequence[int]) -> None:
    """A whole hand: the move at each index of what it lists, checked by the game itself."""
    for index in script:
        game.make_move(*game.valid_moves[index])


def ending(game: Any) -> Ending | None:
    """How a game came out."""
    if game.result is None:
        return None
    counts = tuple(sum(tile.first + tile.second for tile in hand) for hand in game.hands)
    return Ending("domino" if game.result.won else "blocked", game.result.player, counts)


def points(game: Any) -> tuple[int, int]:
    """What a game that is over pays to both teams."""
    return max(0, game.result.points), max(0, -game.result.points)


def moves(game: Any) -> list[tuple[int, Word]]:
    """Who played what. It notes the passes too, but for those that a block leaves out."""
    return [(at % 4, _word(move)) for at, move in enumerate(game.moves) if move is not None]


def _word(move: Any) -> Word:
    tile, left = move
    return tile_id(tile.first, tile.second), bool(left)


def _named(play: Play) -> Word:
    return play.tile, play.end != "right"


class Table:
    """A game to be followed."""

    def __init__(self, lot: Lot, sides: int) -> None:
        self.game = dealt(lot)
        self._none = (0,) * sides

    def turn(self) -> int:
        """The seat whose plays were listed."""
        return int(self.game.turn)

    def listed(self) -> list[Word]:
        """Tile id, and whether at the left end: of equal ends that one, and for a first tile."""
        return [_word(move) for move in self.game.valid_moves]

    def named(self, _hand: Hand, play: Play) -> Word:
        """The same for ours: it lays a first tile down with its first half to the left, as we."""
        return _named(play)

    def unlisted(self, _hand: Hand) -> frozenset[Word]:
        """Nothing."""
        return frozenset()

    def take(self, index: int) -> None:
        """Make the move at that place."""
        self.game.make_move(*self.game.valid_moves[index])

    def scores(self) -> tuple[int, ...]:
        """Nothing is scored in play."""
        return self._none

    def ending(self) -> Ending | None:
        """How it came out."""
        return ending(self.game)


def _script(rules: Rules, rnd: random.Random) -> Script:
    lot = lot_of(rnd, rules)
    script, _ = follow(rules, lot, Table(lot, rules.sides), rnd)
    return script


def _told(game: Any) -> object:
    return moves(game), ending(game)


def _tell(hand: Hand, settled: Settlement) -> object:
    assert hand.over is not None
    played = [(seat, _named(play)) for seat, play, _ in hand.line]
    return played, Ending(hand.over.reason, hand.over.seat, settled.counts)


PAIRINGS = (
    Pairing(
        "block for 4",
        "block",
        4,
        {},
        600,
        "who played what, how it ended and by whom, the pips left",
        _script,
        dealt,
        (Way("dominoes", "`dominoes` 6.1.0: `valid_moves`, `make_move`, which checks", play),),
        _told,
        _tell,
    ),
)
