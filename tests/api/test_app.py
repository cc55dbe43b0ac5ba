"""The composition root: a whole service on a data folder, and what is left when it is closed."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
import structlog.testing

from fairbones.app import create_app
from fairbones.config import Settings, load_settings
from fairbones.core.errors import FairbonesError
from tests.api.table import token_of


def settings(folder: Path) -> Settings:
    """A configuration as `load_settings` makes it."""
    return dataclasses.replace(
        load_settings(),
        data=folder,
        keys=folder / "keys",
        threads=4,
        waiters=2,
        wait_max=5,
        body_max=2_048,
    )


def test_a_match_outlives_the_service(tmp_path: Path) -> None:
    app = create_app(settings(tmp_path / "data"))
    client = app.test_client()
    assert client.get("/readyz").status_code == 200
    opened = client.post("/v1/matches", json={"ruleset": "block", "seats": 2})
    address = opened.headers["Location"]
    body = {"client_seed_commitment": "01" * 32}
    mine = {"Authorization": f"Bearer {token_of(0)}"}
    assert client.put(f"{address}/seats/0", json=body, headers=mine).status_code == 201
    transcript, keys = client.get(f"{address}/transcript").data, client.get("/v1/keys").data
    app.extensions["fairbones"].stop()
    app.extensions["fairbones"].close()

    again = create_app(settings(tmp_path / "data"))
    client = again.test_client()
    assert client.get(f"{address}/transcript").data == transcript
    assert client.get("/v1/keys").data == keys
    assert client.get(address, headers=mine).get_json()["you"]["seat"] == 0
    assert client.put(f"{address}/seats/0", json=body, headers=mine).status_code == 200
    again.extensions["fairbones"].close()


def test_the_settings_are_the_limits(tmp_path: Path) -> None:
    app = create_app(settings(tmp_path / "data"))
    client = app.test_client()
    match = client.post("/v1/matches", json={"ruleset": "block", "seats": 2}).headers["Location"]
    assert client.get(f"{match}/events?wait=5.001").get_json()["expected"] == "0..5"
    long = client.post("/v1/matches", json={"ruleset": "b" * 3_000, "seats": 2})
    assert long.get_json()["maximum"] == 2_048
    app.extensions["fairbones"].close()


def test_a_database_that_is_gone_is_warned_of_once(tmp_path: Path) -> None:
    """Keys alone are no house: the service starts, and says what it does not know any more."""

    def start() -> list[tuple[str, str]]:
        with structlog.testing.capture_logs() as lines:
            create_app(settings(folder)).extensions["fairbones"].close()
        return [(line["log_level"], line["event"]) for line in lines]

    folder = tmp_path / "data"
    assert start() == start() == []
    for path in folder.glob("fairbones.db*"):
        path.unlink()
    told = "keys were here but no database: matches opened before are not known"
    assert start() == [("warning", told)]
    assert start() == []


def test_a_start_that_fails_holds_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = create_app(settings(folder))
    first.extensions["fairbones"].close()
    hidden = [path.rename(path.with_suffix(".away")) for path in folder.glob("keys/*.key")]
    with pytest.raises(FairbonesError) as refused:
        create_app(settings(folder))
    assert refused.value.code == "house/other-keys"
    for path in hidden:
        path.rename(path.with_suffix(".key"))
    create_app(settings(folder)).extensions["fairbones"].close()
