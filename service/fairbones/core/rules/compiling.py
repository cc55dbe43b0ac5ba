"""From a row to rules: every option value looked up in a table, none compared (SPEC R3)."""

from __future__ import annotations

from collections.abc import Mapping

from fairbones.core.rules.leads import FIRST_LEADS, NEXT_LEADS
from fairbones.core.rules.rules import Rules
from fairbones.core.rules.scoring import POINTS, TIES

_DRAWS = {"none": False, "until-fits": True}
_MAY_DECLINE = {"must-play": False, "may-play": True}


def compile_rules(row: Mapping[str, object], seats: int) -> Rules:
    """The rules of a complete row, as `resolve` returns it, for that number of seats.

    The row is trusted; a value that is in no table is a KeyError, never a guess.
    """
    partners = row["partners"] is True
    return Rules(
        seats=seats,
        sides=2 if partners else seats,
        side_of=tuple(seat % 2 if partners else seat for seat in range(seats)),
        set=_whole(row["set"]),
        hand=_whole(row["hand"]),
        draws=_DRAWS[str(row["drawing"])],
        protected=_whole(row.get("protected", 0)),
        may_decline=_MAY_DECLINE[str(row.get("drawn_tile", "must-play"))],
        target=_whole(row["target"]),
        first_lead=FIRST_LEADS[str(row["first_lead"])],
        next_lead=NEXT_LEADS[str(row["next_lead"])],
        points=POINTS[str(row["score"]), str(row["difference_mode"])],
        break_tie=TIES[str(row["tie"])],
    )


def _whole(value: object) -> int:
    if type(value) is not int:
        raise KeyError(value)
    return value
