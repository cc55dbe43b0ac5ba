"""A match that bad input must not harm."""

from __future__ import annotations

from collections.abc import Callable

from werkzeug.test import TestResponse

from fairbones.api.problems import MEDIA_TYPE
from tests.api.documented import foreseen
from tests.api.table import Game

# Time enough for the calls of all these tests, which are a second apart.
OPENING = {"ruleset": "block", "seats": 2, "rounds_max": 2, "turn_seconds": 86_400}


def refused(game: Game, send: Callable[[], TestResponse], status: int, code: str) -> TestResponse:
    """The answer; the head is as before, and the match still takes a good action."""
    before = game.view()["head"]
    answer = send()
    assert (answer.status_code, answer.get_json()["code"]) == (status, code), answer.text
    assert answer.mimetype == MEDIA_TYPE
    assert answer.headers["Cache-Control"] == "no-store"
    foreseen(answer.request.method, answer.request.path, answer)
    assert game.view()["head"] == before
    return answer


def goes_on(game: Game) -> None:
    """After all that, the match is played to its end."""
    while not game.over:
        game.play_turn()
    transcript = game.table.done("GET", f"{game.address}/transcript")
    assert transcript["events"] == game.events
