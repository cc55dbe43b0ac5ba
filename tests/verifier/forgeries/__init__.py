"""All forgeries: importing this makes them known."""

from tests.verifier.forgeries import (
    calls,
    counting,
    dealing,
    gifts,
    keys,
    leads,
    moves,
    order,
    papers,
    scored,
    seats,
    signed,
    unsigned,
)
from tests.verifier.forgeries.making import FORGERIES, OFF, Forgery

__all__ = [
    "FORGERIES",
    "OFF",
    "Forgery",
    "calls",
    "counting",
    "dealing",
    "gifts",
    "keys",
    "leads",
    "moves",
    "order",
    "papers",
    "scored",
    "seats",
    "signed",
    "unsigned",
]
