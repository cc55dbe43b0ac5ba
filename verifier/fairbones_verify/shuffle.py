"""The shuffle (SPEC 3): Fisher-Yates on bytes that anybody can compute again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Callable

from .hashing import mac, u32


def numbers(block: Callable[[int], bytes], n: int) -> Iterator[int]:
    """The endless stream of draws for a shuffle of `n` things: blocks 0, 1, ... read in order.

    A block is 32 bytes and a draw 1 or 4, so no draw is cut in two by the end of a block.
    """
    width = 1 if n <= 256 else 4
    j = 0
    while True:
        data = block(j)
        for at in range(0, len(data), width):
            yield int.from_bytes(data[at : at + width], "big")
        j += 1


def below(stream: Iterator[int], m: int, n: int) -> int:
    """The next accepted draw, taken mod `m`; those that would favour small results are used up."""
    span = 256 if n <= 256 else 256**4
    accepted = span - span % m
    for value in stream:
        if value < accepted:
            return value % m
    raise AssertionError("the stream has no end")


def shuffle(key: bytes, tag: str, r: int, n: int) -> list[int]:
    """The list 0..n-1 after `shuffle(key, tag, r, n)`, 1 <= n <= 65,536."""
    stream = numbers(lambda j: mac(key, tag, u32(r), u32(j)), n)
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        v = below(stream, i + 1, n)
        order[i], order[v] = order[v], order[i]
    return order
