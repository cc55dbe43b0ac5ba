"""A few inputs of each target in every run, those that ever failed, and Hypothesis' own."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones_verify import verify
from tests.fuzz import target_requests, target_transcripts
from tests.fuzz.hostile import GREAT, PIECES, VALUES
from tests.fuzz.mutator import USUAL, changed_somewhere, spelled
from tests.fuzz.running import FOUND, TARGETS, Run
from tests.fuzz.target_requests import written

INPUTS = {"transcripts": 250, "requests": 600}
JSON = target_transcripts.corpus()[:30]
SENT = target_requests.corpus()
RANDOM = st.builds(random.Random, st.integers(0, 2**32 - 1))


@pytest.mark.parametrize("path", sorted(FOUND.glob("*.bin")), ids=lambda path: path.name)
def test_what_once_failed(path: Path) -> None:
    TARGETS[path.name.partition("-")[0]].outcome(path.read_bytes())


@pytest.mark.parametrize("name", TARGETS)
def test_a_short_run(name: str, seed: random.Random, tmp_path: Path) -> None:
    run = Run(TARGETS[name], seed.randrange(10**9), tmp_path)
    failing = run.go(60, INPUTS[name])
    assert failing is None, failing
    assert run.done == INPUTS[name]
    assert len(run.outcomes) > 15, run.report()


@pytest.mark.parametrize("target", [target_transcripts.one, target_requests.one])
@given(data=st.binary(max_size=300))
def test_any_bytes(target: Callable[[bytes], None], data: bytes) -> None:
    target(data)


@given(st.sampled_from(JSON), st.data())
def test_hostile_values_between_tokens(data: bytes, drawn: st.DataObject) -> None:
    """Any token of an honest transcript becomes any hostile one: it is never believed."""
    place = drawn.draw(st.integers(0, len(data)))
    piece = drawn.draw(st.sampled_from((*VALUES, *PIECES)))
    length = drawn.draw(st.integers(0, 12))
    made = data[:place] + piece + data[place + length :]
    told = target_transcripts.outcome(made)
    assert told != "verified" or made.rstrip(b"\n") == data.rstrip(b"\n")


@given(st.sampled_from(JSON), RANDOM)
def test_a_value_changed_is_never_verified(data: bytes, rnd: random.Random) -> None:
    """Without the house's key nothing else than what it signed is found good."""
    value = json.loads(data)
    changed_somewhere(rnd, value)
    made = spelled(value)
    told = target_transcripts.outcome(made)
    if told == "verified":
        # Another key in the list of keys signs nothing, and changes nothing that was signed.
        assert value["events"] == json.loads(data)["events"]
        assert value["receipt"] == json.loads(data)["receipt"]


@given(st.sampled_from(SENT), RANDOM)
def test_requests_changed_by_token(data: bytes, rnd: random.Random) -> None:
    target_requests.one(rnd.choice((*USUAL, *target_requests.CHANGES))(rnd, data, SENT))


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(st.sampled_from([it for it in SENT if b"\n\n{" in it]), VALUE, st.data())
def test_any_value_in_any_member_of_a_body(data: bytes, value: Any, drawn: st.DataObject) -> None:
    head, _, text = data.partition(b"\n\n")
    body = json.loads(text.replace(b":@seq", b':"@seq"'))
    names = sorted(body)
    if names:
        body[drawn.draw(st.sampled_from(names))] = value
    sent = json.dumps(body, ensure_ascii=drawn.draw(st.booleans())).replace('"@seq"', "@seq")
    target_requests.one(head + b"\n\n" + sent.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("value", GREAT, ids=range(len(GREAT)))
def test_great_values(value: bytes) -> None:
    """What a reader could choke on, where a name stands and where the whole does."""
    honest = JSON[-1]
    place = honest.index(b'"seats":') + len(b'"seats":')
    for made in (value, honest[:place] + value + honest[place + 1 :]):
        assert target_transcripts.outcome(made).startswith("unreadable")
    sent = written("POST", "@playing/actions", "Authorization: Bearer @turn\n", {})
    assert target_requests.outcome(sent[:-2] + b'{"seq":' + value[:60_000] + b"}")[0] == "4"
    assert target_requests.outcome(sent[:-2] + value) == "413 request/too-large"


def test_depth_is_no_recursion() -> None:
    for deep in (9, 12, 1_000, 60_000):
        for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
            nested = opening * deep + b"0" + closing * deep
            assert verify(nested).verdict == "unreadable"
            target_transcripts.one(b'{"events":' + nested + b"}")
            target_requests.one(b"POST /v1/matches\nContent-Type: application/json\n\n" + nested)
