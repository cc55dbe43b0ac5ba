"""Tiles and moves: SPEC R1 to R9, ignorant of seals, seeds and events.

`resolve` makes a row, `compile_rules` makes it ready; `deal`, `legal`, `admit` and `apply` play
a hand, `finish` and `settle` end it, `after_hand` ends a match. All of it is pure.
"""

from fairbones.core.rules.actions import (
    DECLINE,
    DRAW,
    PASS,
    Action,
    Decline,
    Draw,
    Pass,
    Play,
)
from fairbones.core.rules.compiling import compile_rules
from fairbones.core.rules.endings import Finish, counts, finish
from fairbones.core.rules.ends import End, line_ends
from fairbones.core.rules.fallback import fixed
from fairbones.core.rules.hand import Hand, apply, deal
from fairbones.core.rules.leads import Lead, first_lead, next_lead
from fairbones.core.rules.notation import action_from_json, action_to_json
from fairbones.core.rules.options import catalogue, resolve
from fairbones.core.rules.rules import Rules
from fairbones.core.rules.scoring import Settlement, settle
from fairbones.core.rules.series import MatchEnd, abandoned, after_hand
from fairbones.core.rules.turns import admit, forced, legal

__all__ = [
    "DECLINE",
    "DRAW",
    "PASS",
    "Action",
    "Decline",
    "Draw",
    "End",
    "Finish",
    "Hand",
    "Lead",
    "MatchEnd",
    "Pass",
    "Play",
    "Rules",
    "Settlement",
    "abandoned",
    "action_from_json",
    "action_to_json",
    "admit",
    "after_hand",
    "apply",
    "catalogue",
    "compile_rules",
    "counts",
    "deal",
    "finish",
    "first_lead",
    "fixed",
    "forced",
    "legal",
    "line_ends",
    "next_lead",
    "resolve",
    "settle",
]
