"""The worked cases of the rules (tests/cases) against the rule book of the verifier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fairbones_verify import rulesets
from fairbones_verify.deal import Tile, first_lead, pips, read, tile_set, written
from fairbones_verify.games import points
from fairbones_verify.games.line import Hand, Step

FILE = Path(__file__).resolve().parents[1] / "cases" / "block_draw.json"

Case = dict[str, Any]

CASES: list[Case] = json.loads(FILE.read_text("utf-8"))["cases"]

KINDS = {"play": "played", "draw": "drew", "pass": "passed", "decline": "declined"}
WORDS = {kind: word for word, kind in KINDS.items()}


def row(case: Case) -> dict[str, Any]:
    published = rulesets.ROWS[case["ruleset"]]
    hand = published.hand.get(case["seats"], 7)
    return {**published.published, "hand": hand, **case["options"]}


def hand(case: Case, at: Case) -> Hand:
    """The hand of a position: every tile gets a place of its own."""
    tiles: list[Tile] = []

    def places(texts: list[str]) -> list[int]:
        tiles.extend(map(read, texts))
        return list(range(len(tiles) - len(texts), len(tiles)))

    held = [places(texts) for texts in at["hands"]]
    must = read(at["must_set"]) if "must_set" in at else None
    it = Hand(row(case), held, places(at["boneyard"]), at["leader"], tiles, must)
    for place in at["line"]:
        it.play(place["seat"], -1, read(place["tile"]), place.get("end"))
    it.turn, it.has_drawn = at["turn"], at["drawn"]
    return it


def action(step: Step | None) -> Case | None:
    if step is None:
        return None
    said: Case = {"type": WORDS[step.type]}
    if step.tile is not None:
        said["tile"] = written(step.tile)
    if step.end is not None:
        said["end"] = step.end
    return said


def listed(it: Hand, asked: Case) -> Step:
    """The listed form of an action (R6): high half first, `left` where both ends are alike."""
    tile = asked.get("tile")
    halves = sorted(map(int, tile.split("-")), reverse=True) if tile else None
    end = asked.get("end")
    if it.line and it.left == it.right and end == "right":
        end = "left"
    return Step(KINDS[asked["type"]], (halves[0], halves[1]) if halves else None, end)


def take(it: Hand, seat: int, step: Step) -> None:
    tiles = it.tiles or []
    if step.type == "played" and step.tile is not None:
        place = next(place for place in it.hands[seat] if tiles[place] == step.tile)
        it.play(seat, place, step.tile, step.end)
    elif step.type == "drew":
        it.draw(seat, it.boneyard[0])
    else:
        it.next_turn(seat)


def answers(case: Case) -> Case:
    """What the verifier's rule book says about a case."""
    given, options = case["given"], row(case) if case["ask"] != "row" else {}
    if case["ask"] == "set":
        tiles = tile_set(given["set"])
        ones = {half: sum(tile.count(half) for tile in tiles) for half in range(given["set"] + 1)}
        (each,) = set(ones.values())
        return {"tiles": len(tiles), "pips": sum(map(pips, tiles)), "halves_of_each_value": each}
    if case["ask"] == "check-set":
        good = sorted(map(read, given["tiles"])) == tile_set(given["set"])
        return {"error": None if good else "refused"}
    if case["ask"] == "row":
        return resolved(case)
    if case["ask"] == "first-lead":
        lead = first_lead([[read(tile) for tile in tiles] for tiles in given["hands"]])
        assert lead is not None
        return {
            "seat": lead[0],
            "must_set": written(lead[1]),
            "legal": [{"type": "play", "tile": written(lead[1])}],
        }
    if case["ask"] == "settle":
        hands = [[read(tile) for tile in tiles] for tiles in given["hands"]]
        finish = given["finish"]
        return settled(options, hands, finish["reason"], finish["seat"], given["leader"])
    if case["ask"] in ("match", "abandon"):
        reason = "abandoned" if case["ask"] == "abandon" else "domino"
        numbers = given.get("round", 1), given.get("rounds_max", 9)
        end = points.match_end(options, given["scores"], reason, *numbers)
        return {"end": None if end is None else {"reason": end[0], "winner": end[1]}}
    return played(case, given, options)


def settled(options: Case, hands: list[list[Tile]], reason: str, causer: int, leader: int) -> Case:
    by_seat = [sum(map(pips, tiles)) for tiles in hands]
    sides = points.sides_of(options, len(hands))
    counts = points.by_side(by_seat, sides)
    winner = points.winner(options, counts, hands, reason, causer, leader)
    return {
        "winner": winner,
        "points": points.points(options, counts, reason, winner),
        "counts": by_seat,
        "next_lead": points.next_lead(winner, causer, leader, sides, len(hands)),
    }


def resolved(case: Case) -> Case:
    if case["ruleset"] not in rulesets.ROWS or "id" in case["options"]:
        return {"error": "refused"}
    options, seats = row(case), case["seats"]
    low, high = rulesets.SEATS[case["ruleset"]]
    needed = options["hand"] * seats + options.get("protected", 0)
    if (
        rulesets.flaws(options)
        or not low <= seats <= high
        or needed > 28
        or (options["partners"] and seats != 4)
    ):
        return {"error": "refused"}
    boneyard = 28 - options["hand"] * seats
    draws = options["drawing"] == "until-fits"
    return {
        "error": None,
        "hand": options["hand"],
        "boneyard": boneyard,
        "drawable": boneyard - options["protected"] if draws else 0,
        "sides": points.sides_of(options, seats),
    }


def played(case: Case, given: Case, options: Case) -> Case:
    it, error, last = hand(case, given["position"]), None, None
    actions = [one for one in given.get("actions", []) for _ in range(one.get("times", 1))]
    for one in actions:
        step = listed(it, one["action"])
        if it.over() is not None or one["seat"] != it.turn or step not in it.legal():
            error = "refused"
            break
        take(it, one["seat"], step)
        last = step
    over = it.over()
    held = [it.held(seat) or [] for seat in range(len(it.hands))]
    said: Case = {
        "error": error,
        "listed": action(last),
        "turn": it.turn,
        "legal": [action(step) for step in it.legal()] if over is None else [],
        "forced": action(it.forced()) if over is None else None,
        "fixed": action(it.fixed_step()) if over is None else None,
        "ends": {"left": it.left, "right": it.right} if it.line else {},
        "hands": [sorted(map(written, tiles)) for tiles in held],
        "boneyard": [written((it.tiles or [])[place]) for place in it.boneyard],
        "finish": None if over is None else {"reason": over, "seat": it.causer},
    }
    if over is not None:
        said |= settled(options, held, over, it.causer, it.leader)
    return said


def differs(case: Case, expect: dict[str, Any]) -> list[str]:
    """The answers that are not what is expected."""
    got = answers(case)
    wrong = []
    for name, due in expect.items():
        if name == "error":
            # The service names its refusals; a verifier only knows that the move is not legal.
            right = (got["error"] is None) == (due is None)
        elif name == "hands":
            right = got[name] == [sorted(tiles) for tiles in due]
        else:
            right = got[name] == due
        wrong += [] if right else [name]
    return wrong


def changed(value: Any) -> Any:
    """Another value in the place of an expected one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, dict):
        return {**value, "more": 1}
    if isinstance(value, list):
        return [*value, ["6-6"]]
    return "something else"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: Case) -> None:
    assert not differs(case, case["expect"]), case["says"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_with_another_expected_value_fails(case: Case) -> None:
    for name, due in case["expect"].items():
        other = changed(due) if name != "error" or due is None else None
        assert differs(case, {name: other}) == [name]
