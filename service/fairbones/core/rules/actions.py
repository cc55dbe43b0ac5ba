"""What a seat can do on its turn (SPEC R6)."""

from __future__ import annotations

from dataclasses import dataclass

from fairbones.core.bones import LARGEST_SET, set_tiles
from fairbones.core.rules.ends import LINE_NAMES


@dataclass(frozen=True, slots=True)
class Play:
    """Put a tile on the table at the end of that name; a hand's first tile has no end."""

    tile: int
    end: str | None


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the front tile of the boneyard."""


@dataclass(frozen=True, slots=True)
class Pass:
    """Give the turn on, able neither to play nor to draw."""


@dataclass(frozen=True, slots=True)
class Decline:
    """Keep a drawn tile that fits, which ends the turn."""


Action = Play | Draw | Pass | Decline

DRAW = Draw()
PASS = Pass()
DECLINE = Decline()

# Every play there is, made once: listing legal actions makes no objects.
PLAYS: dict[str | None, tuple[Play, ...]] = {
    end: tuple(Play(tile, end) for tile in set_tiles(LARGEST_SET)) for end in (None, *LINE_NAMES)
}
