"""One Redis or Valkey server, and the harm that can come to it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from tests.servers.certificates import Certificates
from tests.servers.programs import Kind, binary

START_SECONDS = 20.0
_PORT_TRIES = 5


@dataclass(frozen=True)
class Config:
    """What a server is started with. Without `appendfsync` it keeps nothing over a restart.

    `folder`: where its files go, a new one that is removed at the end when None. `maxmemory` is
    in bytes, 0: none. `replica_of`: it copies that server. `extra`: words as in its configuration
    file, `("maxclients", "10")`.
    """

    password: str | None = None
    tls: Certificates | None = None
    appendfsync: Literal["always", "everysec", "no"] | None = None
    folder: Path | None = None
    maxmemory: int = 0
    policy: str = "noeviction"
    replica_of: Server | None = None
    unix: bool = False
    extra: tuple[str, ...] = ()


class Server:
    """A server that runs from `start` on; `port` and `folder` stay the same over restarts."""

    def __init__(self, kind: Kind, config: Config, folder: Path) -> None:
        self.kind = kind
        self.config = config
        self.folder = folder
        self.port = free_port()
        self.socket = folder / "server.sock"
        self._process: subprocess.Popen[bytes] | None = None
        self._clients: list[redis.Redis] = []
        self._teller: Any = None

    @property
    def pid(self) -> int:
        """The process that runs now."""
        assert self._process is not None
        return self._process.pid

    @property
    def url(self) -> str:
        """How a store is told of it."""
        return self.url_at(self.port)

    def url_at(self, port: int, db: int = 0) -> str:
        """Its URL through another port, that of a proxy."""
        user = f":{self.config.password}@" if self.config.password else ""
        if self.config.unix:
            return f"unix://{user}{self.socket}?db={db}"
        if self.config.tls:
            return f"rediss://{user}127.0.0.1:{port}/{db}?ca={self.config.tls.ca}"
        return f"redis://{user}127.0.0.1:{port}/{db}"

    def words(self) -> list[str]:
        """The command line."""
        it = self.config
        given: dict[str, str] = {
            "bind": "127.0.0.1",
            "tls-port" if it.tls else "port": str(self.port),
            "dir": str(self.folder),
            "save": "",
            "loglevel": "notice",
            "logfile": str(self.folder / "log"),
            "maxmemory-policy": it.policy,
            "repl-diskless-sync-delay": "0",
            "appendonly": "yes" if it.appendfsync else "no",
            "appendfsync": it.appendfsync or "no",
        }
        if it.tls:
            given |= {"port": "0", "tls-replication": "yes", "tls-auth-clients": "optional"}
            given |= {"tls-ca-cert-file": str(it.tls.ca), "tls-cert-file": str(it.tls.cert)}
            given |= {"tls-key-file": str(it.tls.key)}
        if it.unix:
            given["unixsocket"] = str(self.socket)
        if it.password:
            given |= {"requirepass": it.password, "masterauth": it.password}
        if it.maxmemory:
            given["maxmemory"] = str(it.maxmemory)
        words = [binary(self.kind)]
        for name, value in given.items():
            words += [f"--{name}", value]
        if it.replica_of:
            words += ["--replicaof", "127.0.0.1", str(it.replica_of.port)]
        for name, value in zip(it.extra[::2], it.extra[1::2], strict=True):
            words += [f"--{name}", *value.split()]
        return words

    def start(self) -> None:
        """Run, again after `kill` or `stop`; returns when it answers."""
        self._process = subprocess.Popen(
            self.words(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=self.folder
        )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if self._process.poll() is not None:
                raise RuntimeError(f"{self.kind} ended at once:\n{self.log()}")
            if time.monotonic() > deadline:
                self.kill()
                raise RuntimeError(f"{self.kind} does not answer:\n{self.log()}")
            time.sleep(0.005)

    def log(self) -> str:
        """What it has said so far."""
        path = self.folder / "log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def kill(self) -> None:
        """As a power cut would, but for the disk: SIGKILL."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """As an operator would: SIGTERM."""
        self._end(signal.SIGTERM)

    def pause(self) -> None:
        """It hangs: connections are taken by the kernel, nothing is answered."""
        os.kill(self.pid, signal.SIGSTOP)

    def resume(self) -> None:
        """It goes on where it was."""
        os.kill(self.pid, signal.SIGCONT)

    def client(self) -> redis.Redis:
        """A plain client with a connection of its own, for the test; no store uses it."""
        self._clients.append(self._client())
        return self._clients[-1]

    def _client(self) -> redis.Redis:
        tls = self.config.tls
        return redis.Redis(
            host="127.0.0.1",
            port=self.port,
            password=self.config.password,
            ssl=tls is not None,
            ssl_ca_certs=str(tls.ca) if tls else None,
            ssl_certfile=str(tls.cert) if tls else None,
            ssl_keyfile=str(tls.key) if tls else None,
            socket_timeout=10,
            retry=Retry(NoBackoff(), 0),
            protocol=2,
        )

    def say(self, *words: str | bytes | int) -> Any:
        """What it answers to a command; raises `redis.RedisError`."""
        if self._teller is None:
            self._teller = self.client()
        return self._teller.execute_command(*words)

    def in_step(self, replicas: int = 1) -> bool:
        """Whether so many replicas have all that was written so far; waits a little for them."""
        # WAIT speaks of what its own connection has written.
        self.say("DEL", "tests:step")
        self.say("INCR", "tests:step")
        reached: int = self.say("WAIT", replicas, 100)
        self.say("DEL", "tests:step")
        return reached >= replicas

    def empty(self) -> None:
        """Away with all keys and scripts, and back to the memory it was started with."""
        self.say("FLUSHALL")
        self.say("SCRIPT", "FLUSH")
        self.say("CONFIG", "SET", "maxmemory", self.config.maxmemory)

    def close(self) -> None:
        """End it, whatever state it is in."""
        for client in self._clients:
            client.close()
        if self._process is not None and self._process.poll() is None:
            self.kill()

    def _end(self, how: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(how)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(10)

    def _answers(self) -> bool:
        """Whether it answers PING: it neither loads nor hangs up any more."""
        client: Any = self._client()
        with client:
            try:
                return bool(client.execute_command("PING"))
            except redis.ResponseError:
                return True  # a Sentinel's own password
            except redis.RedisError:
                return False

    def __enter__(self) -> Self:
        for left in reversed(range(_PORT_TRIES)):
            try:
                self.start()
            except RuntimeError as error:
                # Somebody else may have taken the port since it was looked for.
                if not left or "in use" not in str(error):
                    raise
                self.port = free_port()
            else:
                break
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def redis_server(kind: Kind, config: Config | None = None) -> Iterator[Server]:
    """A server of this kind that answers, and is gone afterwards."""
    config = config or Config()
    with a_folder(config.folder) as folder, Server(kind, config, folder) as server:
        yield server


@contextmanager
def a_folder(given: Path | None = None) -> Iterator[Path]:
    """The folder that was given, or one for as long as it is needed; paths of sockets are short."""
    if given is not None:
        given.mkdir(parents=True, exist_ok=True)
        yield given
        return
    made = Path(tempfile.mkdtemp(prefix="fb-server-"))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def free_port() -> int:
    """A loopback port that nobody listens on, below those that the kernel gives to clients."""
    for _ in range(200):
        port = 20_000 + int.from_bytes(os.urandom(2), "big") % 12_000
        with socket.socket() as it:
            try:
                it.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port on the loopback interface")


def until(condition: Callable[[], object], seconds: float = 15.0, what: str = "") -> None:
    """Wait until a condition holds; an error names `what` did not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds} s in vain{what and ': '}{what}")
        time.sleep(0.01)
