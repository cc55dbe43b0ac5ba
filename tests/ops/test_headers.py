"""What every answer says to browsers, and what is said only behind TLS."""

from __future__ import annotations

import pytest

from fairbones.ops import Ops
from tests.api.documented import operations
from tests.api.fake_house import ADDRESS, TOKEN, FakeHouse
from tests.ops.edge import OPENING, client_of

HSTS = "Strict-Transport-Security"


@pytest.mark.parametrize("address", ["/", "/metrics", "/nothing", ADDRESS, "/v1/matches/0"])
def test_no_answer_is_taken_for_something_else(house: FakeHouse, address: str) -> None:
    headers = client_of(house).get(address).headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Cache-Control" in headers


def test_tls_is_promised_only_where_a_trusted_proxy_speaks_it(house: FakeHouse) -> None:
    said = {"X-Forwarded-Proto": "https"}
    direct, behind = client_of(house), client_of(house, Ops(proxies=1))
    assert HSTS not in direct.get("/", headers=said).headers
    # As a server of its own mind would have it, from a header that it should not trust.
    assert HSTS not in direct.get("/", base_url="https://localhost").headers
    assert HSTS not in behind.get("/").headers
    assert HSTS not in behind.get("/", headers={"X-Forwarded-Proto": "http"}).headers
    assert behind.get("/", headers=said).headers[HSTS] == "max-age=63072000"
    assert behind.get("/nothing", headers=said).headers[HSTS]


def test_behind_a_proxy_addresses_stay_relative(house: FakeHouse) -> None:
    said = {"X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil.example", "Host": "a.example"}
    answer = client_of(house, Ops(proxies=1)).post("/v1/matches", json=OPENING, headers=said)
    assert answer.headers["Location"] == ADDRESS


def test_answers_with_a_token_are_in_no_cache(house: FakeHouse) -> None:
    client, mine = client_of(house), {"Authorization": f"Bearer {TOKEN}"}
    answers = [
        client.get(ADDRESS, headers=mine),
        client.put(f"{ADDRESS}/seats/1", json={"client_seed": "00" * 32}, headers=mine),
        client.post(f"{ADDRESS}/actions", json={"seq": 1, "action": {}}, headers=mine),
        client.delete(f"{ADDRESS}/seats/1", headers=mine),
        client.post("/v1/matches", json=OPENING, headers=mine),
    ]
    for answer in answers:
        assert answer.status_code < 300
        assert answer.headers["Cache-Control"] == "no-store"


class Untouched:
    """A body that nobody may read."""

    def read(self, *_: object) -> bytes:
        raise AssertionError("read")

    readline = readlines = __iter__ = read


def test_every_body_has_its_limit(house: FakeHouse) -> None:
    """By what it says of its length: nothing of it is read. A call without a body reads none."""
    client = client_of(house)
    seen = set()
    for path, method, call in operations():
        address = path.replace("{match_id}", ADDRESS.rpartition("/")[2]).replace("{seat}", "0")
        answer = client.open(
            address,
            method=method.upper(),
            content_type="application/json",
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Length": "4097"},
            environ_overrides={"wsgi.input": Untouched(), "CONTENT_LENGTH": "4097"},
        )
        takes = "requestBody" in call
        assert (answer.status_code == 413) == takes, (method, address, answer.status_code)
        if takes:
            assert answer.get_json()["code"] == "request/too-large"
            seen.add(call["operationId"])
        else:
            assert answer.status_code in (200, 404), (method, address)
    assert seen == {"openMatch", "takeSeat", "leaveSeat", "revealSeed", "act"}
