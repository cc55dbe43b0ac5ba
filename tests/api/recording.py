"""Plays the matches that the examples of `openapi.yaml` come from: every request is really sent.

`python -m tests.api.recording` writes the example files anew; a test compares them.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path
from typing import Any

from fairbones.bots.counting import Count
from fairbones.core.protocol.invites import invite_hash
from tests.api.table import Game, Json, Table, event_hash, key_of, seed_of, token_of

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


_GIFTS: Json = {
    "ruleset": "middle-eastern",
    "seats": 4,
    "options": {"transfer": True},
    "rounds_max": 1,
    "turn_seconds": 600,
}
_CALLS: Json = {
    "ruleset": "all-fives",
    "seats": 2,
    "options": {"muggins": True, "call_seconds": 10},
    "rounds_max": 1,
    "turn_seconds": 600,
}


def record(table: Table) -> dict[str, Json]:
    """Every example by name: `summary` and `value`. The table must be a new one."""
    return {
        **_service(table),
        **_committed(table),
        **_clear(table),
        **_left(table),
        **_given(table),
        **_called(table),
        **_private(table),
        **_signed(table),
    }


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
        "leave-seat": _example("Without a key nothing but the token is needed.", {}),
        "left-seat": _example("Before the deal the match is void.", left),
        "transcript": _example(
            "Of a match that a seat left.", table.done("GET", f"{game.address}/transcript")
        ),
    }


def _private(table: Table) -> dict[str, Json]:
    """A table for two friends, and what a lobby sees of all tables but that."""
    secret = hashlib.sha256(b"invitation to seat 1").digest()[:16]
    opening = {
        **_BLOCK,
        "rounds_max": 1,
        "listed": False,
        "reserved": [{"seat": 1, "invite_hash": invite_hash(secret).hex()}],
    }
    found = {
        "open-match-private": _example("Seat 1 is for a friend; no list shows it.", opening),
    }
    game = Game(table, opening)
    sit = {"client_seed_commitment": game.commitment(1), "invite": secret.hex()}
    found["take-seat-invited"] = _example("A reserved seat, with its invitation.", sit)
    game.move("PUT", "/seats/1", sit, token=token_of(1))
    Game(table, {**_DRAW, "reserved": opening["reserved"]}).move(
        "PUT", "/seats/0", {"client_seed": seed_of(0).hex()}, token=token_of(0)
    )
    page = table.done("GET", "/v1/matches?limit=2")
    found["matches-page"] = _example("The last two opened, and a cursor to the others.", page)
    found["matches"] = _example(
        "The table that can be joined.", table.done("GET", "/v1/matches?status=joining")
    )
    return found


def _signed(table: Table) -> dict[str, Json]:
    """A seat with a key, which signs everything that it says."""
    game = Game(table, {**_BLOCK, "rounds_max": 1}, signed=(0, 1))
    found = {"take-seat-signed": _example("Seat 0 brings a key of its own.", game.sitting(0))}
    found["took-seat-signed"] = _example("The key stands in the event.", game.sit(0))
    game.sit(1)
    found["reveal-seed-signed"] = _example("Seat 0 reveals and signs.", game.revealing(0))
    game.reveal(0)
    game.reveal(1)
    seat = game.view()["turn"]
    sent = game.acting(seat, game.view(seat)["you"]["legal_actions"][0])
    found["act-signed"] = _example("A play, signed for its place.", sent)
    found["acted-signed"] = _example(
        "The event carries the player's own signature.",
        game.move("POST", "/actions", sent, token=token_of(seat)),
    )
    signature = key_of(0).leaves(game.opened_hash, 0)
    found["leave-seat-signed"] = _example("Of a seat with a key.", {"signature": signature})
    game.leave(0)
    return found


def _given(table: Table) -> dict[str, Json]:
    """A seat that cannot play is given a tile."""
    game = Game(table, _GIFTS).start()
    while True:
        seat, moves = game.to_act()
        if moves[0]["type"] == "give":
            break
        game.act(seat, moves[0])
    sent = {"seq": len(game.events), "action": moves[0]}
    seen = _example("What the seat sees that has to give a tile.", game.view(seat))
    return {
        "view-give": seen,
        "act-give": _example("A gift names the position of the tile, not the tile.", sent),
        "gave": _example(
            "A tile has changed hands; which one, the two know.",
            game.move("POST", "/actions", sent, token=token_of(seat)),
        ),
    }


def _called(table: Table) -> dict[str, Json]:
    """A play that claims what it scores, and one that does not and is called."""
    game = Game(table, _CALLS).start()
    count, counted = Count("first"), 0
    found: dict[str, Json] = {}
    while "called" not in found:
        seat, moves = game.to_act()
        for event in game.events[counted:]:
            if event["type"] == "played":
                count.play(event["data"]["tile"], event["data"].get("end"))
        counted = len(game.events)
        plays = [it for it in moves if it["type"] == "play"]
        scores = {count.score(it["tile"], it.get("end")): it for it in plays}
        best = max(scores, default=0)
        sent = {"seq": counted, "action": scores[best] if best else moves[0]}
        if best and "act-claim" not in found:
            sent["action"] = {**scores[best], "claim": best}
            found["act-claim"] = _example(f"A play that claims the {best} that it scores.", sent)
            found["claimed"] = _example(
                "They are credited at once; the opponents have time to call what is missed.",
                game.move("POST", "/actions", sent, token=token_of(seat)),
            )
        elif best:
            game.move("POST", "/actions", sent, token=token_of(seat))
            found |= _call(game, 1 - seat, best)
        else:
            game.act(seat, moves[0])
    return found


def _call(game: Game, seat: int, missed: int) -> dict[str, Json]:
    """The seat takes what was missed."""
    sent = {"seq": len(game.events), "action": {"type": "call"}}
    seen = game.view(seat)
    return {
        "view-call": _example("What an opponent sees after a play, missed or not.", seen),
        "act-call": _example("A call, by an opponent of the seat that played.", sent),
        "called": _example(
            f"The play scored {missed} and claimed nothing.",
            game.move("POST", "/actions", sent, token=token_of(seat)),
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
