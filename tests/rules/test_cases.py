"""The worked cases of tests/cases/block_draw.json, put to the service's engine."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fairbones.core import bones, rules
from fairbones.core.errors import FairbonesError
from tests.rules.positions import position

Case = dict[str, Any]
Answers = dict[str, Any]

_FILE = Path(__file__).resolve().parent.parent / "cases" / "block_draw.json"
CASES: list[Case] = json.loads(_FILE.read_text("utf-8"))["cases"]
_KEYS = {"id", "rule", "says", "ruleset", "seats", "options", "ask", "given", "expect"}


def _rules_of(case: Case) -> rules.Rules:
    row = rules.resolve(case["ruleset"], case["seats"], case["options"])
    return rules.compile_rules(row, case["seats"])


def _ids(texts: list[str]) -> list[int]:
    return [bones.parse(written) for written in texts]


def _position(case: Case) -> rules.Hand:
    given = case["given"]["position"]
    must_set = given.get("must_set")
    return position(
        _rules_of(case),
        given["hands"],
        [(step["seat"], step["tile"], step.get("end")) for step in given["line"]],
        boneyard=given["boneyard"],
        lead=rules.Lead(given["leader"], None if must_set is None else bones.parse(must_set)),
        turn=given["turn"],
        drawn=given["drawn"],
    )


def _action(action: rules.Action | None) -> Answers | None:
    return None if action is None else rules.action_to_json(action, {})


def _settled(hand: rules.Hand, finish: rules.Finish) -> Answers:
    settlement = rules.settle(hand.rules, hand, finish)
    hands = [list(bones.bits(mask)) for mask in hand.hands]
    lead = rules.lead(hand.rules, hands, rules.outcome(hand, finish, settlement), None)
    assert lead.must_set is None
    return {
        "winner": settlement.winner,
        "points": list(settlement.points),
        "counts": list(settlement.counts),
        "next_lead": lead.seat,
    }


def _ask_set(case: Case) -> Answers:
    n = case["given"]["set"]
    tiles = bones.set_tiles(n)
    held = {sum((bones.HIGH[t] == v) + (bones.LOW[t] == v) for t in tiles) for v in range(n + 1)}
    (halves,) = held
    pips = bones.pips_of(bones.mask_of(tiles))
    return {"tiles": len(tiles), "pips": pips, "halves_of_each_value": halves}


def _ask_check_set(case: Case) -> Answers:
    try:
        bones.validate_set(case["given"]["set"], _ids(case["given"]["tiles"]))
    except FairbonesError as error:
        return {"error": error.code}
    return {"error": None}


def _ask_row(case: Case) -> Answers:
    try:
        ready = _rules_of(case)
    except FairbonesError as error:
        return {"error": error.code}
    return {
        "error": None,
        "hand": ready.hand,
        "boneyard": ready.boneyard,
        "drawable": max(0, ready.boneyard - ready.protected) if ready.draws else 0,
        "sides": ready.sides,
    }


def _ask_first_lead(case: Case) -> Answers:
    hands = [_ids(hand) for hand in case["given"]["hands"]]
    ready = _rules_of(case)
    lead = rules.lead(ready, hands, None, None)
    hand = rules.deal(ready, hands, (), lead)
    assert lead.must_set is not None
    return {
        "seat": lead.seat,
        "must_set": bones.text(lead.must_set),
        "legal": [_action(action) for action in rules.legal(hand)],
    }


def _taken(
    hand: rules.Hand, steps: list[Case]
) -> tuple[rules.Hand, rules.Action | None, str | None]:
    listed = None
    for step in steps:
        for _ in range(step.get("times", 1)):
            try:
                action = rules.action_from_json(step["action"])
                assert not isinstance(action, rules.GiveAt)
                listed = rules.admit(hand, step["seat"], action)
            except FairbonesError as refused:
                return hand, listed, refused.code
            hand = rules.apply(hand, listed)
    return hand, listed, None


def _ask_hand(case: Case) -> Answers:
    hand, listed, error = _taken(_position(case), case["given"].get("actions", []))
    finish = rules.finish(hand)
    answers: Answers = {
        "error": error,
        "listed": _action(listed),
        "ends": {end.name: end.value for end in hand.ends},
        "hands": [[bones.text(tile) for tile in bones.bits(mask)] for mask in hand.hands],
        "boneyard": [bones.text(tile) for tile in hand.stock],
        "turn": hand.turn,
        "legal": [_action(action) for action in rules.legal(hand)],
        "forced": _action(rules.forced(hand)),
        "finish": finish and {"reason": finish.reason, "seat": finish.seat},
    }
    if finish is not None:
        return answers | _settled(hand, finish)
    return answers | {"fixed": _action(rules.fixed(hand))}


def _ask_settle(case: Case) -> Answers:
    given = case["given"]
    lead = rules.Lead(given["leader"], None)
    hand = rules.deal(_rules_of(case), [_ids(tiles) for tiles in given["hands"]], (), lead)
    return _settled(hand, rules.Finish(given["finish"]["reason"], given["finish"]["seat"]))


def _ended(end: rules.MatchEnd | None) -> Answers:
    return {"end": end and {"reason": end.reason, "winner": end.winner}}


def _ask_match(case: Case) -> Answers:
    given = case["given"]
    return _ended(
        rules.after_hand(_rules_of(case), given["scores"], given["round"], given["rounds_max"])
    )


def _ask_abandon(case: Case) -> Answers:
    return _ended(rules.abandoned(_rules_of(case), case["given"]["scores"]))


ASK: dict[str, Callable[[Case], Answers]] = {
    "set": _ask_set,
    "check-set": _ask_check_set,
    "row": _ask_row,
    "first-lead": _ask_first_lead,
    "hand": _ask_hand,
    "settle": _ask_settle,
    "match": _ask_match,
    "abandon": _ask_abandon,
}


def complaints(case: Case, answers: Answers) -> list[str]:
    """What the case expects and did not get; an answer nobody gave is a complaint too."""
    return [
        f"{key}: expected {wanted!r}, got {answers.get(key, 'no answer')!r}"
        for key, wanted in case["expect"].items()
        if key not in answers or _exact(answers[key]) != _exact(wanted)
    ]


def _exact(value: object) -> str:
    # Text, because 1 == True in Python and the file is not Python.
    return json.dumps(value, sort_keys=True)


def _mutations(value: Any) -> Iterator[Any]:
    """The value with one thing changed, for everything in it."""
    match value:
        case dict():
            for key, inner in value.items():
                yield {other: kept for other, kept in value.items() if other != key}
                yield from (value | {key: changed} for changed in _mutations(inner))
            yield value | {"more": 0}
        case list():
            for index, inner in enumerate(value):
                yield value[:index] + value[index + 1 :]
                yield from (
                    [*value[:index], changed, *value[index + 1 :]] for changed in _mutations(inner)
                )
            yield [*value, 0]
            if value != value[::-1]:
                yield value[::-1]
        case None:
            yield 0
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, None)
        case str():
            yield from (f"{value}x", None)


def test_file_is_well_formed() -> None:
    """Ids are unique, keys are known and every kind of question is asked."""
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert all(case.keys() == _KEYS and case["expect"] for case in CASES)
    assert {case["ask"] for case in CASES} == ASK.keys()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: Case) -> None:
    """The engine answers what the case says it must."""
    assert not complaints(case, ASK[case["ask"]](case)), case["says"]


def test_changed_expectation_fails() -> None:
    """Whatever is changed in what a case expects, the case complains: none passes by accident."""
    tried = 0
    for case in CASES:
        answers = ASK[case["ask"]](case)
        for key, wanted in case["expect"].items():
            for changed in _mutations(wanted):
                mutant = copy.copy(case)
                mutant["expect"] = {**case["expect"], key: changed}
                assert complaints(mutant, answers), (case["id"], key, changed)
                tried += 1
        unknown = case | {"expect": {**case["expect"], "misspelt": None}}
        assert complaints(unknown, answers), case["id"]
    assert tried > 1000
