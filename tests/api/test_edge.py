"""The edge alone, around a fake house: what it passes on, what it adds, what it refuses itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Response
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from fairbones.api.access import PUBLIC, SEAT, callers, refuse_undeclared
from fairbones.api.codes import CODES
from fairbones.api.limits import Limits
from fairbones.api.problems import MEDIA_TYPE
from fairbones.app import build_api
from fairbones.core.errors import Conflict, FairbonesError, Forbidden, Illegal, Missing, Stale
from fairbones.core.match import ForInvite, ForKey, Reservation
from fairbones.core.match.decide import LATE
from fairbones.house.messages import ActRequest, ListRequest, OpenRequest, SitRequest
from tests.api.fake_house import (
    ADDRESS,
    EVENT,
    HEAD,
    MATCH,
    RECEIPT,
    TOKEN,
    TRANSCRIPT,
    VIEW,
    FakeHouse,
)

MINE = {"Authorization": f"Bearer {TOKEN}"}
PUBLIC_GETS = [
    "/",
    "/livez",
    "/readyz",
    "/openapi.yaml",
    "/v1/rulesets",
    "/v1/rulesets/block",
    "/v1/keys",
    "/v1/matches",
    ADDRESS,
    f"{ADDRESS}/events",
    f"{ADDRESS}/transcript",
]
METHODS = (
    *("GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"),
    *("TRACE", "CONNECT", "PROPFIND", "BREW"),
)
ADDRESSES = (
    *PUBLIC_GETS,
    f"{ADDRESS}/seats/0",
    f"{ADDRESS}/seats/0/seed",
    f"{ADDRESS}/actions",
    # Nothing of these is there.
    *("/nothing", "/livez/", "*", f"{ADDRESS}/nothing", f"{ADDRESS}/seats/x", "/v1/matches/0"),
)
DRESS = (
    "Access-Control-Allow-Origin",
    "X-Content-Type-Options",
    "Content-Security-Policy",
    "Referrer-Policy",
)
STEP = (
    b'{"events":[' + EVENT + b"," + EVENT + b'],"receipt":' + RECEIPT
    + b',"view":{"id":"' + MATCH.hex().encode() + b'","name":"\xc3\xa9"}}'
)  # fmt: skip


def test_what_the_house_wrote_is_passed_on_byte_for_byte(client: FlaskClient) -> None:
    opened = client.post("/v1/matches", json={"ruleset": "block", "seats": 2})
    assert opened.data == b'{"event":' + EVENT + b',"receipt":' + RECEIPT + b"}"
    assert opened.headers["Location"] == ADDRESS
    sat = client.put(f"{ADDRESS}/seats/1", json={"client_seed": "00" * 32}, headers=MINE)
    assert sat.data == STEP
    acted = client.post(f"{ADDRESS}/actions", json={"seq": 1, "action": {}}, headers=MINE)
    assert acted.data == STEP
    assert client.get(ADDRESS).data == b'{"id":"%b","name":"\xc3\xa9","receipt":%b}' % (
        MATCH.hex().encode(),
        RECEIPT,
    )
    assert client.get(f"{ADDRESS}/events").data == (
        b'{"events":[' + EVENT + b'],"head":{"seq":7,"event_hash":"' + HEAD.hex().encode()
        + b'"},"receipt":' + RECEIPT + b"}"
    )  # fmt: skip
    transcript = client.get(f"{ADDRESS}/transcript")
    assert transcript.data == TRANSCRIPT
    assert transcript.mimetype == "application/json"


def test_requests_reach_the_house_as_values(client: FlaskClient, house: FakeHouse) -> None:
    client.post(
        "/v1/matches",
        json={"ruleset": "draw", "seats": 3, "options": {"tie": "split"}, "reference": "r"},
        headers={"Idempotency-Key": "k" * 16},
    )
    client.put(
        f"{ADDRESS}/seats/1",
        json={"client_seed_commitment": "ab" * 32, "name": "me"},
        headers=MINE,
    )
    key = {"public_key": "04" * 32, "signature": "05" * 64}
    client.put(f"{ADDRESS}/seats/2", json={"client_seed": "01" * 32, **key}, headers=MINE)
    shown = {"client_seed": "01" * 32, "seated_hash": "02" * 32}
    client.put(f"{ADDRESS}/seats/0/seed", json=shown)
    client.put(f"{ADDRESS}/seats/2/seed", json={**shown, "signature": "06" * 64})
    action = {"type": "play", "tile": "4-6", "end": "left"}
    client.post(
        f"{ADDRESS}/actions", json={"seq": 9, "action": action, "prev": "03" * 32}, headers=MINE
    )
    client.post(
        f"{ADDRESS}/actions",
        json={"seq": 9, "action": action, "signature": "08" * 64},
        headers=MINE,
    )
    client.delete(f"{ADDRESS}/seats/63", headers=MINE)
    client.delete(f"{ADDRESS}/seats/0", json={"signature": "07" * 64}, headers=MINE)
    client.get(ADDRESS, headers=MINE)
    client.get(f"{ADDRESS}?at=3")
    assert house.asked == [
        ("open", (OpenRequest("draw", 3, {"tie": "split"}, reference="r"), "k" * 16)),
        ("sit", (MATCH, TOKEN, SitRequest(1, "me", commitment=b"\xab" * 32))),
        (
            "sit",
            (
                MATCH,
                TOKEN,
                SitRequest(
                    2,
                    client_seed=b"\x01" * 32,
                    public_key=b"\x04" * 32,
                    signature=b"\x05" * 64,
                ),
            ),
        ),
        ("reveal", (MATCH, 0, b"\x01" * 32, b"\x02" * 32, None)),
        ("reveal", (MATCH, 2, b"\x01" * 32, b"\x02" * 32, b"\x06" * 64)),
        ("act", (MATCH, TOKEN, ActRequest(9, action, b"\x03" * 32))),
        ("act", (MATCH, TOKEN, ActRequest(9, action, signature=b"\x08" * 64))),
        ("leave", (MATCH, 63, TOKEN, None)),
        ("leave", (MATCH, 0, TOKEN, b"\x07" * 64)),
        ("view", (MATCH, TOKEN, None)),
        ("view", (MATCH, None, 3)),
    ]


def test_a_private_table_reaches_the_house(client: FlaskClient, house: FakeHouse) -> None:
    """Hashes by seat when it is opened, the secret itself when somebody sits down."""
    kept = [{"seat": seat, "invite_hash": f"{seat:02x}" * 32} for seat in (2, 0)]
    kept.append({"seat": 1, "public_key": "01" * 32})
    opening = {"ruleset": "draw", "seats": 3, "listed": False, "reserved": kept}
    assert client.post("/v1/matches", json=opening).status_code == 201
    assert client.post("/v1/matches", json={"ruleset": "draw", "seats": 3}).status_code == 201
    sitting = {"client_seed": "00" * 32, "invite": "a0" * 16}
    assert client.put(f"{ADDRESS}/seats/2", json=sitting, headers=MINE).status_code == 201
    hashes: dict[int, Reservation] = {
        0: ForInvite(b"\x00" * 32),
        1: ForKey(b"\x01" * 32),
        2: ForInvite(b"\x02" * 32),
    }
    assert house.asked == [
        ("open", (OpenRequest("draw", 3, listed=False, reserved=hashes), None)),
        ("open", (OpenRequest("draw", 3, listed=True, reserved={}), None)),
        ("sit", (MATCH, TOKEN, SitRequest(2, client_seed=b"\0" * 32, invite=b"\xa0" * 16))),
    ]


def test_a_list_as_it_was_asked_for(client: FlaskClient, house: FakeHouse) -> None:
    first = client.get("/v1/matches")
    assert first.get_json() == {"matches": [{"id": MATCH.hex()}], "now": 7, "cursor": "next"}
    house.appended = False
    last = client.get("/v1/matches?limit=100&status=joining&ruleset=draw&cursor=next")
    assert last.get_json() == {"matches": [{"id": MATCH.hex()}], "now": 7}
    client.get("/v1/matches?limit=1", headers=MINE)
    assert house.asked == [
        ("matches", (ListRequest(20),)),
        ("matches", (ListRequest(100, "joining", "draw", "next"),)),
        ("matches", (ListRequest(1),)),
    ]


def test_a_repeated_request_says_so(client: FlaskClient, house: FakeHouse) -> None:
    house.appended = False
    body = {"ruleset": "block", "seats": 2}
    opened = client.post("/v1/matches", json=body, headers={"Idempotency-Key": "k" * 16})
    assert (opened.status_code, opened.headers["Idempotent-Replayed"]) == (201, "true")
    sat = client.put(f"{ADDRESS}/seats/1", json={"client_seed": "00" * 32}, headers=MINE)
    assert sat.status_code == 200


@pytest.mark.parametrize("address", PUBLIC_GETS)
def test_head_is_get_without_the_body(client: FlaskClient, address: str) -> None:
    got, head = client.get(address), client.head(address)
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["Content-Length"] == got.headers["Content-Length"] == str(len(got.data))


@pytest.mark.parametrize("address", [*PUBLIC_GETS, "/nothing", "/v1/matches/0", "/v1/keys?x=1"])
def test_every_answer_is_dressed(client: FlaskClient, address: str) -> None:
    headers = client.get(address, headers={"Origin": "https://example.org"}).headers
    assert headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag, Location, Retry-After" in headers["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in headers
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "Cache-Control" in headers
    assert not {"Server", "Set-Cookie", "X-Powered-By"} & set(headers.keys())


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_refusal_is_a_problem_whatever_the_method(client: FlaskClient, address: str) -> None:
    for method in METHODS:
        answer = client.open(address, method=method)
        for name in DRESS:
            assert len(answer.headers.getlist(name)) == 1, (method, name)
        if answer.status_code < 300:
            assert (method == "OPTIONS") == ("Content-Type" not in answer.headers), method
        else:
            is_a_problem(method, answer)


def is_a_problem(method: str, answer: TestResponse) -> None:
    assert answer.status_code in (400, 401, 404, 405), method
    assert answer.headers["Content-Type"] == MEDIA_TYPE, method
    assert answer.headers["Cache-Control"] == "no-store", method
    assert "Access-Control-Expose-Headers" in answer.headers, method
    assert ("Allow" in answer.headers) == (answer.status_code == 405), method
    if method == "HEAD":
        assert answer.data == b""
    else:
        told = json.loads(answer.data)
        assert told["status"] == CODES[told["code"]].status == answer.status_code, method


@pytest.mark.parametrize("method", ["GET", "OPTIONS"])
def test_no_path_at_all_is_the_root(client: FlaskClient, method: str) -> None:
    """As in `GET http://localhost HTTP/1.1`, which WSGI hands on as an empty path."""
    bare = client.open("/", method=method, environ_overrides={"PATH_INFO": ""})
    root = client.open("/", method=method)
    assert (bare.status_code, bare.data) == (200, root.data)


@pytest.mark.parametrize(
    ("address", "method"),
    [("/v1/matches", "POST"), (f"{ADDRESS}/seats/0", "PUT"), (f"{ADDRESS}/seats/0", "DELETE")],
)
def test_a_page_may_ask_and_is_told_how(client: FlaskClient, address: str, method: str) -> None:
    answer = client.options(
        address,
        headers={
            "Origin": "https://example.org",
            "Access-Control-Request-Method": method,
            "Access-Control-Request-Headers": "authorization,content-type,idempotency-key",
        },
    )
    assert (answer.status_code, answer.data) == (200, b"")
    assert "Content-Type" not in answer.headers
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert method in answer.headers["Access-Control-Allow-Methods"]
    allowed = answer.headers["Access-Control-Allow-Headers"].lower()
    assert all(name in allowed for name in ("authorization", "content-type", "idempotency-key"))


def test_no_cache_gives_a_seats_view_to_a_stranger(client: FlaskClient) -> None:
    public, mine = client.get(ADDRESS), client.get(ADDRESS, headers=MINE)
    assert public.headers["ETag"] == f'"{HEAD.hex()}-public"'
    assert mine.headers["ETag"] == f'"{HEAD.hex()}-1"'
    assert public.headers["Cache-Control"] == "no-cache"
    assert mine.headers["Cache-Control"] == "no-store"
    wrong = client.get(ADDRESS, headers={"Authorization": "Bearer x"})
    same = client.get(ADDRESS, headers={**MINE, "If-None-Match": mine.headers["ETag"]})
    assert same.status_code == 304
    assert same.headers["Cache-Control"] == "no-store"
    for answer in (public, mine, wrong, same, client.get(f"{ADDRESS}/events")):
        assert answer.headers["Vary"] == "Authorization"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Stale("match/stale", "Look.", head={"seq": 1}), 409, "match/stale"),
        (Stale(LATE, "Look."), 409, "match/late"),
        (Conflict("seat/taken", "Taken."), 409, "seat/taken"),
        (Conflict("match/over", "Over."), 410, "match/over"),
        (FairbonesError("match/history-lost", "Lost."), 410, "match/history-lost"),
        (Forbidden("auth/token-unknown", "Who?"), 401, "auth/token-unknown"),
        (FairbonesError("service/busy", "Again."), 503, "service/busy"),
        (FairbonesError("store/full", "/secret/path"), 503, "store/full"),
        (FairbonesError("store/unheard-of", "/secret/path"), 503, "service/not-ready"),
        (FairbonesError("house/seed-sealed", "/secret/path"), 503, "service/not-ready"),
        (Illegal("new/rule", "No."), 422, "new/rule"),
        (Conflict("new/conflict", "No."), 409, "new/conflict"),
        (Missing("new/thing", "No."), 404, "new/thing"),
        (FairbonesError("new/unknown", "/secret/path"), 500, "service/bug"),
        (RuntimeError("/secret/path"), 500, "service/bug"),
        (RecursionError("/secret/path"), 500, "service/bug"),
    ],
)
def test_errors_of_the_house(
    client: FlaskClient, house: FakeHouse, error: Exception, status: int, code: str
) -> None:
    house.error = error
    answer = client.get(ADDRESS)
    told = answer.get_json()
    assert (answer.status_code, told["status"], told["code"]) == (status, status, code)
    assert answer.mimetype == MEDIA_TYPE
    assert told["type"] == f"urn:fairbones:problem:{code}"
    assert "/secret/path" not in answer.text
    assert ("Retry-After" in answer.headers) == (status == 503)
    if code == "match/stale":
        assert (told["detail"], told["head"]) == ("Look.", {"seq": 1})


def test_details_cannot_displace_the_standard(client: FlaskClient, house: FakeHouse) -> None:
    house.error = Conflict("seat/taken", "Taken.", status=200, type="x", seat=1)
    told = client.get(ADDRESS).get_json()
    assert (told["status"], told["type"], told["seat"]) == (
        409,
        "urn:fairbones:problem:seat/taken",
        1,
    )


def test_readiness_asks_the_house(client: FlaskClient, house: FakeHouse) -> None:
    assert client.get("/readyz").get_json() == {"status": "ready"}
    house.error = FairbonesError("store/full", "/secret/path")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_json()["code"]) == (503, "service/not-ready")
    assert "/secret/path" not in answer.text
    assert client.get("/livez").status_code == 200


def test_links_of_the_index_lead_somewhere(client: FlaskClient) -> None:
    links = client.get("/").get_json()["links"]
    body = {"ruleset": "block", "seats": 2}
    opened = client.post(links.pop("open"), json=body).headers["Location"]
    assert links["match"].replace("{id}", MATCH.hex()) == opened == ADDRESS
    links["match"] = opened
    for address in links.values():
        assert client.get(address).status_code == 200, address


def test_a_wrong_method_is_told_the_right_ones(client: FlaskClient) -> None:
    """In the header Allow, which a page may read too, and in words."""
    answer = client.put("/v1/matches")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    assert "Allow" in answer.headers["Access-Control-Expose-Headers"]
    told = answer.get_json()
    methods = answer.headers["Allow"]
    assert told["detail"] == f"This address has the methods {methods}: use one of them."
    for address in ADDRESSES:
        wrong = client.open(address, method="PATCH")
        if wrong.status_code == 405:
            assert f" {wrong.headers['Allow']}: " in wrong.get_json()["detail"], address


def test_an_endpoint_that_declares_nobody_stops_the_start(house: FakeHouse) -> None:
    app = build_api(house, Limits())
    refuse_undeclared(app)

    def forgotten() -> Response:
        return Response()

    app.add_url_rule("/forgotten", view_func=forgotten)
    with pytest.raises(RuntimeError, match="forgotten"):
        refuse_undeclared(app)


def test_an_operation_without_callers_is_not_even_made() -> None:
    with pytest.raises(ValueError, match="no such set"):
        callers()
    assert callers(PUBLIC, SEAT) is not None


def test_the_query_is_read_before_the_body_and_the_token_before_both_change_anything(
    client: FlaskClient, house: FakeHouse
) -> None:
    codes: list[Any] = [
        client.post(f"{ADDRESS}/actions?x=1", data=b"[", headers={}).get_json()["code"],
        client.post(f"{ADDRESS}/actions", data=b"[").get_json()["code"],
        client.post(f"{ADDRESS}/actions", data=b"[", headers=MINE).get_json()["code"],
    ]
    assert codes == ["request/unknown-field", "auth/token-missing", "request/media-type"]
    assert house.asked == []


def test_the_body_limit_is_the_applications_own(client: FlaskClient) -> None:
    body = json.dumps({"ruleset": "block", "seats": 2, "reference": "r" * 5_000})
    answer = client.post("/v1/matches", data=body, content_type="application/json")
    assert (answer.status_code, answer.get_json()["maximum"]) == (413, 4_096)


def test_a_view_is_written_as_utf8(client: FlaskClient) -> None:
    assert client.get(ADDRESS).get_json()["name"] == VIEW["name"]
