"""Every string of every event, receipt, key and row becomes something that would hurt a reader.

The fields are those of the verifier's own tables of shapes: a new one is tried without a line here.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from fairbones_verify import shape
from tests.forge.keys import HOUSE
from tests.forge.paper import event_hash, receipt, relink, spell
from tests.fuzz.hostile import WORDS
from tests.fuzz.target_transcripts import VECTORS, outcome

Json = dict[str, Any]
Path = tuple[str | int, ...]


@cache
def small() -> dict[str, bytes]:
    """The smallest honest transcript that has an event of a type."""
    found: dict[str, bytes] = {}
    for data in sorted((path.read_bytes() for path in VECTORS.glob("*.transcript.json")), key=len):
        for event in json.loads(data)["events"]:
            found.setdefault(event["type"], data)
    return found


def texts(kinds: dict[str, shape.Kind]) -> Iterator[tuple[str, bool]]:
    """The members that are a string or a list of strings; whether it is a list."""
    for name, kind in kinds.items():
        if kind.type is str:
            yield name.rstrip("?"), False
        elif kind.items is not None and kind.items.type is str:
            yield name.rstrip("?"), True


def fields(name: str) -> Iterator[tuple[Path, bool]]:
    """The paths of the strings in a document with an event of that type."""
    events = json.loads(small()[name])["events"]
    seq = next(seq for seq, event in enumerate(events) if event["type"] == name)
    for member, listed in texts(shape.DATA[name]):
        yield ("events", seq, "data", member), listed
    for member, listed in texts(shape.ENVELOPE):
        yield ("events", seq, member), listed
    if "receipt?" in shape.DATA[name]:
        for member, listed in texts(shape.RECEIPT):
            yield ("events", seq, "data", "receipt", member), listed
    if name == "opened":
        yield ("protocol",), False
        for member, listed in texts(shape.RESERVED):
            yield ("events", 0, "data", "reserved", 0, member), listed
        for option, value in events[0]["data"]["ruleset"].items():
            if isinstance(value, str):
                yield ("events", 0, "data", "ruleset", option), False
        for member, listed in texts(shape.RECEIPT):
            yield ("receipt", member), listed
        for member, listed in texts(shape.KEY):
            yield ("keys", 0, member), listed


def changed(data: bytes, path: Path, value: object, *, chained: bool) -> bytes:
    """A document with a value at a path, its chain as it was or made anew."""
    document: Json = json.loads(data)
    place: Any = document
    for step, after in pairwise(path):
        if isinstance(place, list) and step == len(place):
            place.append({"seat": 0})
        elif isinstance(place, dict) and step not in place:
            place[step] = [] if isinstance(after, int) else {}
        place = place[step]
    place[path[-1]] = value
    if chained:
        events = relink(document["events"])
        document["events"] = events
        match = json.loads(data)["events"][0]["match"]
        document["receipt"] = receipt(match, len(events) - 1, event_hash(events[-1]), HOUSE)
    return spell(document)


PLACES = [(name, path, listed) for name in shape.DATA for path, listed in fields(name)]


def test_every_type_has_an_honest_transcript() -> None:
    assert small().keys() == shape.DATA.keys()
    assert {name for name, _, _ in PLACES} == shape.DATA.keys()


@pytest.mark.parametrize(
    ("name", "path", "listed"), PLACES, ids=[f"{n}:{'.'.join(map(str, p))}" for n, p, _ in PLACES]
)
def test_no_string_harms_a_reader(name: str, path: Path, listed: bool, seed: random.Random) -> None:
    """T33: whatever stands there, the verdict is in words that steer no terminal and no page."""
    data, met = small()[name], set()
    for word in WORDS.values():
        value = [word] if listed else word
        chained = path[2:3] == ("data",) and seed.random() < 0.3
        met.add(outcome(changed(data, path, value, chained=chained)).partition(" ")[0])
    assert "unreadable" in met
    if path[-1] not in ("reference", "name"):
        assert "verified" not in met


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("where", ["document", "event", "data", "row"])
def test_no_name_of_a_member_does(where: str, word: str) -> None:
    """A key is a string too."""
    document: Json = json.loads(small()["opened"])
    first = document["events"][0]
    place = {"document": document, "event": first, "data": first["data"]}
    place["row"] = first["data"]["ruleset"]
    place[where][WORDS[word]] = 1
    assert outcome(spell(document)).startswith("unreadable format/")


def test_a_reference_may_be_markup_and_is_shown_as_none() -> None:
    """The one free text of a match: what the rules allow stands in a transcript that verifies."""
    data = (VECTORS / "reference-markup.transcript.json").read_bytes()
    assert b"<" in data
    assert outcome(data) == "verified"


def test_the_tables_are_the_ones_that_are_judged_by() -> None:
    """A field that the tables have not is refused, so no string escapes this test."""
    for name, data in small().items():
        document = copy.deepcopy(json.loads(data))
        event = next(event for event in document["events"] if event["type"] == name)
        event["data"]["another_field"] = "<script>"
        assert outcome(spell(document)) == "unreadable format/fields", name
