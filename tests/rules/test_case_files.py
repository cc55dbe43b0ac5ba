"""The worked cases of every file of tests/cases, put to the service's engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from fairbones.core import bones, rules
from fairbones.core.errors import FairbonesError
from tests.rules.positions import position

Case = dict[str, Any]
Answers = dict[str, Any]

_FILES = sorted((Path(__file__).resolve().parent.parent / "cases").glob("*.json"))
CASES: list[Case] = [
    case for file in _FILES for case in json.loads(file.read_text("utf-8"))["cases"]
]


def _ready(case: Case) -> rules.Rules:
    row = rules.resolve(case["ruleset"], case["seats"], case["options"])
    return rules.compile_rules(row, case["seats"])


def _ids(texts: list[str]) -> list[int]:
    return [bones.parse(written) for written in texts]


def _said(action: rules.Action | None) -> Answers | None:
    """An action as the files write it: a gift by its tile, not by the place of its seal."""
    if isinstance(action, rules.Give):
        return {"type": "give", "tile": bones.text(action.tile)}
    return None if action is None else rules.action_to_json(action, {})


def _action(written: Case) -> rules.Action:
    if written["type"] == "give":
        return rules.Give(bones.parse(written["tile"]))
    action = rules.action_from_json(written)
    assert not isinstance(action, rules.GiveAt)
    return action


def _position(case: Case) -> rules.Hand:
    given = case["given"]["position"]
    must_set, scores = given.get("must_set"), given.get("scores")
    return position(
        _ready(case),
        given["hands"],
        [(step["seat"], step["tile"], step.get("end")) for step in given["line"]],
        boneyard=given["boneyard"],
        lead=rules.Lead(given["leader"], must_set and bones.parse(must_set)),
        turn=given["turn"],
        drawn=given["drawn"],
        scores=scores and tuple(scores),
    )


@dataclass
class _Played:
    """A hand after some of its actions, and what was seen after each."""

    hand: rules.Hand
    listed: rules.Action | None = None
    error: str | None = None
    credited: list[int] = field(default_factory=list)
    count: list[int] = field(default_factory=list)
    all_ends: list[list[Answers]] = field(default_factory=list)

    def take(self, seat: int, action: rules.Action) -> None:
        """Do it, or raise what the engine raises."""
        if action == rules.CALL:
            self.hand, points = rules.call(self.hand, seat)
            self.listed = action
        else:
            self.listed = rules.admit(self.hand, seat, action)
            self.hand = rules.apply(self.hand, self.listed)
            played = isinstance(action, rules.Play)
            points = self.hand.line[-1][2] if played else 0
        ends = self.hand.ends
        self.credited.append(points)
        self.count.append(sum(end.value * end.weight for end in ends))
        self.all_ends.append(
            [
                {"name": end.name, "value": end.value, "weight": end.weight, "open": end.open}
                for end in ends
            ]
        )


def _play(case: Case) -> _Played:
    played = _Played(_position(case))
    steps = case["given"].get("actions", [])
    for step in [one for one in steps for _ in range(one.get("times", 1))]:
        try:
            played.take(step["seat"], _action(step["action"]))
        except FairbonesError as refused:
            played.error = refused.code
            break
    return played


def _settled(case: Case, hand: rules.Hand, finish: rules.Finish) -> Answers:
    settlement = rules.settle(hand.rules, hand, finish)
    answers: Answers = {
        "winner": settlement.winner,
        "points": list(settlement.points),
        "counts": list(settlement.counts),
    }
    if "next_lead" in case["expect"]:
        hands = [list(bones.bits(mask)) for mask in hand.hands]
        lead = rules.lead(hand.rules, hands, rules.outcome(hand, finish, settlement), None)
        assert lead.must_set is None
        answers["next_lead"] = lead.seat
    return answers


def _calls(hand: rules.Hand, seats: int) -> Answers:
    return {
        "call_listed": [seat for seat in range(seats) if rules.CALL in rules.listed(hand, seat)],
        "call_legal": [
            seat for seat in range(seats) if _refusal(partial(rules.call, hand, seat)) is None
        ],
    }


def _ask_set(case: Case) -> Answers:
    n = case["given"]["set"]
    tiles = bones.set_tiles(n)
    (halves,) = {sum((bones.HIGH[t], bones.LOW[t]).count(v) for t in tiles) for v in range(n + 1)}
    pips = bones.pips_of(bones.mask_of(tiles))
    return {"tiles": len(tiles), "pips": pips, "halves_of_each_value": halves}


def _refusal(attempt: Callable[[], object]) -> str | None:
    try:
        attempt()
    except FairbonesError as error:
        return error.code
    return None


def _ask_check_set(case: Case) -> Answers:
    tiles = _ids(case["given"]["tiles"])
    return {"error": _refusal(lambda: bones.validate_set(case["given"]["set"], tiles))}


def _ask_row(case: Case) -> Answers:
    error = _refusal(lambda: _ready(case))
    if error is not None:
        return {"error": error}
    ready = _ready(case)
    return {
        "error": None,
        "row": dict(rules.resolve(case["ruleset"], case["seats"], case["options"])),
        "hand": ready.hand,
        "boneyard": ready.boneyard,
        "drawable": ready.boneyard - ready.protected if ready.draws else 0,
        "sides": ready.sides,
    }


def _led(lead: rules.Lead) -> Answers:
    must_set = None if lead.must_set is None else bones.text(lead.must_set)
    return {"seat": lead.seat, "must_set": must_set}


def _ask_first_lead(case: Case) -> Answers:
    hands, ready = [_ids(hand) for hand in case["given"]["hands"]], _ready(case)
    lead = rules.lead(ready, hands, None, None)
    hand = rules.deal(ready, hands, (), lead)
    return _led(lead) | {"legal": [_said(action) for action in rules.legal(hand)]}


def _ask_lead(case: Case) -> Answers:
    given = case["given"]
    before = given["before"]
    outcome = before and rules.Outcome(before["leader"], before["seat"], before["winner"])
    if before is not None:
        # The interface names no reason: a causer that did not win is what tells a block.
        assert before["reason"] != "domino" or _side(case, before["seat"]) == before["winner"]
    hands = [_ids(hand) for hand in given["hands"]]
    return _led(rules.lead(_ready(case), hands, outcome, given["drawn"]))


def _side(case: Case, seat: int) -> int:
    return int(_ready(case).side_of[seat])


def _ask_lead_draw(case: Case) -> Answers:
    return {"seat": rules.drawn_lead(_ids(case["given"]["tiles"]))}


def _ask_hand(case: Case) -> Answers:
    played = _play(case)
    hand = played.hand
    finish = rules.finish(hand)
    answers: Answers = {
        "error": played.error,
        "listed": _said(played.listed),
        "credited": played.credited,
        "count": played.count,
        "all_ends": played.all_ends,
        "ends": {end.name: end.value for end in hand.ends if end.open},
        "hands": [[bones.text(tile) for tile in bones.bits(mask)] for mask in hand.hands],
        "boneyard": [bones.text(tile) for tile in hand.stock],
        "turn": hand.turn,
        "to_act": rules.to_act(hand) if finish is None else None,
        "legal": [_said(action) for action in rules.legal(hand)],
        "forced": _said(rules.forced(hand)),
        "scores": list(hand.scores),
        "finish": None,
    } | _calls(hand, case["seats"])
    if finish is None:
        return answers | {"fixed": _said(rules.fixed(hand))}
    answers["finish"] = {"reason": finish.reason}
    if finish.reason != "target":
        answers["finish"]["seat"] = finish.seat
    return answers | _settled(case, hand, finish)


def _ask_settle(case: Case) -> Answers:
    given = case["given"]
    scores = given.get("scores")
    lead = rules.Lead(given["leader"], None)
    hands = [_ids(tiles) for tiles in given["hands"]]
    hand = rules.deal(_ready(case), hands, (), lead, scores and tuple(scores))
    return _settled(case, hand, rules.Finish(given["finish"]["reason"], given["finish"]["seat"]))


def _ended(end: rules.MatchEnd | None) -> Answers:
    return {"end": end and {"reason": end.reason, "winner": end.winner}}


def _ask_match(case: Case) -> Answers:
    given = case["given"]
    end = rules.after_hand(_ready(case), given["scores"], given["round"], given["rounds_max"])
    return _ended(end)


def _ask_abandon(case: Case) -> Answers:
    return _ended(rules.abandoned(_ready(case), case["given"]["scores"]))


def _ask_notation(case: Case) -> Answers:
    actions: list[Answers | None] = []
    for written in case["given"]["texts"]:
        try:
            action = rules.parse_action(written)
        except FairbonesError:
            actions.append(None)
            continue
        assert rules.write_action(action) == written
        actions.append(_said(action))
    return {"actions": actions}


ASK: dict[str, Callable[[Case], Answers]] = {
    "set": _ask_set,
    "check-set": _ask_check_set,
    "row": _ask_row,
    "first-lead": _ask_first_lead,
    "lead": _ask_lead,
    "lead-draw": _ask_lead_draw,
    "hand": _ask_hand,
    "settle": _ask_settle,
    "match": _ask_match,
    "abandon": _ask_abandon,
    "notation": _ask_notation,
}


def _complaints(expect: Answers, answers: Answers) -> list[str]:
    """What is expected and was not got; an answer that nobody gave is not what was expected."""
    return [
        f"{key}: expected {wanted!r}, got {answers.get(key, 'no answer')!r}"
        for key, wanted in expect.items()
        if key not in answers or _exact(answers[key]) != _exact(wanted)
    ]


def _exact(value: object) -> str:
    # Text, because 1 == True in Python and the files are not Python.
    return json.dumps(value, sort_keys=True)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: Case) -> None:
    """The engine answers what the case says it must."""
    assert not _complaints(case["expect"], ASK[case["ask"]](case)), case["says"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_planted_fault_is_found(case: Case) -> None:
    """Another value in the place of an expected one, deep inside it, is complained about."""
    answers = ASK[case["ask"]](case)
    for key, wanted in case["expect"].items():
        other = json.loads(_exact(wanted))
        match other:
            case [*_, {"open": kept} as last] | [*_, [*_, {"open": kept} as last]]:
                last["open"] = not kept
            case [*_, last]:
                other[-1] = [last]
            case dict():
                other["more"] = 0
            case _:
                other = [other]
        assert _complaints({key: other}, answers), key
