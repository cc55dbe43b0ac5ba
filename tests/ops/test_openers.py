"""Who may open matches, where not anyone may."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from fairbones.core.errors import FairbonesError
from fairbones.ops import Ops
from fairbones.ops.openers import FILE, KeyHolders
from fairbones.ops.rates import Limiter
from fairbones.ops.tries import memory_windows
from tests.api.fake_house import ADDRESS, TOKEN, FakeHouse
from tests.ops.conftest import Log
from tests.ops.edge import OPENING, TILES, client_of

Row = dict[str, Any]


def new_key() -> str:
    return f"fbk_{secrets.token_urlsafe(32)}"


def row(key: str, **more: object) -> Row:
    hashed = hashlib.sha256(key.encode()).hexdigest()
    return {"id": hashed[:8], "name": "a shop", "hash": hashed, "created": 1, **more}


def write(folder: Path, *rows: Row) -> None:
    """As `fairbones keys api` does: a new file takes the place of the old one."""
    put(folder, json.dumps({"version": 1, "keys": rows}))


def put(folder: Path, text: str) -> None:
    unfinished = folder / "new"
    unfinished.write_text(text)
    unfinished.chmod(0o600)
    unfinished.rename(folder / FILE)


def open_(client: FlaskClient, key: str | None, scheme: str = "Bearer") -> TestResponse:
    headers = {} if key is None else {"Authorization": f"{scheme} {key}"}
    return client.post("/v1/matches", json=OPENING, headers=headers)


def told(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json().get("code", "")


def holders(folder: Path) -> Ops:
    return Ops(openers=KeyHolders(folder))


def test_a_key_opens_and_nothing_else_does(house: FakeHouse, tmp_path: Path) -> None:
    key, other = new_key(), new_key()
    write(tmp_path, row(new_key()), row(key), row(other, revoked=2))
    client = client_of(house, holders(tmp_path))
    assert open_(client, key).status_code == 201
    missing = open_(client, None)
    assert told(missing) == (401, "auth/api-key-missing")
    assert missing.headers["WWW-Authenticate"] == 'Bearer realm="openings"'
    assert told(open_(client, key, "Basic")) == (401, "auth/api-key-missing")
    for wrong in (new_key(), other, TOKEN, key[:-1], key + "A", key[4:], "", key.upper(), "fbk_ä"):
        answer = open_(client, wrong)
        assert told(answer) == (401, "auth/api-key-unknown"), wrong
        assert not wrong or wrong not in answer.text
    assert [name for name, _ in house.asked] == ["open"]


def test_the_key_is_asked_for_before_the_body_is_read(house: FakeHouse, tmp_path: Path) -> None:
    write(tmp_path)
    answer = client_of(house, holders(tmp_path)).post("/v1/matches", data=b"[")
    assert told(answer) == (401, "auth/api-key-missing")


def test_all_other_calls_are_as_ever(house: FakeHouse, tmp_path: Path) -> None:
    write(tmp_path)
    client = client_of(house, holders(tmp_path))
    assert client.get("/v1/matches").status_code == 200
    assert client.get(ADDRESS).status_code == 200
    mine = {"Authorization": f"Bearer {TOKEN}"}
    sat = client.put(f"{ADDRESS}/seats/1", json={"client_seed": "00" * 32}, headers=mine)
    assert sat.status_code == 201


@pytest.mark.parametrize("sent", [None, TOKEN, "x"])
def test_anyone_opens_where_anyone_may(house: FakeHouse, sent: str | None) -> None:
    """Whatever is sent with it: it is not even looked at."""
    assert open_(client_of(house), sent).status_code == 201


def test_what_a_key_may_have_washed_is_its_own(house: FakeHouse, tmp_path: Path) -> None:
    """Not its address's: many shops may stand behind one."""
    one, other = new_key(), new_key()
    write(tmp_path, row(one), row(other))
    rates = Limiter(0, TILES, memory_windows(lambda: 0.0))
    client = client_of(house, Ops(openers=KeyHolders(tmp_path), rates=rates))
    assert open_(client, one).status_code == 201
    assert told(open_(client, one)) == (429, "rate/openings")
    assert open_(client, other).status_code == 201


def test_a_change_holds_from_the_next_request_on(house: FakeHouse, tmp_path: Path) -> None:
    first, second = new_key(), new_key()
    write(tmp_path, row(first))
    client = client_of(house, holders(tmp_path))
    assert told(open_(client, second))[0] == 401
    write(tmp_path, row(first), row(second))
    assert open_(client, second).status_code == 201
    write(tmp_path, row(first, revoked=5), row(second))
    assert told(open_(client, first)) == (401, "auth/api-key-unknown")
    assert open_(client, second).status_code == 201


# ------------------------------------------------------------- a file gone bad

GOOD = row("fbk_" + "A" * 43)
BAD = [
    "",
    "{",
    "[]",
    "null",
    '"fbk"',
    '{"version":2,"keys":[]}',
    '{"version":1}',
    '{"version":1,"keys":{}}',
    '{"version":1,"keys":[7]}',
    "[" * 50_000,
    *(
        json.dumps({"version": 1, "keys": [{**GOOD, name: value}]})
        for name, value in (
            *(("id", 7), ("id", "xyz"), ("hash", "00"), ("hash", None), ("name", 7)),
            *(("created", "1"), ("revoked", None), ("revoked", "1"), ("created", True)),
        )
    ),
    json.dumps({"version": 1, "keys": [{"id": "00000000"}]}),
]


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_damaged_file_lets_nobody_in(house: FakeHouse, tmp_path: Path, text: str) -> None:
    key = new_key()
    write(tmp_path, row(key))
    client = client_of(house, holders(tmp_path))
    put(tmp_path, text)
    answer = open_(client, key)
    assert told(answer) == (503, "auth/api-keys-unreadable")
    assert answer.headers["Retry-After"]
    assert str(tmp_path) not in answer.text
    write(tmp_path, row(key))
    assert open_(client, key).status_code == 201
    put(tmp_path, text)
    with pytest.raises(FairbonesError, match="is damaged; restore it") as refused:
        KeyHolders(tmp_path)
    assert refused.value.code == "house/api-keys"


def test_a_file_that_goes_away_lets_nobody_in(house: FakeHouse, tmp_path: Path, log: Log) -> None:
    """The log says so once, with the file; and nobody else hears of it."""
    key = new_key()
    write(tmp_path, row(key))
    client = client_of(house, holders(tmp_path))
    (tmp_path / FILE).rename(tmp_path / "away")
    for _ in range(3):
        assert told(open_(client, key)) == (503, "auth/api-keys-unreadable")
    (line,) = [it for it in log.lines if it["event"] == "nobody may open a match"]
    assert line["file"] == str(tmp_path / FILE)
    assert key not in log.text
    assert client.get(ADDRESS).status_code == 200
    (tmp_path / "away").rename(tmp_path / FILE)
    assert open_(client, key).status_code == 201


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o620, 0o666])
def test_a_file_open_to_others_is_refused(house: FakeHouse, tmp_path: Path, mode: int) -> None:
    key = new_key()
    write(tmp_path, row(key))
    client = client_of(house, holders(tmp_path))
    (tmp_path / FILE).chmod(mode)
    assert told(open_(client, key)) == (503, "auth/api-keys-unreadable")
    with pytest.raises(FairbonesError, match="run: chmod 600"):
        KeyHolders(tmp_path)


def test_nothing_starts_without_a_file(tmp_path: Path) -> None:
    with pytest.raises(FairbonesError, match="is missing; make a key with") as refused:
        KeyHolders(tmp_path)
    assert refused.value.code == "house/api-keys"
    assert str(tmp_path / FILE) in refused.value.message
    (tmp_path / FILE).mkdir()
    with pytest.raises(FairbonesError, match="is no file of API keys"):
        KeyHolders(tmp_path)
    (tmp_path / FILE).rmdir()
    os.mkfifo(tmp_path / FILE, 0o600)  # opening one without care would wait for ever
    with pytest.raises(FairbonesError, match="is no file of API keys"):
        KeyHolders(tmp_path)
