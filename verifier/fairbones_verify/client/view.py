"""What a view of the head has to say, reckoned from the events (SPEC 10, C13).

Every member that follows from the events, or from the own tiles, is compared; one that is missing
where it is due, or there where it is not, is another than reckoned too. `now` is the house's own.
"""

from __future__ import annotations

from typing import Any

from ..strictjson import canonical
from ..table import Table
from . import own, seen
from .lies import Lie

Json = dict[str, Any]
STAGES = {"seating": "joining", "seeding": "revealing", "hand": "playing"}
ALWAYS = ("id", "status", "ruleset", "scores", "waiting_for", "round", "deadline", "result")
IN_HAND = ("turn", "giving_to", "line", "ends", "count", "boneyard")
OF_A_SEAT = ("seat", "taken", "count", "score", "name", "public_key", "reserved", "left")


def compare(table: Table, view: Json) -> None:
    """C13: what is told to whomever it is shown."""
    if table.draw:
        return
    turn, giving_to = turns(table, view)
    due = {**of_match(table, turn), **of_hand(table, turn), "giving_to": giving_to}
    for name in (*ALWAYS, *IN_HAND):
        same(name, due.get(name), view.get(name))
    told = view.get("seats")
    if not isinstance(told, list) or not all(isinstance(one, dict) for one in told):
        raise Lie("C13", "the view has no list of seats")
    shown = [{name: one[name] for name in OF_A_SEAT if name in one} for one in told]
    same("list of seats", [of_seat(table, one) for one in range(table.seats)], shown)


def compare_own(table: Table, view: Json, you: Json, seat: int, known: dict[int, Any]) -> None:
    """C13: what a view tells the seat alone."""
    same("seat", seat, you.get("seat"))
    mine = own.mine(table, seat, known)
    if mine is not None and mine.may_be_given() and mine.turn == seat:
        same("giving_to", None if mine.can_play(seat) else seat, view.get("giving_to"))
    due, listed = seen.legal(table, seat, known), you.get("legal_actions")
    if due is None:
        return
    if not isinstance(listed, list):
        raise Lie("C13", "the view does not tell what I may do")
    if seen.may_give(table, seat) and "giving_to" not in view:
        due = [one for one in due if one["type"] != "give"]
    same("list of legal actions", *(sorted(map(canonical, one)) for one in (due, listed)))


def same(what: str, due: object, told: object) -> None:
    """As JSON: `true` is no 1. None stands for what is not there."""
    if canonical(due) != canonical(told):
        words = ("nothing" if one is None else str(one)[:500] for one in (told, due))
        raise Lie(
            "C13", "the view tells another {} than the events: {}, and not {}".format(what, *words)
        )


def turns(table: Table, view: Json) -> tuple[int | None, int | None]:
    """The seat to act, and to whom it gives. Whether the seat on turn has to be given a tile only
    that seat knows, and the house (R6, 3): anybody else is told."""
    hand = table.hand
    if hand is None:
        return None, None
    if hand.may_be_given() and view.get("turn") != hand.turn:
        return hand.left_of(hand.turn), hand.turn
    return hand.turn, None


def of_match(table: Table, turn: int | None) -> Json:
    """What is told at every stage."""
    last, everybody = table.events[table.i - 1], range(table.seats)
    told: Json = {
        "id": table.match.hex(),
        "status": STAGES.get(table.stage, "void" if last["type"] == "voided" else "ended"),
        "ruleset": table.row["id"],
        "scores": scores(table),
        "waiting_for": [],
    }
    if table.round:
        told["round"] = table.round
    if table.stage == "seating":
        told["waiting_for"] = [one for one in everybody if one not in table.seated]
        told["deadline"] = table.opened_at + 1000 * int(table.opened["join_seconds"])
    elif table.stage == "seeding":
        told["waiting_for"] = [one for one in everybody if one not in table.seeds]
        told["deadline"] = table.seated_at + 1000 * int(table.opened["reveal_seconds"])
    elif turn is not None:
        # A seat that has left is on turn while others may call, and not waited for.
        told["waiting_for"] = [] if turn in table.left else [turn]
        told["deadline"] = deadline(table, turn)
    elif last["type"] in ("match_ended", "voided"):
        members = ("reason", "winner", "missing")
        told["result"] = {name: last["data"][name] for name in members if name in last["data"]}
    return told


def deadline(table: Table, turn: int) -> int:
    """8.4, and 8.5: after `close_by` nobody can move. Who has left has no time of its own (8.8)."""
    due = table.calls_until() if turn in table.left else table.deadline(turn)
    return min(due, int(table.opened["close_by"]) + 1)


def of_hand(table: Table, turn: int | None) -> Json:
    """What lies on the table while a hand is played."""
    hand = table.hand
    if hand is None:
        return {}
    ends: list[Json] = [
        {
            "end": one.name,
            "value": one.value,
            **({"weight": one.weight} if hand.line.counts else {}),
        }
        for one in hand.line.open_ends()
    ]
    told = {"turn": turn, "line": seen.line(table), "ends": ends, "boneyard": len(hand.boneyard)}
    if hand.line.counts and not hand.muggins:
        told["count"] = hand.line.count()
    return told


def of_seat(table: Table, seat: int) -> Json:
    """A seat as everybody sees it."""
    hand, points, seated = table.hand, scores(table), table.seated.get(seat, {})
    told: Json = {
        "seat": seat,
        "taken": seat in table.seated,
        "count": 0 if hand is None else len(hand.hands[seat]),
        "score": points[seat % len(points)],
        **{name: seated[name] for name in ("name", "public_key") if name in seated},
    }
    if seat in [one["seat"] for one in table.opened["reserved"]]:
        told["reserved"] = True
    if seat in table.left:
        told["left"] = True
    return told


def scores(table: Table) -> list[int]:
    return table.scores if table.hand is None else table.hand.scores
