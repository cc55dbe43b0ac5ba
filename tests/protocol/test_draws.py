"""SPEC 11: draws without a game, read as the text says."""

from __future__ import annotations

import hashlib
import hmac
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.protocol.draws import draw_numbers, draw_order

SEED, KEY = bytes(range(32)), b"\x5a" * 32


def mac(key: bytes, *items: bytes) -> bytes:
    """MAC of SPEC 2.3, spelled out."""
    told = b"".join(len(item).to_bytes(4, "big") + item for item in items)
    return hmac.new(key, told, hashlib.sha256).digest()


def by_the_text(n: int, i: int) -> tuple[int, int]:
    """Number i of SPEC 11.3, and how many draws were rejected before it."""
    width = 1 if n <= 256 else 4
    d = mac(SEED, b"fairbones/1/draw-key", KEY)
    rejected = 0
    for j in count():
        block = mac(d, b"fairbones/1/draw", i.to_bytes(4, "big"), j.to_bytes(4, "big"))
        for at in range(0, 32, width):
            v = int.from_bytes(block[at : at + width], "big")
            if v < 256**width - 256**width % n:
                return v % n, rejected
            rejected += 1
    raise AssertionError


@given(st.one_of(st.integers(1, 65_536), st.sampled_from([1, 2, 6, 129, 255, 256, 257, 65_536])))
def test_numbers_are_those_of_the_text(n: int) -> None:
    """SPEC 11.3: "Each number has a stream of its own"."""
    assert draw_numbers(SEED, KEY, n, 5) == [by_the_text(n, i)[0] for i in range(5)]


@pytest.mark.parametrize("n", [129, 200])
def test_the_rejection_branch_is_met(n: int) -> None:
    """SPEC 11.3: "accepted when `v < 256^w - (256^w mod n)`"."""
    assert sum(by_the_text(n, i)[1] for i in range(50)) > 5
    assert draw_numbers(SEED, KEY, n, 50) == [by_the_text(n, i)[0] for i in range(50)]


def test_an_order_is_the_wash_read_through_the_map() -> None:
    """SPEC 11.2: "the result is `order[map[0]], order[map[1]], ...`"."""
    assert draw_order((3, 1, 0, 2), [2, 0, 3, 1]) == [0, 3, 2, 1]
