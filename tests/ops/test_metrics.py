"""The numbers: what is counted, under which labels, and by many processes together."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
import structlog

from fairbones import __version__
from fairbones.core.errors import FairbonesError
from fairbones.house.service import House
from fairbones.keys.signer import ReceiptSigner
from fairbones.keys.vault import SeedVault
from fairbones.ops import Ops
from fairbones.ops.metrics import Metrics
from tests.api.fake_house import ADDRESS, TOKEN, FakeHouse
from tests.api.table import NOON
from tests.house.memory_store import MemoryStore
from tests.ops.conftest import Log
from tests.ops.edge import OPENING, TILES, client_of, number, parsed, scraped

ROOT = Path(__file__).parents[2]


def test_requests_by_rule_method_and_status(house: FakeHouse) -> None:
    """Never by address: ids of matches would be labels without end."""
    client = client_of(house)
    for _ in range(3):
        client.get(ADDRESS)
    client.get("/v1/matches/" + "ff" * 16)
    client.head(ADDRESS)
    client.post(f"{ADDRESS}/actions", json={})
    numbers = scraped(client)
    rule = "/v1/matches/<match_id>"
    assert number(numbers, "http_requests_total", rule=rule, method="GET", status="200") == 3
    assert number(numbers, "http_requests_total", rule=rule, method="GET", status="404") == 1
    assert number(numbers, "http_requests_total", rule=rule, method="HEAD", status="200") == 1
    acted = {"rule": f"{rule}/actions", "method": "POST", "status": "401"}
    assert number(numbers, "http_requests_total", **acted) == 1
    assert number(numbers, "http_request_seconds_count", rule=rule, method="GET") == 4
    assert number(numbers, "http_request_seconds_bucket", rule=rule, method="GET", le="+Inf") == 4
    assert 0 < number(numbers, "http_request_seconds_sum", rule=rule, method="GET") < 60


def test_a_scrape_counts_itself_the_next_time(house: FakeHouse) -> None:
    client = client_of(house)
    labels = {"rule": "/metrics", "method": "GET", "status": "200"}
    with pytest.raises(KeyError):
        number(scraped(client), "http_requests_total", **labels)
    assert number(scraped(client), "http_requests_total", **labels) == 1


def test_what_clients_make_up_makes_no_series(house: FakeHouse) -> None:
    client = client_of(house)
    scraped(client)
    scraped(client)
    client.open("/nothing", method="BREW")
    known = len(scraped(client))
    for made_up in range(30):
        client.open(f"/nothing/{made_up}", method=f"BREW{made_up}")
        client.get(f"/v1/matches/{made_up:032x}?x={made_up}")
    numbers = scraped(client)
    # One rule with one status for the matches that are none, and its histogram.
    assert len(numbers) - known < 20
    labels = {"rule": "unmatched", "method": "other", "status": "404"}
    assert number(numbers, "http_requests_total", **labels) == 31


def test_a_request_that_fails_is_counted(house: FakeHouse, log: Log) -> None:
    client = client_of(house)
    house.error = RuntimeError("no")
    client.get("/v1/keys")
    labels = {"rule": "/v1/keys", "method": "GET", "status": "500"}
    assert number(scraped(client), "http_requests_total", **labels) == 1


def test_openings_and_their_cost(house: FakeHouse) -> None:
    client = client_of(house)
    assert client.post("/v1/matches", json={**OPENING, "rounds_max": 3}).status_code == 201
    assert client.post("/v1/matches", json={"ruleset": "block", "seats": 2}).status_code == 201
    house.appended = False  # a repeated one opens nothing
    assert client.post("/v1/matches", json=OPENING).status_code == 201
    numbers = scraped(client)
    assert number(numbers, "openings_total") == 2
    assert number(numbers, "washed_tiles_total") == (3 + 32) * TILES


def test_store_errors_by_code(house: FakeHouse, log: Log) -> None:
    client = client_of(house)
    for code in ("store/full", "store/full", "store/unknown-outcome", "house/seed-sealed"):
        house.error = FairbonesError(code, "/secret/path")
        client.get(ADDRESS)
    house.error = None
    numbers = scraped(client)
    assert number(numbers, "store_errors_total", code="store/full") == 2
    assert number(numbers, "store_errors_total", code="store/unknown-outcome") == 1
    assert ("fairbones_store_errors_total", frozenset({("code", "house/seed-sealed")})) not in (
        numbers
    )


def test_the_house_counts_with_it() -> None:
    """A real house at a real desk, with the meter of the edge."""
    metrics = Metrics()
    house = House(
        MemoryStore(),
        SeedVault((bytes(range(32)),), entropy=os.urandom),
        ReceiptSigner((bytes(range(32, 64)),)),
        lambda: NOON,
        os.urandom,
        metrics,
    )
    client = client_of(house, Ops(meter=metrics))
    address = client.post("/v1/matches", json=OPENING).headers["Location"]
    mine = {"Authorization": f"Bearer {TOKEN}"}
    body = {"client_seed_commitment": "01" * 32}
    assert client.put(f"{address}/seats/0", json=body, headers=mine).status_code == 201
    numbers = scraped(client)
    assert number(numbers, "appends_total") == 1
    assert number(numbers, "events_total") == 1
    assert number(numbers, "append_conflicts_total") == 0
    assert number(numbers, "history_lost_total") == 0
    seen: list[float] = []
    waiting = threading.Thread(target=client.get, args=(f"{address}/events?after=1&wait=5",))
    waiting.start()
    try:
        while not seen or (seen[-1] != 1 and len(seen) < 2_000):
            seen.append(number(parsed(metrics.exposition().decode()), "waiting_readers"))
    finally:
        house.close()
        waiting.join(20)
    assert seen[-1] == 1
    assert number(scraped(client), "waiting_readers") == 0


def test_everything_the_house_says_has_a_number() -> None:
    metrics = Metrics()
    metrics.appended(3)
    metrics.conflict()
    metrics.lock_waited(0.5)
    metrics.waiting(2)
    metrics.waiting(-1)
    with structlog.testing.capture_logs() as lines:
        metrics.history_lost(bytes(16))
    assert [(it["event"], it["match"]) for it in lines] == [("history lost", "00" * 16)]
    numbers = parsed(metrics.exposition().decode())
    assert number(numbers, "events_total") == 3
    assert number(numbers, "append_conflicts_total") == 1
    assert number(numbers, "lock_wait_seconds_bucket", le="0.1") == 0
    assert number(numbers, "lock_wait_seconds_bucket", le="1.0") == 1
    assert number(numbers, "waiting_readers") == 1
    assert number(numbers, "history_lost_total") == 1


def test_which_build_it_is(house: FakeHouse) -> None:
    (labels,) = (dict(it) for name, it in scraped(client_of(house)) if name.endswith("build_info"))
    assert labels["version"] == __version__
    assert labels["protocol"].startswith("fairbones")


def test_two_applications_do_not_count_for_each_other(house: FakeHouse) -> None:
    one, other = client_of(house), client_of(house)
    one.post("/v1/matches", json=OPENING)
    assert number(scraped(one), "openings_total") == 1
    assert number(scraped(other), "openings_total") == 0


# -------------------------------------------------------------- many processes

WORKER = """
import sys
from fairbones.ops.metrics import Metrics
metrics = Metrics()
for _ in range(int(sys.argv[1])):
    metrics.appended(2)
    metrics.answered("/v1/keys", "GET", 200, 0.02)
    metrics.waiting(1)
print("done", flush=True)
sys.stdin.read()  # until the other end is closed
"""
SCRAPE = """
import sys
from fairbones.ops.metrics import Metrics
from prometheus_client.multiprocess import mark_process_dead
for pid in sys.argv[1:]:
    mark_process_dead(int(pid))
sys.stdout.buffer.write(Metrics().exposition())
"""


def test_many_processes_are_told_of_as_one(tmp_path: Path) -> None:
    """Counts of the dead stay, their readers do not."""
    environ = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}

    def worker(times: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-c", WORKER, str(times)],
            env=environ,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def scrape(*dead: int) -> str:
        words = [sys.executable, "-c", SCRAPE, *map(str, dead)]
        return subprocess.run(words, env=environ, text=True, check=True, capture_output=True).stdout

    with worker(3) as first, worker(4) as second:
        for it in (first, second):
            assert it.stdout is not None
            assert it.stdout.readline() == "done\n"
        both = parsed(scrape())
        first.communicate(timeout=30)
        left = parsed(scrape(first.pid))
        second.communicate(timeout=30)
    labels = {"rule": "/v1/keys", "method": "GET"}
    for numbers in (both, left):
        assert number(numbers, "appends_total") == 7
        assert number(numbers, "events_total") == 14
        assert number(numbers, "http_requests_total", status="200", **labels) == 7
        assert number(numbers, "http_request_seconds_count", **labels) == 7
        assert number(numbers, "http_request_seconds_bucket", le="0.025", **labels) == 7
        assert number(numbers, "http_request_seconds_bucket", le="0.01", **labels) == 0
        builds = [value for (name, _), value in numbers.items() if name.endswith("build_info")]
        assert builds == [1]
    assert number(both, "waiting_readers") == 7
    assert number(left, "waiting_readers") == 4
