"""A draw is no game: `play` and `watch` say so and do nothing (SPEC 11)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify.client import CHOOSERS, Follower, Guard, Keep, NoGame, Seat, Wire
from fairbones_verify.client.outcome import attended
from tests.audit.hosts import Asked, host
from tests.forge.paper import receipt_of

DRAW = Path(__file__).resolve().parents[1] / "vectors" / "valid" / "lots-numbers.transcript.json"


def answer(asked: Asked) -> None:
    """A house that would serve a draw as it serves a match."""
    told: dict[str, Any] = json.loads(DRAW.read_bytes())
    receipt = receipt_of(told["events"][0])
    head = {name: receipt[name] for name in ("seq", "event_hash")}
    if asked.path == "/v1/keys":
        asked.say({"keys": [{**told["keys"][0], "current": True}]})
    elif "/events" in asked.path:
        asked.say({"events": told["events"][:1], "head": head, "receipt": receipt})
    else:
        asked.say({"code": "match/unknown"}, 404)


def test_a_draw_is_refused(tmp_path: Path) -> None:
    match = json.loads(DRAW.read_bytes())["events"][0]["match"]
    with host(answer) as served:
        seat = Seat(Wire(served.url), Keep(tmp_path / "k", served.url, match, 0), CHOOSERS["first"])
        spectator = Follower(Wire(served.url), Guard(match))
        with pytest.raises(NoGame):
            seat.play()
        outcome = attended(spectator, lambda: spectator.watch(5), str(tmp_path / "e"), "")
        for one in (seat, spectator):
            one.wire.close()
    assert (outcome.result, outcome.exit) == ("not-started", 3)
    assert "a draw (SPEC 11): there is no game to play or to follow" in outcome.text()
    assert not (tmp_path / "e").exists()
    assert {path.partition("?")[0].rpartition("/")[2] for path in served.asked} == {
        "keys",
        "events",
    }
