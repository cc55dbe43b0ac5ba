"""The depth of a long text, which is looked at piece by piece (SPEC 6.2)."""

from __future__ import annotations

import pytest

from fairbones_verify.strictjson import too_deep

PIECE = 1 << 20


@pytest.mark.parametrize("strings", range(4))
@pytest.mark.parametrize("end", range(PIECE - 1, PIECE + 3))
def test_a_string_may_lie_across_pieces(strings: int, end: int) -> None:
    """Some strings before it, and its closing mark around the end of the first piece."""
    before = b"[" + b'"[[",' * strings
    long = before + b'"' + b"[" * (end - len(before) - 1) + b'"'
    assert not too_deep(long + b",[[]]]", 3)
    assert too_deep(long + b",[[[]]]]", 3)


@pytest.mark.parametrize("pieces", [1, 2, 3])
def test_a_string_may_be_longer_than_a_piece(pieces: int) -> None:
    long = b'["' + b"[" * pieces * PIECE + b'"'
    assert not too_deep(long + b",[[]]]", 3)
    assert too_deep(long + b",[[[]]]]", 3)


def test_brackets_are_counted_across_pieces() -> None:
    wide = b"[" + b"[]," * PIECE
    assert not too_deep(wide + b"[[]]]", 3)
    assert too_deep(wide + b"[[[]]]]", 3)


def test_brackets_are_counted_once() -> None:
    """Those that open in the second piece and close in the third."""
    filler = b"1," * (PIECE * 3 // 4)
    text = b"[" + filler + b"[[" + filler + b"1]]]"
    assert not too_deep(text, 3)
    assert too_deep(text, 2)
