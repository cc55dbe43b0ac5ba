"""A fake house for tests of the edge, and a real one for whole matches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from fairbones.api.limits import Limits
from fairbones.app import build_api
from tests.api.fake_house import FakeHouse
from tests.api.sturdy import OPENING
from tests.api.table import Game, Table


@pytest.fixture
def house() -> FakeHouse:
    return FakeHouse()


@pytest.fixture
def client(house: FakeHouse) -> FlaskClient:
    return build_api(house, Limits(body_max=4_096, wait_max=5, waiters=2)).test_client()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """One match for all tests of a module: it must survive them."""
    made = Table(tmp_path_factory.mktemp("sturdy"))
    yield Game(made, OPENING).start()
    made.close()
