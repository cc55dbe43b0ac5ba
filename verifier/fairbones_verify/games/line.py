"""The line of play: turns, legal moves, the fixed rule, the end of a hand (SPEC R5 to R7).

A hand knows where every sealed tile is. What the seals hide it knows only when `tiles` was given;
everything here that needs them answers None, "not to be told", when it was not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..deal import Tile, weight

MOVES = ("played", "drew", "passed", "declined")


class Step(NamedTuple):
    """A move as the rules see it: an event type and, for a play, its tile and end."""

    type: str
    tile: Tile | None = None
    end: str | None = None


class Hand:
    """One hand from the deal to its end.

    `row` is the ruleset; `hands` the positions each seat holds; `boneyard` the positions nobody
    holds, front first; `tiles` the tile at each position where that is known; `seals` the seals of
    `dealt`; `lead` the seat that sets; `must_set` the tile it must set; `shown` what later
    plays of an unknown hand open, by position.
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
    ) -> None:
        self.hands = hands
        self.boneyard = boneyard
        self.tiles = tiles
        self.must_set = must_set
        self.seals = seals
        self.shown = shown or {}
        self.draws = row["drawing"] == "until-fits"
        self.protected: int = row.get("protected", 0)
        self.may_decline = row.get("drawn_tile") == "may-play"
        self.leader = lead
        self.turn = lead
        self.line: list[Tile] = []
        self.left, self.right = -1, -1
        self.causer = lead
        self.has_drawn = False
        self.passes = 0  # in a row

    # What lies where

    def held(self, seat: int) -> list[Tile] | None:
        """The tiles in a seat's hand."""
        if self.tiles is None:
            return None
        return [self.tiles[position] for position in self.hands[seat]]

    def fits(self, tile: Tile) -> bool:
        """R5: whether a tile can be played now."""
        if not self.line:
            return self.must_set is None or tile == self.must_set
        return self.left in tile or self.right in tile

    def can_play(self, seat: int) -> bool | None:
        """R6.1: whether a seat holds a tile that fits."""
        held = self.held(seat)
        if held is not None:
            return any(map(self.fits, held))
        shown = [self.shown[position] for position in self.hands[seat] if position in self.shown]
        return True if any(map(self.fits, shown)) else None

    def may_draw(self) -> bool:
        """R6.2: whether the boneyard can be drawn from."""
        return self.draws and len(self.boneyard) > self.protected

    # The end of a hand

    def went_out(self) -> bool:
        """R7.1: the seat that placed the last tile has none left."""
        return bool(self.line) and not all(self.hands)

    def blocked(self) -> bool | None:
        """R7.2: nobody can go on."""
        if not self.line or self.may_draw():
            return False
        if self.tiles is None:
            return None
        return not any(self.can_play(seat) for seat in range(len(self.hands)))

    def over(self) -> str | None:
        """Why the hand is over, in the words of `round_ended`; None while it goes on, or may."""
        if self.went_out():
            return "domino"
        return "blocked" if self.blocked() else None

    # What a seat has to do

    def fixed_step(self) -> Step | None:
        """R6, the fixed rule: the one move that is made for the seat on turn."""
        held = self.held(self.turn)
        if held is None:
            return None
        playable = sorted(filter(self.fits, held), key=weight)
        if playable:
            tile = playable[-1]
            if not self.line:
                return Step("played", tile)
            return Step("played", tile, "left" if self.left in tile else "right")
        return Step("drew") if self.may_draw() else Step("passed")

    def forced(self) -> Step | None:
        """R6: the draw or the pass that is the only legal action of the seat on turn."""
        step = self.fixed_step()
        return None if step is None or step.type == "played" else step

    def legal(self) -> list[Step]:
        """R6: every legal action of the seat on turn in the order of the rules, tiles known."""
        steps: list[Step] = []
        held = self.held(self.turn) or []
        for tile in sorted(filter(self.fits, held)):
            if not self.line:
                steps.append(Step("played", tile))
                continue
            if self.left in tile:
                steps.append(Step("played", tile, "left"))
            if self.right in tile and self.right != self.left:
                steps.append(Step("played", tile, "right"))
        if steps and self.may_decline and self.has_drawn:
            return [*steps, Step("declined")]
        return steps or [Step("drew") if self.may_draw() else Step("passed")]

    # What happened

    def play(self, seat: int, position: int, tile: Tile, end: str | None) -> None:
        """A tile leaves its place and lies on the line; the turn goes on."""
        for place in (*self.hands, self.boneyard):
            if position in place:
                place.remove(position)
        high, low = tile
        if not self.line:
            self.left, self.right = high, low
        elif end == "right":
            self.right = low if high == self.right else high
        else:
            self.left = low if high == self.left else high
        self.line.append(tile)
        self.causer = seat
        self.next_turn(seat)

    def draw(self, seat: int, position: int) -> None:
        """A tile goes from the boneyard to a hand; the turn stays."""
        if position in self.boneyard:
            self.boneyard.remove(position)
        self.hands[seat].append(position)
        self.has_drawn = True

    def next_turn(self, seat: int) -> None:
        """R2: the seat after."""
        self.turn = (seat + 1) % len(self.hands)
        self.has_drawn = False
