"""`gunicorn fairbones.wsgi:app` with a configuration of one's own, as `serving.hooks` says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import Server
from tests.serving.running import Running, environment, eventually
from tests.serving.test_refusals import free_port

OURS = (
    "from fairbones.serving.hooks import gunicorn_settings\nglobals().update(gunicorn_settings())\n"
)
# gunicorn's own workers, told of the end by our hooks.
PLAIN = (
    "from fairbones.serving import hooks\n"
    "told = hooks.gunicorn_settings()\n"
    "worker_class = 'gevent' if told['worker_class'].endswith('CrowdWorker') else 'gthread'\n"
    "told.pop('worker_class')\n"
    "globals().update(told)\n"
)


@pytest.fixture(params=["file", "shared"])
def variables(request: pytest.FixtureRequest, redis: Server, keys: Path) -> dict[str, object]:
    port: dict[str, object] = {"PORT": free_port()}
    if request.param == "file":
        return port
    redis.empty()
    return port | {"STORE": redis.url, "KEYS": keys, "WORKERS": 2}


@pytest.fixture(params=[OURS, PLAIN], ids=["our-workers", "its-workers"])
def service(
    request: pytest.FixtureRequest, tmp_path: Path, variables: dict[str, object]
) -> Iterator[Running]:
    (tmp_path / "gunicorn.conf.py").write_text(request.param)
    command = [sys.executable, "-m", "gunicorn", "-c", str(tmp_path / "gunicorn.conf.py")]
    running = Running(tmp_path / "own", [*command, "fairbones.wsgi:app"], **variables)
    running.port = int(str(variables["PORT"]))
    yield running
    running.end()


def test_it_serves_and_stops(service: Running) -> None:
    eventually(lambda: service.ask("GET", "/readyz"))
    match = service.open()
    streams = [service.follow(match, "?after=0") for _ in range(4)]
    service.sit(match, 0)
    assert [stream.types() for stream in streams] == [["seated"]] * 4
    service.stop()
    assert [stream.next() for stream in streams] == [None] * 4
    assert service.lines("error", "critical") == []


def test_it_refuses_in_one_sentence(tmp_path: Path, redis: Server) -> None:
    (tmp_path / "gunicorn.conf.py").write_text(OURS)
    command = [sys.executable, "-m", "gunicorn", "-c", str(tmp_path / "gunicorn.conf.py")]
    for ours in (
        {"PORT": "x"},
        {"STORE": redis.url, "KEYS": tmp_path / "none", "WORKERS": 4, "PORT": free_port()},
    ):
        ended = subprocess.run(
            [*command, "fairbones.wsgi:app"],
            env=environment(DATA=tmp_path / "data", **ours),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ended.returncode == 3
        (line,) = ended.stderr.splitlines()
        assert line.startswith("fairbones: ")
