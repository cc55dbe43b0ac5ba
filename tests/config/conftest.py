"""Services that end with their test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.service import Service, Start


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    services: list[Service] = []

    def started(data: str = "data", **variables: str) -> Service:
        log = tmp_path / f"log-{len(services)}"
        services.append(Service(tmp_path / data, log, **variables))
        return services[-1]

    yield started
    for service in services:
        service.end()
