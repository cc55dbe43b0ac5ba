"""Clients that send slowly hold nobody; what is refused before the app looks like the app."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest

from fairbones.api.codes import CODES
from fairbones.serving import connections_max, refusal
from tests.config.service import Service, Start, answer_of, eventually

THREADS = 4
GET = b"GET /pid HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET /pid HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
POST = b"POST /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def service(start: Start) -> Service:
    """With a patience longer than any of these tests takes, unless one wants less."""
    return start(THREADS=str(THREADS), ARRIVAL="60").ready()


@contextlib.contextmanager
def held(service: Service, begun: bytes, count: int = 3 * THREADS) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(service.connect()) for _ in range(count)]
        for client in clients:
            client.sendall(begun)
        time.sleep(0.2)
        yield clients


def slowly(client: socket.socket, request: bytes, size: int, pause: float = 0.01) -> None:
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for at in range(0, len(request), size):
        client.sendall(request[at : at + size])
        time.sleep(pause)


def body_of(answer: bytes) -> bytes:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), answer
    return body


def next_answer(client: socket.socket) -> bytes:
    """One answer of a connection that stays open."""
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += client.recv(1)
    head = answer.lower()
    length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
    while length > 0:
        length -= 1
        answer += client.recv(1)
    return answer


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


# ---------------------------------------------------------------- slow clients


BEGUN = {
    "half-a-line": b"GET /pid HT",
    "one-byte": b"G",
    "an-empty-line": b"\r\n",
    "half-a-head": b"GET /pid HTTP/1.1\r\nHost: ",
    "half-a-body": POST + b"Content-Length: 60000\r\n\r\nhalf",
    "no-body": POST + b"Content-Length: 5\r\n\r\n",
    "an-expected-body": POST + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n",
    "half-a-chunk": CHUNKED + b"64\r\nhalf",
    "no-chunk": CHUNKED,
    "no-last-chunk": CHUNKED + b"4\r\nhalf\r\n",
    "half-a-trailer": CHUNKED + b"0\r\nX: ",
    "a-second-half": GET + b"GET /pid HT",
    "a-body-too-long": POST.replace(b"Connection: close\r\n", b"")
    + b"Content-Length: 99999\r\n\r\nhalf",
    "no-http": b"\x16\x03\x01",
}


@pytest.mark.parametrize("begun", BEGUN.values(), ids=BEGUN.keys())
def test_half_a_request_holds_no_thread(service: Service, begun: bytes) -> None:
    with held(service, begun):
        for _ in range(3):
            assert service.get("/pid", timeout=5)
        with service.connect() as client:
            client.sendall(POST + b"Content-Length: 60000\r\n\r\n" + b"x" * 60_000)
            assert body_of(answer_of(client)) == b"x" * 60_000


@pytest.mark.parametrize("begun", ["half-a-body", "half-a-chunk", "half-a-line"])
def test_bytes_now_and_then_hold_no_thread(service: Service, begun: str) -> None:
    with held(service, BEGUN[begun]) as clients:
        for _ in range(5):
            for client in clients:
                client.sendall(b"x")
            assert service.get("/pid", timeout=5)


def test_those_who_come_back_at_once_hold_nobody(start: Start) -> None:
    service = start(THREADS=str(THREADS), ARRIVAL="0.3").ready()
    until = time.monotonic() + 2
    clients: deque[socket.socket] = deque()
    with contextlib.ExitStack() as stack:
        while time.monotonic() < until:
            for _ in range(2 * THREADS):
                client = stack.enter_context(service.connect())
                client.sendall(b"GET /pid HT")
                clients.append(client)
            while len(clients) > 300:  # given up by now; a process has no more than 1,024 files
                clients.popleft().close()
            assert service.get("/pid", timeout=5)


@pytest.mark.parametrize("begun", ["half-a-line", "half-a-body", "half-a-chunk"])
def test_whoever_never_finishes_is_given_up(start: Start, begun: str) -> None:
    service = start(ARRIVAL="0.5").ready()
    with held(service, BEGUN[begun], 5) as clients:
        for client in clients:
            assert answer_of(client) == b""


def test_waiting_for_clients_is_no_work(service: Service) -> None:
    pid = service.worker()
    with held(service, b"GET /pid HT", 60), held(service, BEGUN["half-a-body"], 60):
        before = cpu_seconds(pid)
        time.sleep(2)
        assert cpu_seconds(pid) - before < 0.5


def test_a_stop_does_not_wait_for_half_a_request(start: Start) -> None:
    service = start(ARRIVAL="60", GRACE="60").ready()
    with held(service, b"GET /pid HT", 5), held(service, b"", 5):
        before = time.monotonic()
        service.process.terminate()
        assert service.process.wait(20) == 0
        assert time.monotonic() - before < 15


def test_a_request_on_its_way_is_answered_during_a_stop(start: Start) -> None:
    service = start(ARRIVAL="60").ready()
    with held(service, LAST[:10], 1) as (client,):
        service.process.terminate()
        time.sleep(0.3)
        client.sendall(LAST[10:])
        assert body_of(answer_of(client))
    assert service.process.wait(20) == 0


# ---------------------------------------------------------------- honest clients


@pytest.mark.parametrize("size", [1, 7, 50])
def test_a_request_in_pieces_is_answered(service: Service, size: int) -> None:
    with service.connect() as client:
        slowly(client, LAST, size)
        assert body_of(answer_of(client)) == service.get("/pid").encode()


@pytest.mark.parametrize("size", [1, 3, 16])
def test_chunks_in_pieces_are_gathered(service: Service, size: int) -> None:
    with service.connect() as client:
        slowly(client, CHUNKED + b"3;a=b\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX: y\r\n\r\n", size)
        assert body_of(answer_of(client)) == b"abc0123456789"


def test_requests_one_after_the_other_in_one_stream(service: Service) -> None:
    """Cut where it hurts: an answer never waits for the request after it."""
    body = b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
    chunks = (
        b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n0\r\n\r\n"
    )
    with service.connect() as client:
        client.sendall(GET + body[:20])
        assert next_answer(client).startswith(b"HTTP/1.1 200")
        client.sendall(body[20:-2])
        time.sleep(0.1)
        client.sendall(body[-2:] + b"\r\n" + chunks + body + GET[:-1])
        assert next_answer(client).endswith(b"\r\n\r\nhello")
        assert next_answer(client).endswith(b"\r\n\r\nhe")
        assert next_answer(client).endswith(b"\r\n\r\nhello")
        client.sendall(b"\n" + LAST)
        assert next_answer(client).startswith(b"HTTP/1.1 200")
        assert body_of(answer_of(client))


def test_a_client_may_close_its_side_after_its_request(service: Service) -> None:
    with service.connect() as client:
        client.sendall(GET)
        client.shutdown(socket.SHUT_WR)
        assert body_of(answer_of(client))


def test_an_expected_body_is_invited_once(service: Service) -> None:
    with service.connect() as client:
        client.sendall(POST + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"hello")
        assert body_of(answer_of(client)) == b"hello"
    with service.connect() as client:
        client.sendall(POST + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\nhello")
        assert body_of(answer_of(client)) == b"hello"
    with service.connect() as client:
        client.sendall(POST + b"Content-Length: 99999\r\nExpect: 100-continue\r\n\r\n")
        assert answer_of(client).startswith(b"HTTP/1.1 413")


def test_what_follows_a_refused_body_is_no_request(service: Service) -> None:
    inner = GET * 3000
    with service.connect() as client:
        client.sendall(
            b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(inner)
            + inner[:500]
        )
        answer = answer_of(client)
    assert answer.startswith(b"HTTP/1.1 413")
    assert answer.count(b"HTTP/1.1 ") == 1


# ---------------------------------------------------------------- many connections


def test_a_full_house_lets_the_oldest_go(start: Start) -> None:
    few = {"PLACES": "20", "CONNECTIONS": "20"}
    service = start(THREADS="2", WAITERS="1", ARRIVAL="60", **few).ready()
    with held(service, b"GET /pid HT", 40) as clients:
        for _ in range(3):
            assert service.get("/pid", timeout=5)
        assert answer_of(clients[0]) == b""
        clients[-1].sendall(LAST[len(b"GET /pid HT") :])
        assert body_of(answer_of(clients[-1]))
    with held(service, b"", 40):
        assert service.get("/pid", timeout=5)


def test_connections_leave_files_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    for files, threads, most in ((1024, 32, 640), (20_000, 32, 800), (20_000, 512, 1024)):
        monkeypatch.setattr("resource.getrlimit", lambda _, files=files: (files, files))
        assert connections_max(threads) == most
    monkeypatch.setattr("resource.getrlimit", lambda _: (256, 256))
    assert connections_max(32) == 34


# ---------------------------------------------------------------- refusals before the app


REFUSED = {
    "no-http": (b"nonsense\r\n\r\n", 400),
    "http-0.9": (b"GET /\r\n\r\n", 400),
    "http-2": (b"GET / HTTP/2.0\r\n\r\n", 400),
    "tls": (b"\x16\x03\x01\x02\x00\x01\n", 400),
    "bare-lf": (b"GET / HTTP/1.1\nHost: x\n\n", 400),
    "bare-lf-in-the-head": (b"GET / HTTP/1.1\r\nHost: x\n\n", 400),
    "method": (b"get / HTTP/1.1\r\n\r\n", 400),
    "field": (b"GET / HTTP/1.1\r\nno colon secret\r\n\r\n", 400),
    "folded": (b"GET / HTTP/1.1\r\nX: y\r\n z\r\n\r\n", 400),
    "two-hosts": (b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
    "length-and-chunks": (CHUNKED[:-2] + b"Content-Length: 5\r\n\r\n0\r\n\r\n", 400),
    "two-lengths": (POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 400),
    "no-length": (POST + b"Content-Length: -5\r\n\r\nhello", 400),
    "chunk-size": (CHUNKED + b"xyz\r\nhello\r\n0\r\n\r\n", 400),
    "chunk-end": (CHUNKED + b"2\r\nhello\r\n0\r\n\r\n", 400),
    "coding": (POST + b"Transfer-Encoding: zip\r\n\r\n", 501),
    "coding-that-never-ends": (POST + b"Transfer-Encoding: gzip\r\n\r\n", 400),
    "expectation": (b"GET / HTTP/1.1\r\nExpect: cake\r\n\r\n", 417),
    "address": (b"GET /%s HTTP/1.1\r\n\r\n" % (b"x" * 5000), 414),
    "address-without-end": (b"GET /" + b"x" * 5000, 414),
    "field-too-long": (b"GET / HTTP/1.1\r\nX: %s\r\n\r\n" % (b"x" * 9000), 431),
    "too-many-fields": (b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 100 + b"\r\n", 431),
    "head-without-end": (b"GET / HTTP/1.1\r\n" + b"X: %s\r\n" % (b"x" * 8000) * 3, 431),
    "too-many-chunks": (CHUNKED + b"1\r\nx\r\n" * 70_000, 413),
    "huge-chunk": (CHUNKED + b"ffffffff\r\nx", 413),
}


@pytest.mark.parametrize(("sent", "status"), REFUSED.values(), ids=REFUSED.keys())
def test_a_refusal_before_the_app_is_a_problem(service: Service, sent: bytes, status: int) -> None:
    with service.connect() as client:
        # It may be refused, and hung up on, before all of it is sent.
        with contextlib.suppress(ConnectionError):
            client.sendall(sent)
        answer = answer_of(client)
    head, _, body = answer.partition(b"\r\n\r\n")
    line, *fields = head.decode().split("\r\n")
    assert line.startswith(f"HTTP/1.1 {status} ")
    assert "Content-Type: application/problem+json" in fields
    assert "X-Content-Type-Options: nosniff" in fields
    assert f"Content-Length: {len(body)}" in fields
    problem = json.loads(body)
    code = "request/too-large" if status == 413 else "request/malformed"
    assert list(problem)[:5] == ["type", "title", "status", "detail", "code"]
    assert problem["code"] == code
    assert problem["type"] == CODES[code].uri
    assert problem["title"] == CODES[code].title
    assert problem["status"] == status
    assert problem["detail"]
    assert "secret" not in answer.decode()
    assert service.get("/pid")
    eventually(lambda: any(it["event"] == "refused" for it in service.lines()))
    assert "Traceback" not in service.log.read_text()
    assert "secret" not in service.log.read_text()


def test_a_fault_outside_the_app_tells_no_secret(service: Service) -> None:
    with service.connect() as client:
        client.sendall(b"GET /pid?secret HTTP/1.1\r\nHost: x\r\nX-Break: yes\r\n\r\n")
        head, _, body = answer_of(client).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 500 ")
    problem = json.loads(body)
    assert problem["code"] == "service/bug"
    text = service.log.read_text()
    assert str(problem["incident"]) in text
    assert "secret" not in text


def test_refusals_are_copied_from_the_table() -> None:
    for it in (refusal.FAULT, refusal.HEAD_TOO_LARGE, refusal.too_large(7)):
        assert it.title == CODES[it.code].title
    assert refusal.FAULT.status == CODES["service/bug"].status
    assert refusal.FAULT.detail == CODES["service/bug"].remedy
    assert refusal.too_large(7).status == CODES["request/too-large"].status
