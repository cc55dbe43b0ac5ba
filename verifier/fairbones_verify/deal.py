"""Tiles, the wash, the cut and the lead (SPEC 4, 5, R1, R4).

A tile is a pair `(high, low)`. A position is a place in the wash, where a sealed tile lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .hashing import digest, mac, u32
from .shuffle import shuffle

Tile = tuple[int, int]


def tile_set(n: int) -> list[Tile]:
    """R1: the set double-n in id order."""
    return [(high, low) for high in range(n + 1) for low in range(high + 1)]


def tile_bytes(tile: Tile) -> bytes:
    """R1: low half first."""
    return bytes((tile[1], tile[0]))


def written(tile: Tile) -> str:
    """R1: high half first, as in "6-4"."""
    return f"{tile[0]}-{tile[1]}"


def read(text: str) -> Tile:
    """The tile a text names; the text has the form of R1 (shape.py saw to that)."""
    high, low = text.split("-")
    return int(high), int(low)


def pips(tile: Tile) -> int:
    """R1: what a tile counts."""
    return tile[0] + tile[1]


def weight(tile: Tile) -> tuple[int, int]:
    """R1, "heavier": more pips, or as many and a higher high half."""
    return pips(tile), tile[0]


def lightness(tile: Tile) -> tuple[int, int]:
    """R1, "lighter": fewer pips, or as many and a lower low half. Not `weight` turned round."""
    return pips(tile), tile[1]


class Wash(NamedTuple):
    """One washed hand: what lies at each position, its salts and seals, the root of all seals."""

    order: list[int]
    salts: list[bytes]
    seals: list[bytes]
    root: bytes


def round_seed(server_seed: bytes, match: bytes, r: int) -> bytes:
    """SPEC 4.2."""
    return mac(server_seed, "round-seed", match, u32(r))


def seal(match: bytes, r: int, position: int, salt: bytes, thing: bytes) -> bytes:
    """SPEC 4.3: the hash that hides a thing until its salt is shown."""
    return digest("seal", match, u32(r), u32(position), salt, thing)


def wash_root(match: bytes, r: int, seals: Sequence[bytes]) -> bytes:
    """SPEC 4.3: one hash over all seals of a hand."""
    return digest("wash-root", match, u32(r), b"".join(seals))


def wash(match: bytes, seed: bytes, r: int, things: Sequence[bytes]) -> Wash:
    """SPEC 4.3: hand r washed under its round seed; `things` are the tiles' bytes in id order."""
    order = shuffle(seed, "wash-order", r, len(things))
    salts = [mac(seed, "salt", u32(i)) for i in range(len(things))]
    seals = [seal(match, r, i, salts[i], things[at]) for i, at in enumerate(order)]
    return Wash(order, salts, seals, wash_root(match, r, seals))


def cut_key(opened_hash: bytes, seeds: Sequence[bytes]) -> bytes:
    """SPEC 5.3: K, from the client seeds of all seats in seat order."""
    return digest("cut-key", opened_hash, *seeds)


def cut(key: bytes, r: int, n: int, seats: int, hand: int) -> tuple[list[list[int]], list[int]]:
    """SPEC 5.4: the positions each seat is dealt, and the boneyard from its front to its tail."""
    dealt = shuffle(key, "cut-map", r, n)
    hands = [dealt[seat * hand : (seat + 1) * hand] for seat in range(seats)]
    return hands, dealt[seats * hand :]


def first_lead(hands: Sequence[Sequence[Tile]]) -> tuple[int, Tile] | None:
    """R4, hand 1: the seat that leads and the tile it must set; None when nobody holds a tile."""
    held = [(tile, seat) for seat, tiles in enumerate(hands) for tile in tiles]
    doubles = [(tile, seat) for tile, seat in held if tile[0] == tile[1]]
    if not held:
        return None
    tile, seat = max(doubles or held, key=lambda one: weight(one[0]))
    return seat, tile
