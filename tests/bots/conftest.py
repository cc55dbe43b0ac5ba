"""A hall to play in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairbones.bots.client import Client
from tests.bots.hall import Hall


@pytest.fixture
def hall(tmp_path: Path, seed: random.Random) -> Iterator[Hall]:
    opened = Hall(tmp_path, seed).open()
    yield opened
    opened.close()


@pytest.fixture
def guest(hall: Hall) -> Iterator[Client]:
    client = Client(hall.url)
    yield client
    client.close()
