"""No byte of a transcript can be changed, lost or added, and nothing makes the verifier fail."""

from __future__ import annotations

import random

import pytest

from fairbones_verify import verify
from tests.conformance.reading import Given, scenarios

VALID = [given for given in scenarios("vectors/valid") if given.path.stem != "final-newline"]
FLIPS = 40
TOLERATED = b"\n"  # one final newline (SPEC 6.6)


@pytest.fixture(params=range(12))
def transcript(seed: random.Random) -> bytes:
    """A valid one, drawn anew for each parameter."""
    chosen: Given = seed.choice(VALID)
    return chosen.transcript()


def test_no_byte_can_be_changed(transcript: bytes, seed: random.Random) -> None:
    for _ in range(FLIPS):
        place = seed.randrange(len(transcript))
        other = bytes([transcript[place] ^ seed.randrange(1, 256)])
        changed = transcript[:place] + other + transcript[place + 1 :]
        assert verify(changed).verdict in ("refuted", "unreadable"), (place, other)


def test_no_byte_can_be_lost_or_added(transcript: bytes, seed: random.Random) -> None:
    for _ in range(FLIPS):
        place = seed.randrange(len(transcript))
        for changed in (
            transcript[:place],
            transcript[:place] + transcript[place + 1 :],
            transcript[:place] + bytes([seed.randrange(256)]) + transcript[place:],
            transcript[:place] + transcript[place : place + 40] + transcript[place:],
        ):
            assert verify(changed).verdict in ("refuted", "unreadable"), place
    assert verify(transcript + TOLERATED).verdict == "verified"


def test_noise_is_unreadable(seed: random.Random) -> None:
    alphabet = b'{}[]",:0123456789.eE+-tfn\\u \n\xff\xc0abc'
    for _ in range(400):
        noise = bytes(seed.choice(alphabet) for _ in range(seed.randrange(60)))
        assert verify(noise).verdict == "unreadable", noise
