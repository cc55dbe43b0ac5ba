"""Requests nobody thought of: each gets a good answer or a problem of the table, never a fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.api.codes import CODES
from fairbones.api.problems import MEDIA_TYPE
from tests.api.documented import foreseen, schema_of
from tests.api.table import Game, Table, token_of

SMALL = st.integers(0, 12) | st.booleans() | st.sampled_from(["", "6-4", "left", "play", "00" * 32])
VALUES = (
    SMALL | st.lists(SMALL, max_size=2) | st.dictionaries(st.text(max_size=3), SMALL, max_size=2)
)
HEX = st.sampled_from(["00" * 32, "ab" * 32, "00" * 16, "AB" * 32])
ACTIONS = st.fixed_dictionaries(
    {"type": st.sampled_from(["play", "draw", "pass", "decline", "call", ""])},
    optional={
        "tile": st.sampled_from(["0-0", "6-6", "1-6", "6-1", "7-7", "x", ""]),
        "end": st.sampled_from(["left", "right", "up", ""]),
        "claim": SMALL,
    },
)
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "seq": st.integers(0, 12) | VALUES,
        "action": ACTIONS | VALUES,
        "prev": HEX | VALUES,
        "receipt": st.fixed_dictionaries(
            {"match": HEX, "seq": SMALL, "event_hash": HEX},
            optional={"key_id": st.just("00" * 8), "signature": st.just("00" * 64)},
        )
        | VALUES,
        "client_seed": HEX | VALUES,
        "client_seed_commitment": HEX | VALUES,
        "seated_hash": HEX | VALUES,
        "ruleset": st.sampled_from(["block", "draw", "chess"]) | VALUES,
        "seats": st.integers(0, 6) | VALUES,
        "options": st.dictionaries(st.sampled_from(["target", "tie", "hand", "x"]), VALUES)
        | VALUES,
        "rounds_max": st.integers(0, 3) | VALUES,
        "listed": VALUES,
        "reserved": st.lists(
            st.fixed_dictionaries({"seat": SMALL}, optional={"invite_hash": HEX, "public_key": HEX})
            | VALUES,
            max_size=3,
        )
        | VALUES,
        "invite": HEX | VALUES,
        "public_key": HEX | VALUES,
        "signature": st.just("00" * 64) | VALUES,
    },
)
BELOW = ["/v1/matches", "{}/actions", "{}/seats/0", "{}/seats/1/seed", "{}/seats/9", "{}/x"]


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    table = Table(tmp_path_factory.mktemp("fuzz"))
    yield Game(table, {"ruleset": "draw", "seats": 2, "turn_seconds": 86_400}).start()
    table.close()


@given(
    body=BODIES,
    method=st.sampled_from(["POST", "PUT"]),
    below=st.sampled_from(BELOW),
    seat=st.sampled_from([None, 0, 1, 2]),
)
def test_any_request(game: Game, body: Any, method: str, below: str, seat: int | None) -> None:
    before = game.view()["head"]["seq"]
    token = None if seat is None else token_of(seat)
    answer = game.table.call(method, below.format(game.address), body, token=token)
    told = answer.get_json()
    if answer.status_code < 300:
        assert "receipt" in told
        return
    assert answer.mimetype == MEDIA_TYPE
    assert told["status"] == answer.status_code == CODES[told["code"]].status
    assert told["code"] != "service/bug"
    foreseen(method, answer.request.path, answer)
    assert game.view()["head"]["seq"] == before


@given(
    query=st.dictionaries(
        st.sampled_from(["status", "ruleset", "cursor", "limit", "x"]),
        st.sampled_from(
            ["joining", "void", "block", "draw", "1", "100", "101", "-1", "01", "A" * 32]
        )
        | st.text(max_size=40),
        max_size=4,
    )
)
def test_any_list(game: Game, query: dict[str, str]) -> None:
    """A page, or a refusal that is described; and the match goes on from where it was."""
    before = game.view()["head"]["seq"]
    answer = game.table.client.get("/v1/matches", query_string=query)
    told = answer.get_json()
    if answer.status_code == 200:
        schema_of("Matches").validate(told)
    else:
        assert answer.mimetype == MEDIA_TYPE
        assert answer.status_code == CODES[told["code"]].status < 500
        foreseen("GET", "/v1/matches", answer)
    assert game.view()["head"]["seq"] == before
