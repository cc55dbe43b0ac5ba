"""Matches whose counts are known, from a house of the tests (tests/verifier/house.py)."""

from __future__ import annotations

from typing import Any

from tests.verifier.house import House
from tests.verifier.primitives import SIGNER, canonical, document

STEP = 600_000  # join_seconds of these matches
SIXTY = 60_000  # reveal_seconds


def void(house: House, reason: str, later: int = 0, **more: Any) -> House:
    """Called off; the seed is shown, but where it is lost."""
    seed = {} if reason == "seed-lost" else {"server_seed": house.S.hex()}
    house.say("voided", {"reason": reason, **seed, **more}, later)
    return house


def opened(seed: int, **more: Any) -> House:
    """A match that nobody sits at yet."""
    return House(seed, **{"rounds": 1, **more})


def seated(seed: int, *seats: int, **more: Any) -> House:
    """A match with these seats taken."""
    house = opened(seed, **more)
    house.sit(*seats)
    return house


def revealed(seed: int, *seats: int, **more: Any) -> House:
    """A match with all seats taken and the seeds of some shown."""
    house = opened(seed, **more)
    house.sit()
    if seats:
        house.reveal(*seats)
    return house


def dealt(seed: int, **more: Any) -> House:
    """A match at the first wait of its first hand."""
    house = opened(seed, **more)
    house.sit()
    house.reveal()
    house.deal(1)
    return house


def played(seed: int, **more: Any) -> House:
    """A match played out."""
    return House(seed, **{"rounds": 1, **more}).play()


def with_seeds(house: House, *seeds: bytes) -> House:
    """The same match with client seeds of our own, before anybody sits."""
    house.seeds = list(seeds)
    return house


def course(house: House) -> House:
    """From the seats to the end."""
    house.sit()
    house.reveal()
    house.deal(1)
    house.play_hand(1)
    return house


def cut(house: House, events: int) -> bytes:
    """The transcript as it was after so many events, signed there."""
    return canonical(document(house.events[:events])).encode()


def receipts_lost(house: House) -> dict[str, Any]:
    """A receipt of an event after the next, that this chain has not."""
    found: dict[str, Any] = SIGNER.receipt(house.match, len(house.events), b"\7" * 32)
    return found
