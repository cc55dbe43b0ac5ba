"""The service as a process: its start, its stop, its one worker, and its patience."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable

import pytest

from tests.config.service import Service, Start, answer_of, eventually


def in_background(call: Callable[[], str]) -> Callable[[], str]:
    """Start `call` in a thread; its result, or what went wrong, once asked for."""
    results: list[str] = []

    def run() -> None:
        try:
            results.append(call())
        except OSError as error:
            results.append(f"failed: {error}")

    thread = threading.Thread(target=run)
    thread.start()

    def result() -> str:
        thread.join()
        return results[0]

    return result


# ---------------------------------------------------------------- start and stop


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_it_starts_on_a_free_port_and_stops_on_a_signal(start: Start, stop: int) -> None:
    service = start().ready()
    assert service.worker() in service.children()
    service.process.send_signal(stop)
    assert service.process.wait(10) == 0
    assert service.process.stdout is not None
    assert service.process.stdout.read() == ""
    assert all(line["level"] == "info" for line in service.lines())
    assert [line["event"] for line in service.lines()].count("stopped") == 1
    assert service.lines()[-1]["event"] == "stopped"


def to_the_parent(service: Service, signum: int) -> None:
    service.process.send_signal(signum)


def to_the_terminal(service: Service, signum: int) -> None:
    """Ctrl-C reaches all processes of a terminal."""
    os.killpg(service.process.pid, signum)


@pytest.mark.parametrize(
    ("send", "signum"),
    [
        (to_the_parent, signal.SIGTERM),
        (to_the_parent, signal.SIGINT),
        (to_the_terminal, signal.SIGINT),
    ],
)
def test_a_stop_lets_answers_finish_and_waiters_go(
    start: Start, send: Callable[[Service, int], None], signum: int
) -> None:
    service = start().ready()
    worker = service.worker()
    slow = in_background(lambda: service.get("/slow?seconds=1.2"))
    wait = in_background(lambda: service.get("/wait"))
    time.sleep(0.3)
    before = time.monotonic()
    send(service, signum)
    assert wait() == "stopped"
    assert time.monotonic() - before < 3
    assert slow() == "slow but sure"
    assert service.process.wait(10) == 0
    assert (service.data / "closed").read_text() == str(worker)


def test_a_stop_does_not_wait_for_ever(start: Start) -> None:
    service = start(GRACE="1").ready()
    with contextlib.suppress(OSError), service.connect() as client:
        client.sendall(b"GET /slow?seconds=30 HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.3)
        service.process.send_signal(signal.SIGTERM)
        assert service.process.wait(10) == 0


def test_a_port_in_use_is_told_in_one_sentence(start: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        service = start(PORT=str(port))
        assert service.process.wait(20) == 3
    assert service.log.read_text() == (
        f"fairbones: port {port} of 127.0.0.1 is in use; stop the other program, or set "
        "FAIRBONES_PORT to another port (0 takes any free one)\n"
    )


def test_an_address_of_nobody_is_told_in_one_sentence(start: Start) -> None:
    service = start(HOST="192.0.2.1")
    assert service.process.wait(20) == 3
    (line,) = service.log.read_text().splitlines()
    assert line.startswith("fairbones: cannot listen on 192.0.2.1 (")
    assert "FAIRBONES_HOST" in line


# ---------------------------------------------------------------- one process, one folder


def test_a_second_service_on_the_same_folder_is_refused(start_on_a_file: Start) -> None:
    first = start_on_a_file().ready()
    second = start_on_a_file()
    assert second.process.wait(20) == 3
    assert second.log.read_text() == (
        f"fairbones: another Fairbones (process {first.process.pid}, its worker {first.worker()}) "
        f"uses the data folder {first.data}; stop it, or set FAIRBONES_DATA to another folder\n"
    )
    assert second.process.stdout is not None
    assert second.process.stdout.read() == ""
    start_on_a_file(data="other").ready()


def test_a_dead_worker_is_replaced_by_one(start: Start) -> None:
    service = start().ready()
    first = service.worker()
    os.kill(first, signal.SIGKILL)
    eventually(lambda: service.worker() != first)
    assert service.children() == [service.worker()]
    what = "a worker" if service.shared else "the service"
    assert [line["event"] for line in service.lines() if line["level"] == "warning"] == [
        f"{what} has been started anew"
    ]


def test_a_killed_service_can_be_started_at_once(start: Start) -> None:
    for _ in range(2):
        service = start().ready()
        os.killpg(service.process.pid, signal.SIGKILL)
        service.process.wait()


def test_a_killed_parent_takes_its_worker_along(start: Start) -> None:
    """And the next service, on the same port and folder, waits for that."""
    service = start().ready()
    service.process.kill()
    service.process.wait()
    again = start(PORT=str(service.port)).ready()
    assert again.children() == [again.worker()]


def test_no_signal_makes_a_second_worker(start: Start) -> None:
    service = start().ready()
    before = service.worker()
    for name in ("SIGHUP", "SIGTTIN", "SIGTTOU", "SIGUSR1", "SIGUSR2", "SIGWINCH"):
        service.process.send_signal(getattr(signal, name))
        time.sleep(0.15)
        assert service.children() == [before], name
    assert service.worker() == before
    ignored = [line for line in service.lines() if "is ignored" in str(line["event"])]
    assert len(ignored) == 5


# ---------------------------------------------------------------- clients


def test_a_body_comes_whole_and_a_connection_is_used_again(start: Start) -> None:
    service = start().ready()
    with service.connect() as client, client.makefile("rb") as answers:
        for body in (b"", b"x", b"y" * 65_536):
            client.sendall(
                b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body)
            )
            client.sendall(body)
            assert answers.readline().startswith(b"HTTP/1.1 200")
            while answers.readline() != b"\r\n":
                pass
            assert answers.read(len(body)) == body
        client.sendall(
            b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
            b"Connection: close\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        assert answers.read().endswith(b"\r\n\r\nabcde")


@pytest.mark.parametrize("framing", ["length", "chunked"])
def test_too_long_a_body_is_refused(start: Start, framing: str) -> None:
    service = start(BODY_MAX="1024").ready()
    with service.connect() as client:
        head = b"POST /echo HTTP/1.1\r\nHost: x\r\n"
        if framing == "length":
            client.sendall(
                head + b"Content-Length: 1025\r\nConnection: close\r\n\r\n" + b"x" * 1025
            )
        else:
            client.sendall(
                head
                + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                + b"401\r\n"
                + b"x" * 1025
                + b"\r\n0\r\n\r\n"
            )
        assert answer_of(client).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "begun",
    [
        b"GET /pid HTTP/1.1\r\nHost: ",
        b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf",
        b"POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n64\r\nhalf",
    ],
    ids=["half-a-head", "half-a-body", "half-a-chunk"],
)
def test_whoever_sends_too_slowly_is_given_up(start: Start, begun: bytes) -> None:
    """Even when a byte comes now and then; and everybody else is served meanwhile."""
    service = start(THREADS="4").ready()
    clients = [service.connect() for _ in range(3)]
    try:
        for client in clients:
            client.sendall(begun)
        before = time.monotonic()
        service.get("/pid")
        with contextlib.suppress(OSError):
            for _ in range(3):
                time.sleep(0.4)
                for client in clients:
                    client.sendall(b"x")
        for client in clients:
            assert b"200 OK" not in answer_of(client)
        assert time.monotonic() - before < 8
    finally:
        for client in clients:
            client.close()
    assert service.get("/pid")


def test_silent_connections_take_no_thread(start: Start) -> None:
    service = start(THREADS="2", WAITERS="1").ready()
    clients = [service.connect() for _ in range(50)]
    try:
        time.sleep(0.2)
        service.get("/pid", timeout=5)
        clients[0].sendall(b"GET /pid HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert answer_of(clients[0]).startswith(b"HTTP/1.1 200")
    finally:
        for client in clients:
            client.close()


def test_clients_that_do_not_hang_up_hold_nobody(start: Start) -> None:
    """Each would be waited for by the main thread, two seconds long."""
    service = start(THREADS="2", WAITERS="1").ready()
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            client = stack.enter_context(service.connect())
            client.sendall(b"GET /pid HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert answer_of(client).startswith(b"HTTP/1.1 200")
        assert service.get("/pid", timeout=15)


def test_whoever_does_not_read_is_given_up(start: Start) -> None:
    service = start(THREADS="2", WAITERS="1").ready()
    with contextlib.ExitStack() as stack:
        for _ in range(2):
            client = stack.enter_context(service.connect())
            client.sendall(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
        time.sleep(0.2)
        assert service.get("/pid", timeout=5)
        eventually(
            lambda: [
                line
                for line in service.lines()
                if line["event"] == "a client did not take its answer in time"
            ]
        )


def test_bad_and_too_large_heads_are_refused(start: Start) -> None:
    service = start().ready()
    for head, status in (
        (b"GET /%s HTTP/1.1\r\n" % (b"x" * 5000), b"414"),
        (b"GET / HTTP/1.1\r\nX: %s\r\n" % (b"x" * 9000), b"431"),
        (b"GET / HTTP/1.1\r\n" + b"X: x\r\n" * 100, b"431"),
        (b"nonsense\r\n", b"400"),
    ):
        with service.connect() as client:
            client.sendall(head + b"Host: x\r\n\r\n")
            assert answer_of(client).startswith(b"HTTP/1.1 " + status)


# ---------------------------------------------------------------- the log


def test_a_request_is_one_line_without_secrets(start: Start) -> None:
    service = start().ready()
    secret = "5ec" * 22
    asked = urllib.request.Request(
        f"{service.url}/slow?seconds=0&invite=hunter2&token={secret}",
        headers={"Authorization": f"Bearer {secret}", "User-Agent": "hunter2"},
    )
    urllib.request.urlopen(asked).close()
    # A line is written after its answer was sent.
    eventually(lambda: len(service.lines()) == 1)
    with pytest.raises(urllib.error.HTTPError):
        service.get(f"/nothing/{secret}")
    eventually(lambda: len(service.lines()) == 2)
    first, second = service.lines()
    assert first["event"] == "request"
    assert first["method"] == "GET"
    assert first["path"] == "/slow"
    assert first["status"] == 200
    assert first["bytes"] == len("slow but sure")
    assert isinstance(first["ms"], float)
    assert second["path"] == "/nothing/[redacted]"
    assert second["status"] == 404
    text = service.log.read_text()
    assert secret not in text
    assert "hunter2" not in text
