"""SPEC 3: the shuffle, its rejection branch, and a statistic that can fail."""

from __future__ import annotations

import functools
import hmac
import random
from collections.abc import Callable, Iterator
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.protocol.encoding import Tag
from fairbones.core.protocol.shuffle import SHUFFLE_MAX, shuffle

N = 28
SAMPLES = 40_000
Shuffle = Callable[[bytes, int], list[int]]


def stream(key: bytes, tag: str, r: int) -> Iterator[int]:
    """The bytes of SPEC 3, spelled out."""
    name = b"fairbones/1/" + tag.encode()
    head = len(name).to_bytes(4, "big") + name + b"\0\0\0\4" + r.to_bytes(4, "big") + b"\0\0\0\4"
    for j in count():
        yield from hmac.new(key, head + j.to_bytes(4, "big"), "sha256").digest()


def by_the_text(
    key: bytes, tag: str, r: int, n: int, reject: bool = True
) -> tuple[list[int], list[int]]:
    """The list of SPEC 3 and the draws rejected on the way; without rejection a biased one."""
    source = stream(key, tag, r)
    width = 1 if n <= 256 else 4
    things = list(range(n))
    rejected = []
    for i in range(n - 1, 0, -1):
        m = i + 1
        while True:
            v = int.from_bytes(bytes(islice(source, width)), "big")
            if not reject or v < 256**width - 256**width % m:
                break
            rejected.append(v)
        things[i], things[v % m] = things[v % m], things[i]
    return things, rejected


@given(
    key=st.binary(min_size=32, max_size=32),
    r=st.integers(0, 2**32 - 1),
    n=st.one_of(st.integers(1, 300), st.sampled_from([28, 55, 91, 136, 190, 255, 256, 257, 1000])),
    tag=st.sampled_from([Tag.WASH_ORDER, Tag.CUT_MAP]),
)
def test_the_shuffle_is_the_one_of_the_text(key: bytes, r: int, n: int, tag: Tag) -> None:
    """SPEC 3: "Fisher-Yates on the list `0..n-1`, i from n-1 down to 1"."""
    shuffled = shuffle(key, tag, r, n)
    assert shuffled == by_the_text(key, tag.value, r, n)[0]
    assert sorted(shuffled) == list(range(n))


@pytest.mark.parametrize("n", [-1, 0, SHUFFLE_MAX + 1])
def test_a_size_nobody_can_shuffle_is_refused(n: int) -> None:
    """SPEC 3: "1 <= n <= 65,536"."""
    with pytest.raises(ValueError, match="a shuffle has"):
        shuffle(bytes(32), Tag.CUT_MAP, 1, n)


def test_the_largest_and_the_smallest_size() -> None:
    """SPEC 3: "1 <= n <= 65,536", both included."""
    assert shuffle(bytes(32), Tag.CUT_MAP, 1, 1) == [0]
    assert sorted(shuffle(bytes(32), Tag.CUT_MAP, 1, SHUFFLE_MAX)) == list(range(SHUFFLE_MAX))


def test_rejected_draws_are_used_up(seed: random.Random) -> None:
    """SPEC 3: "rejected bytes are used up": without the branch another list comes out."""
    met = differ = 0
    for _ in range(200):
        key = seed.randbytes(32)
        true, rejected = by_the_text(key, "cut-map", 1, N)
        biased, _ = by_the_text(key, "cut-map", 1, N, reject=False)
        assert shuffle(key, Tag.CUT_MAP, 1, N) == true
        assert biased == true or rejected
        met += bool(rejected)
        differ += biased != true
    assert met > 50, "the branch is met 0.63 times a shuffle of 28"
    assert differ > 0.8 * met, "late in a shuffle both may go on alike"


def test_the_branch_is_met_as_often_as_it_must_be(seed: random.Random) -> None:
    """SPEC 3: "accepted when `v < 256^w - (256^w mod m)`", neither one more nor one less."""
    wanted = sum((256 % m) / (256 - 256 % m) for m in range(2, N + 1))
    samples = 3_000
    met = sum(len(by_the_text(seed.randbytes(32), "x", 1, N)[1]) for _ in range(samples))
    # The number of rejections is nearly Poisson, so its variance is its mean.
    assert abs(met - wanted * samples) < 6 * (wanted * samples) ** 0.5
    assert wanted == pytest.approx(0.63, abs=0.01)


def naive_swap(key: bytes, r: int) -> list[int]:
    """The planted fault: every step swaps with any place."""
    source = stream(key, "x", r)
    things = list(range(N))
    for i in range(N):
        j = next(v for v in source if v < 252) % N
        things[i], things[j] = things[j], things[i]
    return things


def modulo_bias(key: bytes, r: int) -> list[int]:
    """The planted fault: no rejection."""
    return by_the_text(key, "x", r, N, reject=False)[0]


def state_of_32_bits(key: bytes, r: int) -> list[int]:
    """The planted fault: a congruential generator of 32 bits, as C libraries have it."""
    state = int.from_bytes(key[:4], "big") ^ r
    things = list(range(N))
    for i in range(N - 1, 0, -1):
        state = (1_103_515_245 * state + 12_345) % 2**32
        j = state % (i + 1)
        things[i], things[j] = things[j], things[i]
    return things


def sort_by_random(key: bytes, r: int) -> list[int]:
    """The planted fault: a sort whose comparison throws a coin."""
    coins = int.from_bytes(key, "big") ^ r

    def coin(_a: int, _b: int) -> int:
        nonlocal coins
        coins >>= 1
        return 1 if coins & 1 else -1

    return sorted(range(N), key=functools.cmp_to_key(coin))


def true_shuffle(key: bytes, r: int) -> list[int]:
    """The real one."""
    return shuffle(key, Tag.CUT_MAP, r, N)


def deviation(shuffled: Shuffle, seed: random.Random) -> float:
    """By how many standard deviations the chi-square of tile x position is too high.

    Rows and columns of the table have fixed sums, so it has (n-1)^2 degrees of freedom.
    """
    cells = [[0] * N for _ in range(N)]
    for r in range(SAMPLES):
        for position, tile in enumerate(shuffled(seed.randbytes(32), r)):
            cells[position][tile] += 1
    expected = SAMPLES / N
    chi = sum((seen - expected) ** 2 for row in cells for seen in row) / expected
    freedom = (N - 1) ** 2
    return float((chi * (N - 1) / N - freedom) / (2 * freedom) ** 0.5)


def test_every_tile_is_as_likely_at_every_position(seed: random.Random) -> None:
    """SPEC 3: a permutation, uniform if the stream is: the true shuffle stays inside 5 sigma."""
    assert abs(deviation(true_shuffle, seed)) < 5


@pytest.mark.parametrize("fault", [naive_swap, modulo_bias, state_of_32_bits, sort_by_random])
def test_the_same_statistic_rejects_a_biased_shuffle(fault: Shuffle, seed: random.Random) -> None:
    """A chi-square that cannot fail says nothing: at the same sample size each fault is found."""
    assert deviation(fault, seed) > 6
