"""Streams of events through real processes: threads on a file, greenlets on a shared store."""

from __future__ import annotations

import json
import time

from tests.serving.conftest import Start
from tests.serving.running import Running, eventually


def test_a_match_is_followed_to_its_end_and_taken_up_again(start_either: Start) -> None:
    service = start_either().ready()
    match = service.open()
    stream = service.follow(match)
    assert stream.status == 200
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert stream.headers["cache-control"] == "no-cache"
    assert stream.headers["x-accel-buffering"] == "no"
    assert stream.types() == ["opened"]
    service.sit(match, 0)
    seated = stream.next()
    assert seated is not None
    assert (seated.id, seated.data["receipt"]["seq"]) == (1, 1)
    stream.close()

    service.sit(match, 1)
    stream = service.follow(match, "?after=-1", Last_Event_ID="1")
    assert stream.types() == ["seated"]
    service.ask("DELETE", f"{match}/seats/0", {}, token="0a" * 32)
    assert stream.types() == ["voided"]
    assert stream.next() is None
    done = service.follow(match, Last_Event_ID="3")
    assert (done.status, done.body()) == (204, b"")
    service.unharmed()


def test_problems_are_problems_and_no_streams(start_either: Start) -> None:
    service = start_either().ready()
    match = service.open()
    unknown = f"/v1/matches/{'0' * 32}"
    for address, headers, status, code in (
        (unknown, {}, 404, "match/unknown"),
        (match, {"Last_Event_ID": "garbage"}, 422, "request/type"),
        (match, {"Last_Event_ID": "-2"}, 422, "request/range"),
    ):
        refused = service.follow(address, **headers)
        assert refused.status == status
        assert refused.headers["content-type"] == "application/problem+json"
        assert json.loads(refused.body())["code"] == code
    service.unharmed()


def test_silence_is_broken_by_comments(start_either: Start) -> None:
    service = start_either(HEARTBEAT=1).ready()
    match = service.open()
    stream = service.follow(match, "?after=0")
    for _ in range(2):
        silent = stream.next()
        assert silent is not None
        assert silent.comment
    service.sit(match, 0)
    said = stream.next()
    while said is not None and said.comment:
        said = stream.next()
    assert said is not None
    assert said.id == 1
    # And again after it: the comments of a server do not tear its chunks.
    again = stream.next()
    assert again is not None
    assert again.comment
    service.unharmed()


def waits(service: Running, match: str) -> bool:
    """Whether one more may wait."""
    stream = service.follow(match, "?after=0")
    stream.close()
    return stream.status == 200


def test_streams_have_their_places_and_give_them_back(start_either: Start) -> None:
    """A client that has gone is noticed, long before it would have been sent something."""
    service = start_either(WAITERS=3, THREADS=8, WORKERS=1, HEARTBEAT=60).ready()
    match = service.open()
    streams = [service.follow(match, "?after=0") for _ in range(3)]
    refused = service.follow(match, "?after=0")
    assert refused.status == 503
    assert int(refused.headers["retry-after"]) > 0
    assert json.loads(refused.body())["code"] == "service/busy"
    assert service.ask("GET", f"{match}/events?after=0")["events"] == []
    for stream in streams:
        stream.close()
    eventually(lambda: waits(service, match))
    service.unharmed()


def test_a_stop_ends_all_streams_at_once(start_either: Start) -> None:
    """Fifty streams and a reader that waits: all of them come to a clean end."""
    service = start_either(THREADS=80, WAITERS=60, GRACE=20).ready()
    match = service.open()
    streams = [service.follow(match, "?after=0") for _ in range(50)]
    with service.connect() as reader:
        reader.sendall(f"GET {match}/events?after=0&wait=30 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        time.sleep(0.3)
        before = time.monotonic()
        service.stop()
        # The parent looks for the end of its workers now and then; nobody waited for a time limit.
        assert time.monotonic() - before < 10
        assert reader.recv(65_536).startswith(b"HTTP/1.1 200")
    assert [stream.next() for stream in streams] == [None] * 50
    service.unharmed()


def test_a_client_that_says_more_than_its_request_is_let_be(start_either: Start) -> None:
    service = start_either().ready()
    match = service.open()
    stream = service.follow(match, "?after=0")
    stream.client.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
    time.sleep(0.2)
    service.sit(match, 0)
    assert stream.types() == ["seated"]
    service.unharmed()


def test_many_that_hang_up_together_break_nothing(start_shared: Start) -> None:
    """An exception at the wrong moment would leave the locks of those who stay in disorder."""
    service = start_shared(WORKERS=1, WAITERS=120).ready()
    match = service.open()
    stays = service.follow(match, "?after=0")
    for _ in range(3):
        streams = [service.follow(match, "?after=0") for _ in range(100)]
        for stream in streams:
            stream.close()
        eventually(lambda: waits(service, match))
    service.sit(match, 0)
    assert stays.types() == ["seated"]
    service.unharmed()
    service.stop()
