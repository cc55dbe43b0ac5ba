"""How often one may ask, and how much one may have washed."""

from __future__ import annotations

import threading

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st
from limits import RateLimitItemPerMinute
from werkzeug.test import TestResponse

from fairbones.core.errors import FairbonesError
from fairbones.ops import Ops
from fairbones.ops.rates import Limiter, seconds_until
from fairbones.ops.tries import memory_windows
from fairbones.ops.windows import WindowStorage
from tests.api.fake_house import ADDRESS, TOKEN, FakeHouse
from tests.ops.edge import OPENING, TILES, client_of, number, scraped

MINE = {"Authorization": f"Bearer {TOKEN}"}
HERS = {"Authorization": f"Bearer {TOKEN[::-1]}"}


class Clock:
    """Seconds since the epoch, as a test says; a minute has just begun."""

    def __init__(self) -> None:
        self.now = 60.0 * 1_000_000

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def limited(
    house: FakeHouse, clock: Clock, requests: int = 0, tiles: int = 0, proxies: int = 0
) -> FlaskClient:
    rates = Limiter(requests, tiles, memory_windows(clock))
    return client_of(house, Ops(rates=rates, proxies=proxies))


def from_(client: FlaskClient, address: str, headers: dict[str, str] | None = None) -> TestResponse:
    """A request of somebody at this address."""
    return client.get(ADDRESS, headers=headers, environ_overrides={"REMOTE_ADDR": address})


def is_refused(answer: TestResponse, code: str) -> int:
    """How long to wait."""
    told = answer.get_json()
    assert (answer.status_code, told["status"], told["code"]) == (429, 429, code)
    assert answer.mimetype == "application/problem+json"
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Retry-After"] == str(told["retry_after"])
    assert str(told["retry_after"]) in told["detail"]
    assert answer.headers["X-Request-ID"]
    return int(told["retry_after"])


def test_so_many_from_one_address(house: FakeHouse, clock: Clock) -> None:
    client = limited(house, clock, requests=3)
    assert [from_(client, "10.0.0.1").status_code for _ in range(3)] == [200] * 3
    seconds = is_refused(from_(client, "10.0.0.1"), "rate/requests")
    assert 60 < seconds <= 120  # the minute is new, and then has to fade
    assert from_(client, "10.0.0.2").status_code == 200
    asked = len(house.asked)
    clock.now += seconds - 1
    is_refused(from_(client, "10.0.0.1"), "rate/requests")
    assert len(house.asked) == asked
    clock.now += 1
    assert from_(client, "10.0.0.1").status_code == 200


def test_so_many_with_one_token(house: FakeHouse, clock: Clock) -> None:
    """Wherever they come from."""
    client = limited(house, clock, requests=2)
    assert from_(client, "10.0.0.1", MINE).status_code == 200
    assert from_(client, "10.0.0.2", MINE).status_code == 200
    answer = from_(client, "10.0.0.3", MINE)
    is_refused(answer, "rate/requests")
    assert "with your token" in answer.get_json()["detail"]
    assert from_(client, "10.0.0.4", HERS).status_code == 200


def test_many_tokens_are_no_way_around_the_address(house: FakeHouse, clock: Clock) -> None:
    client = limited(house, clock, requests=3)
    for made_up in range(3):
        headers = {"Authorization": f"Bearer {made_up:064x}"}
        assert from_(client, "10.0.0.1", headers).status_code == 200
    is_refused(from_(client, "10.0.0.1", {"Authorization": "Bearer x"}), "rate/requests")


def test_who_watches_gets_through(house: FakeHouse, clock: Clock) -> None:
    client = limited(house, clock, requests=1)
    assert client.get("/").status_code == 200
    for _ in range(5):
        for address in ("/livez", "/readyz", "/metrics"):
            assert client.get(address).status_code == 200
    is_refused(client.get("/"), "rate/requests")
    is_refused(client.get("/nothing"), "rate/requests")
    assert number(scraped(client), "rate_limited_total", code="rate/requests") == 2


def test_without_a_number_nobody_is_limited(house: FakeHouse, clock: Clock) -> None:
    client = limited(house, clock)
    assert {from_(client, "10.0.0.1", MINE).status_code for _ in range(100)} == {200}
    assert {client.post("/v1/matches", json=OPENING).status_code for _ in range(100)} == {201}


# ---------------------------------------------------------------------- proxies


def test_nobody_says_himself_where_he_is(house: FakeHouse, clock: Clock) -> None:
    """Without trusted proxies the header is anybody's."""
    client = limited(house, clock, requests=2)
    for spoofed in ("1.1.1.1", "2.2.2.2"):
        assert from_(client, "10.0.0.1", {"X-Forwarded-For": spoofed}).status_code == 200
    is_refused(from_(client, "10.0.0.1", {"X-Forwarded-For": "3.3.3.3"}), "rate/requests")


@pytest.mark.parametrize("proxies", [1, 2])
def test_trusted_proxies_do(house: FakeHouse, clock: Clock, proxies: int) -> None:
    """Each has added whom it got the request from; what stood before is the client's."""
    client = limited(house, clock, requests=1, proxies=proxies)
    hops = ", 192.0.2.9" * (proxies - 1)

    def ask(spoofed: str, true: str) -> TestResponse:
        return from_(client, "192.0.2.1", {"X-Forwarded-For": f"{spoofed}{true}{hops}"})

    assert ask("", "10.0.0.1").status_code == 200
    assert ask("", "10.0.0.2").status_code == 200
    is_refused(ask("7.7.7.7, ", "10.0.0.1"), "rate/requests")
    is_refused(ask("8.8.8.8, 9.9.9.9, ", "10.0.0.2"), "rate/requests")


def test_an_ipv6_subscriber_is_one(house: FakeHouse, clock: Clock) -> None:
    client = limited(house, clock, requests=1)
    assert from_(client, "2001:db8:1:2::1").status_code == 200
    is_refused(from_(client, "2001:db8:1:2:ffff::7"), "rate/requests")
    assert from_(client, "2001:db8:1:3::1").status_code == 200
    assert from_(client, "10.0.0.1").status_code == 200
    is_refused(from_(client, "::ffff:10.0.0.1"), "rate/requests")


# --------------------------------------------------------------------- openings


def open_(client: FlaskClient, address: str = "10.0.0.1", **more: object) -> TestResponse:
    return client.post(
        "/v1/matches",
        json={**OPENING, **more},
        headers=MINE,
        environ_overrides={"REMOTE_ADDR": address},
    )


def test_an_opening_costs_its_tiles(house: FakeHouse, clock: Clock) -> None:
    client = limited(house, clock, tiles=10 * TILES)
    assert open_(client, rounds_max=6).status_code == 201
    answer = open_(client, rounds_max=5)
    seconds = is_refused(answer, "rate/openings")
    told = answer.get_json()
    assert (told["cost"], told["maximum"]) == (5 * TILES, 10 * TILES)
    assert open_(client, rounds_max=4).status_code == 201
    assert open_(client, "10.0.0.2", rounds_max=10).status_code == 201
    assert len(house.asked) == 3
    assert 60 < seconds < 120
    clock.now += 120
    assert open_(client, rounds_max=10).status_code == 201
    assert number(scraped(client), "rate_limited_total", code="rate/openings") == 1


def test_what_is_left_out_costs_what_it_is(house: FakeHouse, clock: Clock) -> None:
    """32 hands of 28 tiles."""
    body = {"ruleset": "block", "seats": 2}
    assert limited(house, clock, tiles=896).post("/v1/matches", json=body).status_code == 201
    answer = limited(house, clock, tiles=895).post("/v1/matches", json=body)
    assert answer.get_json()["cost"] == 896


def test_a_larger_set_costs_more(house: FakeHouse, clock: Clock) -> None:
    client = limited(house, clock, tiles=60)
    assert open_(client, options={"set": 9}, ruleset="draw").status_code == 201  # 55 tiles
    is_refused(open_(client), "rate/openings")


def test_an_opening_that_never_fits_says_so(house: FakeHouse, clock: Clock) -> None:
    """And does not send anybody to wait."""
    answer = open_(limited(house, clock, tiles=100), rounds_max=4)
    told = answer.get_json()
    assert (answer.status_code, told["code"]) == (429, "rate/openings")
    assert "never fits" in told["detail"]
    assert (told["cost"], told["maximum"]) == (112, 100)
    assert "Retry-After" not in answer.headers
    assert "retry_after" not in told
    assert house.asked == []


@pytest.mark.parametrize(
    "body", [{"ruleset": "chess"}, {"seats": 64}, {"options": {"x": 1}}, {"rounds_max": 6_144}]
)
def test_what_the_house_refuses_costs_nothing(
    house: FakeHouse, clock: Clock, body: dict[str, object]
) -> None:
    client = limited(house, clock, tiles=TILES)
    for _ in range(5):
        client.post("/v1/matches", json={**OPENING, **body})
    assert [name for name, _ in house.asked] == ["open"] * 5
    assert client.post("/v1/matches", json=OPENING).status_code == 201


# ---------------------------------------------------------------------- windows

ONE = RateLimitItemPerMinute(10)


@given(
    st.integers(0, 200),
    st.integers(0, 200),
    st.floats(0.0, 60.0),
    st.integers(1, 200),
    st.data(),
)
def test_who_comes_when_he_was_told_is_let_in(
    previous: int,
    current: int,
    left: float,
    limit: int,
    data: st.DataObject,
) -> None:
    """And a second before that there is no room. `left` of this window, the last counts as long."""
    cost = data.draw(st.integers(1, limit))

    def taken(after: float) -> float:
        if after < left:
            return previous * (left - after) / 60 + current
        return current * max(0.0, 60 - (after - left)) / 60

    seconds = seconds_until((previous, left, current, left + 60), limit, cost)
    assert 1 <= seconds <= 120
    assert int(taken(seconds + 1e-6)) + cost <= limit
    if seconds > 1:
        assert int(taken(seconds - 1 - 1e-6)) + cost > limit


def test_a_window_slides(clock: Clock) -> None:
    storage = WindowStorage(clock)

    def take(amount: int = 1) -> bool:
        return storage.acquire_sliding_window_entry("k", 10, 60, amount)

    clock.now += 59
    assert take(10)
    assert not take()
    clock.now += 1  # the next window: all of the last one counts still
    assert not take()
    clock.now += 30  # half of it
    assert take(5)
    assert not take()
    assert storage.get_sliding_window("k", 60) == (10, 30.0, 5, 90.0)
    clock.now += 500
    assert storage.get_sliding_window("k", 60)[::2] == (0, 0)
    assert take(10)


def test_the_memory_has_an_end(clock: Clock) -> None:
    """Who was here last is remembered; who has faded goes first."""
    storage = WindowStorage(clock, callers_max=100)
    for caller in range(100):
        storage.acquire_sliding_window_entry(f"old {caller}", 1, 60)
    clock.now += 121
    storage.acquire_sliding_window_entry("new", 1, 60)
    assert storage.reset() == 1
    for caller in range(250):
        storage.acquire_sliding_window_entry(str(caller), 1, 60)
    assert not storage.acquire_sliding_window_entry("249", 1, 60)
    assert storage.acquire_sliding_window_entry("0", 1, 60)
    assert 50 < (storage.reset() or 0) <= 101


def test_a_token_is_counted_by_what_nobody_can_use() -> None:
    keys: list[str] = []

    class Heard:
        def hit(self, item: RateLimitItemPerMinute, key: str, cost: int) -> bool:
            keys.append(key)
            return True

        def window(self, item: RateLimitItemPerMinute, key: str) -> tuple[int, float, int, float]:
            raise AssertionError

    Limiter(5, 0, Heard()).request("10.0.0.1", f"Bearer {TOKEN}")
    assert keys[0] == "a:10.0.0.1"
    assert keys[1].startswith("t:")
    assert TOKEN not in keys[1]
    assert len(keys) == 2


def test_a_refusal_has_its_code() -> None:
    limiter = Limiter(1, 0, memory_windows(Clock()))
    limiter.request("10.0.0.1", None)
    with pytest.raises(FairbonesError) as refused:
        limiter.request("10.0.0.1", None)
    assert refused.value.code == "rate/requests"


def test_threads_cannot_have_more_than_there_is(clock: Clock) -> None:
    """Those that come at the same moment are counted one after the other."""
    storage = WindowStorage(clock)
    together = threading.Barrier(8)
    taken: list[bool] = []

    def come() -> None:
        together.wait(20)
        taken.extend(storage.acquire_sliding_window_entry("k", 500, 60) for _ in range(200))

    threads = [threading.Thread(target=come) for _ in range(8)]
    for it in threads:
        it.start()
    for it in threads:
        it.join(20)
    assert (len(taken), sum(taken)) == (1_600, 500)
