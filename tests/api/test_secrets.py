"""The server seed, tokens and unrevealed client seeds appear in no answer before their event."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.fake_house import ADDRESS, TOKEN, FakeHouse
from tests.api.table import Game, Table, seed_of, token_of


class Eavesdropper:
    """Reads every answer of a table, headers and all."""

    def __init__(self, table: Table) -> None:
        self.heard: list[str] = []
        ask = table.call

        def call(*args: Any, **more: Any) -> Any:
            answer = ask(*args, **more)
            self.heard.append(f"{answer.headers}\n{answer.text}")
            return answer

        table.call = call  # type: ignore[method-assign]

    def has(self, secret: str) -> bool:
        """Whether it was in any answer so far."""
        return any(secret in text for text in self.heard)


def test_nothing_is_told_before_its_event(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    ear = Eavesdropper(table)
    game = Game(table, {"ruleset": "draw", "seats": 2, "rounds_max": 2})
    server_seed = table.secrets[0].hex()
    for seat in range(2):
        game.sit(seat)
        game.view(seat)
    for seat in range(2):
        assert not ear.has(seed_of(seat).hex())
        game.reveal(seat)
    while not game.over:
        assert not ear.has(server_seed)
        for viewer in (None, 0, 1):
            game.view(viewer)
        table.call("GET", f"{game.address}/transcript")
        table.call("GET", f"{game.address}/events")
        table.call("GET", "/v1/keys")
        table.call("POST", f"{game.address}/actions", {}, token=token_of(0))
        game.play_turn()
    assert ear.has(server_seed)
    assert game.events[-1]["data"]["server_seed"] == server_seed
    for seat in range(2):
        assert not ear.has(token_of(seat))
        assert token_of(seat) not in caplog.text
    assert server_seed not in caplog.text


def test_the_public_sees_no_hand(table: Table) -> None:
    game = Game(table, {"ruleset": "block", "seats": 2, "rounds_max": 1}).start()
    shown = table.call("GET", game.address).text
    shown += table.call("GET", f"{game.address}/transcript").text
    # The tile that leads is told to everybody when it is fixed.
    must_set = game.events[-1]["data"]["must_set"]
    for seat in range(2):
        hand = game.view(seat)["you"]["hand"]
        assert len(hand) == 7
        for tile in hand:
            assert tile["salt"] not in shown
            assert f'"{tile["tile"]}"' not in shown or tile["tile"] == must_set


def test_a_fault_tells_the_log_where_but_not_what(
    house: FakeHouse, client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    secret = "5ec2e7" * 10
    house.error = ValueError(f"bad seed {secret}")
    answer = client.get(ADDRESS, headers={"Authorization": f"Bearer {TOKEN}"})
    assert (answer.status_code, answer.get_json()["code"]) == (500, "service/bug")
    assert secret not in answer.text
    assert secret not in caplog.text
    assert TOKEN not in caplog.text
    assert answer.get_json()["incident"] in caplog.text
    assert "ValueError in matches.get_match" in caplog.text
    assert "fake_house.py" in caplog.text
