"""Clients that are slow, silent, half gone or too many; meanwhile others play."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.hostile.judging import one_history, problem, same, verified
from tests.hostile.running import House, running
from tests.hostile.table import Table, opening
from tests.hostile.wire import Answer, Request, connect, read_answer

WAITERS = 3


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with few threads, so that whoever holds one is missed."""
    folder = tmp_path_factory.mktemp("small")
    with running(folder, THREADS=6, WAITERS=WAITERS, WAIT_MAX=60) as made:
        yield made
        made.unharmed()


def held(
    house: House, begun: bytes, count: int, stack: contextlib.ExitStack
) -> list[socket.socket]:
    """Connections that have sent this and no more."""
    clients = [stack.enter_context(connect(house.port)) for _ in range(count)]
    for client in clients:
        client.sendall(begun)
    return clients


POST = b"POST /v1/matches HTTP/1.1\r\nHost: house\r\nContent-Type: application/json\r\n"
SLOW = {
    "nothing": b"",
    "half a line": b"GET /v1/mat",
    "half a head": b"GET /livez HTTP/1.1\r\nHost: ",
    "half a body": POST + b"Content-Length: 5000\r\n\r\n{",
    "half a chunk": POST + b"Transfer-Encoding: chunked\r\n\r\nfff\r\n{",
    "an expected body": POST + b"Content-Length: 9\r\nExpect: 100-continue\r\n\r\n",
    "a second half": b"GET /livez HTTP/1.1\r\nHost: house\r\n\r\nGET /liv",
}
DRIPPING = ("half a head", "half a body", "half a chunk")


def test_slow_clients_hold_nobody_and_are_given_up(small: House) -> None:
    """T36: a match is played to its end beside them; and nobody is waited for for ever, a byte now
    and then or not. The wait is bounded here, and measured by nobody.
    """
    with contextlib.ExitStack() as stack:
        clients = {name: held(small, begun, 8, stack) for name, begun in SLOW.items()}
        dripping = [client for name in DRIPPING for client in clients[name]]
        table = Table(small, opening(rounds_max=1)).deal()
        for _ in range(200):
            with contextlib.suppress(OSError):
                for client in dripping:
                    client.sendall(b"x")
            if table.get()["status"] != "playing":
                break
            table.turn()
        verified(table.transcript(), "--complete")
        for name, them in clients.items():
            if name == "nothing":
                continue
            for client in them:
                client.settimeout(60)
                with contextlib.suppress(ConnectionError):
                    while client.recv(65_536):
                        pass
    small.unharmed()


def wait_for(house: House, path: str, seconds: int) -> Answer:
    return house.ask(Request("GET", f"{path}?after=0&wait={seconds}"))


def test_more_readers_than_may_wait(small: House) -> None:
    """T36: those above the cap are told at once when to come back; acts are answered as ever, and
    those who wait hear of the next event.
    """
    quiet = Table(small, opening())
    path = f"{quiet.path}/events"
    with ThreadPoolExecutor(20) as pool:
        waiting = [pool.submit(wait_for, small, path, 60) for _ in range(20)]
        for _ in range(600):
            refusals = [it.result() for it in waiting if it.done()]
            if len(refusals) == 20 - WAITERS:
                break
            time.sleep(0.05)
        assert len(refusals) == 20 - WAITERS
        for answer in refusals:
            problem(answer, 503, "service/busy")
            assert int(answer.fields["retry-after"]) > 0
        table = Table(small, opening(rounds_max=1)).deal().finish()
        verified(table.transcript(), "--complete")
        assert wait_for(small, path, 0).status == 200
        assert sum(not it.done() for it in waiting) == WAITERS
        quiet.do(quiet.sitting(0))
        heard = [it.result(60) for it in waiting if it.result(60) not in refusals]
    assert [answer.status for answer in heard] == [200] * WAITERS
    for answer in heard:
        assert [it["type"] for it in answer.told()["events"]] == ["seated"]
    one_history(quiet, heard)


def test_waiting_readers_who_go_away(small: House) -> None:
    """T36: their places are free again once the match moves or their time is over."""
    quiet = Table(small, opening())
    request = Request("GET", f"{quiet.path}/events?after=0&wait=60").raw()
    with contextlib.ExitStack() as stack:
        for client in held(small, request, WAITERS, stack):
            linger = struct.pack("ii", 1, 0)  # gone without a word
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    quiet.do(quiet.sitting(0))
    for _ in range(200):
        answer = small.ask(Request("GET", f"{quiet.path}/events?after=1&wait=0.1"))
        if answer.status == 200:
            break
        time.sleep(0.05)
    assert answer.status == 200


def test_requests_in_one_stream(small: House) -> None:
    """T27: a whole course sent before the first answer is read; each is answered, in order."""
    table = Table(small, opening())
    sitting = [table.sitting(0), table.sitting(0), table.sitting(1), table.sitting(0)]
    view = Request("GET", table.path, close=False)
    stream = [Request(it.method, it.path, it.body, it.token, (), False) for it in sitting]
    with connect(small.port) as client, client.makefile("rb") as answers:
        client.sendall(b"".join(it.raw() for it in [*stream, *[view] * 30]))
        found = [read_answer(answers) for _ in range(34)]
    assert [it.status for it in found] == [201, 200, 201, 200] + [200] * 30
    same(found[1], found[0])
    same(found[3], found[0])
    assert len({it.body.split(b'"now":')[0] for it in found[4:]}) == 1
    one_history(table, found)


def test_twenty_moves_in_one_stream(small: House) -> None:
    """T27: a retry storm on one connection."""
    table = Table(small, opening()).deal()
    seat, listed = table.to_act()
    act = table.acting(seat, listed[0])
    raw = Request(act.method, act.path, act.body, act.token, (), False).raw()
    with connect(small.port) as client, client.makefile("rb") as answers:
        client.sendall(raw * 20)
        found = [read_answer(answers) for _ in range(20)]
    for again in found[1:]:
        same(again, found[0])
    one_history(table, found)


@pytest.mark.parametrize("reset", [False, True], ids=["half closed", "reset"])
def test_whoever_does_not_hear_the_answer_asks_again(small: House, reset: bool) -> None:
    """T27: an answer that was lost is given again; whether it was appended nobody has to know."""
    table = Table(small, opening()).deal()
    seat, listed = table.to_act()
    request = table.acting(seat, listed[0])
    with connect(small.port) as client:
        client.sendall(request.raw())
        if reset:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            client.shutdown(socket.SHUT_WR)
            with client.makefile("rb") as stream:
                assert read_answer(stream).status == 200
    first = small.ask(request)
    same(small.ask(request), first)
    events = one_history(table, [first])
    assert sum(it["seq"] == request.told()["seq"] for it in events) == 1


def test_connections_that_come_and_go(small: House) -> None:
    """T36: hundreds that say nothing, or hang up in the middle, from several threads at once."""
    table = Table(small, opening(rounds_max=1)).deal()
    begun = list(SLOW.values())

    def storm() -> None:
        for turn in range(60):
            with contextlib.suppress(OSError), connect(small.port) as client:
                client.sendall(begun[turn % len(begun)])

    threads = [threading.Thread(target=storm) for _ in range(4)]
    for thread in threads:
        thread.start()
    table.finish()
    for thread in threads:
        thread.join(60)
    verified(table.transcript(), "--complete")
    small.unharmed()


LINES = {
    "nonsense": (b"nonsense\r\n\r\n", 400),
    "HTTP/0.9": (b"GET /livez\r\n\r\n", 400),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\n", 400),
    "bare line feeds": (b"GET /livez HTTP/1.1\nHost: house\n\n", 400),
    "small letters": (b"get /livez HTTP/1.1\r\nHost: house\r\n\r\n", 400),
    "two spaces": (b"GET  /livez HTTP/1.1\r\nHost: house\r\n\r\n", 400),
    "a NUL": (b"GET /livez\0 HTTP/1.1\r\nHost: house\r\n\r\n", 400),
    "two hosts": (b"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    "no colon": (b"GET /livez HTTP/1.1\r\nhunter2\r\n\r\n", 400),
    "a long address": (b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\n\r\n", 414),
    "a long field": (b"GET /livez HTTP/1.1\r\nX: " + b"x" * 9_000 + b"\r\n\r\n", 431),
    "many fields": (b"GET /livez HTTP/1.1\r\n" + b"X: x\r\n" * 200 + b"\r\n", 431),
}


@pytest.mark.parametrize("name", LINES)
def test_what_is_no_http(small: House, name: str) -> None:
    """T36: refused in the same shape, and the connection is over."""
    sent, status = LINES[name]
    with connect(small.port) as client, client.makefile("rb") as stream:
        with contextlib.suppress(ConnectionError):
            client.sendall(sent)
        answer = read_answer(stream)
        problem(answer, status, "request/malformed")
        assert b"hunter2" not in answer.body
        assert stream.read() == b""


def test_http_1_0(small: House) -> None:
    """T36: an old client is answered and let go; it may move as well."""
    table = Table(small, opening()).deal()
    seat, listed = table.to_act()
    raw = table.acting(seat, listed[0]).raw().replace(b"HTTP/1.1", b"HTTP/1.0")
    with connect(small.port) as client, client.makefile("rb") as stream:
        client.sendall(raw)
        assert read_answer(stream).status == 200
        assert stream.read() == b""
    one_history(table)
