"""One house and a few rivals for all attacks of a run; each match is a test's own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from tests.hostile.running import AtOnce, House, Rivals, running
from tests.hostile.table import Table, opening

Tables = Callable[..., Table]


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """What is attacked; after everything it is unharmed."""
    with running(tmp_path_factory.mktemp("house")) as made:
        yield made
        made.unharmed()


@pytest.fixture(scope="session")
def rivals() -> Iterator[Rivals]:
    made = Rivals(3)
    yield made
    made.end()


@pytest.fixture
def tables(house: House) -> Tables:
    """Opens matches."""

    def made(ruleset: str = "block", *, signed: Collection[int] = (), **more: Any) -> Table:
        return Table(house, opening(ruleset, **more), signed)

    return made


@pytest.fixture(params=["threads", "processes"])
def at_once(request: pytest.FixtureRequest, house: House, rivals: Rivals) -> AtOnce:
    """Strikes at one moment, by threads or by client processes."""
    return AtOnce(house.port, rivals if request.param == "processes" else None)
