"""One hand in progress, as a value (SPEC R5 to R7, R10). `moves` carries it on.

What is asked after every move is worked out once, by the move: which tiles the seat on turn can
play, and whether the hand is over.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Literal, NamedTuple

from fairbones.core.bones import mask_of
from fairbones.core.rules.actions import Play
from fairbones.core.rules.counting import Window
from fairbones.core.rules.ends import Ends
from fairbones.core.rules.leads import Lead
from fairbones.core.rules.lines import Line
from fairbones.core.rules.rules import Rules

# One tile on the table: what lay there before it, who played, what, for how many points.
Laid = tuple["Laid | None", int, Play, int]


class Finish(NamedTuple):
    """Why a hand is over, and the seat that placed or gave its last tile (SPEC R4, R7).

    After a domino that is the seat that went out, after a block the causer.
    """

    reason: Literal["target", "domino", "blocked"]
    seat: int


class Opening(NamedTuple):
    """What stays for a whole hand: its rules, who leads it, the tile that must be set."""

    rules: Rules
    leader: int
    must_set: int | None


class Since(NamedTuple):
    """What the last moves leave to the next: a draw, a gift, a play that may be called."""

    drawn: bool
    given: int | None
    window: Window | None


NOTHING = Since(drawn=False, given=None, window=None)


class Hand:
    """Everything the rest of a hand depends on, and the line it came from; never changed.

    `hands` holds a mask of tile ids by seat; `stock` the boneyard in the order of drawing, its
    protected tail included; `scores` the match's by side, with what this hand's plays made.
    `turn` is the seat on turn; `to_act` says who is waited for. `fits` is the mask of the tiles
    that seat can play now; none once the hand is over.
    """

    # Thirty of these are made in a hand; slots are the quickest to make and to read.
    __slots__ = (
        "fits",
        "hands",
        "laid",
        "opening",
        "over",
        "scores",
        "since",
        "stock",
        "table",
        "turn",
    )

    def __init__(
        self,
        opening: Opening,
        hands: tuple[int, ...],
        stock: tuple[int, ...],
        table: Line,
        laid: Laid | None,
        turn: int,
        since: Since,
        scores: tuple[int, ...],
        fits: int,
        over: Finish | None,
    ) -> None:
        self.opening: Final = opening
        self.hands: Final = hands
        self.stock: Final = stock
        self.table: Final = table
        self.laid: Final = laid
        self.turn: Final = turn
        self.since: Final = since
        self.scores: Final = scores
        self.fits: Final = fits
        self.over: Final = over

    def but(self, **fields: Any) -> Hand:
        """The same hand with some other fields, by name; what follows from them is not redone."""
        return Hand(**{name: getattr(self, name) for name in self.__slots__} | fields)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self.__slots__)

    def __hash__(self) -> int:
        return hash((self.opening, self.hands, self.stock, self.laid, self.turn, self.scores))

    def __repr__(self) -> str:
        return f"Hand({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__slots__)})"

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self.opening.rules

    @property
    def leader(self) -> int:
        """The seat that sets the first tile."""
        return self.opening.leader

    @property
    def must_set(self) -> int | None:
        """The tile it must set, of the first tile only."""
        return self.opening.must_set

    @property
    def causer(self) -> int | None:
        """The seat that placed the last tile."""
        return None if self.laid is None else self.laid[1]

    @property
    def drawn(self) -> bool:
        """Whether the seat on turn has drawn in this turn."""
        return self.since.drawn

    @property
    def given(self) -> int | None:
        """The tile that the seat on turn was given in this turn."""
        return self.since.given

    @property
    def window(self) -> Window | None:
        """The last move, when it is a play that may be called (SPEC R10)."""
        return self.since.window

    @property
    def ends(self) -> Ends:
        """All ends in the protocol's order, the closed ones too; none before the first tile."""
        return self.table.ends

    @property
    def line(self) -> tuple[tuple[int, Play, int], ...]:
        """Who played what for how many points, in the order of play."""
        laid = self.laid
        plays: list[tuple[int, Play, int]] = []
        while laid is not None:
            laid, seat, play, points = laid
            plays.append((seat, play, points))
        return tuple(reversed(plays))

    @property
    def drawable(self) -> int:
        """How many tiles of the boneyard may still be drawn (SPEC R6)."""
        rules = self.opening.rules
        return max(0, len(self.stock) - rules.protected) if rules.draws else 0


def deal(
    rules: Rules,
    hands: Sequence[Sequence[int]],
    stock: Sequence[int],
    lead: Lead,
    scores: tuple[int, ...] | None = None,
) -> Hand:
    """A hand before its first tile: tile ids by seat, the boneyard in the order of drawing.

    `scores` are the match's so far, by side; None: all 0. That these are the tiles of a set is
    the caller's to know (`bones.validate_set`).
    """
    seat, must_set = lead.seat, lead.must_set
    masks = tuple(map(mask_of, hands))
    opening, empty = Opening(rules, seat, must_set), rules.empty
    fits = masks[seat] if must_set is None else 1 << must_set
    if scores is None:
        scores = (0,) * rules.sides
    return Hand(opening, masks, tuple(stock), empty, None, seat, NOTHING, scores, fits, None)


def finish(hand: Hand) -> Finish | None:
    """How the hand has ended, or None while it goes on (SPEC R7)."""
    return hand.over


def giver(hand: Hand) -> int | None:
    """The seat that has to give a tile to the one on turn; None: no transfer is due (SPEC R6)."""
    rules = hand.opening.rules
    if not rules.giver or hand.fits or hand.given is not None or hand.over is not None:
        return None
    seat = rules.giver[hand.turn]
    return None if rules.last_exempt and hand.hands[seat].bit_count() == 1 else seat


def to_act(hand: Hand) -> int:
    """The seat to act: the one on turn, but the one that gives while a transfer is due (R6)."""
    seat = giver(hand)
    return hand.turn if seat is None else seat


def may_decline(hand: Hand) -> bool:
    """Whether the seat on turn has drawn a tile that fits and need not play it (SPEC R6)."""
    return hand.drawn and hand.rules.may_decline and hand.fits != 0
