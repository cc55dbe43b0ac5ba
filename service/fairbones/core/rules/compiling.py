"""From a row to rules: every option value looked up in a table, none compared (SPEC R3)."""

from __future__ import annotations

from collections.abc import Mapping

from fairbones.core.rules.counting import SCORES
from fairbones.core.rules.leads import FIRST_LEADS, NEXT_LEADS, UNWON_LEADS
from fairbones.core.rules.lines import EMPTY
from fairbones.core.rules.rules import Rules
from fairbones.core.rules.scoring import BLOCK_COUNTS, BLOCK_WINNERS, POINTS, SETTLEMENTS, TIES
from fairbones.core.rules.series import BEST

_DRAWS = {"none": False, "until-fits": True}
_MAY_DECLINE = {"must-play": False, "may-play": True}
_LEFT = {"clockwise": 1, "counter-clockwise": -1}  # from a seat to the one at its left
_EXEMPT = {"wins": False, "exempt": True}
_SIDE_OUT = {"seat": False, "side": True}
_AT_ONCE = {"hand-end": False, "at-once": True}
# What an option is as good as that a row has not (SPEC R3).
_ABSENT: Mapping[str, object] = {
    "call_seconds": 0,
    "drawn_tile": "must-play",
    "early_block": False,
    "goes_out": "seat",
    "last_tile_transfer": "wins",
    "muggins": False,
    "no_winner_lead": "same",
    "out_points": 0,
    "protected": 0,
    "settlement": "pips",
    "spinner": "none",
    "transfer": False,
}


def compile_rules(row: Mapping[str, object], seats: int) -> Rules:
    """The rules of a complete row, as `resolve` returns it, for that number of seats.

    The row is trusted; a value that is in no table is a KeyError, never a guess.
    """
    full = {**_ABSENT, **row}
    word = {name: value for name, value in full.items() if isinstance(value, str)}
    flag = {name: value for name, value in full.items() if isinstance(value, bool)}
    whole = {name: value for name, value in full.items() if type(value) is int}
    partners = flag["partners"]
    counts = "counting" in word
    side_out = _SIDE_OUT[word["goes_out"]]
    left = _LEFT[word["direction"]]
    return Rules(
        seats=seats,
        sides=2 if partners else seats,
        side_of=tuple(seat % 2 if partners else seat for seat in range(seats)),
        set=whole["set"],
        hand=whole["hand"],
        after=tuple((seat + 1) % seats for seat in range(seats)),
        empty=EMPTY[counts, word["spinner"]],
        plain=not (counts or flag["early_block"] or (side_out and partners)),
        draws=_DRAWS[word["drawing"]],
        protected=whole["protected"],
        may_decline=_MAY_DECLINE[word["drawn_tile"]],
        early_block=flag["early_block"],
        side_out=side_out and partners,
        giver=tuple((seat + left) % seats for seat in range(seats)) if flag["transfer"] else (),
        last_exempt=_EXEMPT[word["last_tile_transfer"]],
        scores=SCORES[word["counting"]] if counts else (),
        out_points=whole["out_points"],
        muggins=flag["muggins"],
        call_ms=1000 * whole["call_seconds"] if flag["muggins"] else 0,
        target=whole["target"],
        exact=flag["exact_target"],
        at_once=_AT_ONCE[word["win_at"]],
        best=BEST[word["better"]],
        first_lead=FIRST_LEADS[word["first_lead"]],
        next_lead=NEXT_LEADS[word["next_lead"]],
        unwon_lead=UNWON_LEADS[word["no_winner_lead"]],
        win_block=BLOCK_WINNERS[word["block_winner"]],
        compared=BLOCK_COUNTS[word["block_count"]],
        points=POINTS[word["score"], word["difference_mode"], flag["count_all"]],
        rounded=SETTLEMENTS[word["settlement"]],
        break_tie=TIES[word["tie"]],
    )
