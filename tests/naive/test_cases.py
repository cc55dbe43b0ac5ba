"""The worked cases of tests/cases, every file, put to the naive engine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.naive.actions import Action, Refused, read_action, write
from tests.naive.hand import Hand
from tests.naive.leading import Before, Lead, drawn_lead, first_lead, later_lead
from tests.naive.match import MatchEnd, abandoned, after_hand
from tests.naive.rows import VALUES, Row, option, resolve, sides
from tests.naive.settling import Settlement, Settling, settle
from tests.naive.tiles import Tile, pips, read, text, tile_id, tile_set

Case = dict[str, Any]
Answers = dict[str, Any]

FOLDER = Path(__file__).resolve().parents[1] / "cases"
FILES = sorted(FOLDER.glob("*.json"))
CASES: list[Case] = [
    case for file in FILES for case in json.loads(file.read_text("utf-8"))["cases"]
]


def tiles(written: list[str]) -> list[Tile]:
    return [read(one) for one in written]


def row_of(case: Case) -> Row:
    return resolve(case["ruleset"], case["seats"], case["options"])


def action_of(written: Case) -> Action:
    tile = written.get("tile")
    return Action(written["type"], tile and read(tile), written.get("end"), written.get("claim"))


def said(action: Action | None) -> Case | None:
    """An action as the files write it."""
    if action is None:
        return None
    parts = {
        "type": action.kind,
        "tile": action.tile and text(action.tile),
        "end": action.end,
        "claim": action.claim,
    }
    return {name: value for name, value in parts.items() if value is not None}


def position(case: Case) -> Hand:
    """The hand that `given.position` describes."""
    given, row = case["given"]["position"], row_of(case)
    must_set = given.get("must_set")
    hand = Hand(
        row,
        [tiles(held) for held in given["hands"]],
        tiles(given["boneyard"]),
        given["leader"],
        must_set and read(must_set),
        list(given.get("scores", [0] * sides(row, case["seats"]))),
    )
    for step in given["line"]:
        play = Action("play", read(step["tile"]), step.get("end"))
        assert play.tile is not None
        hand.table.lay(play.tile, play.end)
        hand.plays.append((step["seat"], play))
    if hand.plays:
        hand.last = hand.plays[-1]
    hand.on_turn, hand.drawn = given["turn"], given["drawn"]
    return hand


def settled(case: Case, settlement: Settlement, before: Before, hands: list[list[Tile]]) -> Answers:
    answers: Answers = {
        "winner": settlement.winner,
        "points": settlement.points,
        "counts": settlement.counts,
    }
    if "next_lead" in case["expect"]:
        lead = later_lead(row_of(case), hands, before, None)
        assert lead.must_set is None
        answers["next_lead"] = lead.seat
    return answers


def ask_set(case: Case) -> Answers:
    n = case["given"]["set"]
    whole = tile_set(n)
    (halves,) = {sum(tile.count(value) for tile in whole) for value in range(n + 1)}
    return {
        "tiles": len(whole),
        "pips": sum(pips(tile) for tile in whole),
        "halves_of_each_value": halves,
    }


def ask_check_set(case: Case) -> Answers:
    same = sorted(tiles(case["given"]["tiles"])) == tile_set(case["given"]["set"])
    return {"error": None if same else "refused"}


def ask_row(case: Case) -> Answers:
    try:
        row = row_of(case)
    except Refused:
        return {"error": "refused"}
    boneyard = len(tile_set(row["set"])) - case["seats"] * row["hand"]
    draws = row["drawing"] == "until-fits"
    return {
        "error": None,
        "row": row,
        "hand": row["hand"],
        "boneyard": boneyard,
        "drawable": boneyard - option(row, "protected") if draws else 0,
        "sides": sides(row, case["seats"]),
    }


def _led(lead: Lead) -> Answers:
    return {"seat": lead.seat, "must_set": lead.must_set and text(lead.must_set)}


def ask_first_lead(case: Case) -> Answers:
    hands, row = [tiles(held) for held in case["given"]["hands"]], row_of(case)
    lead = first_lead(row, hands, None)
    hand = Hand(row, hands, [], lead.seat, lead.must_set, [0] * sides(row, case["seats"]))
    return _led(lead) | {"legal": [said(action) for action in hand.legal()]}


def ask_lead(case: Case) -> Answers:
    given, row = case["given"], row_of(case)
    hands = [tiles(held) for held in given["hands"]]
    if given["before"] is None:
        return _led(first_lead(row, hands, given["drawn"]))
    before = Before(**given["before"])
    return _led(later_lead(row, hands, before, given["drawn"]))


def ask_lead_draw(case: Case) -> Answers:
    return {"seat": drawn_lead(tiles(case["given"]["tiles"]))}


def ask_hand(case: Case) -> Answers:
    hand = position(case)
    error, listed = None, None
    each: dict[str, list[Any]] = {"credited": [], "count": [], "all_ends": []}
    steps = case["given"].get("actions", [])
    for step in [one for one in steps for _ in range(one.get("times", 1))]:
        try:
            listed = hand.take(step["seat"], action_of(step["action"]))
        except Refused:
            error = "refused"
            break
        each["credited"].append(hand.credited)
        each["count"].append(hand.table.count())
        each["all_ends"].append([end._asdict() for end in hand.table.ends()])
    reason = hand.finish()
    answers: Answers = each | {
        "error": error,
        "listed": said(listed),
        "ends": {end.name: end.value for end in hand.table.ends() if end.open},
        "hands": [[text(tile) for tile in sorted(held, key=tile_id)] for held in hand.hands],
        "boneyard": [text(tile) for tile in hand.boneyard],
        "turn": hand.on_turn,
        "to_act": hand.to_act() if reason is None else None,
        "legal": [said(action) for action in hand.legal()],
        "forced": said(hand.forced()),
        "fixed": said(hand.fixed()),
        "scores": hand.scores,
        "call_listed": hand.callers(),
        "call_legal": [seat for seat in hand.seats() if hand.taken_by_call(seat)],
        "finish": None,
    }
    if reason is None:
        return answers
    out = hand.out()
    seat = hand.causer() if out is None else out
    answers["finish"] = {"reason": reason} | ({} if reason == "target" else {"seat": seat})
    settlement = settle(hand)
    before = Before(hand.leader, reason, seat, settlement.winner)
    return answers | settled(case, settlement, before, hand.hands)


def ask_settle(case: Case) -> Answers:
    given, row = case["given"], row_of(case)
    hands = [tiles(held) for held in given["hands"]]
    reason, seat = given["finish"]["reason"], given["finish"]["seat"]
    scores = given.get("scores", [0] * sides(row, case["seats"]))
    settlement = Settling(row, hands, given["leader"], seat, scores).settle(reason, seat)
    before = Before(given["leader"], reason, seat, settlement.winner)
    return settled(case, settlement, before, hands)


def _ended(end: MatchEnd | None) -> Answers:
    return {"end": end and end._asdict()}


def ask_match(case: Case) -> Answers:
    given = case["given"]
    return _ended(after_hand(row_of(case), given["scores"], given["round"], given["rounds_max"]))


def ask_abandon(case: Case) -> Answers:
    return _ended(abandoned(row_of(case), case["given"]["scores"]))


def ask_notation(case: Case) -> Answers:
    read_back: list[Case | None] = []
    for written in case["given"]["texts"]:
        try:
            action = read_action(written)
        except ValueError:
            read_back.append(None)
            continue
        assert write(action) == written
        read_back.append(said(action))
    return {"actions": read_back}


ASK: dict[str, Callable[[Case], Answers]] = {
    "set": ask_set,
    "check-set": ask_check_set,
    "row": ask_row,
    "first-lead": ask_first_lead,
    "lead": ask_lead,
    "lead-draw": ask_lead_draw,
    "hand": ask_hand,
    "settle": ask_settle,
    "match": ask_match,
    "abandon": ask_abandon,
    "notation": ask_notation,
}


def complaints(case: Case, answers: Answers) -> list[str]:
    """The answers that are not what the case expects; of an error only whether there is one."""
    wrong = []
    for name, wanted in case["expect"].items():
        got = answers.get(name, "no answer")
        # Text, because 1 == True in Python and the files are not Python.
        same = json.dumps(got, sort_keys=True) == json.dumps(wanted, sort_keys=True)
        if name == "error":
            same = (wanted is None) == (got is None)
        if not same:
            wrong.append(f"{name}: expected {wanted!r}, got {got!r}")
    return wrong


def faulty(value: Any) -> Any:
    """Another value in the place of an expected one."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return None
        case list() if value:
            return [faulty(value[0]), *value[1:]]
        case dict() if value:
            (name, inner), *rest = value.items()
            return {name: faulty(inner), **dict(rest)}
        case _:
            return "something"


def test_files() -> None:
    """Ids are unique over all files, keys are known and every kind of question is asked."""
    keys = {"id", "rule", "says", "ruleset", "seats", "options", "ask", "given", "expect"}
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert all(set(case) == keys and case["expect"] for case in CASES)
    assert {case["ask"] for case in CASES} == set(ASK)


def test_every_value_of_every_option_is_asked() -> None:
    """R3: no switch stands in the table that no case turns."""
    asked: dict[str, set[Any]] = {name: set() for name in VALUES}
    for case in CASES:
        if case["expect"].get("error") is None or case["ask"] != "row":
            for name, value in row_of(case).items():
                if name != "id":
                    asked[name].add(value)
    for name, values in VALUES.items():
        wanted = {values[0], values[-1]} if name == "call_seconds" else values
        if name not in ("hand", "target"):
            assert asked[name] >= set(wanted), name


def test_no_tile_lies_in_two_places() -> None:
    """R1: in every position and every settlement each tile of the set is at most once."""
    looked_at = 0
    for case in CASES:
        given = case["given"].get("position", case["given"])
        held = [tile for hand in given.get("hands", []) for tile in hand]
        line = [step["tile"] for step in given.get("line", [])]
        everything = held + line + given.get("boneyard", [])
        assert len(set(everything)) == len(everything), case["id"]
        if everything:
            looked_at += 1
            assert set(tiles(everything)) <= set(tile_set(row_of(case)["set"])), case["id"]
    assert looked_at > 200


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: Case) -> None:
    assert not complaints(case, ASK[case["ask"]](case)), case["says"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_planted_fault_is_found(case: Case) -> None:
    """Each expected value, changed, is complained about."""
    answers = ASK[case["ask"]](case)
    for name, wanted in case["expect"].items():
        other = faulty(wanted) if name != "error" or wanted is None else None
        assert complaints({**case, "expect": {name: other}}, answers), name
