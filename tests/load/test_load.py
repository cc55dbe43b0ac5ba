"""A small load on both stores; `python -m tests.load` puts larger ones on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.bench.servers import on_a_shared_store, server
from tests.load.loading import Load, burden, judged
from tests.servers import redis_server


@pytest.fixture(params=["sqlite", "redis"])
def services(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[list[str]]:
    """One service on a file, or two that share a store and nothing else but their keys."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            room = {"THREADS": 64, "WAITERS": 32}
            yield [stack.enter_context(server(tmp_path / "data", room)).url]
            return
        store = stack.enter_context(redis_server("valkey"))
        shared = on_a_shared_store(store.url, tmp_path / "keys")
        yield [stack.enter_context(server(tmp_path / f"data-{at}", shared)).url for at in range(2)]


def test_every_match_ends_verifies_and_lost_nothing(services: list[str], tmp_path: Path) -> None:
    load = Load(processes=2, matches=2, seats=3)
    outcome = burden(services, load, tmp_path / "transcripts")
    assert outcome.wrong == ()
    assert outcome.ended == 4
    assert outcome.moves > 0
    assert set(outcome.statuses) <= {200, 201, 409}


def test_what_does_not_verify_is_told(tmp_path: Path) -> None:
    (tmp_path / "it.json").write_bytes(b"{}")
    assert [it.split(" is ")[0] for it in judged(tmp_path, 2)] == [
        "1 transcripts of 2 matches",
        "it.json",
    ]
