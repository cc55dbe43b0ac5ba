"""SPEC 3 and 11.3 where no seed that anybody knows leads: at the edge of what is accepted.

Of draws of four bytes one in many thousands is rejected, and that a whole block is happens to a
number of 11.3 less than once in 2^31. Here the blocks are made up.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fairbones.core.protocol import draws
from fairbones.core.protocol import shuffle as shuffling
from fairbones.core.protocol.draws import draw_numbers
from fairbones.core.protocol.encoding import Tag, u32
from fairbones.core.protocol.shuffle import shuffle

# n, and the first draw that is not accepted for it, worked out by hand.
EDGES = [
    (3, 255),
    (200, 200),
    (255, 255),
    (257, 4_294_967_295),
    (1_000, 4_294_967_000),
    (60_000, 4_294_920_000),
    (65_535, 4_294_967_295),
]
REJECTED = b"\xff" * 32  # the largest draws, for either width


def block(n: int, *values: int) -> bytes:
    """A block that begins with those draws."""
    width = 1 if n <= 256 else 4
    return b"".join(value.to_bytes(width, "big") for value in values).ljust(32, b"\0")


class Blocks:
    """A MAC that gives made up blocks for a number's stream, and notes which were asked for."""

    def __init__(self, *blocks: bytes) -> None:
        self.blocks = blocks
        self.asked: list[tuple[bytes, bytes]] = []

    def __call__(self, _key: bytes, tag: Tag, *items: bytes) -> bytes:
        if tag is Tag.DRAW_KEY:
            return bytes(32)
        i, j = items
        self.asked.append((i, j))
        return self.blocks[int.from_bytes(j, "big")]


@pytest.mark.parametrize(("n", "edge"), EDGES)
def test_a_number_below_the_edge_is_accepted_and_the_edge_is_not(
    monkeypatch: pytest.MonkeyPatch, n: int, edge: int
) -> None:
    """SPEC 11.3: "accepted when `v < 256^w - (256^w mod n)`, result `v mod n`"."""
    for values, due in (([edge - 1, 0], n - 1), ([edge, 2], 2), ([edge, edge - 2], n - 2)):
        monkeypatch.setattr(draws, "MAC", Blocks(block(n, *values)))
        assert draw_numbers(bytes(32), bytes(32), n, 1) == [due]


@pytest.mark.parametrize(("n", "edge"), EDGES)
def test_a_number_is_looked_for_in_the_next_block(
    monkeypatch: pytest.MonkeyPatch, n: int, edge: int
) -> None:
    """SPEC 11.3: blocks j = 0, 1, ... as in section 3; the first one is read to its end."""
    width = 1 if n <= 256 else 4
    blocks = Blocks(REJECTED, REJECTED[width:] + block(n, edge - 1)[:width])
    monkeypatch.setattr(draws, "MAC", blocks)
    assert draw_numbers(bytes(32), bytes(32), n, 2) == [n - 1, n - 1]
    assert blocks.asked == [(u32(i), u32(j)) for i in range(2) for j in range(2)]


@pytest.mark.parametrize(("n", "edge"), EDGES)
def test_a_shuffle_uses_rejected_draws_up(
    monkeypatch: pytest.MonkeyPatch, n: int, edge: int
) -> None:
    """SPEC 3, for the first swap: i = n-1, m = n. All later draws are 0: they swap with entry 0."""

    def shuffled(*values: int) -> list[int]:
        def blocks(_key: bytes, _tag: Tag, _r: int) -> Iterator[bytes]:
            yield block(n, *values)
            while True:
                yield bytes(32)

        monkeypatch.setattr(shuffling, "_blocks", blocks)
        return shuffle(bytes(32), Tag.CUT_MAP, 1, n)

    def by_the_text(chosen: int) -> list[int]:
        things = list(range(n))
        things[n - 1], things[chosen] = things[chosen], things[n - 1]
        for i in range(n - 2, 0, -1):
            things[i], things[0] = things[0], things[i]
        return things

    assert shuffled(edge - 1) == by_the_text(n - 1)
    assert shuffled(edge) == by_the_text(0)
    assert shuffled(edge, edge, edge - 2) == by_the_text(n - 2)
