"""Many processes on one store: they wake each other, and nothing is done twice."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from fairbones.core.protocol.chain import read_event
from fairbones.store.redis import open_redis
from tests.servers import Server
from tests.serving.conftest import Start
from tests.serving.running import eventually


def test_two_services_wake_each_others_readers(start_shared: Start) -> None:
    here, there = start_shared().ready(), start_shared().ready()
    match = here.open()
    streams = [service.follow(match, "?after=0") for service in (here, there) for _ in range(6)]
    with there.connect() as reader:
        reader.sendall(
            f"GET {match}/events?after=0&wait=30 HTTP/1.1\r\nHost: x\r\n"
            "Connection: close\r\n\r\n".encode()
        )
        time.sleep(0.3)
        before = time.monotonic()
        here.sit(match, 0)
        assert [stream.types() for stream in streams] == [["seated"]] * 12
        with reader.makefile("rb") as answer:
            assert b'"seated"' in answer.read()
    # Told, not found out: who hears nothing looks only every thirty seconds.
    assert time.monotonic() - before < 10
    there.sit(match, 1)
    assert [stream.types() for stream in streams] == [["seated"]] * 12
    for service in (here, there):
        service.unharmed()
        service.stop()


def test_a_deadline_that_nobody_sees_is_applied_once(start_shared: Start, redis: Server) -> None:
    services = [start_shared(SWEEP=1).ready() for _ in range(2)]
    matches = [services[0].open(join_seconds=1) for _ in range(20)]
    ids = [bytes.fromhex(match.rpartition("/")[2]) for match in matches]
    store = open_redis(redis.url)
    try:
        kept = [store.load(match_id) for match_id in ids]
        assert all(it is not None for it in kept)

        def heads() -> list[int]:
            return [step.head_seq for it in map(store.load, ids) if it for step in it.steps[-1:]]

        eventually(lambda: heads() == [1] * 20)
        for it in map(store.load, ids):
            assert it is not None
            types = [read_event(raw).type for step in it.steps for raw in step.events]
            assert types == ["opened", "voided"]
    finally:
        store.close()
    for service in services:
        service.unharmed()
        service.stop()


def test_a_killed_worker_is_replaced_while_the_other_serves(start_shared: Start) -> None:
    service = start_shared().ready()
    match = service.open()
    first, second = service.children()
    os.kill(first, signal.SIGKILL)
    eventually(lambda: len(set(service.children()) - {first}) == 2)
    assert second in service.children()
    eventually(lambda: service.lines("warning"))
    assert [line["event"] for line in service.lines("warning")] == [
        "a worker has been started anew"
    ]
    for seat in (0, 1):
        service.sit(match, seat)
    service.stop()


def test_a_worker_that_replaces_another_waits_for_the_store(
    start_shared: Start, redis: Server
) -> None:
    """Were it a refusal, the workers that still serve would end with it."""
    service = start_shared().ready()
    first = service.children()[0]
    redis.kill()
    try:
        os.kill(first, signal.SIGKILL)
        waits = "a new worker waits for the store"
        eventually(lambda: waits in [line["event"] for line in service.lines("warning")])
        assert service.ask("GET", "/livez") == {"status": "alive"}
        assert service.process.poll() is None
    finally:
        redis.start()
    eventually(
        lambda: (
            "a worker has been started anew" in [line["event"] for line in service.lines("warning")]
        )
    )
    eventually(lambda: service.ask("GET", "/readyz"))
    service.stop()


def test_a_killed_parent_takes_its_workers_along(start_shared: Start) -> None:
    service = start_shared().ready()
    workers = service.children()
    service.process.kill()
    service.process.wait()
    eventually(lambda: not any(Path(f"/proc/{pid}/cmdline").exists() for pid in workers))


def test_the_folder_of_the_numbers_goes_with_the_service(
    start_shared: Start, tmp_path: Path
) -> None:
    os.environ["TMPDIR"] = str(tmp_path)
    try:
        service = start_shared().ready()
    finally:
        del os.environ["TMPDIR"]
    (folder,) = tmp_path.glob("fairbones-numbers-*")
    assert folder.stat().st_mode & 0o077 == 0
    service.open()
    eventually(lambda: len({name.name.rpartition("_")[2] for name in folder.glob("*.db")}) == 2)
    service.stop()
    assert not folder.exists()
