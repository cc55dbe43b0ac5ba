"""A service that cannot start says so once, in one sentence, and is not tried again and again."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from tests.servers import Config, Server, redis_server
from tests.serving.conftest import Start
from tests.serving.running import Running


def refused(service: Running) -> str:
    """The one sentence on standard error."""
    assert service.process.wait(30) == 3, service.log.read_text()
    assert service.process.stdout is not None
    assert service.process.stdout.read() == ""
    (line,) = service.log.read_text().splitlines()
    assert line.startswith("fairbones: ")
    return line


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
    return port


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"WORKERS": 2}, "FAIRBONES_WORKERS is 2; with FAIRBONES_STORE `sqlite` it has to be 1"),
        ({"STORE": "postgres://x"}, "FAIRBONES_STORE is wrong; it has to be `sqlite`, or a URL"),
        ({"HEARTBEAT": 0}, "FAIRBONES_HEARTBEAT is '0'; it has to be a whole number from 1 to 60"),
    ],
)
def test_settings_that_cannot_be(start: Start, variables: dict[str, object], said: str) -> None:
    assert said in refused(start(**variables))


def test_keys_are_never_made_for_a_shared_store(
    start: Start, redis: Server, tmp_path: Path
) -> None:
    nowhere = tmp_path / "no-keys"
    said = refused(start(STORE=redis.url, KEYS=nowhere, WORKERS=4))
    assert "run `fairbones keys create`" in said
    assert not nowhere.exists()
    nowhere.mkdir(mode=0o700)
    assert "run `fairbones keys create`" in refused(start(STORE=redis.url, KEYS=nowhere, WORKERS=4))
    assert list(nowhere.glob("*.key")) == []


def test_a_store_that_is_not_there(start: Start, keys: Path) -> None:
    port = free_port()
    said = refused(start(STORE=f"redis://:hunter2@127.0.0.1:{port}/0", KEYS=keys, WORKERS=4))
    assert str(port) in said
    assert "hunter2" not in said


def test_a_wrong_password_is_told_once_and_not_shown(
    start: Start, keys: Path, tmp_path: Path
) -> None:
    file = tmp_path / "password"
    file.write_text("hunter2\n")
    file.chmod(0o600)
    with redis_server("valkey", Config(password="right")) as server:
        plain = f"redis://127.0.0.1:{server.port}/0"
        service = start(STORE=plain, STORE_PASSWORD_FILE=file, KEYS=keys, WORKERS=4)
        assert "hunter2" not in refused(service)
        file.write_text("right\n")
        start(STORE=plain, STORE_PASSWORD_FILE=file, KEYS=keys, WORKERS=1).ready().stop()
