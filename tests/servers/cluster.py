"""Three servers that share the slots of a Cluster, without replicas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial

from tests.servers.programs import Kind
from tests.servers.server import Config, Server, free_port, redis_server, until

SLOTS = 16384


class Cluster:
    """Servers that know each other; the slots lie in equal runs, in the order of `servers`."""

    def __init__(self, servers: list[Server]) -> None:
        self.servers = servers

    @property
    def url(self) -> str:
        """How a store is told of it."""
        hosts = ",".join(f"127.0.0.1:{server.port}" for server in self.servers)
        return f"redis+cluster://{hosts}"

    def owner(self, key: bytes) -> Server:
        """The server that holds a key."""
        slot: int = self.servers[0].say("CLUSTER", "KEYSLOT", key)
        return self.servers[min(slot * len(self.servers) // SLOTS, len(self.servers) - 1)]

    def empty(self) -> None:
        """Away with all keys and scripts."""
        for server in self.servers:
            server.empty()

    def join(self) -> None:
        """Give out the slots and wait until every server calls the Cluster whole."""
        count = len(self.servers)
        for index, server in enumerate(self.servers):
            first, end = -(-SLOTS * index // count), -(-SLOTS * (index + 1) // count)
            server.say("CLUSTER", "ADDSLOTS", *range(first, end))
            server.say("CLUSTER", "SET-CONFIG-EPOCH", index + 1)
            for other in self.servers[:index]:
                bus = other.config.extra[other.config.extra.index("cluster-port") + 1]
                server.say("CLUSTER", "MEET", "127.0.0.1", other.port, bus)
        for server in self.servers:
            until(partial(_whole, server, count), 20, "a whole cluster")


def _whole(server: Server, count: int) -> bool:
    said: bytes | dict[str, str] = server.say("CLUSTER", "INFO")
    told = (
        said
        if isinstance(said, dict)
        else dict(line.split(":", 1) for line in said.decode().splitlines() if ":" in line)
    )
    return told["cluster_state"] == "ok" and int(told["cluster_known_nodes"]) == count


@contextmanager
def cluster(kind: Kind, servers: int = 3) -> Iterator[Cluster]:
    """A Cluster that is whole, and is gone afterwards."""
    with ExitStack() as stack:
        made = [
            stack.enter_context(
                redis_server(
                    kind,
                    Config(
                        extra=(
                            "cluster-enabled",
                            "yes",
                            "cluster-port",
                            str(free_port()),
                            "cluster-node-timeout",
                            "2000",
                        )
                    ),
                )
            )
            for _ in range(servers)
        ]
        whole = Cluster(made)
        whole.join()
        yield whole
