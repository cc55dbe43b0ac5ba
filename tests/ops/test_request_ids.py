"""Every request has an id, in its answer, in the server's hands and in its log lines."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest
import structlog
from flask import Response
from werkzeug.test import Client

from fairbones.api.access import PUBLIC, callers
from fairbones.api.door import request_id
from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.core.errors import FairbonesError
from tests.api.fake_house import ADDRESS, TOKEN, FakeHouse
from tests.ops.conftest import Log
from tests.ops.edge import client_of

MADE = re.compile(r"[0-9a-f]{16}")


@pytest.mark.parametrize("sent", ["a", "8e03978e-40d5-43e8-bc93-6894a57f9324", "A.b_c-9" * 6])
def test_a_sane_id_is_kept(house: FakeHouse, sent: str) -> None:
    answer = client_of(house).get("/livez", headers={"X-Request-ID": sent})
    assert answer.headers.getlist("X-Request-ID") == [sent]


@pytest.mark.parametrize(
    "sent",
    ["", "a b", "a\tb", "ä", "a" * 65, "a;b", "../a/b", '{"a":1}', TOKEN, "fbk_" + "A" * 43],
)
def test_any_other_is_replaced(house: FakeHouse, sent: str) -> None:
    """What is too long, what might break a log, and what may be a token of somebody."""
    answer = client_of(house).get("/livez", headers={"X-Request-ID": sent})
    (given,) = answer.headers.getlist("X-Request-ID")
    assert MADE.fullmatch(given)


def test_ids_are_made_one_for_each(house: FakeHouse) -> None:
    client = client_of(house)
    given = [client.get("/livez").headers["X-Request-ID"] for _ in range(50)]
    assert len(set(given)) == 50


@pytest.mark.parametrize(
    ("method", "address", "status"),
    [
        ("GET", "/nothing", 404),
        ("BREW", "/livez", 405),
        ("PUT", f"{ADDRESS}/seats/x", 404),
        ("OPTIONS", "/v1/keys", 200),
        ("POST", f"{ADDRESS}/actions", 401),
    ],
)
def test_a_refusal_has_one_too(house: FakeHouse, method: str, address: str, status: int) -> None:
    answer = client_of(house).open(address, method=method, headers={"X-Request-ID": "mine"})
    assert answer.status_code == status
    assert answer.headers["X-Request-ID"] == "mine"


def test_a_page_may_send_it_and_read_it(house: FakeHouse) -> None:
    client = client_of(house)
    assert "X-Request-ID" in client.get("/livez").headers["Access-Control-Expose-Headers"]
    assert "X-Request-ID" in client.options("/livez").headers["Access-Control-Allow-Headers"]


def test_the_server_finds_it_in_the_environ(house: FakeHouse) -> None:
    app = build_api(house, Limits())
    seen: list[dict[str, Any]] = []
    inner = app.wsgi_app

    def server(environ: dict[str, Any], start: Any) -> Any:
        seen.append(environ)
        return inner(environ, start)

    Client(server).get("/livez", headers={"X-Request-ID": "mine"})
    assert seen[0]["fairbones.request_id"] == "mine"


def test_every_line_of_a_request_has_it_and_no_line_after(house: FakeHouse, log: Log) -> None:
    client = client_of(house)
    house.error = ValueError("no")
    fault = client.get(ADDRESS, headers={"X-Request-ID": "mine"})
    house.error = FairbonesError("store/full", "no")
    client.get(ADDRESS, headers={"X-Request-ID": "other"})
    structlog.get_logger().info("afterwards")
    logging.getLogger("x").info("afterwards")
    first, second, *after = log.lines
    assert first["request_id"] == "mine"
    assert fault.get_json()["incident"] in first["event"]
    assert second["request_id"] == "other"
    assert [line.get("request_id") for line in after] == [None, None]


def test_what_is_streamed_is_still_the_requests(house: FakeHouse, log: Log) -> None:
    app = build_api(house, Limits())

    @app.get("/stream")
    @callers(PUBLIC)
    def stream() -> Response:
        def pieces() -> Any:
            structlog.get_logger().info("on the way")
            yield b"a"

        return Response(pieces())

    answer = app.test_client().get("/stream", headers={"X-Request-ID": "mine"})
    assert answer.data == b"a"
    answer.close()
    structlog.get_logger().info("afterwards")
    assert [line.get("request_id") for line in log.lines] == ["mine", None]


def test_an_id_is_no_secret_by_the_rules_of_the_log(log: Log) -> None:
    """What the log would not keep is no id."""
    for sent in (None, "a" * 42, "a.b" * 21):
        structlog.get_logger().info("x", request_id=request_id(sent))
    kept = [line["request_id"] for line in log.lines]
    assert kept[1:] == ["a" * 42, "a.b" * 21]
    assert MADE.fullmatch(kept[0])
