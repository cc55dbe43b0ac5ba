"""What a person is told who has only guessed: where it goes, what there is, in words."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from tests.api.sturdy import refused
from tests.api.table import Game, token_of

BLOCK = {"ruleset": "block", "seats": 2}


@pytest.mark.parametrize("name", ["target", "set", "hand", "muggins"])
def test_an_option_beside_the_options(game: Game, name: str) -> None:
    """Whatever its value: that an option of no match stands there is not looked at."""
    body = {**BLOCK, name: 50}

    def send() -> TestResponse:
        return game.table.call("POST", "/v1/matches", body)

    told = refused(game, send, 422, "request/unknown-field").get_json()
    assert told["field"] == name
    assert told["detail"] == (
        f"{name}: not a field of this call; options of the ruleset go in `options`."
    )
    body = {**BLOCK, "x": 50}
    told = refused(game, send, 422, "request/unknown-field").get_json()
    assert told["detail"] == "x: not a field of this call."


@pytest.mark.parametrize("name", ["chess", "Block", "", "a" * 99, "block\n", "\u00e9"])
def test_whoever_names_no_ruleset_is_told_all(game: Game, name: str) -> None:
    """The same by every way: a misspelt name is no matter of patterns."""
    ways = [
        lambda: game.table.call("POST", "/v1/matches", {**BLOCK, "ruleset": name}),
        lambda: game.table.client.get("/v1/matches", query_string={"ruleset": name}),
    ]
    if name.isalpha():
        ways.append(lambda: game.table.client.get(f"/v1/rulesets/{name}"))
    for send in ways:
        told = refused(game, send, 404, "ruleset/unknown").get_json()
        assert all(row in told["detail"] for row in ("block, ", "all-fives, ", "fives-and-threes"))


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"name": "a b"}, "1 to 24 letters (a to z, A to Z), digits, hyphens and underscores"),
        ({"client_seed_commitment": "00"}, "64 lowercase hexadecimal digits"),
        (
            {"client_seed_commitment": "00" * 32, "invite": "AB" * 16},
            "16 to 64 bytes as lowercase hexadecimal digits",
        ),
    ],
)
def test_a_form_is_told_in_words(game: Game, body: dict[str, str], detail: str) -> None:
    """No pattern is shown to a person."""

    def send() -> TestResponse:
        return game.table.call("PUT", f"{game.address}/seats/0", body, token=token_of(0))

    told = refused(game, send, 422, "request/range").get_json()
    assert (told["detail"], told["expected"]) == (f"{[*body][-1]}: {detail} expected.", detail)


def test_too_many_tiles_are_counted_out(game: Game) -> None:
    """The default hand of many seats needs a larger set: the sentence says which."""
    body = {"ruleset": "all-fives", "seats": 6}

    def send() -> TestResponse:
        return game.table.call("POST", "/v1/matches", body)

    told = refused(game, send, 422, "options/tiles").get_json()
    assert told["detail"] == (
        "6 seats of 5 tiles need 30; double-six has 28: choose set 9, or lower hand to 4."
    )
    assert [told[name] for name in ("seats", "needed", "tiles", "set", "hand")] == [6, 30, 28, 9, 4]


def test_a_word_of_a_list_is_told_as_a_list(game: Game) -> None:
    def send() -> TestResponse:
        return game.table.client.get("/v1/matches?status=open")

    told = refused(game, send, 422, "request/range").get_json()
    assert told["detail"] == "status: joining, revealing, playing, ended or void expected."
