"""Every option once: what it may be and what it means (SPEC R3).

`OPTIONS` is the only list of allowed values. A default is never stated here: it stands in the
row of a ruleset, and an option exists in a ruleset when its row has the key. A meaning names the
mixes in which its option changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from fairbones.core.rules.rulesets import Value


@dataclass(frozen=True, slots=True)
class Choice:
    """An option with a list of values."""

    meaning: str
    values: tuple[Value, ...]

    def allows(self, value: object) -> bool:
        """Whether `value` is one of the values, of the same JSON type: true is not 1."""
        return any(type(value) is type(known) and value == known for known in self.values)

    def allowed(self) -> dict[str, object]:
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

    def allowed(self) -> dict[str, object]:
        """The allowed values, JSON-ready."""
        return {"minimum": self.minimum, "maximum": self.maximum}

    def in_words(self) -> str:
        """The allowed values as the end of a sentence."""
        return f"a whole number from {self.minimum} to {self.maximum}"


_UNPAID = "fives-and-threes, where the end of a hand pays nothing"
_LEAD_ONLY = f"In {_UNPAID}, it decides no more than who leads next with next_lead: winner."

OPTIONS: Mapping[str, Choice | Span] = MappingProxyType(
    {
        "better": Choice(
            "Which score is the best. high: the highest wins the match. low: hands pay as ever, so "
            "whoever wins a hand is given points and does not want them; the match ends when any "
            "side reaches the target, and the lowest score wins.",
            ("high", "low"),
        ),
        "block_count": Choice(
            "What is compared when a hand is blocked. side: the pips a whole side holds. "
            "lowest-individual: the lightest single hand of each side. No effect without partners, "
            f"nor with block_winner: causer. {_LEAD_ONLY}",
            ("side", "lowest-individual"),
        ),
        "block_winner": Choice(
            "Who wins a blocked hand. lowest: the lowest count (block_count says of what, tie says "
            "who of several). causer: whoever played the last tile, even with a higher count. "
            + _LEAD_ONLY,
            ("lowest", "causer"),
        ),
        "call_seconds": Span(
            "With muggins: for so many seconds after a play the house makes no forced draw or pass "
            "and lets no turn run out, so that everybody can call. The next player may still move, "
            "and that ends the time. No effect without muggins.",
            1,
            60,
        ),
        "count_all": Choice(
            "Whether the winner also scores the tiles left on its own side, which it has in a "
            f"blocked hand and with partners. Only with score: total. No effect in {_UNPAID}.",
            (False, True),
        ),
        "counting": Choice(
            "What a play scores from the count of the open ends. fives: the count, if five divides "
            "it. fives-and-threes: a point for each five in it, if five divides it, and for each "
            "three, if three does.",
            ("fives", "fives-and-threes"),
        ),
        "deal_all": Choice("That every tile of the set is dealt.", (True,)),
        "difference_mode": Choice(
            "How score: difference is taken. once: own pips off the sum of the others'. "
            "per-opponent: own pips off each opponent's. They differ in blocked hands of three "
            f"sides or more. No effect with score: total, nor in {_UNPAID}.",
            ("once", "per-opponent"),
        ),
        "direction": Choice(
            "Which way round the table the seat numbers run. The turn always goes 0, 1, 2; only "
            "transfer, in middle-eastern, looks at who sits on the left. No effect without it.",
            ("clockwise", "counter-clockwise"),
        ),
        "drawing": Choice(
            "What a seat does that cannot play: pass, or draw until a tile fits.",
            ("none", "until-fits"),
        ),
        "drawn_tile": Choice(
            "Whether a drawn tile that fits must be played or may be declined, which ends the "
            "turn.",
            ("must-play", "may-play"),
        ),
        "early_block": Choice(
            "Whether a hand also ends when no tile off the line could match an open end.",
            (False, True),
        ),
        "exact_target": Choice(
            "Whether points that would carry a score past the target are not counted. In all-fives "
            "points come in fives, so the target should be a multiple of 5: no other can be hit, "
            "unless with muggins somebody claims less than a play scores.",
            (False, True),
        ),
        "first_lead": Choice(
            "Who leads hand 1. highest-double: whoever holds the highest double, which must be set "
            "(without doubles the heaviest tile). top-double: the double of the set's highest "
            "number; where nobody holds it, as highest-double, so the two come to the same. "
            "draw-for-lead: whoever draws the heaviest tile before the deal, with any tile.",
            ("highest-double", "draw-for-lead", "top-double"),
        ),
        "goes_out": Choice(
            "With partners, when going out ends the hand. side: when both partners are out; a "
            "player who is out is skipped until then. seat: with the first player who is out. No "
            "effect without partners.",
            ("side", "seat"),
        ),
        "hand": Span("How many tiles each seat is dealt.", 1, 95),
        "last_tile_transfer": Choice(
            "Whether a player's last tile is transferred too, which wins the hand, or is exempt. "
            "No effect without transfer.",
            ("wins", "exempt"),
        ),
        "muggins": Choice(
            "Whether points in play have to be claimed, and opponents may call what was missed. "
            "The points of the play that ends a hand cannot be called. Too high a claim is "
            "refused, not fined; a call that finds nothing costs nothing.",
            (False, True),
        ),
        "next_lead": Choice(
            "Who leads a later hand, with any tile. winner: the seat that won the last one; of two "
            "partners the one that went out or, after a block, the one that comes first from the "
            "player of the last tile on; when nobody won, the last leader again, where there is no "
            "no_winner_lead to say otherwise. rotate: the seat after the last leader. "
            "highest-double: whoever holds the highest double of the new hands, which must be set. "
            "same: the last leader again.",
            ("winner", "rotate", "highest-double", "same"),
        ),
        "no_winner_lead": Choice(
            "Who leads when nobody won the last hand. first-lead: as in hand 1. same: the last "
            "leader again. No effect unless next_lead is winner and a blocked hand can be nobody's "
            "(tie: void or split, with block_winner: lowest).",
            ("first-lead", "same"),
        ),
        "out_points": Choice("Points for the play that ends a hand by going out.", (1, 0)),
        "partners": Choice(
            "Whether seats 0 and 2 play seats 1 and 3; with 4 seats only.", (False, True)
        ),
        "protected": Choice(
            "How many last tiles of the boneyard are never drawn and never scored.", (0, 1, 2)
        ),
        "score": Choice(
            "What the winner of a hand scores. total: the pips of the other sides. difference: "
            "those less its own, which it has in a blocked hand and with partners. No effect in "
            f"{_UNPAID}.",
            ("total", "difference"),
        ),
        "set": Choice(
            "The set is double-n. Double-six has 28 tiles, -nine 55, -twelve 91, -fifteen 136, "
            "-eighteen 190.",
            (6, 9, 12, 15, 18),
        ),
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
            "Several sides have the lowest count of a blocked hand. void: nobody wins or scores. "
            "starter: the first tied side in turn order wins, beginning with the leader of the "
            "hand. causer: the side that blocked wins if it is among the tied, else as starter. "
            "split: nobody wins, the tied share what the rest hold. lightest-tile: the tied side "
            f"with the lightest tile wins. No effect with block_winner: causer. {_LEAD_ONLY}",
            ("void", "starter", "causer", "split", "lightest-tile"),
        ),
        "transfer": Choice(
            "Whether a player who cannot play is first given a tile by the player on the left; "
            "direction says which that is.",
            (False, True),
        ),
        "win_at": Choice(
            "When the target is looked at. hand-end: at the end of a hand. at-once: after every "
            "play and call too, and the hand ends with the match.",
            ("hand-end", "at-once"),
        ),
    }
)
