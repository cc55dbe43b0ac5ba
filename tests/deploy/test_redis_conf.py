"""redis.conf and sentinel.conf: servers of both kinds start with them and mean what they say."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis
import yaml

from tests.deploy.texts import DEPLOY, ROOT
from tests.servers import KINDS, Config, Kind, Server
from tests.servers.programs import binary
from tests.servers.server import a_folder

CONF = DEPLOY / "redis" / "redis.conf"
SENTINEL = DEPLOY / "redis" / "sentinel.conf"
USERS = DEPLOY / "redis" / "users.acl.example"


class Shipped(Server):
    """A server that reads a configuration file, but for the folder, the port and the log."""

    def __init__(self, kind: Kind, folder: Path, file: Path, *more: str) -> None:
        super().__init__(kind, Config(), folder)
        self._file = file
        self._more = more

    def words(self) -> list[str]:
        here = ["--port", str(self.port), "--dir", str(self.folder), "--bind", "127.0.0.1"]
        log = ["--logfile", str(self.folder / "log")]
        return [binary(self.kind), str(self._file), *here, *log, *self._more]


@contextmanager
def shipped(kind: Kind, file: Path, *more: str) -> Iterator[Server]:
    with a_folder() as folder, Shipped(kind, folder, file, *more) as server:
        yield server


def written(path: Path) -> dict[str, str]:
    """The directives of a file, but for those that a test has to change; each stands there once."""
    rows = [
        line.split(maxsplit=1)
        for line in path.read_text().splitlines()
        if line and not line.startswith("#")
    ]
    found = [(name, value) for name, value in rows if name not in ("bind", "port", "sentinel")]
    assert len(dict(found)) == len(found)
    return dict(found)


def number(text: str) -> str:
    """A size as the server tells it: in bytes."""
    found = re.fullmatch(r"(\d+)(mb|gb)", text)
    if found is None:
        return text
    return str(int(found[1]) * {"mb": 1024**2, "gb": 1024**3}[found[2]])


@pytest.mark.parametrize("kind", KINDS)
def test_a_server_starts_and_has_every_setting(kind: Kind) -> None:
    with shipped(kind, CONF) as server:
        for name, value in written(CONF).items():
            told = str(server.say("CONFIG GET", name)[name])
            if name == "client-output-buffer-limit":
                clean = " ".join(number(word) for word in value.split())
                assert clean in told
            else:
                assert told == number(value), name


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("appendfsync everysec", "appendfsync everysecond"),
        ("maxmemory-policy noeviction", "maxmemory-policy none"),
        ("repl-backlog-size", "replica-backlog-size"),
    ],
)
def test_a_planted_error_stops_the_server(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "redis.conf"
    path.write_text(CONF.read_text().replace(old, new))
    assert path.read_text() != CONF.read_text()
    with pytest.raises(RuntimeError, match="ended at once"), shipped("valkey", path):
        pass


def test_nothing_that_was_answered_is_thrown_away() -> None:
    """Full is refused; the service is told, and Redis keeps what it has."""
    with shipped("valkey", CONF, "--maxmemory", "3mb") as server:
        client = server.client()
        client.set("kept", "1")
        with pytest.raises(redis.exceptions.OutOfMemoryError):
            for turn in range(100):
                client.set(str(turn), b"x" * 100_000)
        assert client.get("kept") == b"1"


def test_what_was_kept_survives_the_end_of_the_server() -> None:
    with shipped("valkey", CONF, "--appendfsync", "always") as server:
        server.client().set("kept", "1")
        server.kill()
        server.start()
        assert server.client().get("kept") == b"1"


# ------------------------------------------------------------------ users


def users(folder: Path, passwords: dict[str, str]) -> Path:
    """The example, filled in as its own words say."""
    lines = []
    for line in USERS.read_text().splitlines():
        if line.startswith("#") or not line:
            continue
        password = passwords.get(line.split()[1], "")
        lines.append(line.replace("#HASH", f"#{hashlib.sha256(password.encode()).hexdigest()}"))
    path = folder / "users.acl"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_a_stranger_may_ask_whether_it_is_there_and_nothing_else(
    kind: Kind, tmp_path: Path
) -> None:
    names = re.findall(r"^user (\w+) on #HASH", USERS.read_text(), re.M)
    assert "fairbones" in names
    path = users(tmp_path, dict.fromkeys(names, "secret"))
    with shipped(kind, CONF, "--aclfile", str(path)) as server:
        assert server.say("PING") is True
        for command in ("GET x", "KEYS *", "CONFIG GET *", "FLUSHALL", "INFO", "SUBSCRIBE x"):
            with pytest.raises(redis.exceptions.NoPermissionError):
                server.say(*command.split())


def test_the_service_is_allowed_what_it_sends_and_nothing_that_destroys() -> None:
    """Every command of the store, its scripts and the doctor stands in the example."""
    [line] = [it for it in USERS.read_text().splitlines() if it.startswith("user fairbones ")]
    allowed = {it[1:].partition("|")[0] for it in line.split() if it.startswith("+")}
    with shipped("valkey", CONF) as server:
        commands = {it.decode() for it in server.say("COMMAND LIST")}
    folder = ROOT / "service" / "fairbones" / "store" / "redis"
    sources = [*folder.rglob("*.py"), *folder.rglob("*.lua")]
    sources.append(ROOT / "service" / "fairbones" / "cli" / "servers.py")
    words = {
        word.lower()
        for path in sources
        for word in re.findall(r"['\"]([A-Z]+)['\"]", path.read_text())
    }
    # An error of that name; nobody sends it.
    sent = (words & commands) - {"readonly"}
    assert {"evalsha", "rpush", "publish", "info"} <= sent
    assert sent <= allowed
    assert not allowed & {
        "flushall",
        "flushdb",
        "shutdown",
        "save",
        "debug",
        "keys",
        "acl",
        "module",
    }


def test_the_command_of_compose_starts_a_server_for_the_service(tmp_path: Path) -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["redis"]
    path = users(tmp_path, {"fairbones": "secret"})
    here = {
        "/etc/redis/redis.conf": str(CONF),
        "0.0.0.0": "127.0.0.1",
        "/data": str(tmp_path),
        "/run/secrets/redis-users": str(path),
    }
    _, file, *words = [here.get(word, word) for word in compose["command"]]
    with shipped("valkey", Path(file), *words) as server:
        assert server.say("PING") is True
        with pytest.raises(redis.exceptions.NoPermissionError):
            server.say("SET", "fb:x", "1")
        assert server.say("AUTH", "fairbones", "secret")
        assert server.say("SET", "fb:x", "1")
        with pytest.raises(redis.exceptions.NoPermissionError):
            server.say("SET", "other", "1")


# ------------------------------------------------------------------ sentinel


@pytest.mark.parametrize("kind", KINDS)
def test_sentinel_watches_the_house_as_written(kind: Kind, tmp_path: Path) -> None:
    with shipped(kind, CONF) as master:
        path = tmp_path / "sentinel.conf"
        path.write_text(
            SENTINEL.read_text().replace("127.0.0.1 6379 2", f"127.0.0.1 {master.port} 2")
        )
        with shipped(kind, path, "--sentinel") as sentinel:
            told = sentinel.say("SENTINEL MASTER", "fairbones")
            plain = {name: str(value) for name, value in told.items()}
            assert plain["quorum"] == "2"
            assert plain["down-after-milliseconds"] == "5000"
            assert plain["failover-timeout"] == "60000"
            assert plain["parallel-syncs"] == "1"
            assert plain["port"] == str(master.port)


def test_a_sentinel_with_a_planted_error_does_not_start(tmp_path: Path) -> None:
    path = tmp_path / "sentinel.conf"
    path.write_text(SENTINEL.read_text().replace("failover-timeout", "fail-over-timeout"))
    with pytest.raises(RuntimeError, match="ended at once"), shipped("valkey", path, "--sentinel"):
        pass


def test_no_secret_is_shipped() -> None:
    named = re.findall(r"^user \w+ .*?[#>](\S+)", USERS.read_text(), re.M)
    assert named
    assert set(named) == {"HASH"}
    secret = {"requirepass", "masterauth", "user"}
    assert not secret & (set(written(CONF)) | set(written(SENTINEL)))
