"""`openapi.yaml` is what the code says, is valid, and is what the service really does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from fairbones.api.access import declared
from fairbones.api.codes import CODES
from fairbones.api.description import described, examples
from fairbones.api.errors_page import errors_page
from fairbones.api.openapi import main, served_text
from fairbones.api.yaml_text import yaml_text
from tests.api import recording
from tests.api.documented import (
    Judge,
    component,
    document,
    examples_of,
    foreseen,
    operations,
    schema_of,
)
from tests.api.fake_house import FakeHouse
from tests.api.table import Game, Table, event_hash, token_of

ROOT = Path(__file__).parents[2]
Json = dict[str, Any]


def test_the_files_are_what_the_code_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert (ROOT / "openapi.yaml").read_bytes() == served_text().encode()
    assert (ROOT / "docs" / "errors.md").read_bytes() == errors_page().encode()
    assert main(["--check"]) == 0
    assert main(["--what"]) == 2
    assert capsys.readouterr().out == ""


def test_it_is_served(client: FlaskClient) -> None:
    answer = client.get("/openapi.yaml")
    assert answer.mimetype == "application/yaml"
    assert answer.text == served_text()
    assert described(client.application) == document()


def test_it_is_valid() -> None:
    validator = pytest.importorskip("openapi_spec_validator")
    validator.validate(document())


def test_every_reference_leads_somewhere_and_every_component_is_used() -> None:
    text = json.dumps(document())
    named = set(re.findall(r'"#/components/([a-z]+/[A-Za-z0-9-]+)"', text, re.IGNORECASE))
    there = {
        f"{kind}/{name}"
        for kind, members in document()["components"].items()
        for name in members
        if kind != "securitySchemes"
    }
    # Those of the default answer stand in its words only.
    words = document()["components"]["responses"]["Problem"]["description"]
    unused = {f"examples/{row.slug}" for row in CODES.values() if f"`{row.code}`" in words}
    assert len(unused) > 4
    assert named <= there
    assert there - named <= unused


def test_every_call_is_described_in_full(client: FlaskClient) -> None:
    ids = []
    for address, method, call in operations():
        ids.append(call["operationId"])
        assert call["summary"]
        assert call["description"]
        assert call["tags"]
        assert isinstance(call["security"], list)
        assert "default" in call["responses"], address
        for status, answer in call["responses"].items():
            if status == "default":
                continue
            assert answer["description"]
            for media_type, content in answer.get("content", {}).items():
                shown = content.get("examples") or content.get("example")
                shown = shown or media_type == "application/yaml"
                assert shown or (call["operationId"], status) == ("takeSeat", "200")
        if "requestBody" in call:
            assert call["requestBody"]["content"]["application/json"]["examples"]
        assert (method == "delete") == (call.get("requestBody", {}).get("required") is False)
    assert len(ids) == len(set(ids))
    served = {
        re.sub(r"<(\w+)>", r"{\1}", rule.rule) for rule in client.application.url_map.iter_rules()
    }
    assert served == set(document()["paths"])
    assert document()["info"]["license"]["identifier"] == "Apache-2.0"
    assert document()["servers"]
    assert document()["components"]["securitySchemes"]["seatToken"]["scheme"] == "bearer"


def test_who_may_call_is_the_same_in_the_code_and_in_the_words(client: FlaskClient) -> None:
    by_id = {call["operationId"]: call for _, _, call in operations()}
    views = client.application.view_functions.values()
    for view in views:
        doc = vars(view)["_apidoc"]["manual_doc"]
        call = by_id[doc["operationId"]]
        assert call["x-callers"] == sorted(declared(view))
        assert ({"seatToken": []} in call["security"]) == ("seat" in call["x-callers"])
        assert ({"apiKey": []} in call["security"]) == ("opener" in call["x-callers"])
        optional = "public" in call["x-callers"] and len(call["x-callers"]) > 1
        assert ({} in call["security"]) == optional
    assert by_id["revealSeed"]["x-callers"] == ["anyone-with-proof"]
    assert by_id["act"]["x-callers"] == ["seat"]
    assert by_id["openMatch"]["x-callers"] == ["opener", "public"]


def test_a_list_says_nothing_of_a_seat_or_a_seed() -> None:
    """What a lobby is told is a closed set of members: none of a hand, a token or a secret."""
    page = document()["components"]["schemas"]["Matches"]
    item = page["properties"]["matches"]["items"]
    assert item["additionalProperties"] is page["additionalProperties"] is False
    assert set(item["properties"]) == {
        *("id", "status", "ruleset", "options", "seats", "taken", "open", "reserved"),
        *("opened_at", "deadline", "rounds_max", "turn_seconds", "clear_seeds", "reference"),
    }
    listing = document()["paths"]["/v1/matches"]["get"]
    assert [it["name"] for it in listing["parameters"]] == ["status", "ruleset", "cursor", "limit"]


def test_every_code_is_in_the_description() -> None:
    words = json.dumps(document()["paths"]) + json.dumps(document()["components"]["responses"])
    for code in CODES:
        assert f"`{code}`" in words, code


# ---------------------------------------------------------------- examples


def test_the_examples_are_pieces_of_real_matches(table: Table) -> None:
    """Every request among them is sent, every answer is one that came, as described."""
    judge = Judge(table)
    recorded = recording.record(table)
    assert set(recorded) == set(examples())
    for name, example in recorded.items():
        text = (recording.FOLDER / f"{name}.json").read_text(encoding="utf-8")
        assert text == recording.file_text(example), f"{name}: python -m tests.api.recording"
    for _, _, call in operations():
        content = call.get("requestBody", {}).get("content", {}).get("application/json", {})
        for name, value in examples_of(content).items():
            assert (call["operationId"], value) in judge.sent, name
        if call["operationId"] not in ("getDescription", "getMetrics"):
            assert {status for it, status in judge.answered if it == call["operationId"]} & {
                200,
                201,
            }, call["operationId"]


def contents() -> Iterator[tuple[str, Json]]:
    for _, _, call in operations():
        name = call["operationId"]
        for content in call.get("requestBody", {}).get("content", {}).values():
            yield f"{name} request", content
        for status, answer in call["responses"].items():
            for content in answer.get("content", {}).values():
                yield f"{name} {status}", content


def test_every_example_fits_its_schema() -> None:
    named = document()["components"]["examples"]
    pairs = {
        (component(content["schema"]), component(reference))
        for _, content in contents()
        for reference in content.get("examples", {}).values()
    }
    assert {example for _, example in pairs} >= set(examples())
    for schema, example in sorted(pairs):
        schema_of(schema).validate(named[example]["value"])


def test_schemas_refuse_what_the_service_refuses() -> None:
    """A one-of that accepts nothing, or everything, would pass the examples' test alone."""
    seat = schema_of("TakeSeat")
    action = schema_of("Action")
    opening = schema_of("OpenMatch")
    hex32 = "00" * 32
    assert seat.is_valid({"client_seed": hex32})
    assert not seat.is_valid({})
    assert not seat.is_valid({"client_seed": hex32, "client_seed_commitment": hex32})
    assert not seat.is_valid({"client_seed": hex32, "invite": "x"})
    assert action.is_valid({"type": "play", "tile": "6-4"})
    assert action.is_valid({"type": "play", "tile": "6-4", "end": "down-19", "claim": 5})
    assert not action.is_valid({"type": "play", "tile": "6-4", "end": "up-1"})
    assert not action.is_valid({"type": "play", "tile": "6-4", "claim": 0})
    assert action.is_valid({"type": "call"})
    assert not action.is_valid({"type": "call", "seat": 1})
    assert action.is_valid({"type": "give", "seal": 17})
    assert not action.is_valid({"type": "give", "tile": "6-4"})
    assert not action.is_valid({"type": "draw", "tile": "6-4"})
    assert opening.is_valid({"ruleset": "block", "seats": 2})
    kept = {"seat": 1, "invite_hash": hex32}
    assert opening.is_valid({"ruleset": "block", "seats": 2, "reserved": [kept], "listed": False})
    assert not opening.is_valid({"ruleset": "block", "seats": 2, "reserved": [{"seat": 1}]})
    assert not opening.is_valid({"ruleset": "block", "seats": 2, "reserved": [{**kept, "x": 1}]})
    assert not opening.is_valid({"ruleset": "block", "seats": 2, "listed": 1})
    assert seat.is_valid({"client_seed": hex32, "invite": "00" * 16})
    assert seat.is_valid({"client_seed": hex32, "invite": "0f" * 64})
    by_key = {"seat": 1, "public_key": hex32}
    assert opening.is_valid({"ruleset": "block", "seats": 2, "reserved": [by_key]})
    assert not opening.is_valid({"ruleset": "block", "seats": 2, "reserved": [{**kept, **by_key}]})
    assert seat.is_valid({"client_seed": hex32, "public_key": hex32, "signature": "00" * 64})
    for alone in ({"public_key": hex32}, {"signature": "00" * 64}):
        assert not seat.is_valid({"client_seed": hex32, **alone}), alone
    for invite in ("00" * 15, "00" * 65, "00" * 16 + "0", "AB" * 16, 7):
        assert not seat.is_valid({"client_seed": hex32, "invite": invite}), invite


def test_a_whole_match_is_as_described(table: Table) -> None:
    """Every request and every answer of it, for everybody who may look."""
    judge = Judge(table)
    game = Game(table, {"ruleset": "draw", "seats": 2, "rounds_max": 2, "auto_forced": False})
    table.call(
        "GET", game.address, headers={"If-None-Match": f'"{event_hash(game.events[0])}-public"'}
    )
    game.start()
    while not game.over:
        turn = game.play_turn()["view"].get("turn")
        if turn is not None:
            game.view(1 - turn)  # the one on turn looks before it plays
    for below in ("", "?at=5", "/events", "/transcript"):
        table.done("GET", game.address + below)
    seen_all = f"/events?after={len(game.events) - 1}"
    table.call("GET", game.address + seen_all, headers={"Accept": "text/event-stream"})
    left = Game(table, {"ruleset": "block", "seats": 2, "rounds_max": 1}).start()
    left.move("DELETE", "/seats/1", token=token_of(1))
    left.view()
    late = Game(table, {"ruleset": "block", "seats": 2, "rounds_max": 1})
    late.sit(0)
    again = {"client_seed_commitment": late.commitment(0), "name": "player-0"}
    table.done("PUT", f"{late.address}/seats/0", again, token=token_of(0))
    table.now += 700_000
    assert late.view()["status"] == "void"
    for address in ("/", "/livez", "/readyz", "/metrics", "/openapi.yaml", "/v1/keys"):
        table.call("GET", address)
    table.call("GET", "/v1/rulesets")
    table.call("GET", "/v1/rulesets/draw")
    for query in ("", "?limit=1", "?status=void&limit=100", "?ruleset=block"):
        table.call("GET", f"/v1/matches{query}")
    good = {
        (call["operationId"], int(status))
        for _, _, call in operations()
        for status in call["responses"]
        if status.isdigit() and int(status) < 400
    }
    assert {it for it in judge.answered if it[1] < 400} == good


@pytest.mark.parametrize(
    ("ruleset", "seats", "options"),
    [
        ("blocking", 2, {}),
        ("middle-eastern", 4, {"transfer": True}),
        ("all-fives", 3, {"spinner": "all"}),
        ("all-fives", 2, {"muggins": True}),
        ("fives-and-threes", 4, {"partners": True}),
    ],
)
def test_every_game_is_as_described(
    table: Table, ruleset: str, seats: int, options: dict[str, object]
) -> None:
    """Gifts, calls, claims, points, arms and the lead draw, in events, views and actions."""
    Judge(table)
    opening = {"ruleset": ruleset, "seats": seats, "rounds_max": 1, "options": options}
    game = Game(table, {**opening, "turn_seconds": 600}).start()
    while not game.over:
        try:
            view = game.play_turn()["view"]
        except LookupError:  # a step that waited for calls was the last
            break
        for seat in range(seats):
            if {"type": "call"} in game.view(seat)["you"]["legal_actions"]:
                body = {"seq": view["head"]["seq"] + 1, "action": {"type": "call"}}
                table.call("POST", f"{game.address}/actions", body, token=token_of(seat))
        after = len(game.events) - 1
        game.events += table.done("GET", f"{game.address}/events?after={after}")["events"]
    table.done("GET", f"{game.address}/transcript")


def test_a_refusal_that_is_not_described_would_be_found(table: Table) -> None:
    Judge(table).call("GET", "/v1/rulesets/chess")
    answer = table.call("GET", "/v1/rulesets/chess")
    with pytest.raises(AssertionError, match="is not listed"):
        foreseen("GET", "/v1/keys", answer)


# -------------------------------------------------------------------- yaml


YAML_VALUES = st.recursive(
    st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S")), max_size=20)
    | st.sampled_from(
        ["yes", "No", "null", "~", "1.0", "a: b", "- a", "# a", "x" * 120, "a b " * 40]
    )
    | st.lists(st.sampled_from(["ab", "c d", "e"]), min_size=1, max_size=9).map("\n".join),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b c", "$ref", "200", "on"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "yes", "1"]), YAML_VALUES, min_size=1))
def test_yaml_reads_back_as_it_was(value: Json) -> None:
    assert yaml.safe_load(yaml_text(value)) == value


def test_a_description_needs_no_house(house: FakeHouse) -> None:
    served_text()
    assert house.asked == []
