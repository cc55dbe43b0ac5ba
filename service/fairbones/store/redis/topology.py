"""Which server holds which keys: one, the one that Sentinels name, or those of a Cluster."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from redis.crc import key_slot
from redis.exceptions import RedisError

from fairbones.core.errors import FairbonesError
from fairbones.store.redis.failures import refusal, unreachable
from fairbones.store.redis.lines import Line, Reply, Unheard, Unsent, connection_to
from fairbones.store.redis.url import Address, Place


class Topology(Protocol):
    """Threads may use it side by side; nothing is asked of the network until somebody has to."""

    def holder(self, key: bytes, /) -> Address:
        """The server that takes commands on this key."""

    def holders(self) -> tuple[Address, ...]:
        """Every server that holds keys."""

    def look_again(self) -> None:
        """What was known may be wrong: ask before the next answer."""


class Alone:
    """One server, whatever happens."""

    def __init__(self, place: Place) -> None:
        self._address = place.addresses[0]

    def holder(self, _key: bytes) -> Address:
        """See `Topology`."""
        return self._address

    def holders(self) -> tuple[Address, ...]:
        """See `Topology`."""
        return (self._address,)

    def look_again(self) -> None:
        """See `Topology`: there is nowhere to look."""


class Watched:
    """The master that Sentinels name; they are asked in turn until one answers."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._guard = threading.Lock()
        self._master: Address | None = None
        self._sure = False

    def holder(self, _key: bytes) -> Address:
        """See `Topology`. While no Sentinel answers, the master is the one they named last."""
        with self._guard:
            if not self._sure or self._master is None:
                with _keeping(self._master):
                    self._master = self._ask()
                self._sure = True
            return self._master

    def holders(self) -> tuple[Address, ...]:
        """See `Topology`."""
        return (self.holder(b""),)

    def look_again(self) -> None:
        """See `Topology`."""
        self._sure = False

    def _ask(self) -> Address:
        question = (b"SENTINEL", b"GET-MASTER-ADDR-BY-NAME", self._place.name.encode())
        unknown = False
        for address in self._place.addresses:
            try:
                with _calling(self._place, address, sentinel=True) as line:
                    (reply,) = line.ask([question])
            except (Unsent, Unheard):
                continue
            if isinstance(reply, RedisError):
                raise refusal(reply, address)
            if reply is not None:
                return Address(reply[0].decode("utf-8", "surrogateescape"), int(reply[1]))
            unknown = True
        if unknown:
            raise FairbonesError(
                "store/url",
                f"The Sentinels watch nothing called {self._place.name!r}; "
                "name in FAIRBONES_STORE what they watch.",
            )
        raise unreachable(self._place)


class Sharded:
    """A Cluster. Its map is asked for once, and again when a server says that a key moved."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._guard = threading.Lock()
        self._starts: list[int] = []
        self._owners: list[Address] = []
        self._known = place.addresses
        self._sure = False

    def holder(self, key: bytes) -> Address:
        """See `Topology`."""
        starts, owners = self._map()
        return owners[bisect_right(starts, key_slot(key)) - 1]

    def holders(self) -> tuple[Address, ...]:
        """See `Topology`."""
        return tuple(sorted(set(self._map()[1]), key=str))

    def look_again(self) -> None:
        """See `Topology`."""
        self._sure = False

    def _map(self) -> tuple[list[int], list[Address]]:
        with self._guard:
            if not self._sure:
                with _keeping(self._starts):
                    self._starts, self._owners = self._ask()
                    # Any of them knows the others, should those of the URL be gone by then.
                    self._known = tuple(dict.fromkeys((*self._owners, *self._place.addresses)))
                self._sure = True
            return self._starts, self._owners

    def _ask(self) -> tuple[list[int], list[Address]]:
        for address in self._known:
            try:
                with _calling(self._place, address) as line:
                    (reply,) = line.ask([(b"CLUSTER", b"SLOTS")])
            except (Unsent, Unheard):
                continue
            if isinstance(reply, RedisError):
                if "cluster support disabled" in str(reply):
                    raise FairbonesError(
                        "store/url",
                        f"The store at {address} is no Cluster: write redis:// in FAIRBONES_STORE.",
                    )
                raise refusal(reply, address)
            if reply:
                runs = sorted((it[0], _named(it[2], address)) for it in reply)
                return [start for start, _ in runs], [owner for _, owner in runs]
        raise unreachable(self._place)


def topology(place: Place) -> Topology:
    """That of this URL."""
    if place.kind == "sentinel":
        return Watched(place)
    return Sharded(place) if place.kind == "cluster" else Alone(place)


def moved_to(error: RedisError, asked: Address) -> Address:
    """The server that a MOVED or ASK reply names."""
    host, _, port = str(error).split()[-1].rpartition(":")
    return Address(host.strip("[]") or asked.host, int(port))


def _named(node: Reply, asked: Address) -> Address:
    # A server that does not know its own address leaves it out: it is the one that was asked.
    return Address(
        node[0].decode("utf-8", "surrogateescape") if node[0] else asked.host, int(node[1])
    )


@contextmanager
def _keeping(known: object) -> Iterator[None]:
    """Nobody can say anything newer: what is known, if anything, has to do."""
    try:
        yield
    except FairbonesError as error:
        if not known or error.code != "store/unreachable":
            raise


@contextmanager
def _calling(place: Place, address: Address, *, sentinel: bool = False) -> Iterator[Line]:
    """A line for one question; raises `Unsent`, or `FairbonesError` for a greeting refused."""
    user = place.sentinel_user if sentinel else place.user
    password = place.sentinel_password if sentinel else place.password
    line = Line(connection_to(place, address, user=user, password=password))
    try:
        try:
            line.connect()
        except RedisError as error:
            raise refusal(error, address) from error
        yield line
    finally:
        line.close()


def is_master(line: Line) -> bool:
    """Whether a server says so; one that forbids the question is believed to be."""
    (reply,) = line.ask([(b"ROLE",)])
    return isinstance(reply, RedisError) or reply[0] == b"master"
