"""Places for a house: a folder with SQLite, and a Valkey."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.houses import Place
from tests.servers import Config, Server, redis_server


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path / "data")


@pytest.fixture(scope="session")
def valkey() -> Iterator[Server]:
    with redis_server("valkey", Config(appendfsync="always")) as server:
        yield server


@pytest.fixture
def shared(tmp_path: Path, valkey: Server) -> Place:
    """The same keys as `place`, and another store."""
    valkey.empty()
    return Place(tmp_path / "data", valkey.url)


@pytest.fixture(params=["sqlite", "valkey"])
def either(request: pytest.FixtureRequest) -> Place:
    """A place of each kind in turn."""
    name = "place" if request.param == "sqlite" else "shared"
    found = request.getfixturevalue(name)
    assert isinstance(found, Place)
    return found
