"""A game that our engine and another know, as `tests/bench/peers.py` needs it to time them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairbones.core.rules import Hand, Rules, Settlement
from tests.oracles.following import Lot, Script


@dataclass(frozen=True, slots=True)
class Way:
    """One way to have the other engine play a whole hand that is dealt, from its script."""

    name: str
    did: str
    play: Callable[[Any, Sequence[int]], object]


@dataclass(frozen=True, slots=True)
class Pairing:
    """Our row, their ways, and what is equal when both have played the same hand.

    `script` is a hand for both, None when that deal will not do; `dealt` is their hand before its
    first tile. `told` is what came of theirs, `tell` the same of ours; `equal` says it in words.
    """

    name: str
    ruleset: str
    seats: int
    options: Mapping[str, object]
    hands: int  # of a round
    equal: str
    script: Callable[[Rules, random.Random], Script | None]
    dealt: Callable[[Lot], Any]
    ways: tuple[Way, ...]
    told: Callable[[Any], object]
    tell: Callable[[Hand, Settlement], object]
