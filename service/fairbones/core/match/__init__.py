"""A match as a fold over its events: the lifecycle table, decide, evolve (SPEC 8)."""

from fairbones.core.match.commands import (
    Act,
    Command,
    GiveUp,
    Leave,
    LoseHistory,
    Open,
    Reveal,
    Sit,
    Touch,
)
from fairbones.core.match.decide import decide, open_match
from fairbones.core.match.evolve import replay
from fairbones.core.match.reservations import ForInvite, ForKey, Reservation
from fairbones.core.match.state import MatchState, Round, Seating, Stage, Terms
from fairbones.core.match.times import deadline, wake

__all__ = [
    "Act",
    "Command",
    "ForInvite",
    "ForKey",
    "GiveUp",
    "Leave",
    "LoseHistory",
    "MatchState",
    "Open",
    "Reservation",
    "Reveal",
    "Round",
    "Seating",
    "Sit",
    "Stage",
    "Terms",
    "Touch",
    "deadline",
    "decide",
    "open_match",
    "replay",
    "wake",
]
