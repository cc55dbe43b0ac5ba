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
        "better": Choice("Whether the highest or the lowest score is the best.", ("high", "low")),
        "block_count": Choice(
            "What is compared when a hand is blocked: the pips a whole side holds, or the lightest "
            "single hand of each side.",
            ("side", "lowest-individual"),
        ),
        "block_winner": Choice(
            "Who wins a blocked hand: the lowest count, or whoever played the last tile.",
            ("lowest", "causer"),
        ),
        "call_seconds": Span(
            "With muggins, how many seconds a step that the house makes waits after a play, so "
            "that everybody can call.",
            1,
            60,
        ),
        "count_all": Choice(
            "Whether the winner also scores the tiles left on its own side; only with score: "
            "total.",
            (False, True),
        ),
        "counting": Choice(
            "What a play scores from the count of the open ends: the count, if five divides it, "
            "or a point for each five and each three in it.",
            ("fives", "fives-and-threes"),
        ),
        "deal_all": Choice("That every tile of the set is dealt.", (True,)),
        "difference_mode": Choice(
            "How score: difference is taken: own pips off the sum, or off each opponent's pips.",
            ("once", "per-opponent"),
        ),
        "direction": Choice(
            "The way the turn goes round the table, and so who sits at whose left; else a label.",
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
            "Whether a hand also ends when no tile off the line could match an open end.",
            (False, True),
        ),
        "exact_target": Choice(
            "Whether points that would carry a score past the target are not counted.",
            (False, True),
        ),
        "first_lead": Choice(
            "Who leads hand 1: the highest double, which must be set (without doubles the heaviest "
            "tile); whoever draws the heaviest tile before the deal, with any tile; or the top "
            "double of the set, which must be set (not dealt: as the highest double).",
            ("highest-double", "draw-for-lead", "top-double"),
        ),
        "goes_out": Choice(
            "With partners, whether a hand ends when both partners are out, or with the first "
            "player who is.",
            ("side", "seat"),
        ),
        "hand": Span("How many tiles each seat is dealt.", 1, 95),
        "last_tile_transfer": Choice(
            "Whether a player's last tile is transferred too, which wins the hand, or is exempt.",
            ("wins", "exempt"),
        ),
        "muggins": Choice(
            "Whether points in play have to be claimed, and opponents may call what was missed.",
            (False, True),
        ),
        "next_lead": Choice(
            "Who leads a later hand: the winner of the last one with any tile, the next seat in "
            "turn, the highest double again, or the same seat.",
            ("winner", "rotate", "highest-double", "same"),
        ),
        "no_winner_lead": Choice(
            "Who leads when nobody won the last hand, where the winner would: as in hand 1, or the "
            "same seat again.",
            ("first-lead", "same"),
        ),
        "out_points": Choice("Points for the play that ends a hand by going out.", (1, 0)),
        "partners": Choice("Whether seats 0 and 2 play seats 1 and 3.", (False, True)),
        "protected": Choice(
            "How many last tiles of the boneyard are never drawn and never scored.", (0, 1, 2)
        ),
        "score": Choice(
            "What the winner of a hand scores: the opponents' pips, or those less its own.",
            ("total", "difference"),
        ),
        "set": Choice("The set is double-n.", (6, 9, 12, 15, 18)),
        "settlement": Choice(
            "What the end of a hand pays: the pips rounded to the nearest five, or nothing.",
            ("nearest-five", "none"),
        ),
        "spinner": Choice(
            "Which doubles can be played on from all four sides: the first, all, or none.",
            ("first", "all", "none"),
        ),
        "target": Span("The points that end the match.", 1, 10000),
        "tie": Choice(
            "Several sides have the lowest count of a blocked hand: nobody scores, the side met "
            "first from the leader wins, the side that blocked wins, the tied share the rest, or "
            "the side with the lightest tile wins.",
            ("void", "starter", "causer", "split", "lightest-tile"),
        ),
        "transfer": Choice(
            "Whether a player that cannot play is first given a tile by the player on the left.",
            (False, True),
        ),
        "win_at": Choice(
            "When the target is looked at: at the end of a hand, or after every play.",
            ("hand-end", "at-once"),
        ),
    }
)


def _number(row: Mapping[str, object], key: str) -> int:
    return cast("int", row.get(key, 0))  # `allows` has seen it


def _enough_tiles(row: Mapping[str, object], seats: int) -> bool:
    needed = seats * _number(row, "hand") + _number(row, "protected")
    return needed <= tile_count(_number(row, "set"))


def _four_partners(row: Mapping[str, object], seats: int) -> bool:
    return row["partners"] is False or seats == 4


def _whole_set(row: Mapping[str, object], seats: int) -> bool:
    dealt = seats * _number(row, "hand")
    return "deal_all" not in row or dealt == tile_count(_number(row, "set"))


def _all_or_difference(row: Mapping[str, object], _seats: int) -> bool:
    return row["count_all"] is False or row["score"] == "total"


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that joins options; `needs` is the option without which it says nothing."""

    code: str
    text: str
    holds: Callable[[Mapping[str, object], int], bool]
    needs: str


CONDITIONS = (
    Condition(
        "options/tiles",
        "The hands of all seats and the protected tiles must not be more than the set has: "
        "lower hand, protected or seats, or choose a larger set.",
        _enough_tiles,
        "hand",
    ),
    Condition(
        "options/partners",
        "Partners need exactly 4 seats: take 4, or leave partners out.",
        _four_partners,
        "partners",
    ),
    Condition(
        "options/whole-set",
        "Every tile must be dealt: set 6 with hand 7, or set 15 with hand 34, for 4 seats.",
        _whole_set,
        "deal_all",
    ),
    Condition(
        "options/count-all",
        "count_all goes with score: total: choose that score, or leave count_all out.",
        _all_or_difference,
        "count_all",
    ),
)


def resolve(ruleset_id: str, seats: int, options: Mapping[str, object]) -> Row:
    """The complete row of a match, keys as in SPEC R3 and sorted, JSON-ready.

    `options` are those that differ from the defaults. Illegal `ruleset/unknown`,
    `ruleset/seats`, `options/unknown`, `options/fixed`, `options/value`, `options/tiles`,
    `options/partners`, `options/whole-set` or `options/count-all`, the first that applies.
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
        "limits": [
            {"code": limit.code, "text": limit.text}
            for limit in CONDITIONS
            if limit.needs == "hand" or limit.needs in ruleset.row
        ],
    }
