"""One service, whose folder outlives all of its deaths, for the faults of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.faults.hall import Hall
from tests.faults.service import running


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """A service on a file; after everything it is judged."""
    with running(tmp_path_factory.mktemp("faults"), SWEEP=0) as service:
        made = Hall(service)
        yield made
        made.judge()
