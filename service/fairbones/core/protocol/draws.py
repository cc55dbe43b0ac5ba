"""Draws without a game: an order, or numbers with repetition (SPEC 11)."""

from __future__ import annotations

from collections.abc import Iterator

from fairbones.core.protocol.encoding import MAC, Tag, u32


def draw_order(order: tuple[int, ...], positions: list[int]) -> list[int]:
    """The wash read through the cut map: result i lies at position `map[i]` (SPEC 11.2)."""
    return [order[position] for position in positions]


def _values(key: bytes, i: int, width: int) -> Iterator[int]:
    j = 0
    while True:
        block = MAC(key, Tag.DRAW, u32(i), u32(j))
        for at in range(0, 32, width):
            yield int.from_bytes(block[at : at + width], "big")
        j += 1


def draw_numbers(server_seed: bytes, cut_key: bytes, n: int, count: int) -> list[int]:
    """`count` numbers of `0..n-1`, each read like a shuffle's draw (SPEC 11.3)."""
    key = MAC(server_seed, Tag.DRAW_KEY, cut_key)
    width = 1 if n <= 256 else 4
    fair = 256**width - 256**width % n
    return [next(v for v in _values(key, i, width) if v < fair) % n for i in range(count)]
