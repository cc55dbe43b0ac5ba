"""All forgeries: importing this makes them known."""

from tests.verifier.forgeries import counting, dealing, moves, order, papers, seats
from tests.verifier.forgeries.making import FORGERIES, OFF, Forgery

__all__ = [
    "FORGERIES",
    "OFF",
    "Forgery",
    "counting",
    "dealing",
    "moves",
    "order",
    "papers",
    "seats",
]
