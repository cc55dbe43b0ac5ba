"""The proxies before the real service, in both modes: streams, waits, addresses, restarts."""

from __future__ import annotations

import http.client
import json
import secrets
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

import pytest

from tests.deploy.proxies import PROXIES
from tests.deploy.running import OPENING, Service, environment, fetch, make_keys, service
from tests.deploy.test_redis_conf import CONF, shipped, users
from tests.deploy.texts import BIN, DEPLOY
from tests.servers.server import free_port

MODES = ["sqlite", "redis"]
PASSWORDS = {"fairbones": "a password", "replica": "b", "sentinel": "c", "exporter": "d"}
# Nothing here is fast or slow: what does not come in so many seconds was held back.
PATIENCE = 15.0


class Place:
    """A service, and what stands before it."""

    def __init__(self, service: Service, base: str) -> None:
        self.service = service
        self.base = base

    def opened(self) -> str:
        """A new match."""
        status, body = fetch(f"{self.base}/v1/matches", OPENING)
        assert status == 201, body
        return str(json.loads(body)["event"]["match"])

    def seated(self, match: str, seat: int) -> None:
        """One event more."""
        status, body = fetch(
            f"{self.base}/v1/matches/{match}/seats/{seat}",
            {"client_seed_commitment": secrets.token_hex(32)},
            {"Authorization": f"Bearer {secrets.token_urlsafe(32)}"},
            "PUT",
        )
        assert status in (200, 201), body


class Stream:
    """An event stream, read a line at a time."""

    def __init__(self, base: str, match: str, last: int | None = None) -> None:
        line = urlsplit(base)
        self._connection = http.client.HTTPConnection(
            str(line.hostname), line.port, timeout=PATIENCE
        )
        headers = {"Accept": "text/event-stream"}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        self._connection.request("GET", f"/v1/matches/{match}/events", headers=headers)
        self._answer = self._connection.getresponse()
        self.status = self._answer.status
        self.headers = self._answer.headers

    def line(self) -> str | None:
        """The next line, None at the end; TimeoutError when none comes."""
        try:
            text = self._answer.readline()
        except (ConnectionError, http.client.IncompleteRead):
            return None
        return text.decode().rstrip("\n") if text else None

    def message(self) -> tuple[int, list[str]]:
        """The id of the next message and the types of its events; comments are passed over."""
        seq = -1
        while (line := self.line()) is not None:
            if line.startswith("id:"):
                seq = int(line.removeprefix("id:"))
            if line.startswith("data:"):
                told: Any = json.loads(line.removeprefix("data:"))
                return seq, [event["type"] for event in told["events"]]
        raise AssertionError("the stream has ended")

    def ended(self) -> bool:
        """Whether there is nothing more to come."""
        while (line := self.line()) is not None:
            assert not line.startswith("data:"), line
        return True

    def close(self) -> None:
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@pytest.fixture(params=MODES, scope="module")
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    """The service in a mode; Redis with the shipped configuration and the shipped users."""
    folder = tmp_path_factory.mktemp(str(request.param))
    with ExitStack() as stack:
        if request.param == "sqlite":
            settings = {"STORE": "sqlite"}
        else:
            path = users(folder, PASSWORDS)
            server = stack.enter_context(shipped("valkey", CONF, "--aclfile", str(path)))
            secret = folder / "password"
            secret.write_text(PASSWORDS["fairbones"])
            secret.chmod(0o400)
            settings = {
                "STORE": f"redis://fairbones@127.0.0.1:{server.port}/0",
                "STORE_PASSWORD_FILE": str(secret),
                "WORKERS": "2",
                "CONNECTIONS": "200",
            }
        keys = folder / "house" / "keys"
        keys.parent.mkdir(mode=0o700)
        make_keys(keys)
        settings |= {"HEARTBEAT": "1", "PROXIES": "1", "KEYS": str(keys)}
        yield stack.enter_context(service(folder, **settings))


@pytest.fixture(params=PROXIES, scope="module")
def place(
    request: pytest.FixtureRequest,
    running: Service,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp(str(request.param))
    with PROXIES[request.param](folder, running.port) as base:
        yield Place(running, base)


def test_an_event_arrives_while_the_stream_goes_on(place: Place) -> None:
    match = place.opened()
    with Stream(place.base, match) as stream:
        assert stream.status == 200
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        assert stream.message() == (0, ["opened"])
        for seat in (0, 1):
            place.seated(match, seat)
            # Held back by anybody, it would come with the end of the stream: never.
            assert stream.message() == (seat + 1, ["seated"])


def test_a_silent_stream_is_kept_open(place: Place) -> None:
    match = place.opened()
    with Stream(place.base, match) as stream:
        stream.message()
        beats = 0
        while beats < 2:
            line = stream.line()
            assert line is not None
            beats += line.startswith(":")
        place.seated(match, 0)
        assert stream.message() == (1, ["seated"])


def test_who_waits_is_answered_when_there_is_something(place: Place) -> None:
    match = place.opened()
    got: list[tuple[int, str]] = []

    def wait() -> None:
        got.append(fetch(f"{place.base}/v1/matches/{match}/events?after=0&wait=15"))

    thread = threading.Thread(target=wait)
    thread.start()
    place.seated(match, 0)
    thread.join(PATIENCE + 10)
    [(status, body)] = got
    assert status == 200
    assert [event["type"] for event in json.loads(body)["events"]] == ["seated"]


def test_a_stream_goes_on_where_it_was_after_a_restart(place: Place) -> None:
    match = place.opened()
    with Stream(place.base, match) as stream:
        assert stream.message() == (0, ["opened"])
        place.service.stop()
        assert stream.ended()
    status, body = fetch(f"{place.base}/v1/matches/{match}")
    assert (status, json.loads(body)["code"]) == (503, "service/not-ready")
    place.service.start()
    place.seated(match, 0)
    with Stream(place.base, match, last=0) as stream:
        assert stream.message() == (1, ["seated"])


def test_a_large_body_is_refused_before_it_gets_there(place: Place) -> None:
    status, body = fetch(f"{place.base}/v1/matches", b"[" * 70_000)
    assert (status, json.loads(body)["code"]) == (413, "request/too-large")


def test_the_numbers_are_there_and_not_public(place: Place) -> None:
    assert fetch(f"{place.base}/metrics")[0] == 404
    status, body = place.service.get("/metrics")
    assert status == 200
    assert "fairbones_appends_total" in body


def test_the_doctor_finds_nothing_wrong(running: Service) -> None:
    """With the user that users.acl.example makes it, in Redis mode."""
    done = subprocess.run(
        [BIN / "fairbones", "doctor"],
        env=environment(**running.settings),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "problem  " not in done.stdout


@pytest.mark.parametrize("name", PROXIES)
def test_nobody_escapes_a_limit_by_another_address(name: str, tmp_path: Path) -> None:
    with (
        service(tmp_path, RATE="3", PROXIES="1") as it,
        PROXIES[name](tmp_path, it.port) as base,
    ):
        seen = [
            fetch(f"{base}/v1/rulesets", headers={"X-Forwarded-For": f"192.0.2.{turn}"})
            for turn in range(10)
        ]
        assert 429 in [status for status, _ in seen]
        refused = json.loads(next(body for status, body in seen if status == 429))
        assert refused["code"] == "rate/requests"
        # Without a proxy that says otherwise the same is believed: this is what it prevents.
        straight = [
            fetch(
                f"http://127.0.0.1:{it.port}/v1/rulesets",
                headers={"X-Forwarded-For": f"192.0.2.{turn}"},
            )[0]
            for turn in range(10)
        ]
        assert straight == [200] * 10


@pytest.mark.parametrize("mode", MODES)
def test_a_gunicorn_of_ones_own_serves(mode: str, tmp_path: Path) -> None:
    argv = [str(BIN / "gunicorn"), "-c", str(DEPLOY / "gunicorn.conf.py"), "fairbones.wsgi:app"]
    with ExitStack() as stack:
        settings = {"PORT": str(free_port())}
        if mode == "redis":
            server = stack.enter_context(shipped("valkey", CONF))
            make_keys(tmp_path / "keys")
            settings |= {
                "STORE": f"redis://127.0.0.1:{server.port}/0",
                "KEYS": str(tmp_path / "keys"),
                "WORKERS": "2",
                "CONNECTIONS": "200",
            }
        it = stack.enter_context(service(tmp_path, argv=argv, **settings))
        # From the first word on: JSON on standard error, at the level that was asked for.
        log = [json.loads(text) for text in it.log().splitlines()]
        assert [line["address"] for line in log if line["event"] == "listening"] == [
            f"http://127.0.0.1:{it.port}"
        ]
        assert "debug" not in {line["level"] for line in log}
        place = Place(it, f"http://127.0.0.1:{it.port}")
        match = place.opened()
        with Stream(place.base, match) as stream:
            assert stream.message() == (0, ["opened"])
            place.seated(match, 0)
            assert stream.message() == (1, ["seated"])
        it.stop()
        assert it.said == ""
