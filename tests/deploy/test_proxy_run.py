"""What passes the proxies and what does not, before a server that says what it was asked."""

from __future__ import annotations

import http.client
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fairbones.api.codes import CODES
from tests.deploy.proxies import CADDYFILE, NGINX, PROXIES
from tests.deploy.running import fetch
from tests.servers.server import free_port

BODY_MAX = 65_536


class Echo(BaseHTTPRequestHandler):
    """Answers with the head of the request."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        self.rfile.read(length)
        told = {
            "path": self.path,
            "version": self.request_version,
            "headers": {name.lower(): value for name, value in self.headers.items()},
        }
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        pass


class Echoes(ThreadingHTTPServer):
    """Some of its clients are cut off in the middle, which is no news."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        pass


@contextmanager
def echo() -> Iterator[int]:
    with Echoes(("127.0.0.1", 0), Echo) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture(params=PROXIES, scope="module")
def proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[str]:
    folder = tmp_path_factory.mktemp(str(request.param))
    with echo() as port, PROXIES[request.param](folder, port) as base:
        yield base


@pytest.fixture(params=PROXIES)
def proxy_of_nothing(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with PROXIES[request.param](tmp_path, free_port()) as base:
        yield base


def heard(base: str, headers: dict[str, str]) -> dict[str, str]:
    """The headers that arrive behind the proxy."""
    status, body = fetch(f"{base}/v1/rulesets", headers=headers)
    assert status == 200
    told = json.loads(body)
    assert told["version"] == "HTTP/1.1"
    return dict(told["headers"])


def test_a_client_cannot_say_who_it_is(proxy: str) -> None:
    lies = {
        "X-Forwarded-For": "192.0.2.1, 192.0.2.2",
        "X-Real-IP": "192.0.2.3",
        "Forwarded": "for=192.0.2.4",
        "X-Forwarded-Proto": "gopher",
    }
    there = heard(proxy, lies)
    assert there["x-forwarded-for"] == "127.0.0.1"
    assert there["x-forwarded-proto"] == "http"
    assert "forwarded" not in there


def test_each_request_gets_a_name_of_ours(proxy: str) -> None:
    names = {heard(proxy, {"X-Request-Id": "mine"})["x-request-id"] for _ in range(3)}
    assert len(names) == 3
    # What the service keeps of them: letters, digits and dashes, at most 64.
    assert all(re.fullmatch(r"[0-9a-f-]{32,36}", name) for name in names)


def test_what_a_client_needs_arrives(proxy: str) -> None:
    sent = {
        "Authorization": "Bearer abc",
        "Idempotency-Key": "k",
        "If-None-Match": '"7"',
        "Last-Event-ID": "7",
        "Accept": "text/event-stream",
    }
    there = heard(proxy, sent)
    for name, value in sent.items():
        assert there[name.lower()] == value


def test_a_large_body_is_refused_in_the_words_of_the_api(proxy: str) -> None:
    assert fetch(f"{proxy}/v1/matches", b"x" * BODY_MAX)[0] == 200
    status, body = fetch(f"{proxy}/v1/matches", b"x" * (BODY_MAX + 1))
    assert status == 413
    told = json.loads(body)
    assert (told["code"], told["status"]) == ("request/too-large", 413)


@pytest.mark.parametrize("path", ["/metrics", "/metrics?x=1", "/%6detrics", "//metrics"])
def test_the_numbers_are_not_public(path: str, proxy: str) -> None:
    status, body = fetch(proxy + path)
    if status == 200:
        # Passed on as it stands: an address that the service does not have.
        assert json.loads(body)["path"] == path == "//metrics"
        return
    assert status == 404
    assert json.loads(body)["code"] == "route/unknown"


def test_an_address_is_passed_on_as_it_was_sent(proxy: str) -> None:
    for path in ("/v1/matches/%2F/events?after=1", "/v1//matches", "/v1/x%20y"):
        assert json.loads(fetch(proxy + path)[1])["path"] == path


def test_a_service_that_is_away_is_told_in_the_words_of_the_api(proxy_of_nothing: str) -> None:
    line = urlsplit(proxy_of_nothing)
    connection = http.client.HTTPConnection(str(line.hostname), line.port, timeout=20)
    connection.request("GET", "/v1/rulesets")
    answer = connection.getresponse()
    told = json.loads(answer.read())
    connection.close()
    assert (answer.status, told["code"]) == (503, "service/not-ready")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["Retry-After"] == "2"
    assert answer.headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize("name", PROXIES)
def test_a_host_that_is_away_is_passed_over(name: str, tmp_path: Path) -> None:
    with echo() as port, PROXIES[name](tmp_path, free_port(), port) as base:
        assert [fetch(f"{base}/v1/rulesets")[0] for _ in range(6)] == [200] * 6
        # Not only what may be sent twice: a request that never got there may be sent again.
        assert [fetch(f"{base}/v1/matches", {})[0] for _ in range(6)] == [200] * 6


def test_the_words_are_those_of_the_api() -> None:
    """Each problem that a proxy writes itself is a row of the service's table."""
    text = (NGINX / "fairbones.conf").read_text() + CADDYFILE.read_text()
    problems = [json.loads(it) for it in re.findall(r'\{"type":"urn:[^\n]*?"\}', text)]
    assert len(problems) == 6
    for it in problems:
        row = CODES[it["code"]]
        assert (it["type"], it["title"], it["status"]) == (row.uri, row.title, row.status)
