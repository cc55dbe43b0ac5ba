"""Every option once: what it may be, what it means, what it excludes (SPEC R3).

`OPTIONS` is the only list of allowed values. A default is never stated here: it stands in the
row of a ruleset, and an option exists in a ruleset when its row has the key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from fairbones.core.bones import tile_count
from fairbones.core.errors import Illegal
from fairbones.core.rules.rulesets import RULESETS, Ruleset, Value

Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with a list of values."""

    meaning: str
    values: tuple[Value, ...]

    def allows(self, value: object) -> bool:
        """Whether `value` is one of the values, of the same JSON type: true is not 1."""
        return any(type(value) is type(known) and value == known for known in self.values)

    def allowed(self) -> Row:
        """The allowed values, JSON-ready."""
        return {"values": list(self.values)}

    def in_words(self) -> str:
        """The allowed values as the end of a sentence, each as JSON has it."""
        *others, last = map(json.dumps, self.values)
        return f"{', '.join(others)} or {last}" if others else f"always {last} here"


@dataclass(frozen=True, slots=True)
class Span:
    """An option that is a whole number between two others, both included."""

    meaning: str
    minimum: int
    maximum: int

    def allows(self, value: object) -> bool:
        """Whether `value` is a whole number in the range; true is not 1."""
        return type(value) is int and self.minimum <= value <= self.maximum

    def allowed(self) -> Row:
        """The allowed values, JSON-ready."""
        return {"minimum": self.minimum, "maximum": self.maximum}

    def in_words(self) -> str:
        """The allowed values as the end of a sentence."""
        return f"a whole number from {self.minimum} to {self.maximum}"


_SHOWN_MAX = 64  # characters of a name that a caller made up

OPTIONS: Mapping[str, Choice | Span] = MappingProxyType(
    {
        "better": Choice("Which score is the best one.", ("high",)),
        "block_count": Choice(
            "What is compared when a hand is blocked: the pips a whole side holds.", ("side",)
        ),
        "block_winner": Choice("Who wins a blocked hand: the lowest count.", ("lowest",)),
        "count_all": Choice("Whether the tiles of the winner's partner are scored too.", (False,)),
        "difference_mode": Choice(
            "How score: difference is taken: own pips off the sum, or off each opponent's pips.",
            ("once", "per-opponent"),
        ),
        "direction": Choice(
            "The way the turn goes round the table; a label in line games.",
            ("clockwise", "counter-clockwise"),
        ),
        "drawing": Choice(
            "What a seat does that cannot play: pass, or draw until a tile fits.",
            ("none", "until-fits"),
        ),
        "drawn_tile": Choice(
            "Whether a drawn tile that fits must be played or may be declined.",
            ("must-play", "may-play"),
        ),
        "early_block": Choice(
            "Whether a hand also ends when no tile off the line could match.", (False,)
        ),
        "exact_target": Choice("Whether the target must be hit exactly.", (False,)),
        "first_lead": Choice(
            "Who leads hand 1: the highest double, which must be set; without doubles, the "
            "heaviest tile.",
            ("highest-double",),
        ),
        "hand": Span("How many tiles each seat is dealt.", 1, 95),
        "next_lead": Choice(
            "Who leads a later hand: the winner of the last one, with any tile.", ("winner",)
        ),
        "partners": Choice("Whether seats 0 and 2 play seats 1 and 3.", (False, True)),
        "protected": Choice(
            "How many last tiles of the boneyard are never drawn and never scored.", (0, 1, 2)
        ),
        "score": Choice(
            "What the winner of a hand scores: the opponents' pips, or those less its own.",
            ("total", "difference"),
        ),
        "set": Choice("The set is double-n.", (6,)),
        "target": Span("The points that end the match.", 1, 10000),
        "tie": Choice(
            "Several sides have the lowest count of a blocked hand: nobody scores, the side met "
            "first from the leader wins, the side that blocked wins, the tied share the rest, or "
            "the side with the lightest tile wins.",
            ("void", "starter", "causer", "split", "lightest-tile"),
        ),
        "win_at": Choice("When the target is looked at.", ("hand-end",)),
    }
)


def _number(row: Mapping[str, object], key: str) -> int:
    return cast("int", row.get(key, 0))  # `allows` has seen it


def _enough_tiles(row: Mapping[str, object], seats: int) -> bool:
    needed = seats * _number(row, "hand") + _number(row, "protected")
    return needed <= tile_count(_number(row, "set"))


def _four_partners(row: Mapping[str, object], seats: int) -> bool:
    return row["partners"] is False or seats == 4


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that joins options."""

    code: str
    text: str
    holds: Callable[[Mapping[str, object], int], bool]


CONDITIONS = (
    Condition(
        "options/tiles",
        "The hands of all seats and the protected tiles must not be more than the set has: "
        "lower hand, protected or seats.",
        _enough_tiles,
    ),
    Condition("options/partners", "Partners need exactly 4 seats.", _four_partners),
)


def resolve(ruleset_id: str, seats: int, options: Mapping[str, object]) -> Row:
    """The complete row of a match, keys as in SPEC R3 and sorted, JSON-ready.

    `options` are those that differ from the defaults. Illegal `ruleset/unknown`,
    `ruleset/seats`, `options/unknown`, `options/fixed`, `options/value`, `options/tiles` or
    `options/partners`, the first that applies in this order.
    """
    ruleset = RULESETS.get(ruleset_id)
    if ruleset is None:
        raise Illegal(
            "ruleset/unknown",
            f"Choose one of these rulesets: {', '.join(RULESETS)}.",
            rulesets=list(RULESETS),
        )
    if type(seats) is not int or seats not in ruleset.hand_by_seats:
        raise Illegal(
            "ruleset/seats",
            f"{ruleset.title} is played with {ruleset.seats[0]} to {ruleset.seats[-1]} seats.",
            minimum=ruleset.seats[0],
            maximum=ruleset.seats[-1],
        )
    row: Row = {"id": ruleset.id, "hand": ruleset.hand_by_seats[seats], **ruleset.row}
    for name, value in options.items():
        row[name] = _chosen(ruleset, name, value)
    for condition in CONDITIONS:
        if not condition.holds(row, seats):
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
        "limits": [{"code": limit.code, "text": limit.text} for limit in CONDITIONS],
    }
