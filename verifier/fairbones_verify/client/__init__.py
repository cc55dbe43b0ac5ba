"""A client of a house that checks everything as it happens (SPEC 10), as a player or a spectator.

It shares the verifier's checks and nothing of any house: what it knows of one comes over HTTP.
"""

from .choosers import CHOOSERS, Chooser
from .course import Seat
from .follower import Follower
from .guard import Guard
from .keep import Keep
from .lies import HistoryLost, Lie, NoGame, Refused, SeatTaken, Unreachable
from .wire import Wire

__all__ = [
    "CHOOSERS",
    "Chooser",
    "Follower",
    "Guard",
    "HistoryLost",
    "Keep",
    "Lie",
    "NoGame",
    "Refused",
    "Seat",
    "SeatTaken",
    "Unreachable",
    "Wire",
]
