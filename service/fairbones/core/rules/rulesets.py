"""The published rows: data only (SPEC R3). What an option means is said in `options`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Value = bool | int | str


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One row before a match fills it in: `hand` is still a number for each number of seats."""

    id: str
    title: str
    text: str
    hand_by_seats: Mapping[int, int]
    row: Mapping[str, Value]  # every key of the row but `id` and `hand`, with its default
    fixed: frozenset[str]  # what makes this row the game it is; no match may change it

    @property
    def seats(self) -> tuple[int, ...]:
        """The numbers of seats it is played with, ascending."""
        return tuple(sorted(self.hand_by_seats))


_LINE: dict[str, Value] = {
    "better": "high",
    "block_count": "side",
    "block_winner": "lowest",
    "count_all": False,
    "difference_mode": "once",
    "direction": "clockwise",
    "exact_target": False,
    "first_lead": "highest-double",
    "next_lead": "winner",
    "partners": False,
    "score": "total",
    "set": 6,
    "target": 100,
    "tie": "void",
    "win_at": "hand-end",
}

BLOCK = Ruleset(
    id="block",
    title="Block",
    text=(
        "Everybody is dealt seven bones of a double-six set; what is left over stays out of the "
        "hand. In turn, match a bone to an open end of the line; who can play must play, and who "
        "cannot passes. The hand ends when somebody plays the last bone, or when nobody can go on: "
        "then the lightest hand wins. The winner scores the pips the others still hold. First to "
        "100."
    ),
    hand_by_seats=MappingProxyType({2: 7, 3: 7, 4: 7}),
    row=MappingProxyType({**_LINE, "drawing": "none"}),
    fixed=frozenset({"drawing"}),
)

DRAW = Ruleset(
    id="draw",
    title="Draw",
    text=(
        "Two players are dealt seven bones each of a double-six set, three or four players five; "
        "the rest is the boneyard. In turn, match a bone to an open end of the line; who can play "
        "must play, and who cannot draws from the boneyard until a bone fits, passing only when "
        "nothing is left to draw. The hand ends when somebody plays the last bone, or when nobody "
        "can play or draw: then the lightest hand wins. The winner scores the pips the others "
        "still hold. First to 100."
    ),
    hand_by_seats=MappingProxyType({2: 7, 3: 5, 4: 5}),
    row=MappingProxyType(
        {
            **_LINE,
            "drawing": "until-fits",
            "drawn_tile": "must-play",
            "early_block": False,
            "protected": 0,
        }
    ),
    fixed=frozenset({"drawing"}),
)

RULESETS: Mapping[str, Ruleset] = MappingProxyType({row.id: row for row in (BLOCK, DRAW)})
