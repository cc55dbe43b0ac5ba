"""The whole contract, on Valkey and on the distribution's Redis."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.servers import KINDS, Config, Kind, Server, redis_server
from tests.store.archive_contract import ArchiveContract
from tests.store.contract import StoreContract
from tests.store.desk_contract import DeskContract
from tests.store.listing_contract import ListingContract
from tests.store.redis_rig import DATABASES, RedisRig


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    kind: Kind = request.param
    with redis_server(kind, Config(extra=("databases", str(DATABASES)))) as running:
        yield running


@pytest.fixture
def rig(server: Server) -> Iterator[RedisRig]:
    made = RedisRig(server)
    yield made
    made.close()
    server.empty()


class TestRedisStore(StoreContract):
    """What every store must do."""


class TestRedisLists(ListingContract):
    """And that of the list of matches."""


class TestRedisDesk(DeskContract):
    """And what else the desk asks."""


class TestRedisArchive(ArchiveContract):
    """And what the operator's commands ask."""
