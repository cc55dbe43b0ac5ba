"""Whatever JSON a house answers, the client takes it, stops at a lie, or fetches what is missing:
it never falls over, for then nothing would be kept as evidence (SPEC 10, C6)."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairbones_verify.client.guard import Guard
from fairbones_verify.client.lies import Gap, Lie
from tests.client.making import course
from tests.client.test_vectors import guard_of
from tests.client.test_views import places
from tests.forge.paper import receipt_of, spell

Json = dict[str, Any]


def answers() -> list[tuple[Guard, str, Any]]:
    """The guard before each answer of a match, what it answers, and the answer."""
    made = course("ended")
    guard, found = guard_of(made.knows()), []
    for step in made.steps:
        if "send" in step:
            guard.send(step["send"], step["body"])
            continue
        to = step["answer"]
        body = json.loads(step["text"]) if to == "transcript" else step["body"]
        found.append((copy.deepcopy(guard), to, body))
        if to in ("seat", "action"):
            told = {"status": 409, "code": "match/stale", "head": body["view"]["head"]}
            last = guard.chronicle.events[-1]
            told["receipt"] = receipt_of(last)
            told["head"] = {name: told["receipt"][name] for name in ("seq", "event_hash")}
            found.append((copy.deepcopy(guard), "refusal", told))
        guard.hear(to, step["text"].encode() if to == "transcript" else body)
    kinds = dict.fromkeys(to for _, to, _ in found)
    return [one for kind in kinds for one in [it for it in found if it[1] == kind][:6]]


ANSWERS = answers()
JSON = st.recursive(
    st.booleans()
    | st.integers(0, 2**53 - 1)
    | st.sampled_from([0, 1, "", "0-0", "left", "played", "00" * 32])
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["seq", "seat", "type", "data", "hand", "x"]), inner)
    ),
    max_leaves=6,
)


def put(body: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(body)
    place = changed
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return changed


def hear(before: Guard, to: str, body: Any) -> str:
    """What becomes of it; "unchecked" where the net caught what no check has seen."""
    data = spell(body) if to == "transcript" else body
    guard = copy.deepcopy(before)
    try:
        guard.hear(to, data)
    except Gap:
        return "gap"
    except Lie as lie:
        return f"unchecked: {lie.__cause__!r}" if lie.__cause__ is not None else "lie"
    return "taken"


def checked(before: Guard, to: str, body: Any) -> None:
    assert hear(before, to, body) in ("gap", "lie", "taken"), (to, body)


def test_the_answers_are_of_every_kind() -> None:
    assert {to for _, to, _ in ANSWERS} == {
        *("keys", "events", "view", "transcript", "refusal"),
        *("seat", "seed", "action"),
    }
    assert {hear(*one) for one in ANSWERS} == {"taken"}


@settings(max_examples=200)
@given(st.data())
def test_any_json_in_any_place(data: st.DataObject) -> None:
    before, to, body = data.draw(st.sampled_from(ANSWERS), "answer")
    path = data.draw(st.sampled_from([(), *places(body)]), "place")
    checked(before, to, put(body, path, data.draw(JSON, "value")))


@pytest.mark.parametrize("value", [7, True, "x", [], {}, [1], {"x": 1}, [[]]], ids=repr)
def test_every_place_of_every_answer(value: Any) -> None:
    """The same without chance, for the first answer of each kind."""
    for kind in dict.fromkeys(to for _, to, _ in ANSWERS):
        before, to, body = next(one for one in ANSWERS if one[1] == kind)
        for path in places(body):
            if to != "transcript" or len(path) < 3:
                checked(before, to, put(body, path, value))


@pytest.mark.parametrize("keys", [7, True, "x", {}, None, [1], [{"key_id": {}}]], ids=repr)
def test_no_list_of_keys(keys: Any) -> None:
    with pytest.raises(Lie) as caught:
        Guard("00" * 16).hear("keys", {"keys": keys})
    assert caught.value.obligation == "C2"


def test_very_many_keys_are_not_looked_at() -> None:
    one = ANSWERS[0][2]["keys"][0]
    Guard("00" * 16).hear("keys", {"keys": [one] * 64})
    with pytest.raises(Lie) as caught:
        Guard("00" * 16).hear("keys", {"keys": [{**one, "public_key": "no key"}] * 65})
    assert "64" in caught.value.said


def test_the_net_makes_a_lie_of_what_no_check_has_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    guard = Guard("00" * 16)

    def falls(_keys: Any) -> None:
        raise KeyError("x")

    monkeypatch.setattr(guard.chronicle, "list_keys", falls)
    with pytest.raises(Lie) as caught:
        guard.hear("keys", {"keys": []})
    assert caught.value.obligation == "C6"
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize("view", [[], 5, "x", {"head": 5}], ids=repr)
def test_a_lie_in_the_events_goes_before_one_in_the_view(view: Any) -> None:
    """What is signed convinces others; a malformed view does not."""
    before, to, body = next(one for one in ANSWERS if one[1] == "action")
    body = {**copy.deepcopy(body), "view": view}
    body["events"][-1]["data"]["seat"] = 1
    del body["events"][1:]
    body["receipt"] = receipt_of(body["events"][-1])
    with contextlib.suppress(Gap), pytest.raises(Lie) as caught:
        copy.deepcopy(before).hear(to, body)
    assert caught.value.seq == body["events"][-1]["seq"]
    assert caught.value.obligation == "C6"


@pytest.mark.parametrize("to", ["seat", "seed", "action"])
def test_what_is_granted_stands_in_the_answer(to: str) -> None:
    """C12: else the same would be asked again and again."""
    before, _, body = next(one for one in ANSWERS if one[1] == to)
    guard = copy.deepcopy(before)
    receipt = receipt_of(guard.chronicle.events[-1])
    with pytest.raises(Lie) as caught:
        guard.hear(to, {"events": [], "receipt": receipt})
    assert caught.value.obligation == "C12"
    assert hear(before, to, body) == "taken"


@pytest.mark.parametrize("dealt", [False, True], ids=["before the deal", "in a hand"])
def test_who_leaves_is_told_that_it_has_left(dealt: bool) -> None:
    made = course("dealt" if dealt else "seated")
    guard = guard_of(made.knows())
    for step in made.steps:
        if "send" in step:
            guard.send(step["send"], step["body"])
        else:
            guard.hear(step["answer"], step["body"])
    guard.send("leave", {})
    last = guard.chronicle.events[-1]
    assert hear(guard, "leave", {"events": [], "receipt": receipt_of(last)}) == "lie"
    made.house.leave(0)
    told = made.house.told()
    new = told[made.heard :]
    assert hear(guard, "leave", {"events": new, "receipt": receipt_of(told[-1])}) == "taken"
