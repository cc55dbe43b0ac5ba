"""SPEC 5.6: what a seat signs has a `seq` of four bytes; a larger one nobody can have signed."""

from __future__ import annotations

import pytest

from fairbones_verify.seatkeys import move_message


@pytest.mark.parametrize("seq", [2**32, 2**32 + 1, 2**33, 2**53 - 1])
def test_a_larger_one_is_no_message(seq: int) -> None:
    assert move_message(bytes(32), seq, "00" * 32, 0, {"type": "draw"}) is None


def test_the_largest_is_one() -> None:
    message = move_message(bytes(32), 2**32 - 1, "00" * 32, 0, {"type": "draw"})
    assert message is not None
    assert b"\0\0\0\4\xff\xff\xff\xff" in message
