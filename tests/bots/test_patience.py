"""How a bot asks again, and how fast it moves."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from fairbones.bots.client import LONGEST_PAUSE, Client
from fairbones.bots.company import Again
from fairbones.bots.lies import Problem, Stopped, Unreachable
from fairbones.bots.tempo import Tempo

MATCH = "00" * 16
OK = (200, "", {"good": True})
BUSY = (503, "", {"code": "service/busy", "detail": "Too many readers wait."})


class Counter(ThreadingHTTPServer):
    """Answers as it was told, one after the other; the last one over and over."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[tuple[int, str, object]] = [OK]
        self.asked: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Counter

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.asked.append((self.path, dict(self.headers.items()), body))
        answers = self.server.answers
        status, retry_after, told = answers.pop(0) if len(answers) > 1 else answers[0]
        if not status:
            self.close_connection = True  # without a word
            return
        said = json.dumps(told).encode()
        self.send_response(status)
        if retry_after:
            self.send_header("Retry-After", retry_after)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)


class Halt(threading.Event):
    """Notes how long it was waited for, and lets nobody wait."""

    def __init__(self) -> None:
        super().__init__()
        self.waited: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        assert timeout is not None
        self.waited.append(timeout)
        return self.is_set()


@pytest.fixture
def counter() -> Iterator[Counter]:
    server = Counter()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("status", [0, 429, 502, 503, 504])
def test_the_very_same_request_is_sent_again(counter: Counter, status: int) -> None:
    halt = Halt()
    counter.answers = [(status, "", {"code": "store/unknown-outcome"})] * 4 + [OK]
    client = Client(counter.url, endure=60, halt=halt)
    assert client.open({"ruleset": "block"}) == {"good": True}
    client.close()
    assert len(counter.asked) == 5
    assert all(it == counter.asked[0] for it in counter.asked)
    assert len(halt.waited) == 4
    assert all(
        later > earlier for earlier, later in zip(halt.waited, halt.waited[1:], strict=False)
    )


def test_the_service_says_how_long_to_wait(counter: Counter) -> None:
    halt = Halt()
    counter.answers = [(429, "7", {"code": "rate/requests"}), (503, "soon", {}), OK]
    client = Client(counter.url, endure=60, halt=halt)
    client.view(MATCH)
    client.close()
    assert 7 <= halt.waited[0] <= 7 * 1.25
    assert halt.waited[1] <= LONGEST_PAUSE * 1.25


@pytest.mark.parametrize("status", [400, 403, 404, 409, 500])
def test_a_refusal_is_not_asked_for_twice(counter: Counter, status: int) -> None:
    counter.answers = [(status, "", {"code": "match/unknown", "detail": "No."})]
    client = Client(counter.url, endure=60)
    with pytest.raises(Problem) as refusal:
        client.view(MATCH)
    client.close()
    assert (refusal.value.status, refusal.value.code) == (status, "match/unknown")
    assert len(counter.asked) == 1


def test_who_has_no_place_to_wait_in_is_told_at_once(counter: Counter) -> None:
    halt = Halt()
    counter.answers = [BUSY, BUSY, OK]
    client = Client(counter.url, endure=60, halt=halt)
    with pytest.raises(Problem, match="service/busy"):
        client.events(MATCH, 0, wait=10)
    assert halt.waited == []
    assert client.events(MATCH, 0) == {"good": True}
    client.close()


def test_patience_ends(counter: Counter) -> None:
    counter.answers = [BUSY]
    client = Client(counter.url, endure=0.3)
    with pytest.raises(Problem, match="service/busy"):
        client.view(MATCH)
    client.close()
    assert len(counter.asked) == 2
    nobody = Client("http://127.0.0.1:1", endure=0.3)
    with pytest.raises(Unreachable, match="does not answer GET"):
        nobody.view(MATCH)


def test_a_service_that_is_not_there_is_told_of_once_in_a_while(counter: Counter) -> None:
    told: list[str] = []
    counter.answers = [BUSY, (0, "", {}), (0, "", {}), OK]
    client = Client(counter.url, endure=60, halt=Halt(), again=Again(told.append))
    client.view(MATCH)
    client.close()
    assert len(told) == 1
    assert told[0].startswith("retrying: the service does not answer GET")


def test_an_api_key_goes_with_what_is_opened_alone(counter: Counter) -> None:
    client = Client(counter.url, api_key="fbk_x")
    client.open({})
    client.view(MATCH)
    client.close()
    sent = [headers.get("Authorization") for _, headers, _ in counter.asked]
    assert sent == ["Bearer fbk_x", None]


def test_who_is_told_to_stop_asks_nobody(counter: Counter) -> None:
    halt = threading.Event()
    halt.set()
    client = Client(counter.url, endure=60, halt=halt)
    with pytest.raises(Stopped, match="told to stop"):
        client.view(MATCH)
    assert counter.asked == []


def test_connections_are_kept(counter: Counter) -> None:
    client = Client(counter.url)
    for _ in range(3):
        client.view(MATCH)
    sock = client._connection.sock
    client.view(MATCH)
    assert client._connection.sock is sock is not None
    client.close()


def test_all_bots_together_keep_the_tempo() -> None:
    now = [100.0]
    four = Tempo(4, lambda: now[0])
    assert [four(1) for _ in range(5)] == [0.0, 0.25, 0.5, 0.75, 1.0]
    now[0] += 10
    assert [four(2), four(2)] == [0.0, 0.25]
    assert Tempo(0, lambda: now[0])(1) == 0.0
