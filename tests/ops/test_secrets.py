"""No secret gets into a log line, a number or a refusal of the operator's side."""

from __future__ import annotations

import secrets
from pathlib import Path

from fairbones.core.errors import FairbonesError
from fairbones.ops import Ops
from fairbones.ops.openers import KeyHolders
from fairbones.ops.rates import Limiter
from fairbones.ops.tries import memory_windows
from tests.api.fake_house import ADDRESS, FakeHouse
from tests.ops.conftest import Log
from tests.ops.edge import OPENING, client_of
from tests.ops.test_openers import new_key, row, write


def test_no_secret_is_told(house: FakeHouse, tmp_path: Path, log: Log) -> None:
    """Wherever a client may put one, in good requests, in bad ones, in too many and in faults."""
    token, seed, invite = (secrets.token_hex(32) for _ in range(3))
    key, unknown, idempotency = new_key(), new_key(), secrets.token_urlsafe(48)
    write(tmp_path, row(key))
    rates = Limiter(40, 10_000, memory_windows(lambda: 0.0))
    client = client_of(house, Ops(openers=KeyHolders(tmp_path), rates=rates))
    answers = []
    for error in (None, FairbonesError("store/full", f"{token} {key}"), ValueError(token + key)):
        house.error = error
        for secret in (token, key, unknown, seed):
            mine = {
                "Authorization": f"Bearer {secret}",
                "Idempotency-Key": idempotency,
                "X-Request-ID": secret,
                "X-Forwarded-For": secret,
            }
            sitting = {"client_seed": seed, "invite": invite}
            answers += [
                client.post("/v1/matches", json=OPENING, headers=mine),
                client.put(f"{ADDRESS}/seats/0", json=sitting, headers=mine),
                client.get(f"{ADDRESS}?token={secret}", headers=mine),
                client.open(f"/{secret}", method=secret.upper(), headers=mine),
            ]
    assert {answer.status_code for answer in answers} >= {201, 401, 404, 422, 429, 500, 503}
    told = log.text + client.get("/metrics").text
    told += "".join(
        f"{answer.headers}{answer.text}" for answer in answers if answer.status_code != 422
    )
    assert "not able to serve" in told
    for secret in (token, seed, invite, key, unknown, idempotency):
        assert secret not in told
        assert secret.upper() not in told
