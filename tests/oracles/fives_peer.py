"""`all-fives-domino` 1.0.23: All Fives for two, the last tile of the boneyard never drawn.

Nothing in its interface takes a given deal, so the hands and the boneyard of a round that it has
dealt are replaced. Only a first tile can be its spinner: what it plays is our `spinner: first`
where a hand is led by a double, and `spinner: none` where it is not. Once a third side of the
spinner is covered it holds the fourth for covered too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from fairbones.core.bones import DOUBLES, HIGH, LOW, SUIT, bits, mask_of, tile_id
from fairbones.core.rules import Hand, Play, Rules, Settlement
from tests.oracles.engines import module
from tests.oracles.following import Ending, Lot, Script, Word, follow, lot_of
from tests.oracles.pairing import Pairing, Way

_PIECE = module("src.main.game.Piece").Piece
_HAND = module("src.main.game.Hand").Hand
_ROUND = module("src.main.game.DominoRound").DominoRound
_GAME = module("src.main.game.Game").Game
_PLAYER = module("src.main.game.Player").Player

LAST_TILES = 1  # it leaves so many in the boneyard


def dealt(lot: Lot) -> Any:
    """Its round before the first tile, led by the first player."""
    players = [_PLAYER(None), _PLAYER(None)]
    game = _GAME(*players)
    game.round = _ROUND(*players, game, begins=players[0])
    for player, hand in zip(players, lot.hands, strict=True):
        player.hand = _HAND(*map(_piece, hand))
    game.round.pool = [_piece(tile) for tile in reversed(lot.stock)]  # it draws from the back
    return game.round


def play(round_: Any, script: Sequence[int]) -> None:
    """A whole hand: the first index is of the hand, later ones of what can be played.

    Who has nothing to play draws, and passes when it may not. Each list is made once a turn,
    which its own loop does three times.
    """
    moves = iter(script)
    round_.play(round_.current_player.hand.pieces[next(moves)])
    for index in moves:
        round_.play(*_options(round_)[index])
    _options(round_)
    round_.game.award_round_score()


def play_itself(round_: Any, script: Sequence[int]) -> None:
    """The same by its own loop, asking a player that goes by the script."""
    moves = iter(script)
    round_.play(round_.current_player.hand.pieces[next(moves)])
    brain = _Scripted(moves)
    round_.player1.brain = round_.player2.brain = brain
    round_.run()
    round_.game.award_round_score()


class _Scripted:
    """What it asks for a decision."""

    def __init__(self, moves: Any) -> None:
        self._moves = moves

    def decide(self, round_: Any) -> Any:
        return _open(round_.valid_options())[next(self._moves)]


def _options(round_: Any) -> list[Any]:
    """What the next player to play can play, after draws and passes; nothing: the end."""
    players = (round_.player1, round_.player2)
    for _ in players:
        if not all(len(player.hand) for player in players):
            return []
        options = round_.valid_options()
        while not options and len(round_.pool) > LAST_TILES:
            round_.current_player.draw()
            options = round_.valid_options()
        if options:
            return _open(options)
        round_.swap_current_player()
    return []


def _open(options: list[Any]) -> list[Any]:
    """Without the doubles played face down, which are a rule of its own."""
    return [it for it in options if not it[2]]


def _piece(tile: int) -> Any:
    return _PIECE(HIGH[tile], LOW[tile])


def _tile(piece: Any) -> int:
    return tile_id(*piece.sides)


def scores(round_: Any) -> tuple[int, int]:
    """What both players have."""
    return round_.player1.score, round_.player2.score


def counts(round_: Any) -> tuple[int, int]:
    """The pips that both still hold."""
    first, second = (
        sum(piece.points for piece in player.hand) for player in (round_.player1, round_.player2)
    )
    return first, second


def tree(round_: Any) -> frozenset[tuple[int, int | None]]:
    """What lies on the table: each tile, and the one it was put to."""
    return frozenset(
        (_tile(piece), None if piece.linked_to is None else _tile(piece.linked_to))
        for piece in round_.board.get_pieces()
    )


class Table:
    """A hand to be followed."""

    def __init__(self, lot: Lot) -> None:
        self.round = dealt(lot)
        self._last = 0

    def listed(self) -> list[Word]:
        """Tile id, and the tile it is put to; None for the first tile."""
        return [
            (_tile(piece), None if to is None else _tile(to)) for piece, to, _ in self._options()
        ]

    def turn(self) -> int:
        """The seat whose plays were listed."""
        return int(self.round.current_player is self.round.player2)

    def named(self, hand: Hand, play: Play) -> Word:
        """The same for ours."""
        return play.tile, None if play.end is None else lying(hand)[play.end]

    def unlisted(self, hand: Hand) -> frozenset[Word]:
        """The tiles at the fourth side of the spinner."""
        arms = {"up", "down"}
        played = {play.end for _, play, _ in hand.line}
        if not arms & played:
            return frozenset()
        at = lying(hand)
        return frozenset(
            (tile, at[end.name])
            for end in hand.ends
            if end.name in arms - played
            for tile in bits(SUIT[end.value])
        )

    def take(self, index: int) -> None:
        """Make the play at that place."""
        self._last = self.turn()
        self.round.play(*self._options()[index])

    def scores(self) -> tuple[int, ...]:
        """What plays have scored so far."""
        return scores(self.round)

    def ending(self) -> Ending | None:
        """How it came out."""
        if self._options():
            return None
        left = counts(self.round)
        holds = [len(it.hand) for it in (self.round.player1, self.round.player2)]
        return Ending("blocked" if all(holds) else "domino", self._last, left)

    def award(self) -> tuple[int, ...]:
        """What the end of the hand pays, to the pip."""
        before = scores(self.round)
        self.round.game.award_round_score()
        return tuple(after - had for after, had in zip(scores(self.round), before, strict=True))

    def _options(self) -> list[Any]:
        if self.round.board.origin is None:  # it can list nothing there, and would draw
            return [(piece, None, False) for piece in self.round.current_player.hand]
        return _options(self.round)


def lying(hand: Hand) -> dict[str, int]:
    """By the name of an end the tile that lies there, of a hand with one spinner or none."""
    at: dict[str, int] = {}
    for _, play, _ in hand.line:
        _lay(at, play)
    return at


def _lay(at: dict[str, int], play: Play) -> None:
    """Note what lies at the ends after one more play."""
    places = ["left", "right"] if play.end is None else [play.end]
    if HIGH[play.tile] == LOW[play.tile] and "up" not in at:
        places += ["up", "down"]
    at |= dict.fromkeys(places, play.tile)


def led(rules: Rules, rnd: random.Random, *, double: bool) -> tuple[Lot, int]:
    """A deal, and a tile for seat 0 to lead that is a double, or is none."""
    while True:
        lot = lot_of(rnd, rules)
        doubles = mask_of(lot.hands[0]) & DOUBLES
        leads = list(bits(doubles if double else mask_of(lot.hands[0]) ^ doubles))
        if leads:
            return lot, rnd.choice(leads)


def _script(rules: Rules, rnd: random.Random) -> Script | None:
    lot, leads = led(rules, rnd, double=True)
    script, hand = follow(rules, lot, Table(lot), rnd, leads)
    return None if hand.over is None else script


def _told(round_: Any) -> object:
    return tree(round_), counts(round_), scores(round_)


def _tell(hand: Hand, settled: Settlement) -> object:
    """Ours as it tells it, the pips of the loser to the pip."""
    at: dict[str, int] = {}
    puts: set[tuple[int, int | None]] = set()
    for _, play, _ in hand.line:
        puts.add((play.tile, None if play.end is None else at[play.end]))
        _lay(at, play)
    won = [0, 0]
    if settled.winner is not None:
        won[settled.winner] = settled.counts[1 - settled.winner]
    have = tuple(score + more for score, more in zip(hand.scores, won, strict=True))
    return frozenset(puts), settled.counts, have


PAIRINGS = (
    Pairing(
        "all-fives for 2",
        "all-fives",
        2,
        {"protected": LAST_TILES},
        200,
        "what was put to what, the pips left, the scores with the settlement to the pip",
        _script,
        dealt,
        (
            Way(
                "all-fives-domino",
                "`valid_options` once a turn, `draw`, `play`, which checks",
                play,
            ),
            Way("its own loop", "its `run`, which lists up to three times a turn", play_itself),
        ),
        _told,
        _tell,
    ),
)
