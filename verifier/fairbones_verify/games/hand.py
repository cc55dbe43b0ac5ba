"""One hand: whose turn it is, what may be done, what the fixed rule does, the end (SPEC R6, R7).

A hand knows where every sealed tile is. What the seals hide it knows only when `tiles` was given;
everything here that needs them answers None, "not to be told", when it was not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, NamedTuple

from ..deal import Tile, tile_set, weight
from . import points
from .line import Line

MOVES = ("played", "drew", "passed", "declined", "gave")


class Step(NamedTuple):
    """A move as the rules see it: an event type; its tile; for a play, its end and its claim."""

    type: str
    tile: Tile | None = None
    end: str | None = None
    claim: int | None = None


class Hand:
    """One hand from the deal to its end.

    `row` is the ruleset; `hands` the positions each seat holds; `boneyard` the positions nobody
    holds, front first; `tiles` the tile at each position where that is known; `seals` the seals of
    `dealt`; `lead` the seat that sets; `must_set` the tile it must set; `shown` what later
    plays of an unknown hand open, by position; `scores` those of the sides, to which plays and
    calls add.
    """

    def __init__(
        self,
        row: dict[str, Any],
        hands: list[list[int]],
        boneyard: list[int],
        lead: int,
        tiles: Sequence[Tile] | None = None,
        must_set: Tile | None = None,
        seals: Sequence[str] = (),
        shown: Mapping[int, Tile] | None = None,
        scores: list[int] | None = None,
    ) -> None:
        self.row, self.seals, self.shown = row, seals, shown or {}
        self.hands, self.boneyard, self.tiles = hands, boneyard, tiles
        self.sides = points.sides_of(row, len(hands))
        self.scores = [0] * self.sides if scores is None else scores
        self.must_set = must_set
        self.draws = row["drawing"] == "until-fits"
        self.protected: int = row.get("protected", 0)
        self.may_decline = row.get("drawn_tile") == "may-play"
        self.muggins: bool = row.get("muggins", False)
        self.line = Line(row.get("spinner", "none"), "counting" in row)
        self.leader = self.turn = lead
        self.causer = lead  # who placed the last tile
        self.last = lead  # who played or gave last
        self.has_drawn = False
        self.given: int | None = None  # the position given in this turn
        self.passes = 0  # in a row
        # With muggins: whose play may still be called, and what it has missed (R10).
        self.window: int | None = None
        self.missed = 0

    def copy(self) -> Hand:
        """The same position once more; neither knows of what becomes of the other."""
        other = copy(self)
        other.hands = [list(places) for places in self.hands]
        other.boneyard, other.scores = list(self.boneyard), list(self.scores)
        other.line = self.line.copy()
        return other

    # What lies where

    def held(self, seat: int) -> list[Tile] | None:
        """The tiles in a seat's hand."""
        if self.tiles is None:
            return None
        return [self.tiles[position] for position in self.hands[seat]]

    def fits(self, tile: Tile) -> bool:
        """R5: whether a tile can be played now."""
        if not self.line.tiles:
            return self.must_set is None or tile == self.must_set
        return self.line.fits(tile)

    def can_play(self, seat: int) -> bool | None:
        """R6, 1: whether a seat holds a tile that fits."""
        held = self.held(seat)
        return None if held is None else any(map(self.fits, held))

    def shown_to_play(self, seat: int) -> bool:
        """9.3: whether a seat holds a tile that fits and that a later play shows."""
        known = [self.shown[place] for place in self.hands[seat] if place in self.shown]
        return any(map(self.fits, known))

    def may_draw(self) -> bool:
        """R6, 2: whether the boneyard can be drawn from."""
        return self.draws and len(self.boneyard) > self.protected

    # Who acts

    def left_of(self, seat: int) -> int:
        """R2: the seat at the left of another."""
        step = 1 if self.row["direction"] == "clockwise" else -1
        return (seat + step) % len(self.hands)

    def exempt(self, seat: int) -> bool:
        """R6, 3: whether a seat need not give its last tile."""
        return self.row.get("last_tile_transfer") == "exempt" and len(self.hands[seat]) == 1

    def may_be_given(self) -> bool:
        """R6, 3: whether the seat on turn is given a tile if it cannot play."""
        return bool(
            self.row.get("transfer")
            and self.line.tiles
            and self.given is None
            and not self.exempt(self.left_of(self.turn))
        )

    def actors(self) -> list[int]:
        """R6: the seat to act; where that cannot be told, the two that it may be."""
        if not self.may_be_given():
            return [self.turn]
        able, giver = self.can_play(self.turn), self.left_of(self.turn)
        return [self.turn, giver] if able is None else [self.turn if able else giver]

    # The end of a hand

    def over(self) -> str | None:
        """R7: why the hand is over, as `round_ended` has it; None while it goes on, or may."""
        if self.row["win_at"] == "at-once" and points.won(self.row, self.scores) is not None:
            return "target"
        if self.is_out([len(places) for places in self.hands], self.last):
            return "domino"
        return "blocked" if self.blocked() else None

    def is_out(self, sizes: Sequence[int], seat: int) -> bool:
        """R7, 2: whether a seat with hands of these sizes goes out."""
        if self.row.get("goes_out") == "side":
            return not any(sizes[seat % self.sides :: self.sides])
        return not sizes[seat]

    def blocked(self) -> bool | None:
        """R7, 3: nobody can go on."""
        if not self.line.tiles:
            return False
        if self.row.get("early_block") and self.line.used_up(tile_set(self.row["set"])):
            return True
        if self.may_draw():
            return False
        if self.tiles is None:
            return None
        return not any(self.can_play(seat) for seat in range(len(self.hands)))

    def ended(self, reason: str, counts: Sequence[int] | None = None) -> points.Ended:
        """R8: how the hand ended, for this reason. `counts`: by seat, where tiles are not known."""
        held = [self.held(seat) or [] for seat in range(len(self.hands))]
        pips = [sum(map(sum, tiles)) for tiles in held] if counts is None else counts
        seat = self.causer if reason == "blocked" else self.last
        return points.Ended(reason, seat, self.leader, held, pips, self.scores)

    # What a seat has to do

    def fixed_step(self) -> Step | None:
        """R6, the fixed rule: the one move that is made for the seat to act."""
        if self.tiles is None:
            return None
        (actor,) = self.actors()
        held = sorted(self.held(actor) or [], key=weight)
        if actor != self.turn:
            return Step("gave", held[-1])
        playable = list(filter(self.fits, held))
        if playable:
            tile = playable[-1]
            end = self.line.places(tile)[0]
            score = self.score(actor, tile, end) if self.muggins else 0
            return Step("played", tile, end, score or None)
        return Step("drew") if self.may_draw() else Step("passed")

    def forced(self) -> Step | None:
        """R6: the draw or the pass that is the only legal action of the seat to act."""
        step = self.fixed_step()
        return step if step is not None and step.type in ("drew", "passed") else None

    def legal(self) -> list[Step]:
        """R6: every legal action of the seat to act in the order of the rules, calls aside.

        The tiles have to be known. [] when the hand is over.
        """
        if self.tiles is None or self.over() is not None:
            return []
        (actor,) = self.actors()
        held = sorted(self.held(actor) or [])  # as pairs they are in the order of their ids
        if actor != self.turn:
            return [Step("gave", tile) for tile in held]
        plays = [
            Step("played", tile, end)
            for tile in filter(self.fits, held)
            for end in self.line.places(tile)
        ]
        if plays and self.may_decline and self.has_drawn:
            return [*plays, Step("declined")]
        return plays or [Step("drew") if self.may_draw() else Step("passed")]

    def opponents(self, seat: int, other: int) -> bool:
        """R2: whether two seats are not of one side."""
        return seat % self.sides != other % self.sides

    def may_call(self, seat: int) -> bool:
        """R10: whether `call` is listed for a seat that has not left."""
        return self.window is not None and self.opponents(seat, self.window)

    # What a play and a call are worth (R10)

    def score(self, seat: int, tile: Tile, end: str | None) -> int:
        """R10: what a play scores, the points for going out included."""
        after = self.line.copy()
        after.lay(tile, end)
        sizes = [len(places) - (owner == seat) for owner, places in enumerate(self.hands)]
        out = self.row.get("out_points", 0) if self.is_out(sizes, seat) else 0
        return points.scored(self.row, after.count()) + int(out)

    def counted(self, seat: int, amount: int) -> int:
        """R9: what is credited to a seat's side when it has earned this much."""
        return points.credit(self.row, self.scores[seat % self.sides], amount)

    # What happened

    def play(
        self,
        seat: int,
        position: int,
        tile: Tile,
        end: str | None,
        claim: int | None = None,
        credited: int = 0,
    ) -> None:
        """A tile leaves its place and lies on the line; the turn goes on."""
        if self.muggins:
            self.window, self.missed = seat, self.score(seat, tile, end) - (claim or 0)
        for place in (*self.hands, self.boneyard):
            if position in place:
                place.remove(position)
        self.line.lay(tile, end)
        self.causer = self.last = seat
        self.scores[seat % self.sides] += credited
        self._next_turn(seat)

    def draw(self, seat: int, position: int) -> None:
        """A tile goes from the boneyard to a hand; the turn stays."""
        if position in self.boneyard:
            self.boneyard.remove(position)
        self.hands[seat].append(position)
        self.has_drawn, self.window, self.passes = True, None, 0

    def give(self, seat: int, to: int, position: int) -> None:
        """A tile goes from one hand to another; the turn stays."""
        if position in self.hands[seat]:
            self.hands[seat].remove(position)
        self.hands[to].append(position)
        self.given, self.last = position, seat

    def skip(self, seat: int, passed: bool) -> None:
        """A seat passes or declines; the turn goes on."""
        passes = self.passes + 1 if passed else 0
        self.window = None
        self._next_turn(seat)
        self.passes = passes

    def call(self, seat: int, credited: int) -> None:
        """What was missed is taken; after that nothing is missed any more."""
        self.missed = 0
        self.scores[seat % self.sides] += credited

    def _next_turn(self, seat: int) -> None:
        """R6: the turn goes to the first seat after this one that holds a tile."""
        after = [(seat + step) % len(self.hands) for step in range(1, len(self.hands) + 1)]
        self.turn = next((one for one in after if self.hands[one]), after[0])
        self.has_drawn, self.given, self.passes = False, None, 0
