"""Tiles and moves: SPEC R1 to R11, ignorant of seals, seeds and events.

`resolve` makes a row, `compile_rules` makes it ready; `deal`, `legal`, `admit`, `apply` and `call`
play a hand, `finish` and `settle` end it, `after_hand` ends a match. All of it is pure.
"""

from fairbones.core.rules.actions import (
    CALL,
    DECLINE,
    DRAW,
    PASS,
    Action,
    Call,
    Decline,
    Draw,
    Give,
    Pass,
    Play,
)
from fairbones.core.rules.compiling import compile_rules
from fairbones.core.rules.counting import Window
from fairbones.core.rules.ends import End
from fairbones.core.rules.fallback import fixed
from fairbones.core.rules.hand import Finish, Hand, deal, finish, giver, to_act
from fairbones.core.rules.leads import Lead, Outcome, drawn_lead, lead
from fairbones.core.rules.lines import Line
from fairbones.core.rules.moves import apply, call, credited, may_call, scored
from fairbones.core.rules.notation import (
    GiveAt,
    action_from_json,
    action_to_json,
    parse_action,
    parse_line,
    write_action,
    write_line,
)
from fairbones.core.rules.options import catalogue, resolve
from fairbones.core.rules.playout import play_out
from fairbones.core.rules.rules import Rules
from fairbones.core.rules.scoring import Settlement, counts, outcome, settle
from fairbones.core.rules.series import MatchEnd, abandoned, after_hand, won
from fairbones.core.rules.turns import admit, forced, legal, listed

__all__ = [
    "CALL",
    "DECLINE",
    "DRAW",
    "PASS",
    "Action",
    "Call",
    "Decline",
    "Draw",
    "End",
    "Finish",
    "Give",
    "GiveAt",
    "Hand",
    "Lead",
    "Line",
    "MatchEnd",
    "Outcome",
    "Pass",
    "Play",
    "Rules",
    "Settlement",
    "Window",
    "abandoned",
    "action_from_json",
    "action_to_json",
    "admit",
    "after_hand",
    "apply",
    "call",
    "catalogue",
    "compile_rules",
    "counts",
    "credited",
    "deal",
    "drawn_lead",
    "finish",
    "fixed",
    "forced",
    "giver",
    "lead",
    "legal",
    "listed",
    "may_call",
    "outcome",
    "parse_action",
    "parse_line",
    "play_out",
    "resolve",
    "scored",
    "settle",
    "to_act",
    "won",
    "write_action",
    "write_line",
]
