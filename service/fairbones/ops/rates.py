"""How often one caller may ask, and how much one may have washed; fills `Rates`.

The hooks of Flask extensions do not fit: what an opening costs is known only once its body has been
read, and every request would pass all of them. So these are the strategies and storages of
`limits`, asked directly.
"""

from __future__ import annotations

import hashlib
import ipaddress
import math
from functools import lru_cache
from typing import Protocol

from limits import RateLimitItemPerMinute

from fairbones.core.errors import FairbonesError

_MINUTE = 60
NOWHERE = "nowhere"


class Tries(Protocol):
    """Counts what was taken in a window that slides; see `memory_windows` and `shared_windows`."""

    def hit(self, item: RateLimitItemPerMinute, key: str, cost: int) -> bool:
        """Take so much; False: there was not so much left, and nothing was taken."""

    def window(self, item: RateLimitItemPerMinute, key: str) -> tuple[int, float, int, float]:
        """What was taken in the last window and in this one, each with how long it counts yet."""


class Limiter:
    """`requests` a minute from one address or with one token; `tiles` a minute; 0: no limit."""

    def __init__(self, requests: int, tiles: int, tries: Tries) -> None:
        self._requests = RateLimitItemPerMinute(requests) if requests else None
        self._tiles = RateLimitItemPerMinute(tiles) if tiles else None
        self._tries = tries

    def request(self, address: str, credentials: str | None) -> None:
        item = self._requests
        if item is None:
            return
        # The address first: tokens can be made up, and each would have its own window.
        self._ask(item, f"a:{network(address)}", "from your address")
        words = (credentials or "").split(maxsplit=1)
        if len(words) == 2:
            # Without the scheme: it can be spelled in many ways.
            self._ask(item, f"t:{_anonymous(words[1].rstrip())}", "with your token")

    def _ask(self, item: RateLimitItemPerMinute, key: str, whose: str) -> None:
        if self._tries.hit(item, key, 1):
            return
        seconds = seconds_until(self._tries.window(item, key), item.amount, 1)
        raise FairbonesError(
            "rate/requests",
            f"There were {item.amount} requests {whose} in a minute: "
            f"send the next one in {seconds} seconds.",
            maximum=item.amount,
            retry_after=seconds,
        )

    def opening(self, address: str, opener: str | None, tiles: int) -> None:
        item = self._tiles
        if item is None:
            return
        if tiles > item.amount:
            raise FairbonesError(
                "rate/openings",
                f"This match takes {tiles} tiles to wash, and {item.amount} is all that anybody "
                "may have washed in a minute: it never fits, so lower rounds_max.",
                cost=tiles,
                maximum=item.amount,
            )
        key = f"o:{network(address)}" if opener is None else f"k:{opener}"
        if self._tries.hit(item, key, tiles):
            return
        seconds = seconds_until(self._tries.window(item, key), item.amount, tiles)
        raise FairbonesError(
            "rate/openings",
            f"This match takes {tiles} tiles to wash, of the {item.amount} that you may have "
            f"washed in a minute: open it in {seconds} seconds.",
            cost=tiles,
            maximum=item.amount,
            retry_after=seconds,
        )


def seconds_until(window: tuple[int, float, int, float], limit: int, cost: int) -> int:
    """Whole seconds until there is room for `cost`, if nothing else comes; at least 1.

    The last window counts for as much of it as the sliding minute still covers.
    """
    previous, previous_left, current, current_left = window
    room = limit - cost + 1  # what was taken has to be below
    if current < room and previous:
        seconds = previous_left - (room - current) * _MINUTE / previous
    elif current >= room:
        # This window becomes the last one, and then fades.
        seconds = current_left - _MINUTE + _MINUTE * (1 - room / current)
    else:
        seconds = 0.0
    return min(2 * _MINUTE, max(1, math.floor(seconds) + 1))


@lru_cache(maxsize=4096)
def network(address: str) -> str:
    """Whose address it is: an IPv6 subscriber has 2^64 of them; all that is none is one caller.

    Proxies may add a port, which is another one for each connection, or write `unknown`.
    """
    host = address.strip('" ')
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return NOWHERE
    if found.version == 6:
        inner = found.ipv4_mapped
        return str(inner or ipaddress.ip_network((found.packed[:8] + bytes(8), 64)))
    return str(found)


def _anonymous(token: str) -> str:
    """The same for the same token, and of no use to whoever reads it."""
    return hashlib.sha256(b"fairbones rate\0" + token.encode("utf-8", "replace")).hexdigest()
