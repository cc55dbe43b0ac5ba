"""Services that end with their test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.config.service import Service, Start


@contextmanager
def starting(folder: Path, *, shared: bool) -> Iterator[Start]:
    services: list[Service] = []

    def started(data: str = "data", **variables: str) -> Service:
        log = folder / f"log-{len(services)}"
        services.append(Service(folder / data, log, shared=shared, **variables))
        return services[-1]

    yield started
    for service in services:
        service.end()


@pytest.fixture(params=["file", "shared"])
def start(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Start]:
    """What both kinds of a service do: threads on a file, greenlets on a shared store."""
    with starting(tmp_path, shared=request.param == "shared") as started:
        yield started


@pytest.fixture
def start_on_a_file(tmp_path: Path) -> Iterator[Start]:
    with starting(tmp_path, shared=False) as started:
        yield started


@pytest.fixture
def start_shared(tmp_path: Path) -> Iterator[Start]:
    with starting(tmp_path, shared=True) as started:
        yield started
