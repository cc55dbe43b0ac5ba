"""What a seat can do (SPEC R6, R10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from fairbones.core.bones import LARGEST_SET, set_tiles

# The ends a play may name, in the protocol's order (SPEC R5). A set has a double for each number,
# so there are no more spinners than that.
LEFT: Final = "left"
RIGHT: Final = "right"
LINE_NAMES = (LEFT, RIGHT)


def arm_names(k: int) -> tuple[str, str]:
    """The names of the two further ends of the k-th spinner, k from 1 (SPEC R5)."""
    return ("up", "down") if k == 1 else (f"up-{k}", f"down-{k}")


END_NAMES: tuple[str, ...] = LINE_NAMES + tuple(
    name for k in range(1, LARGEST_SET + 2) for name in arm_names(k)
)
_CODES: dict[str | None, int] = {None: 0} | {name: i for i, name in enumerate(END_NAMES, 1)}
_NO_END = 63  # of a name that no game has; there are 41 others
PLACE_BITS = 6
PLACE_MASK = (1 << PLACE_BITS) - 1
_TILE = (1 << 8) - 1  # the largest set has 190
CLAIMED = 1 << 16  # a play with a claim has another code: games without muggins list none


@dataclass(frozen=True, slots=True)
class Play:
    """Put a tile on the table at the end of that name; a hand's first tile has no end.

    `claim` is what the seat says the play scores, only with muggins; None: nothing (SPEC R10).
    `code` tells tile, end and whether something is claimed in one number; `bit` is the tile's.
    """

    tile: int
    end: str | None
    claim: int | None = None
    code: int = field(init=False, compare=False, repr=False)
    bit: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        code = (self.tile << PLACE_BITS) + _CODES.get(self.end, _NO_END)
        object.__setattr__(self, "code", code if self.claim is None else code | CLAIMED)
        object.__setattr__(self, "bit", 1 << self.tile)


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the front tile of the boneyard."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Give the turn on, able neither to play nor to draw."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Keep a drawn tile that fits, which ends the turn."""


@dataclass(frozen=True, slots=True)
class Give:
    """Hand a tile to the seat on turn, which cannot play (SPEC R6, 3)."""

    tile: int


@dataclass(frozen=True, slots=True)
class Call:
    """Take what an opponent's play scored and did not claim (SPEC R10)."""


Action = Play | Draw | Pass | Decline | Give | Call

DRAW = Draw()
PASS = Pass()
DECLINE = Decline()
CALL = Call()

# Every play and gift there is, made once: listing legal actions makes no objects.
PLAYS: dict[str | None, tuple[Play, ...]] = {
    end: tuple(Play(tile, end) for tile in set_tiles(LARGEST_SET)) for end in (None, *END_NAMES)
}
GIFTS: tuple[Give, ...] = tuple(Give(tile) for tile in set_tiles(LARGEST_SET))


def place_of(code: int) -> tuple[int, int]:
    """The tile of a play's code and the place of its end among all ends; -1: it names none.

    An end that no game has is in no place either: the number is beyond every list of ends.
    """
    return code >> PLACE_BITS & _TILE, (code & PLACE_MASK) - 1
