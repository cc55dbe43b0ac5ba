"""What has to be true of a server before matches are kept on it."""

from __future__ import annotations

import re

from fairbones.core.errors import FairbonesError
from fairbones.store.redis import keys
from fairbones.store.redis.lines import Reply
from fairbones.store.redis.url import Address, Place
from fairbones.store.redis.wire import Wire

SCHEMA = 1
OLDEST = (6, 2)
# As it is written here: no sign, nothing in front, and no more digits than a version can have.
_VERSION = re.compile(rb"[1-9][0-9]{0,8}")
_SERVER_VERSION = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})")
# So many keys lie on all servers of a Cluster, but for one that holds next to nothing.
_KEYS_MAX = 256


def check_files(place: Place) -> None:
    """Raises `FairbonesError("store/url")` for a file of TLS that cannot be read."""
    for path in filter(None, (place.ca, place.cert, place.key)):
        try:
            with open(path, "rb"):
                pass
        except (OSError, ValueError) as error:
            # ValueError: what no file can be called.
            why = error.strerror if isinstance(error, OSError) else "no file has such a name"
            raise FairbonesError(
                "store/url",
                f"The URL of the store (FAIRBONES_STORE) names a file that cannot be read: "
                f"{path} ({why}).",
            ) from error


def check(wire: Wire) -> None:
    """Raises `FairbonesError("store/...")` with what to do; marks an empty database as ours."""
    for address in wire.holders():
        (reply,) = wire.read_at(address, (b"INFO",))
        _check_server(wire, address, _parsed(reply))
    _, kept = wire.write(keys.SCHEMA, (b"SET", keys.SCHEMA, SCHEMA, b"NX"), (b"GET", keys.SCHEMA))
    if _VERSION.fullmatch(kept or b"") is None:
        raise FairbonesError(
            "store/corrupt",
            f"The store at {wire.place} has no version in `fb:schema`; restore a backup.",
        )
    if int(kept) > SCHEMA:
        raise FairbonesError(
            "store/newer",
            f"The store at {wire.place} was written by a newer Fairbones "
            f"(schema {int(kept)}, this one knows {SCHEMA}); use that one.",
        )


def takes_writes(wire: Wire) -> None:
    """Raises what a write would: `store/full`, `store/read-only`, `store/busy` and the others.

    A push to lists that are not there changes nothing, but the servers refuse it as any write: a
    replica, one without memory, one that cannot write to its disk or lacks its own replicas.
    """
    left = set(wire.holders())
    for number in range(_KEYS_MAX):
        if not left:
            return
        key = keys.nothing(number)
        address = wire.holder(key)
        if address in left:
            left.discard(address)
            wire.read(key, (b"LPUSHX", key, b""))


def _check_server(wire: Wire, address: Address, told: dict[str, str]) -> None:
    version = told.get("redis_version", "0")
    begun = _SERVER_VERSION.match(version)
    numbers = tuple(map(int, begun.groups())) if begun else ()
    if numbers < OLDEST:
        raise FairbonesError(
            "store/old-server",
            f"The server at {address} is version {version[:40]}; "
            f"{'.'.join(map(str, OLDEST))} or newer is needed.",
        )
    if told.get("cluster_enabled") == "1" and wire.place.kind != "cluster":
        raise FairbonesError(
            "store/url",
            f"The server at {address} belongs to a Cluster: "
            "write redis+cluster:// in FAIRBONES_STORE.",
        )
    if told.get("role") != "master":
        raise FairbonesError(
            "store/read-only",
            f"The server at {address} is a replica: name its master, or go through Sentinel.",
        )
    policy = told.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        raise FairbonesError(
            "store/evicts",
            f"The server at {address} throws keys away when its memory is full "
            f"({policy}): set its maxmemory-policy to noeviction.",
        )


def _parsed(reply: Reply) -> dict[str, str]:
    lines = reply.decode("utf-8", "replace").splitlines()
    return dict(line.split(":", 1) for line in lines if ":" in line and line[0] != "#")
