"""The judge beside a running match says what the verifier says of the whole file."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify import order
from fairbones_verify.client import running
from fairbones_verify.client.chronicle import Chronicle
from fairbones_verify.client.lies import Lie
from fairbones_verify.client.running import Running
from fairbones_verify.hashing import event_hash
from fairbones_verify.judge import run
from fairbones_verify.strictjson import canonical
from fairbones_verify.table import Refuted, Table
from tests.forge.house import House, Setup
from tests.forge.keys import HOUSE

Json = dict[str, Any]
TESTS = Path(__file__).resolve().parents[1]
CHAIN = ("chain/match", "chain/seq", "chain/prev")


def in_an_event(path: Path) -> bool:
    """Whether a forgery is one that this judge is for: not in the receipt or the keys (numbers from
    800 on), and no other history, which is the chronicle's affair and tested with the vectors."""
    told = json.loads(path.with_name(path.name.replace(".transcript", "")).read_bytes())
    expect = told["expect"]
    return expect["number"] < 800 and "insert" not in told and expect["code"] not in CHAIN


FORGED = [
    path
    for path in sorted((TESTS / "forgeries" / "refuted").glob("*.transcript.json"))
    if in_an_event(path)
]
VALID = sorted((TESTS / "vectors" / "valid").glob("*.transcript.json"))


def heads(events: list[Json]) -> list[int]:
    """Where the events may be shown to: after the last of each moment."""
    last = len(events) - 1
    return [i for i, e in enumerate(events) if i == last or events[i + 1]["at"] != e["at"]]


def found(document: Json) -> tuple[str, int | None] | None:
    """What the running judge finds first, when it is told step by step."""
    events = document["events"]
    chronicle = Chronicle(events[0]["match"])
    chronicle.list_keys(document["keys"])
    judge = Running(chronicle, lambda _table, _event: None)
    for head in heads(events):
        try:
            chronicle.take(events[len(chronicle.events) : head + 1])
            judge.judge()
        except Lie as lie:
            return str(lie.code), lie.seq
    return None


def first(document: Json) -> tuple[str, int | None] | None:
    """What the verifier's own judge finds first, when it judges every head from the beginning."""
    events = document["events"]
    hashes = [event_hash(canonical(event)) for event in events]
    keys = {one["key_id"]: bytes.fromhex(one["public_key"]) for one in document["keys"]}
    key = keys.get(events[0]["data"].get("key_id"))
    for head in heads(events):
        try:
            run(Table(events[: head + 1], hashes[: head + 1], key))
        except Refuted as refuted:
            return refuted.failure.code, refuted.failure.seq
    return None


@pytest.mark.parametrize("path", FORGED, ids=lambda it: it.name.partition(".")[0])
def test_a_forgery_is_found_while_it_is_told(path: Path) -> None:
    """At the first head at which the verifier finds something, and the very same."""
    document = json.loads(path.read_bytes())
    got = found(document)
    assert got is not None
    assert got == first(document)


def test_most_forgeries_are_in_an_event() -> None:
    assert len(FORGED) > 300


@pytest.mark.parametrize("path", VALID, ids=lambda it: it.name.partition(".")[0])
def test_an_honest_match_goes_through(path: Path) -> None:
    assert found(json.loads(path.read_bytes())) is None


def test_only_the_running_hand_is_judged_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cost of an event does not grow with the hands before it."""
    house = House(Setup("draw", 2, {"target": 300}, 8, phrase="long")).start().play()
    events = house.told()
    hands = [i for i, event in enumerate(events) if event["type"] == "dealt"]
    assert len(hands) > 4
    judged: list[int] = []
    plain = order.chain

    def counted(table: Table, event: Json) -> None:
        judged.append(event["seq"])
        plain(table, event)

    monkeypatch.setattr(running, "chain", counted)
    assert found({"events": events, "keys": [HOUSE.listed()]}) is None
    often = max(judged.count(seq) for seq in range(len(events)))
    longest = max(b - a for a, b in pairwise([0, *hands, len(events)]))
    # Each head of its own hand, once more for what stands around it, and once at the very end.
    assert often <= longest + 4
