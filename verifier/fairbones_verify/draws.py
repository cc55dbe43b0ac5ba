"""Draws without a game (spec/draws.md)."""

from __future__ import annotations

from typing import Any, NamedTuple

from .deal import Wash, round_seed, wash
from .hashing import mac, u32
from .shuffle import below, numbers, shuffle


class Draw(NamedTuple):
    """What `drawn` must say: the result, and the seals where something was washed."""

    result: list[int]
    seals: list[str] | None


def wash_of(row: dict[str, Any], match: bytes, server_seed: bytes) -> Wash:
    """11.2: the things 0..n-1 washed as hand 1."""
    things = [u32(index) for index in range(row["n"])]
    return wash(match, round_seed(server_seed, match, 1), 1, things)


def draw(row: dict[str, Any], match: bytes, server_seed: bytes, cut_key: bytes) -> Draw:
    """11.2 and 11.3: the draw that the seeds give."""
    n: int = row["n"]
    if row["kind"] == "order":
        washed = wash_of(row, match, server_seed)
        result = [washed.order[position] for position in shuffle(cut_key, "cut-map", 1, n)]
        return Draw(result, [seal.hex() for seal in washed.seals])
    key = mac(server_seed, "draw-key", cut_key)
    return Draw([_number(key, i, n) for i in range(row["count"])], None)


def _number(key: bytes, i: int, n: int) -> int:
    return below(numbers(lambda j: mac(key, "draw", u32(i), u32(j)), n), n, n)
