"""What the rule book of the verifier answers to a worked case (tests/cases/README.md)."""

from __future__ import annotations

from typing import Any

from fairbones_verify import rulesets
from fairbones_verify.deal import Tile, first_lead, pips, read, tile_set, written
from fairbones_verify.games import notation, points
from fairbones_verify.games.hand import Hand, Step
from fairbones_verify.games.lead import Asked, Before, drawn_lead, lead
from fairbones_verify.games.position import act, begin
from fairbones_verify.sealed import misfit

Case = dict[str, Any]

KINDS = {
    "play": "played",
    "draw": "drew",
    "pass": "passed",
    "decline": "declined",
    "give": "gave",
    "call": "called",
}
WORDS = {kind: word for word, kind in KINDS.items()}


def row_of(case: Case) -> Case:
    """The row of a case: what is published, for its seats, with its options."""
    published = rulesets.ROWS[case["ruleset"]]
    hand = published.hand.get(case["seats"], 7)
    return {**published.published, "hand": hand, **case["options"]}


def tiles_of(hands: list[list[str]]) -> list[list[Tile]]:
    return [[read(tile) for tile in tiles] for tiles in hands]


def answers(case: Case) -> Case:
    """The answers to the question of a case."""
    given = case["given"]
    if case["ask"] == "row":
        return made(case)
    return QUESTIONS[case["ask"]](row_of(case), given, case)


# One question each: the row, what is given, the whole case.


def built(row: Case, given: Case, case: Case) -> Case:
    tiles = tile_set(given["set"])
    ones = {half: sum(tile.count(half) for tile in tiles) for half in range(given["set"] + 1)}
    (each,) = set(ones.values())
    return {"tiles": len(tiles), "pips": sum(map(pips, tiles)), "halves_of_each_value": each}


def judged(row: Case, given: Case, case: Case) -> Case:
    good = sorted(map(read, given["tiles"])) == tile_set(given["set"])
    return {"error": None if good else "refused"}


def made(case: Case) -> Case:
    if case["ruleset"] not in rulesets.ROWS or "id" in case["options"]:
        return {"error": "refused"}
    row, seats = row_of(case), case["seats"]
    low, high = rulesets.SEATS[case["ruleset"]]
    if rulesets.flaws(row) or not low <= seats <= high or misfit(row, seats) is not None:
        return {"error": "refused"}
    boneyard = len(tile_set(row["set"])) - row["hand"] * seats
    draws = row["drawing"] == "until-fits"
    return {
        "error": None,
        "row": row,
        "hand": row["hand"],
        "boneyard": boneyard,
        "drawable": boneyard - row["protected"] if draws else 0,
        "sides": points.sides_of(row, seats),
    }


def first(row: Case, given: Case, case: Case) -> Case:
    found = first_lead(tiles_of(given["hands"]))
    assert found is not None
    it = begin(row, tiles_of(given["hands"]), [], *found)
    return {
        "seat": found[0],
        "must_set": written(found[1]),
        "legal": [said(step) for step in it.legal()],
    }


def led(row: Case, given: Case, case: Case) -> Case:
    hands, before = tiles_of(given["hands"]), given["before"]
    last = None if before is None else Before(**{**before, "seat": before.get("seat", 0)})
    seats = len(hands)
    found = lead(Asked(row, hands, seats, points.sides_of(row, seats), given["drawn"], last))
    must = None if found.must_set is None else written(found.must_set)
    return {"seat": found.seat, "must_set": must}


def drawn(row: Case, given: Case, case: Case) -> Case:
    return {"seat": drawn_lead([read(tile) for tile in given["tiles"]])}


def ends(row: Case, given: Case, case: Case) -> Case:
    reason = "abandoned" if case["ask"] == "abandon" else "domino"
    numbers = given.get("round", 1), given.get("rounds_max", 9)
    end = points.match_end(row, given["scores"], reason, *numbers)
    return {"end": None if end is None else {"reason": end[0], "winner": end[1]}}


def settle(row: Case, given: Case, case: Case) -> Case:
    hands, finish = tiles_of(given["hands"]), given["finish"]
    counts = [sum(map(pips, tiles)) for tiles in hands]
    scores = given.get("scores", [0] * points.sides_of(row, len(hands)))
    seat = finish.get("seat", 0)
    return settled(
        row, points.Ended(finish["reason"], seat, given["leader"], hands, counts, scores)
    )


def settled(row: Case, end: points.Ended) -> Case:
    winner, seats = points.winner(row, end), len(end.counts)
    before = Before(end.reason, end.seat, end.leader, winner)
    return {
        "winner": winner,
        "points": points.points(row, end, winner),
        "counts": list(end.counts),
        "next_lead": lead(Asked(row, None, seats, end.sides, None, before)).seat,
    }


def noted(row: Case, given: Case, case: Case) -> Case:
    steps = [notation.step_from(text) for text in given["texts"]]
    for text, step in zip(given["texts"], steps, strict=True):
        assert step is None or notation.text_of(step) == text
    return {"actions": [said(step) for step in steps]}


# A hand played from a position


def hand_at(row: Case, at: Case) -> Hand:
    """The hand of a position."""
    must = read(at["must_set"]) if "must_set" in at else None
    yard = [read(tile) for tile in at["boneyard"]]
    it = begin(row, tiles_of(at["hands"]), yard, at["leader"], must, at.get("scores"))
    for place in at["line"]:
        it.play(place["seat"], -1, read(place["tile"]), place.get("end"))
    it.turn, it.has_drawn, it.window = at["turn"], at["drawn"], None
    return it


def said(step: Step | None) -> Case | None:
    """An action as the cases write it."""
    if step is None:
        return None
    told: Case = {"type": WORDS[step.type]}
    if step.tile is not None:
        told["tile"] = written(step.tile)
    if step.end is not None:
        told["end"] = step.end
    if step.claim is not None:
        told["claim"] = step.claim
    return told


def listed(it: Hand, asked: Case) -> Step:
    """The listed form of an action (R6), and its claim."""
    tile, end = asked.get("tile"), asked.get("end")
    halves = sorted(map(int, tile.split("-")), reverse=True) if tile else None
    if end is not None:
        end = it.line.twin(end) or end
    kind = KINDS[asked["type"]]
    return Step(kind, (halves[0], halves[1]) if halves else None, end, asked.get("claim"))


def callers(it: Hand, taken: bool) -> list[int]:
    """The seats for which a call is listed; `taken`: those to which it would bring something."""
    seats = [] if it.over() else [seat for seat in range(len(it.hands)) if it.may_call(seat)]
    return [seat for seat in seats if not taken or it.counted(seat, it.missed)]


def allowed(it: Hand, seat: int, step: Step) -> bool:
    """Whether an action is legal now."""
    if it.over() is not None:
        return False
    if step.type == "called":
        return seat in callers(it, True)
    if [seat] != it.actors() or step._replace(claim=None) not in it.legal():
        return False
    if step.claim is None:
        return True
    assert step.tile is not None
    return it.muggins and 1 <= step.claim <= it.score(seat, step.tile, step.end)


def played(row: Case, given: Case, case: Case) -> Case:
    it, error, last = hand_at(row, given["position"]), None, None
    credited, counts, all_ends = [], [], []
    asked = [one for one in given.get("actions", []) for _ in range(one.get("times", 1))]
    for one in asked:
        step = listed(it, one["action"])
        if not allowed(it, one["seat"], step):
            error = "refused"
            break
        credited.append(act(it, step, one["seat"]))
        counts.append(it.line.count())
        all_ends.append([told_end(end) for end in it.line.ends])
        last = step
    over, tiles = it.over(), it.tiles or []
    told: Case = {
        "error": error,
        "listed": said(last),
        "credited": credited,
        "count": counts,
        "all_ends": all_ends,
        "turn": it.turn,
        "to_act": it.actors()[0] if over is None else None,
        "legal": [said(step) for step in it.legal()],
        "forced": said(it.forced()) if over is None else None,
        "fixed": said(it.fixed_step()) if over is None else None,
        "ends": {end.name: end.value for end in it.line.open_ends()},
        "hands": [sorted(map(written, it.held(seat) or [])) for seat in range(len(it.hands))],
        "boneyard": [written(tiles[place]) for place in it.boneyard],
        "scores": list(it.scores),
        "call_listed": callers(it, False),
        "call_legal": callers(it, True),
        "finish": None,
    }
    if over is not None:
        end = it.ended(over)
        told["finish"] = {"reason": over, "seat": end.seat}
        if over == "target":
            del told["finish"]["seat"]
        told |= settled(row, end)
    return told


def told_end(end: Any) -> Case:
    return {"name": end.name, "value": end.value, "weight": end.weight, "open": end.is_open}


QUESTIONS = {
    "set": built,
    "check-set": judged,
    "first-lead": first,
    "lead": led,
    "lead-draw": drawn,
    "settle": settle,
    "match": ends,
    "abandon": ends,
    "hand": played,
    "notation": noted,
}
