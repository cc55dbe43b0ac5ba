"""The published rows: data only (SPEC R3). What an option means is said in `options`.

A published row never changes: a game with another rule is a row with another id.
"""

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


_BLOCK: dict[str, Value] = {
    "better": "high",
    "block_count": "side",
    "block_winner": "lowest",
    "count_all": False,
    "difference_mode": "once",
    "direction": "clockwise",
    "drawing": "none",
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
_DRAW: dict[str, Value] = _BLOCK | {
    "drawing": "until-fits",
    "drawn_tile": "must-play",
    "early_block": False,
    "protected": 0,
}
_SEVEN = MappingProxyType(dict.fromkeys(range(2, 9), 7))
_FIVE = MappingProxyType({2: 7} | dict.fromkeys(range(3, 9), 5))
_FOUR_OF_SEVEN = MappingProxyType({4: 7})


def _ruleset(
    name: str,
    title: str,
    text: str,
    hands: Mapping[int, int],
    row: dict[str, Value],
    fixed: set[str],
) -> Ruleset:
    return Ruleset(name, title, text, hands, MappingProxyType(row), frozenset(fixed))


_ROWS = (
    _ruleset(
        "block",
        "Block",
        "Everybody is dealt seven bones of a double-six set; what is left over stays out of the "
        "hand. The highest double is set first, later the winner of the last hand leads with any "
        "bone. In turn, match a bone to an open end of the line; who can play must play, and who "
        "cannot passes. The hand ends when somebody plays the last bone, or when nobody can go on: "
        "then the lightest hand wins, and nobody does if several are as light. The winner scores "
        "the pips the others still hold. First to 100.",
        _SEVEN,
        _BLOCK,
        {"drawing", "win_at"},
    ),
    _ruleset(
        "block-partners",
        "Block with partners",
        "Block for four players in two pairs, partners facing each other. All 28 bones are dealt. "
        "The double-six is set first, later the pair that won the last hand leads with any bone. "
        "The hand ends when one player goes out, which wins it for the pair, or when nobody can go "
        "on: then the pair with fewer pips wins, and nobody does if they are level. The winners "
        "score the pips of the other pair. First to 100.",
        _FOUR_OF_SEVEN,
        _BLOCK | {"partners": True},
        {"drawing", "partners", "win_at"},
    ),
    _ruleset(
        "draw",
        "Draw",
        "Two players are dealt seven bones each of a double-six set, more players five; "
        "the rest is the boneyard. The highest double is set first, later the winner of the last "
        "hand leads with any bone. In turn, match a bone to an open end of the line; who can play "
        "must play, and who cannot draws from the boneyard until a bone fits, passing only when "
        "nothing is left to draw. The hand ends when somebody plays the last bone, or when nobody "
        "can play or draw: then the lightest hand wins, and nobody does if several are as light. "
        "The winner scores the pips the others still hold. First to 100.",
        _FIVE,
        _DRAW,
        {"drawing", "win_at"},
    ),
    _ruleset(
        "blocking",
        "Blocking",
        "For two. Each draws a bone for the lead, the heavier one leads with any bone; later the "
        "winner of the last hand does. Seven bones each; who cannot match draws from the boneyard "
        "until a bone fits, down to the last one. Going out scores the other's pips. When nobody "
        "can go on, whoever played the last bone has blocked the hand and scores all that the "
        "other holds, whose hand is the lighter does not matter. First to 100.",
        MappingProxyType({2: 7}),
        _DRAW | {"block_winner": "causer", "first_lead": "draw-for-lead"},
        {"drawing", "partners", "protected", "win_at"},
    ),
    _ruleset(
        "middle-eastern",
        "Middle Eastern",
        "Four players, each alone; all 28 bones are dealt and the turn goes counter-clockwise. The "
        "double-six opens the first hand, later the winner of the last hand leads with any bone. "
        "Who cannot play sits out the turn; with the transfer switched on, the player on the left "
        "first gives the sitter a bone, which must be played if it fits. Whoever goes out, or "
        "holds the lightest hand when nobody can go on, scores what all the others hold. If "
        "several are as light, nobody wins or scores, and the double-six opens the next hand "
        "again. First to 100.",
        _FOUR_OF_SEVEN,
        _BLOCK
        | {
            "deal_all": True,
            "direction": "counter-clockwise",
            "first_lead": "top-double",
            "last_tile_transfer": "wins",
            "no_winner_lead": "first-lead",
            "transfer": False,
        },
        {"deal_all", "drawing", "partners", "win_at"},
    ),
    _ruleset(
        "latin-american",
        "Latin American",
        "Two against two, partners facing each other; all 28 bones are dealt. The double-six is "
        "set first, later the pair that won the last hand leads with any bone: the player who went "
        "out or, after a block, the one of them who comes first from the last bone on. Going out "
        "earns the pips of the opposing hands. When nobody can go on, the pair with fewer pips "
        "earns those of the other pair; if both have the same, the pair that led the hand wins it. "
        "First to 100.",
        _FOUR_OF_SEVEN,
        _BLOCK | {"partners": True, "tie": "starter"},
        {"drawing", "partners", "win_at"},
    ),
    _ruleset(
        "all-fives",
        "All Fives",
        "Two players are dealt seven bones each of a double-six set, more players five; the rest "
        "is the boneyard. The highest double is set first, later the winner of the last hand leads "
        "with any bone. Who cannot play draws from the boneyard until a bone fits, passing only "
        "when nothing is left to draw. Points are made in play: after each bone the open ends are "
        "added up, and a total that five divides is scored. A double at an end counts both halves; "
        "one that lies alone counts each half once. The first double is the spinner: once two "
        "sides of it are covered it can be played on from the two others, and these count only "
        "once they are played on. The end of a hand pays the winner the others' pips, rounded to "
        "the nearest five: whoever goes out or, when nobody can go on, the lightest hand (nobody "
        "if several are as light). With muggins, points have to be claimed, and what a player "
        "overlooks an opponent may call. First to 150.",
        _FIVE,
        _DRAW
        | {
            "call_seconds": 5,
            "counting": "fives",
            "muggins": False,
            "settlement": "nearest-five",
            "spinner": "first",
            "target": 150,
        },
        {"counting", "drawing", "settlement"},
    ),
    _ruleset(
        "fives-and-threes",
        "Fives and Threes",
        "The pub game. Two players are dealt seven bones each of a double-six set, more players "
        "five; each draws a bone for the first lead, later the lead goes round. After each bone "
        "the two ends are added up: a point for each five and each three that divide the total, so "
        "fifteen makes eight. A double at an end counts both halves; one that lies alone counts "
        "each half once. No drawing: who cannot play knocks. Going out makes one point more; with "
        "partners the hand goes on until both are out. Nobody scores for what the others hold. "
        "The match is won by whoever hits 61 exactly; points that would go past it do not count.",
        _FIVE,
        _BLOCK
        | {
            "counting": "fives-and-threes",
            "exact_target": True,
            "first_lead": "draw-for-lead",
            "goes_out": "side",
            "next_lead": "rotate",
            "out_points": 1,
            "settlement": "none",
            "spinner": "none",
            "target": 61,
            "win_at": "at-once",
        },
        {"counting", "drawing", "settlement"},
    ),
)

RULESETS: Mapping[str, Ruleset] = MappingProxyType({row.id: row for row in _ROWS})
