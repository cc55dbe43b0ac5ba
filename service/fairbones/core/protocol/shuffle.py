"""The one shuffle: Fisher-Yates over an HMAC stream with rejection (SPEC 3)."""

from __future__ import annotations

import hmac
from collections.abc import Iterator

from fairbones.core.protocol.encoding import Tag, tagged, u32

SHUFFLE_MAX = 65_536


def _blocks(key: bytes, tag: Tag, r: int) -> Iterator[bytes]:
    head = tagged(tag, u32(r)) + b"\x00\x00\x00\x04"  # enc() of the counter that follows
    j = 0
    while True:
        yield hmac.digest(key, head + u32(j), "sha256")
        j += 1


def _draws(key: bytes, tag: Tag, r: int, width: int) -> Iterator[int]:
    """The endless stream of `width`-byte numbers; 32 is a multiple of both widths."""
    for block in _blocks(key, tag, r):
        if width == 1:
            yield from block
        else:
            for at in range(0, 32, width):
                yield int.from_bytes(block[at : at + width], "big")


def shuffle(key: bytes, tag: Tag, r: int, n: int) -> list[int]:
    """A permutation of `0..n-1`, uniform if the stream is (SPEC 3).

    Raises `ValueError` outside 1 <= n <= 65,536. Rejected draws are used up:
    without the rejection branch a value below `256**w mod m` would be likelier.
    """
    if not 1 <= n <= SHUFFLE_MAX:
        raise ValueError(f"a shuffle has 1 to {SHUFFLE_MAX} things, not {n}")
    width = 1 if n <= 256 else 4
    space = 256**width
    stream = _draws(key, tag, r, width)
    things = list(range(n))
    for i in range(n - 1, 0, -1):
        m = i + 1
        fair = space - space % m
        value = next(stream)
        while value >= fair:
            value = next(stream)
        chosen = value % m
        things[i], things[chosen] = things[chosen], things[i]
    return things
