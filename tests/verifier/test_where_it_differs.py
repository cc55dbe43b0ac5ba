"""Check 10: where a text leaves the canonical form, and what stands there (SPEC 6.2, 6.6)."""

from __future__ import annotations

import re

import pytest

from fairbones_verify import verify
from tests.verifier.house import House

GOOD = House().play().transcript()
SHOWN = 20  # letters of the text


def said(data: bytes) -> tuple[int, str, str]:
    """The place that is named, what is expected there and what stands there."""
    failure = verify(data).failure
    assert failure is not None
    assert failure.code == "format/canonical"
    found = re.fullmatch(r"letter (\d+) of the text", failure.where)
    assert found is not None, failure.where
    return int(found[1]), failure.expected, failure.got


# Behind the first bracket, in the middle of an event, between two events, in the last object.
@pytest.mark.parametrize(
    "at",
    [1, GOOD.index(b'"seq":'), GOOD.index(b"},{") + 1, GOOD.index(b"},{") + 2, GOOD.rindex(b":")],
)
def test_a_space_too_many(at: int) -> None:
    place, expected, got = said(GOOD[:at] + b" " + GOOD[at:])
    assert place == at
    assert got == " " + GOOD[at : at + SHOWN - 1].decode()
    assert GOOD[at:].decode().startswith(expected)
    assert 1 <= len(expected) <= SHOWN


@pytest.mark.parametrize(
    ("more", "shown"), [(b" ", " "), (b"\n\n", r"\u000a\u000a"), (b"\r\n", r"\u000d\u000a")]
)
def test_something_behind_the_end(more: bytes, shown: str) -> None:
    place, expected, got = said(GOOD + more)
    assert (place, expected, got) == (len(GOOD), "the end", shown)


def test_one_final_newline_is_no_difference() -> None:
    assert verify(GOOD + b"\n").verdict == verify(GOOD).verdict == "verified"


def test_keys_in_another_order() -> None:
    """The first letter that another writer would have put there is named, not the whole key."""
    first = GOOD.index(b'"at":')
    end = GOOD.index(b',"data"', first)
    moved = GOOD[:first] + GOOD[end + 1 :].replace(b'"match":', GOOD[first:end] + b',"match":', 1)
    place, expected, got = said(moved)
    assert place == first + 1
    assert expected.startswith("at")
    assert got.startswith("data")
