"""A Sentinel, or three: who watches a server and promotes its replica."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis

from tests.servers.programs import Kind, binary
from tests.servers.server import Config, Server, a_folder, until


class Sentinel(Server):
    """One Sentinel that decides alone (quorum 1), after half a second of silence."""

    def __init__(
        self, kind: Kind, master: Server, name: str, folder: Path, password: str | None = None
    ) -> None:
        super().__init__(kind, Config(password=password), folder)
        self.name = name
        self.master = master

    @property
    def url(self) -> str:
        """How a store is told of the servers that it watches."""
        secret = self.master.config.password
        user = f":{secret}@" if secret else ""
        return f"redis+sentinel://{user}127.0.0.1:{self.port}/{self.name}/0"

    def words(self) -> list[str]:
        """The command line; a Sentinel writes what it learns into its file."""
        lines = [
            f"port {self.port}",
            "bind 127.0.0.1",
            f"dir {self.folder}",
            f'logfile "{self.folder / "log"}"',
            f"sentinel monitor {self.name} 127.0.0.1 {self.master.port} 1",
            f"sentinel down-after-milliseconds {self.name} 500",
            f"sentinel failover-timeout {self.name} 3000",
        ]
        if self.config.password:
            lines.append(f"requirepass {self.config.password}")
        if self.master.config.password:
            lines.append(f"sentinel auth-pass {self.name} {self.master.config.password}")
        path = self.folder / "sentinel.conf"
        if not path.exists():
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return [binary(self.kind), str(path), "--sentinel"]

    def promoted(self) -> int:
        """The port of the server that is the master by now."""
        host, port = self.say("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.name)
        assert host == b"127.0.0.1"
        return int(port)

    def knows_a_replica(self) -> bool:
        """Whether there is one that it could promote."""
        found = self.say("SENTINEL", "REPLICAS", self.name)
        return bool(found)

    def fail_over(self, patience: float = 20.0) -> int:
        """Promote a replica now, though the master is well; the new master's port.

        The old master takes writes for up to ten seconds more, until Sentinel looks after it.
        """
        before = self.promoted()
        until(self.knows_a_replica, patience, "a replica that Sentinel knows")

        def taken() -> bool:
            try:
                self.say("SENTINEL", "FAILOVER", self.name)
            except redis.ResponseError as error:
                # NOGOODSLAVE until it has heard from the replica, INPROG from then on.
                return "INPROG" in str(error)
            return True

        until(taken, patience, "a fail-over")
        until(lambda: self.promoted() != before, patience, "a new master")
        return self.promoted()


@contextmanager
def sentinel_of(
    kind: Kind, master: Server, *, name: str = "house", password: str | None = None
) -> Iterator[Sentinel]:
    """A Sentinel that watches `master` under `name`; `password` is its own."""
    with a_folder() as folder, Sentinel(kind, master, name, folder, password) as sentinel:
        yield sentinel
