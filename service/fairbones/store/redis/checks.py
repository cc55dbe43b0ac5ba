"""What has to be true of a server before matches are kept on it."""

from __future__ import annotations

from fairbones.core.errors import FairbonesError
from fairbones.store.redis import keys
from fairbones.store.redis.lines import Reply
from fairbones.store.redis.url import Address, Place
from fairbones.store.redis.wire import Wire

SCHEMA = 1
OLDEST = (6, 2)


def check_files(place: Place) -> None:
    """Raises `FairbonesError("store/url")` for a file of TLS that cannot be read."""
    for path in filter(None, (place.ca, place.cert, place.key)):
        try:
            with open(path, "rb"):
                pass
        except OSError as error:
            raise FairbonesError(
                "store/url",
                f"The URL of the store (FAIRBONES_STORE) names a file that cannot be read: "
                f"{path} ({error.strerror}).",
            ) from error


def check(wire: Wire) -> None:
    """Raises `FairbonesError("store/...")` with what to do; marks an empty database as ours."""
    for address in wire.holders():
        (reply,) = wire.read_at(address, (b"INFO",))
        _check_server(wire, address, _parsed(reply))
    written, kept = wire.write(
        keys.SCHEMA, (b"SET", keys.SCHEMA, SCHEMA, b"NX"), (b"GET", keys.SCHEMA)
    )
    if written is None and not (kept or b"").isdigit():
        raise FairbonesError(
            "store/corrupt",
            f"The store at {wire.place} has no version in `fb:schema`; restore a backup.",
        )
    if int(kept or SCHEMA) > SCHEMA:
        raise FairbonesError(
            "store/newer",
            f"The store at {wire.place} was written by a newer Fairbones "
            f"(schema {int(kept)}, this one knows {SCHEMA}); use that one.",
        )


def _check_server(wire: Wire, address: Address, told: dict[str, str]) -> None:
    version = told.get("redis_version", "0")
    numbers = tuple(int(it) for it in version.split(".")[:2] if it.isdigit())
    if numbers < OLDEST:
        raise FairbonesError(
            "store/old-server",
            f"The server at {address} is version {version}; "
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
