"""One house and a few rivals for all attacks of a run; each match is a test's own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from typing import Any

import pytest

from tests.hostile.running import AtOnce, House, Rivals, make_keys, running
from tests.hostile.table import Table, opening
from tests.servers import redis_server

Tables = Callable[..., Table]


# Where what is attacked is, above all, the store: there both kinds of house are.
ABOUT_THE_STORE = ("races", "idempotency", "receipts", "deadlines", "replays")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A house on one file; and one of two processes on a shared store, where that matters."""
    if "house" in metafunc.fixturenames and not hasattr(metafunc.module, "house"):
        both = metafunc.module.__name__.rpartition("test_")[2] in ABOUT_THE_STORE
        kinds = ("one", "many") if both else ("one",)
        metafunc.parametrize("house", kinds, indirect=True, scope="session")


@pytest.fixture(scope="session")
def house(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """What is attacked; after everything it is unharmed."""
    folder = tmp_path_factory.mktemp("house")
    with contextlib.ExitStack() as held:
        settings = {}
        if request.param == "many":
            server = held.enter_context(redis_server("valkey"))
            settings = {"STORE": server.url, "WORKERS": "2"}
            make_keys(folder)
        made = held.enter_context(running(folder, **settings))
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
