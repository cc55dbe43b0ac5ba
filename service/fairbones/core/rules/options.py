"""A row from a ruleset and the options of a match, and the list of both (SPEC R3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from fairbones.core.bones import tile_count
from fairbones.core.errors import Illegal
from fairbones.core.rules.meanings import OPTIONS, Choice, Span
from fairbones.core.rules.rulesets import RULESETS, Ruleset

__all__ = ["CONDITIONS", "OPTIONS", "Choice", "Condition", "Span", "catalogue", "resolve"]

Row = dict[str, object]

_SHOWN_MAX = 64  # characters of a name that a caller made up
_SETS = {6: "double-six", 9: "double-nine", 12: "double-twelve"}
_SETS |= {15: "double-fifteen", 18: "double-eighteen"}


def _number(row: Mapping[str, object], key: str) -> int:
    return cast("int", row.get(key, 0))  # `allows` has seen it


def _needed(row: Mapping[str, object], seats: int) -> int:
    return seats * _number(row, "hand") + _number(row, "protected")


def _enough_tiles(row: Mapping[str, object], seats: int) -> bool:
    return _needed(row, seats) <= tile_count(_number(row, "set"))


def _four_partners(row: Mapping[str, object], seats: int) -> bool:
    return row["partners"] is False or seats == 4


def _whole_set(row: Mapping[str, object], seats: int) -> bool:
    return seats * _number(row, "hand") == tile_count(_number(row, "set"))


def _all_or_difference(row: Mapping[str, object], _seats: int) -> bool:
    return row["count_all"] is False or row["score"] == "total"


def _too_many_tiles(row: Mapping[str, object], seats: int) -> Illegal:
    """Counted out, with what would do: the smallest set for these hands, the largest hand."""
    hand, protected, n = (_number(row, name) for name in ("hand", "protected", "set"))
    needed, tiles = _needed(row, seats), tile_count(n)
    details = {
        "seats": seats,
        "needed": needed,
        "tiles": tiles,
        "hand": (tiles - protected) // seats,
    }
    ways = [f"lower hand to {details['hand']}"]
    larger = [other for other in _SETS if tile_count(other) >= needed]
    if larger:
        details["set"] = larger[0]
        ways.insert(0, f"choose set {larger[0]}")
    if protected and seats * hand <= tiles:
        ways.append(f"lower protected to {tiles - seats * hand}")
    dealt = f"{seats} seats of {hand} tile{'s' if hand > 1 else ''}"
    if protected:
        dealt += f" and {protected} protected"
    advice = ", or ".join(ways)
    return Illegal(
        "options/tiles",
        f"{dealt} need {needed}; {_SETS[n]} has {tiles}: {advice}.",
        **details,
    )


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that joins options of the rows that have all `of` and none of `but`."""

    code: str
    text: str
    holds: Callable[[Mapping[str, object], int], bool]
    of: tuple[str, ...]
    but: tuple[str, ...] = ()
    refusal: Callable[[Mapping[str, object], int], Illegal] | None = None  # where it says more

    def concerns(self, row: Mapping[str, object]) -> bool:
        """Whether it says anything about this row."""
        return all(name in row for name in self.of) and not any(name in row for name in self.but)


# In the order in which they are looked at: who plays before what is dealt.
CONDITIONS = (
    Condition(
        "options/partners",
        "Partners need exactly 4 seats: take 4, or leave partners out.",
        _four_partners,
        of=("partners",),
    ),
    Condition(
        "options/whole-set",
        "Every tile must be dealt: set 6 with hand 7, or set 15 with hand 34, for 4 seats.",
        _whole_set,
        of=("deal_all",),
    ),
    Condition(
        "options/tiles",
        "The hands of all seats must not be more than the set has: lower hand, or choose a larger "
        "set.",
        _enough_tiles,
        of=("set",),
        but=("deal_all", "protected"),
        refusal=_too_many_tiles,
    ),
    Condition(
        "options/tiles",
        "The hands of all seats and the protected tiles must not be more than the set has: "
        "lower hand or protected, or choose a larger set.",
        _enough_tiles,
        of=("set", "protected"),
        refusal=_too_many_tiles,
    ),
    Condition(
        "options/count-all",
        "count_all goes with score: total: choose that score, or leave count_all out.",
        _all_or_difference,
        of=("count_all", "score"),
    ),
)


def resolve(ruleset_id: str, seats: int, options: Mapping[str, object]) -> Row:
    """The complete row of a match, keys as in SPEC R3 and sorted, JSON-ready.

    `options` are those that differ from the defaults. Illegal `ruleset/unknown`,
    `ruleset/seats`, `options/unknown`, `options/fixed`, `options/value`, `options/partners`,
    `options/whole-set`, `options/tiles` or `options/count-all`, the first that applies.
    """
    ruleset = RULESETS.get(ruleset_id)
    if ruleset is None:
        raise Illegal(
            "ruleset/unknown",
            f"Choose one of these rulesets: {', '.join(RULESETS)}.",
            rulesets=list(RULESETS),
        )
    if type(seats) is not int or seats not in ruleset.hand_by_seats:
        least, most = ruleset.seats[0], ruleset.seats[-1]
        span = f"{least} to {most}" if least < most else f"exactly {least}"
        raise Illegal(
            "ruleset/seats",
            f"{ruleset.title} is played with {span} seats.",
            minimum=ruleset.seats[0],
            maximum=ruleset.seats[-1],
        )
    row: Row = {"id": ruleset.id, "hand": ruleset.hand_by_seats[seats], **ruleset.row}
    for name, value in options.items():
        row[name] = _chosen(ruleset, name, value)
    for condition in CONDITIONS:
        if condition.concerns(row) and not condition.holds(row, seats):
            if condition.refusal is not None:
                raise condition.refusal(row, seats)
            raise Illegal(condition.code, condition.text, seats=seats)
    return dict(sorted(row.items()))


def _chosen(ruleset: Ruleset, name: str, value: object) -> object:
    names = sorted(("hand", *ruleset.row))
    if name not in names:
        raise Illegal(
            "options/unknown",
            f'{ruleset.title} has no option "{name[:_SHOWN_MAX]}". It has: {", ".join(names)}.',
            option=name,
            options=names,
        )
    if name in ruleset.fixed:
        # Saying what is so anyway is harmless: a row read elsewhere can be sent as it is.
        if not Choice("", (ruleset.row[name],)).allows(value):
            value = ruleset.row[name]
            raise Illegal(
                "options/fixed",
                f"{name} is always {json.dumps(value)} in {ruleset.title}: leave it out, or choose "
                "another ruleset.",
                option=name,
                value=value,
            )
    elif not OPTIONS[name].allows(value):
        option = OPTIONS[name]
        raise Illegal(
            "options/value", f"{name} is {option.in_words()}.", option=name, **option.allowed()
        )
    return value


def catalogue() -> list[Row]:
    """Every ruleset, JSON-ready: `id, title, text, seats, options, limits` (SPEC R3).

    An option is `name, default, meaning` and `values` or `minimum, maximum`; `hand` has
    `default_by_seats` besides, its `default` being that for the fewest seats.
    """
    return [_described(ruleset) for ruleset in RULESETS.values()]


def _described(ruleset: Ruleset) -> Row:
    options: list[Row] = []
    for name in sorted(("hand", *ruleset.row)):
        option: Row = {"name": name, "meaning": OPTIONS[name].meaning}
        if name == "hand":
            option["default"] = ruleset.hand_by_seats[ruleset.seats[0]]
            option["default_by_seats"] = {str(s): ruleset.hand_by_seats[s] for s in ruleset.seats}
        else:
            option["default"] = ruleset.row[name]
        fixed = name in ruleset.fixed
        option |= {"values": [ruleset.row[name]]} if fixed else OPTIONS[name].allowed()
        options.append(option)
    return {
        "id": ruleset.id,
        "title": ruleset.title,
        "text": ruleset.text,
        "seats": {"minimum": ruleset.seats[0], "maximum": ruleset.seats[-1]},
        "options": options,
        "limits": [
            {"code": limit.code, "text": limit.text}
            for limit in CONDITIONS
            if limit.concerns(ruleset.row)
        ],
    }
