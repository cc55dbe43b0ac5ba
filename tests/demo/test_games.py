"""Bots play every game at a real house, over HTTP, as strangers would."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.serving import WSGIRequestHandler, make_server

from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.bots import party
from fairbones.bots.client import Client
from fairbones.house import waiting
from fairbones.house.service import House
from fairbones.keys.vault import SeedVault
from fairbones.store.sqlite import SqliteStore
from tests.house.party import NOW, Signer
from tests.match.rows import RULESETS

Json = dict[str, Any]
FAST = 40  # times faster than ours the house's clock runs: nobody waits here for calls

GAMES: list[tuple[str, int, Json]] = [
    *((name, min(4, told["seats"]["maximum"]), {}) for name, told in RULESETS.items()),
    ("all-fives", 3, {"muggins": True, "spinner": "all"}),
    ("all-fives", 4, {"muggins": True, "partners": True}),
    ("middle-eastern", 4, {"transfer": True, "last_tile_transfer": "exempt"}),
    ("block", 8, {"set": 12, "first_lead": "draw-for-lead"}),
]


class Quiet(WSGIRequestHandler):
    """Says nothing about requests."""

    def log_request(self, *_: object) -> None:
        pass


@pytest.fixture
def url(seed: random.Random, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A house whose clock is fast."""
    monkeypatch.setattr(waiting, "POLL_SECONDS", 0.05)
    begun = time.monotonic()
    store = SqliteStore(tmp_path / "fairbones.db")
    house = House(
        store,
        SeedVault([seed.randbytes(32)]),
        Signer(seed.randbytes(32)),
        lambda: NOW + round((time.monotonic() - begun) * 1000 * FAST),
        seed.randbytes,
    )
    app = build_api(house, Limits(waiters=32))
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=Quiet)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    store.close()


@pytest.mark.parametrize(("ruleset", "seats", "options"), GAMES)
def test_bots_play_every_game(url: str, ruleset: str, seats: int, options: Json) -> None:
    """SPEC 10: each checks every event, and the match comes to its end."""
    client = Client(url)
    wanted = {
        "ruleset": ruleset,
        "seats": seats,
        "options": options,
        "rounds_max": 2,
        "turn_seconds": 3600,
    }
    opened = client.open(wanted)["event"]
    arguments = ["--url", url, "--match", opened["match"], "--seconds", "60"]
    assert party.main(arguments) == party.FINE
    told = json.loads(client.transcript(opened["match"]))["events"]
    client.close()
    assert told[-1]["type"] == "match_ended"
    assert "timed_out" not in {event["type"] for event in told}
    if options.get("muggins"):
        assert any("claim" in event["data"] for event in told)
