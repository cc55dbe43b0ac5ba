"""Who is one caller: however a proxy writes an address, and however a client spells its header."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from limits import RateLimitItemPerMinute

from fairbones.ops import Ops
from fairbones.ops.rates import NOWHERE, Limiter, network
from fairbones.ops.tries import memory_windows
from tests.api.fake_house import ADDRESS, TOKEN, FakeHouse
from tests.ops.edge import OPENING, TILES, client_of


class Heard:
    """Lets everybody in, and keeps whose count it was."""

    def __init__(self) -> None:
        self.keys: list[str] = []

    def hit(self, item: RateLimitItemPerMinute, key: str, cost: int) -> bool:
        self.keys.append(key)
        return True

    def window(self, item: RateLimitItemPerMinute, key: str) -> tuple[int, float, int, float]:
        raise AssertionError


WRITTEN = {
    "1.2.3.4": [
        *("1.2.3.4:51234", "1.2.3.4:", "1.2.3.4 ", '"1.2.3.4:1"', "1.2.3.4%x"),
        *("::ffff:1.2.3.4", "[::ffff:1.2.3.4]:9", "::ffff:102:304", "[::ffff:1.2.3.4%eth0]"),
    ],
    "2001:db8::/64": [
        *("2001:db8::1", "[2001:db8::1]:443", "[2001:db8::2]", "2001:DB8::3%eth0"),
        *('"[2001:db8::1]:443"', "[2001:db8::1%25]:1", "2001:db8::1%a%b"),
    ],
    NOWHERE: [
        *("unknown", "_hidden7", "_hidden8", "", "local", "[", "[]", ":", "::1::", "1.2.3"),
        *("1.2.3.4.5", "01.2.3.4", "1.2.3.256:1", "a:b:c", "\u0661.2.3.4"),
    ],
}


@pytest.mark.parametrize("whose", WRITTEN)
def test_an_address_is_one_however_it_is_written(whose: str) -> None:
    assert {network(it) for it in WRITTEN[whose]} == {whose}


@given(st.text(max_size=64))
def test_whatever_a_proxy_writes_is_somebody(text: str) -> None:
    assert network(text) == NOWHERE or any(it in text for it in "0123456789:")


@pytest.mark.parametrize("form", ["10.0.0.1:{}", "[2001:db8::1]:{}", "_hidden{}", "unknown"])
def test_another_connection_is_no_other_caller(house: FakeHouse, form: str) -> None:
    """Neither for requests nor for what is washed."""
    ops = Ops(rates=Limiter(2, 0, memory_windows()), proxies=1)
    client = client_of(house, ops)
    said = [
        client.get(ADDRESS, headers={"X-Forwarded-For": form.format(port)}).status_code
        for port in range(40_000, 40_003)
    ]
    assert said == [200, 200, 429]
    dear = client_of(house, Ops(rates=Limiter(0, TILES, memory_windows()), proxies=1))
    said = [
        dear.post(
            "/v1/matches", json=OPENING, headers={"X-Forwarded-For": form.format(port)}
        ).status_code
        for port in (1, 2)
    ]
    assert said == [201, 429]


def test_each_key_has_its_own_tiles() -> None:
    """Wherever it is used; and nobody can name himself like a key."""
    heard = Heard()
    limiter = Limiter(0, TILES, heard)
    for address, opener in (
        ("10.0.0.1", "deadbeef"),
        ("10.0.0.2", "deadbeef"),
        ("10.0.0.1", "01234567"),
        ("deadbeef", None),
        ("10.0.0.1", None),
    ):
        limiter.opening(address, opener, 1)
    assert heard.keys == ["k:deadbeef", "k:deadbeef", "k:01234567", f"o:{NOWHERE}", "o:10.0.0.1"]


def test_a_token_is_one_however_its_scheme_is_spelled() -> None:
    heard = Heard()
    limiter = Limiter(5, 0, heard)
    for scheme in ("Bearer ", "bearer ", "BEARER ", "bEaReR   ", "Bearer\t", " Bearer "):
        for end in ("", " ", "\t"):
            limiter.request("10.0.0.1", scheme + TOKEN + end)
    limiter.request("10.0.0.1", f"Bearer {TOKEN[::-1]}")
    assert len({it for it in heard.keys if it.startswith("t:")}) == 2


@pytest.mark.parametrize("header", ["", " ", "Bearer", "Bearer ", TOKEN])
def test_no_token_is_counted_by_its_address(header: str) -> None:
    heard = Heard()
    Limiter(5, 0, heard).request("10.0.0.1", header)
    assert heard.keys == ["a:10.0.0.1"]
