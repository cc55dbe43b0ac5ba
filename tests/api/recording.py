"""Plays the matches that the examples of `openapi.yaml` come from: every request is really sent.

`python -m tests.api.recording` writes the example files anew; a test compares them.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.api.table import Game, Json, Table, event_hash, seed_of, token_of

FOLDER = Path(__file__).parents[2] / "service" / "fairbones" / "api" / "examples"

_BLOCK: Json = {"ruleset": "block", "seats": 2, "rounds_max": 4}
_DRAW: Json = {
    "ruleset": "draw",
    "seats": 2,
    "options": {"target": 50, "tie": "starter"},
    "rounds_max": 1,
    "turn_seconds": 30,
    "auto_forced": False,
    "clear_seeds": True,
    "reference": "table-7",
}


def record(table: Table) -> dict[str, Json]:
    """Every example by name: `summary` and `value`. The table must be a new one."""
    return {**_service(table), **_committed(table), **_clear(table), **_left(table)}


def _example(summary: str, value: object) -> Json:
    # A copy, for the value may go on to live in a game.
    return {"summary": summary, "value": json.loads(json.dumps(value))}


def _service(table: Table) -> dict[str, Json]:
    return {
        "index": _example("The index.", table.done("GET", "/")),
        "alive": _example("It answers.", table.done("GET", "/livez")),
        "ready": _example("It can serve.", table.done("GET", "/readyz")),
        "keys": _example("One key.", table.done("GET", "/v1/keys")),
        "rulesets": _example("All of them.", table.done("GET", "/v1/rulesets")),
        "ruleset": _example("Block.", table.done("GET", "/v1/rulesets/block")),
    }


def _committed(table: Table) -> dict[str, Json]:
    """Seats that commit, and the first moves of a block match."""
    game = Game(table, _BLOCK)
    found = {
        "open-match": _example("Block for two, everything else as usual.", _BLOCK),
        "opened-match": _example(
            "Four hands are washed.",
            {
                "event": game.events[0],
                "receipt": table.done("GET", f"{game.address}/events")["receipt"],
            },
        ),
        "take-seat": _example(
            "Seat 0 commits.",
            {"name": "player-0", "client_seed_commitment": game.commitment(0)},
        ),
    }
    found["took-seat"] = _example("Seat 0 is taken.", game.sit(0))
    game.sit(1)
    reveal = {"client_seed": seed_of(0).hex(), "seated_hash": event_hash(game.events[-1])}
    found["reveal-seed"] = _example("Seat 0 reveals.", reveal)
    found["revealed-seed"] = _example("Seat 1 is still to reveal.", game.reveal(0))
    found["dealt"] = _example("The last seed deals hand 1.", game.reveal(1))
    seat = game.view()["turn"]
    seen = game.view(seat)
    action = seen["you"]["legal_actions"][0]
    found["act-play"] = _example(
        "A play, with the head it was decided on.",
        {
            "seq": len(game.events),
            "prev": seen["head"]["event_hash"],
            "action": action,
        },
    )
    found["acted"] = _example(
        "The tile is on the table.",
        game.move("POST", "/actions", found["act-play"]["value"], token=token_of(seat)),
    )
    game.play_turn()
    found["view-public"] = _example("What everybody sees.", game.view())
    found["view-seat"] = _example("What the seat on turn sees.", game.view(game.view()["turn"]))
    last = len(game.events) - 1
    found["events"] = _example(
        "The last event.", table.done("GET", f"{game.address}/events?after={last - 1}")
    )
    found["events-none"] = _example(
        "Nothing new.", table.done("GET", f"{game.address}/events?after={last}")
    )
    return found


def _clear(table: Table) -> dict[str, Json]:
    """Seats with seeds in the clear, and a draw."""
    game = Game(table, _DRAW)
    sit = {"client_seed": seed_of(0).hex()}
    found = {
        "open-match-options": _example("Draw for two with options.", _DRAW),
        "take-seat-clear": _example("Seat 0 shows its seed.", sit),
    }
    game.move("PUT", "/seats/0", sit, token=token_of(0))
    game.move("PUT", "/seats/1", {"client_seed": seed_of(1).hex()}, token=token_of(1))
    while "act-draw" not in found:
        seat = game.view()["turn"]
        action = game.view(seat)["you"]["legal_actions"][0]
        if action == {"type": "draw"}:
            sent = {"seq": len(game.events), "action": action}
            found["act-draw"] = _example("A draw.", sent)
            found["drew"] = _example(
                "A tile is drawn; which one, only the seat's own view says.",
                game.move("POST", "/actions", sent, token=token_of(seat)),
            )
        else:
            game.act(seat, action)
    return found


def _left(table: Table) -> dict[str, Json]:
    """A seat that leaves before the deal."""
    game = Game(table, {**_BLOCK, "rounds_max": 1})
    game.sit(0)
    left = game.move("DELETE", "/seats/0", {}, token=token_of(0))
    return {
        "leave-seat": _example("Nothing but the token is needed.", {}),
        "left-seat": _example("Before the deal the match is void.", left),
        "transcript": _example(
            "Of a match that a seat left.", table.done("GET", f"{game.address}/transcript")
        ),
    }


def file_text(example: Json) -> str:
    """An example as its file has it."""
    return json.dumps(example, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write the files."""
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder))
        found: dict[str, Any] = record(table)
        table.close()
    for stale in FOLDER.glob("*.json"):
        stale.unlink()
    FOLDER.mkdir(exist_ok=True)
    for name, example in found.items():
        (FOLDER / f"{name}.json").write_text(file_text(example), encoding="utf-8")


if __name__ == "__main__":
    main()
