"""Every string that a request can carry becomes something that would hurt whoever is told of it.

Bodies, parameters and headers are those of the description: a new one is tried without a line here.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import pytest

from tests.api.documented import component, document, examples_of, operations
from tests.fuzz.hostile import WORDS
from tests.fuzz.target_requests import outcome, written

Json = dict[str, Any]
Path = tuple[str | int, ...]
# The two texts of a player's own; one takes all of ASCII that is printed, one `__proto__`.
FREE = ("reference", "name")
ADDRESS = {"openMatch": "/v1/matches", "takeSeat": "@joining/seats/1"}


def resolved(schema: Json) -> Json:
    """A schema, or what it refers to."""
    if "$ref" in schema:
        return resolved(document()["components"]["schemas"][component(schema)])
    return schema


def strings(schema: Json, path: Path = ()) -> Iterator[Path]:
    """The paths below a schema that may hold a string."""
    schema = resolved(schema)
    for part in ("oneOf", "anyOf", "allOf"):
        for inner in schema.get(part, ()):
            yield from strings(inner, path)
    kinds = schema.get("type", ())
    if "string" in ([kinds] if isinstance(kinds, str) else kinds) or "const" in schema:
        yield path
    for name, inner in schema.get("properties", {}).items():
        yield from strings(inner, (*path, name))
    if isinstance(inner := schema.get("items"), dict):
        yield from strings(inner, (*path, 0))


def bodies() -> Iterator[tuple[str, str, str, Path, Json]]:
    """Call, method, address, path of a string and a body with room for it."""
    for address, method, call in operations():
        for content in call.get("requestBody", {}).get("content", {}).values():
            body = next(iter(examples_of(content).values()))
            place = address.replace("/v1/matches/{match_id}", "@playing").replace("{seat}", "1")
            place = ADDRESS.get(call["operationId"], place)
            for path in dict.fromkeys(strings(content["schema"])):
                if path:
                    yield call["operationId"], method.upper(), place, path, body


BODIES = list(bodies())
QUERIES = [
    (address, parameter["name"])
    for address, method, call in operations()
    for parameter in call.get("parameters", ())
    if parameter["in"] == "query"
]
HEADERS = sorted(
    {
        parameter["name"]
        for _, _, call in operations()
        for parameter in call.get("parameters", ())
        if parameter["in"] == "header"
    }
    | {"Authorization", "Content-Type", "Content-Encoding", "Transfer-Encoding", "Origin", "Accept"}
)
TURN = "Authorization: Bearer @turn\n"


def changed(body: Json, path: Path, value: object) -> Json:
    """A body with a value at a path."""
    made: Json = copy.deepcopy(body)
    place: Any = made
    for step, after in pairwise(path):
        if isinstance(place, list):
            place[:] = [{"seat": 0}]
        elif not isinstance(place.get(step), (list, dict)):
            place[step] = [] if isinstance(after, int) else {}
        place = place[step]
    if isinstance(place, list):
        place[:] = [value]
    else:
        place[path[-1]] = value
    return made


@pytest.mark.parametrize(
    ("name", "method", "address", "path", "body"),
    BODIES,
    ids=[f"{name}:{'.'.join(map(str, path))}" for name, _, _, path, _ in BODIES],
)
def test_no_string_of_a_body_harms(
    name: str, method: str, address: str, path: Path, body: Json
) -> None:
    met = set()
    for word in WORDS.values():
        met.add(outcome(written(method, address, TURN, changed(body, path, word))))
    assert {it for it in met if it[0] == "4"}
    if path[-1] not in FREE:
        assert not {it for it in met if it[0] == "2"}, met


def test_every_call_with_a_body_is_tried() -> None:
    """And deep enough: the members of a reservation, of an action, of a receipt."""
    tried = {name: {path for call, _, _, path, _ in BODIES if call == name} for name, *_ in BODIES}
    assert tried.keys() == {call["operationId"] for _, _, call in operations()
                            if "requestBody" in call}  # fmt: skip
    assert ("reserved", 0, "invite_hash") in tried["openMatch"]
    assert {("action", "tile"), ("receipt", "signature"), ("prev",)} <= tried["act"]


@pytest.mark.parametrize(("address", "name"), QUERIES, ids=[f"{a} {n}" for a, n in QUERIES])
def test_no_parameter_harms(address: str, name: str) -> None:
    place = address.replace("/v1/matches/{match_id}", "@playing")
    for word in WORDS.values():
        value = quote(word[:4_000].encode("utf-8", "surrogatepass"))
        assert outcome(f"GET {place}?{name}={value}\n\n".encode())[0] in "24"
        assert outcome(f"GET {place}?{value}={name}\n\n".encode())[0] == "4"


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize("line", ["GET @playing", "POST @playing/actions", "OPTIONS @playing"])
def test_no_header_harms(line: str, name: str) -> None:
    for word in WORDS.values():
        value = (
            word[:4_000].encode("utf-8", "surrogatepass").replace(b"\n", b"").replace(b"\r", b"")
        )
        assert (
            outcome(line.encode() + b"\n" + name.encode() + b": " + value + b"\n\n{}")[0] in "234"
        )


@pytest.mark.parametrize("word", WORDS)
def test_no_address_harms(word: str) -> None:
    value = quote(WORDS[word][:4_000].encode("utf-8", "surrogatepass"), safe="")
    for place in ("/v1/matches/{}", "@joining/seats/{}", "/v1/rulesets/{}", "/{}", "@playing/{}"):
        address = place.format(value)
        for method in ("GET", "PUT", "POST", "DELETE", "PATCH"):
            assert outcome(f"{method} {address}\n{TURN}\n{{}}".encode())[0] in "24"


def test_a_query_that_is_not_ascii_is_malformed() -> None:
    """No server of ours lets it through; behind another it was a fault of the service."""
    for raw in (b"status=\xff", b"\xc3\xa9=1", b"after=\xff\xfe"):
        assert outcome(b"GET /v1/matches?" + raw + b"\n\n") == "400 request/malformed"


def test_texts_that_come_back_are_whole_answers() -> None:
    """The reference of a match is listed as it was sent, in JSON that no browser renders."""
    body = {"ruleset": "block", "seats": 2, "reference": WORDS["a script"]}
    assert outcome(written("POST", "/v1/matches", "", body)) == "201 openMatch"
    assert json.loads(json.dumps(body))["reference"] == WORDS["a script"]
