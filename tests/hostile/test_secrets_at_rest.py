"""T28: what a thief finds in the data folder and the log of a running house (SPEC 4, 7, 8).

The service is the real process on its real store, at its most talkative. Everything it has written
or answered is kept at every step of a match; when the server seed is shown at the end, all that was
kept from before is searched for it, and for the seed of every hand that was not over yet.
"""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from fairbones.core.protocol.cut import client_commitment
from fairbones.core.protocol.invites import invite_hash
from fairbones.core.protocol.wash import round_seed


@dataclass
class House:
    """A running service and everything it has said so far."""

    base: str
    data: Path
    log: Path
    answers: list[bytes] = field(default_factory=list)

    def call(self, method: str, path: str, body: Any = None, token: str = "") -> Any:
        request = urllib.request.Request(self.base + path, method=method)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                raw: bytes = answer.read()
        except urllib.error.HTTPError as refusal:
            raw = refusal.read()
        self.answers.append(raw)
        return json.loads(raw)

    def found(self) -> bytes:
        """Every byte in its files and its log, and every answer."""
        files = [path for path in sorted(self.data.rglob("*")) if path.is_file()]
        return b"\n".join([p.read_bytes() for p in [*files, self.log]] + self.answers)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    settings = {
        "FAIRBONES_PORT": "0",
        "FAIRBONES_DATA": str(tmp_path / "data"),
        "FAIRBONES_LOG_LEVEL": "debug",
    }
    log = tmp_path / "log"
    with log.open("wb") as err:
        server = subprocess.Popen(
            [sys.executable, "-m", "fairbones.cli", "serve"],
            env=os.environ | settings,
            stdout=subprocess.PIPE,
            stderr=err,
            text=True,
        )
    try:
        assert server.stdout is not None
        ready = re.search(r"http://[\d.:]+", server.stdout.readline())
        assert ready is not None
        yield House(ready[0], tmp_path / "data", log)
    finally:
        server.terminate()
        server.wait(20)
        assert server.stdout is not None
        server.stdout.close()


def spellings(secret: bytes) -> list[bytes]:
    """The ways in which bytes get into a file."""
    return [secret, secret.hex().encode(), secret.hex().upper().encode(), base64.b64encode(secret)]


def test_no_seed_is_anywhere_before_its_event(house: House) -> None:
    """T28: neither sealed nor plain, in no spelling; nor a token, ever."""
    wanted = {"ruleset": "draw", "seats": 2, "rounds_max": 4, "options": {"target": 10_000}}
    opened = house.call("POST", "/v1/matches", wanted)
    match = opened["event"]["match"]
    table, opened_hash = f"/v1/matches/{match}", bytes.fromhex(opened["receipt"]["event_hash"])
    seeds = [secrets.token_bytes(32) for _ in range(2)]
    tokens = [secrets.token_urlsafe(32) for _ in range(2)]
    told: Any = None
    for seat in range(2):
        commitment = client_commitment(opened_hash, seat, b"", seeds[seat]).hex()
        body = {"client_seed_commitment": commitment}
        told = house.call("PUT", f"{table}/seats/{seat}", body, tokens[seat])
    assert not any(text in house.found() for seed in seeds for text in spellings(seed))
    seated_hash = told["receipt"]["event_hash"]
    for seat in range(2):
        body = {"client_seed": seeds[seat].hex(), "seated_hash": seated_hash}
        told = house.call("PUT", f"{table}/seats/{seat}/seed", body)
    kept = [(1, house.found())]
    while told["view"]["status"] == "playing":
        view = house.call("GET", table, token=tokens[told["view"]["turn"]])
        body = {"seq": view["head"]["seq"] + 1, "action": view["you"]["legal_actions"][-1]}
        before = house.found()
        told = house.call("POST", f"{table}/actions", body, tokens[view["turn"]])
        if any(event["type"] in ("dealt", "match_ended") for event in told["events"]):
            kept.append((view["round"], before))
    seed = bytes.fromhex(told["events"][-1]["data"]["server_seed"])
    last = told["view"]["round"]
    assert len(kept) == last + 1
    for r, before in kept:
        assert not any(text in before for text in spellings(seed))
        for later in range(r, last + 1):
            hidden = round_seed(bytes.fromhex(match), seed, later)
            assert not any(text in before for text in spellings(hidden)), (r, later)
    after = house.found()
    assert seed.hex().encode() in after, "the search would not find it"
    assert not any(token.encode() in after for token in tokens)


def test_no_invitation_is_anywhere(house: House) -> None:
    """T28, T45: asked for with it, refused for a wrong one, asked again: only its hash is ever
    written.
    """
    mine, other, long = (secrets.token_bytes(length) for length in (16, 32, 64))
    kept = [
        {"seat": seat, "invite_hash": invite_hash(secret).hex()}
        for seat, secret in enumerate((mine, long))
    ]
    opened = house.call("POST", "/v1/matches", {"ruleset": "block", "seats": 3, "reserved": kept})
    table = f"/v1/matches/{opened['event']['match']}"
    token = secrets.token_urlsafe(32)
    asked = [
        (0, other, "seat/reserved"),
        (2, long, "seat/not-reserved"),
        (0, mine, None),
        (0, mine, None),
        (1, mine, "seat/token-reused"),
        (0, other, "seat/taken"),
    ]
    for seat, secret, code in asked:
        body = {"client_seed_commitment": "5a" * 32, "invite": secret.hex()}
        told = house.call("PUT", f"{table}/seats/{seat}", body, token)
        assert told.get("code") == code, told
    broken = {"client_seed_commitment": "5a" * 32, "invite": long.hex().upper()}
    told = house.call("PUT", f"{table}/seats/1", broken, token)
    assert (told["code"], told["field"]) == ("request/range", "invite")
    for below in ("", "/events", "/transcript"):
        house.call("GET", table + below)
    assert house.call("GET", "/v1/matches")["matches"][0]["reserved"] == [0, 1]
    found = house.found()
    assert invite_hash(mine).hex().encode() in found, "the search would not find it"
    for secret in (mine, other, long):
        assert not any(text in found for text in spellings(secret))
    assert token.encode() not in found
