"""One party for each test."""

from __future__ import annotations

import random

import pytest

from tests.house.party import Party


@pytest.fixture
def party(seed: random.Random) -> Party:
    """A house with nothing in it."""
    return Party(seed)
