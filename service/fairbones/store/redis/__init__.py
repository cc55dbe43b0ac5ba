"""Matches on Redis or Valkey, for a house of many processes on many hosts."""

from __future__ import annotations

from fairbones.store.points import Probe, unprobed
from fairbones.store.redis.checks import check, check_files
from fairbones.store.redis.store import RedisStore
from fairbones.store.redis.url import parse_url
from fairbones.store.redis.wire import Wire

__all__ = ["RedisStore", "open_redis"]


def open_redis(
    url: str, password: str | None = None, wait_replicas: int = 0, *, probe: Probe = unprobed
) -> RedisStore:
    """A store that is there and fit to keep matches; see `url` for what a URL may be.

    Raises `FairbonesError`: `store/url`, `store/unreachable`, `store/wrong-password`,
    `store/old-server`, `store/evicts`, `store/read-only`, `store/newer`, `store/busy`.
    """
    place = parse_url(url, password)
    check_files(place)
    wire = Wire(place, wait_replicas, probe)
    try:
        check(wire)
    except BaseException:
        wire.close()
        raise
    return RedisStore(wire, probe)
