"""What the servers of a Redis store say of themselves, for `fairbones doctor`."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from redis.exceptions import RedisError

from fairbones.config import Settings
from fairbones.house.ports import Clock
from fairbones.store.redis.failures import refusal, unreachable
from fairbones.store.redis.lines import Line, Unheard, Unsent, connection_to
from fairbones.store.redis.topology import topology
from fairbones.store.redis.url import Address, Place, parse_url

_WANTED = ("appendonly", "appendfsync", "min-replicas-to-write")


@dataclass(frozen=True, slots=True)
class Said:
    """Of one server that holds matches; `config` None where it does not tell. Times in ms.

    `server_time` is the server's clock, asked for between `before` and `after` by ours.
    """

    address: str
    info: Mapping[str, object]
    config: Mapping[str, str] | None
    server_time: int
    before: int
    after: int


def ask(settings: Settings, clock: Clock) -> Iterator[Said]:
    """Every server that holds matches; raises `FairbonesError("store/...")`."""
    place = parse_url(settings.store, settings.store_password())
    for address in topology(place).holders():
        line = Line(connection_to(place, address, user=place.user, password=place.password))
        with contextlib.closing(line):
            try:
                yield _said(line, address, clock)
            except (Unsent, Unheard):
                raise unreachable(_where(place, address)) from None


def _said(line: Line, address: Address, clock: Clock) -> Said:
    try:
        line.connect()
    except RedisError as error:
        raise refusal(error, address) from error
    before = clock()
    (time,) = line.ask([(b"TIME",)])
    after = clock()
    told, *settings = line.ask([(b"INFO",), *((b"CONFIG", b"GET", it) for it in _WANTED)])
    for reply in (time, told):
        if isinstance(reply, RedisError):
            raise refusal(reply, address)
    forbidden = any(isinstance(reply, RedisError) for reply in settings)
    config = None if forbidden else dict(map(_pair, filter(None, settings)))
    server_time = int(time[0]) * 1000 + int(time[1]) // 1000
    return Said(str(address), _read(told), config, server_time, before, after)


def _pair(reply: list[bytes]) -> tuple[str, str]:
    name, value = reply[:2]
    return name.decode(), value.decode("utf-8", "replace")


def _read(info: bytes) -> dict[str, object]:
    told: dict[str, object] = {}
    for row in info.decode("utf-8", "replace").splitlines():
        name, colon, value = row.partition(":")
        if colon:
            told[name] = int(value) if value.isascii() and value.isdigit() else value
    return told


def _where(place: Place, address: Address) -> str:
    return f"{place.name} ({address})" if place.name else str(address)
