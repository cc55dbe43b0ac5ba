"""Services that end with their test, and one shared store for a module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fairbones.keys.keyring import open_keyring
from tests.servers import Server, redis_server
from tests.serving.running import MODES, SERVE, Running

Start = Callable[..., Running]


@pytest.fixture(scope="module")
def redis() -> Iterator[Server]:
    with redis_server("valkey") as server:
        yield server


@pytest.fixture
def keys(tmp_path: Path) -> Path:
    """The keys that all processes on a shared store have; made for once, outside the service."""
    folder = tmp_path / "keys"
    open_keyring(folder, frozenset())
    return folder


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a service with these variables, on a file unless they name a store."""
    services: list[Running] = []

    def started(**variables: object) -> Running:
        services.append(Running(tmp_path / f"service-{len(services)}", SERVE, **variables))
        return services[-1]

    yield started
    for service in services:
        service.end()


@pytest.fixture
def start_shared(start: Start, redis: Server, keys: Path) -> Start:
    """Start a service on the shared store, which is empty at first."""
    redis.empty()

    def started(**variables: object) -> Running:
        return start(**{"STORE": redis.url, "KEYS": keys, "WORKERS": 2} | variables)

    return started


@pytest.fixture(params=MODES)
def start_either(request: pytest.FixtureRequest) -> Start:
    """What both kinds of a service do."""
    name = "start" if request.param == "file" else "start_shared"
    found: Start = request.getfixturevalue(name)
    return found
