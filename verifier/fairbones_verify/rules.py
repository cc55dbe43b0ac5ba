"""The moves and the settlement, held against the rule book (checks 500 to 608)."""

from __future__ import annotations

from typing import Any

from . import deal
from .games import points
from .games.line import MOVES, Hand, Step
from .order import IN_HAND
from .table import Event, Table
from .words import plural


def rules(table: Table, event: Event) -> None:
    """Checks 500 to 513, of an event inside a hand."""
    hand, name, data = table.hand, event["type"], event["data"]
    if hand is None or name not in IN_HAND:
        return
    owed(table, hand, event)
    if name == "round_ended":
        ending(table, hand, event)
        return
    if name != "left":
        table.check("rules/not-your-turn", hand.turn, data["seat"], table.who)
    if name == "played":
        play(table, hand, data)
    # Before the first tile every tile fits: that much is known without any (R5).
    fits = hand.can_play(data["seat"]) if hand.line else True
    if name in ("drew", "passed") and fits:
        table.fail("rules/must-play", "a play: a tile fits", name)
    if name == "passed" and hand.tiles is None and hand.passes + 1 == len(hand.hands):
        # Whoever can play had to, and when nobody can the hand was over before: one pass is false.
        table.fail("rules/must-play", "a play by one of the seats", "every seat passed in a row")
    if (name == "passed" or (name == "declined" and fits is False)) and hand.may_draw():
        table.fail("rules/must-draw", "drew", name)
    if name == "drew" and not hand.may_draw():
        table.fail("rules/may-not-draw", "no draw: there is none to be had", name)
    if name == "declined" and not (hand.may_decline and hand.has_drawn and fits is not False):
        table.fail("rules/may-not-decline", "a play or a pass", name)


def owed(table: Table, hand: Hand, event: Event) -> None:
    """Checks 500 to 503: whether the house had to append something else here."""
    name, data = event["type"], event["data"]
    over, step, must_abandon = hand.over(), table.must_step(), table.must_abandon()
    if over is not None:
        if name != "round_ended":
            table.fail("rules/hand-over", f"round_ended ({over})", name)
        return
    if step is not None:
        due = hand.fixed_step()
        if name not in MOVES or data["seat"] != step:
            table.fail("rules/fixed-step", f"a move of {table.who(step)}", said(table, event))
        elif due is not None and step_of(event) != due:
            table.fail("rules/fixed-step", spoken(due), spoken(step_of(event)))
    if must_abandon and not (name == "round_ended" and data["reason"] == "abandoned"):
        table.fail("rules/abandon", "round_ended (abandoned)", said(table, event))
    if name in ("timed_out", "left") and table.must_force() is not None:
        due_now = f"{table.must_force()} of {table.who(hand.turn)}"
        table.fail("rules/forced-step", due_now, said(table, event))


def ending(table: Table, hand: Hand, event: Event) -> None:
    """Check 504."""
    if event["data"]["reason"] == "abandoned":
        closing = event["at"] > table.opened["close_by"] and table.waits()
        if not table.must_abandon() and not closing:
            table.fail("rules/not-over", "no abandonment here (8.5)", "abandoned")
    # Where a block cannot be told, `blocked` says None and this is not yet provable.
    elif hand.over() is None and hand.blocked() is False:
        table.fail("rules/not-over", "the hand goes on", said(table, event))


def play(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Checks 506 to 509."""
    tile, end = deal.read(data["tile"]), data.get("end")
    if not hand.line:
        if hand.must_set is not None and tile != hand.must_set:
            table.fail("rules/must-set", deal.written(hand.must_set), data["tile"])
        table.check("rules/end", None, end)
        return
    if end is None:
        table.fail("rules/end", "left or right", end)
        return
    value = hand.left if end == "left" else hand.right
    if value not in tile:
        table.fail("rules/does-not-fit", f"a tile with {value} at the end {end}", data["tile"])
    if hand.left == hand.right and end != "left":
        table.fail("rules/listed-form", "left: both ends have one value", end)


def settlement(table: Table, event: Event) -> None:
    """Checks 600 to 608."""
    name, data = event["type"], event["data"]
    if name == "played" and "points" in data:
        table.fail("points/play", None, plural(data["points"], "point"))
    elif name == "round_ended" and table.hand is not None:
        round_points(table, table.hand, data)
    elif name == "dealt" and table.round:
        end = match_end(table)
        if end is not None:
            table.fail("points/match-over", f"match_ended ({end[0]})", name)
    elif name == "match_ended":
        table.check("points/scores", table.scores, data["scores"], table.by_side)
        end = match_end(table)
        if end is None:
            table.fail("points/match-over", "dealt", name)
        else:
            table.check("points/match-reason", end[0], data["reason"])
            table.check("points/match-winner", end[1], data.get("winner"), table.side)


def match_end(table: Table) -> Any:
    """R9: how the match ends now, or None."""
    most = table.opened["rounds_max"]
    return points.match_end(table.row, table.scores, table.ended, table.round, most)


def round_points(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Checks 601 to 605."""
    reason, over = data["reason"], hand.over()
    if reason != "abandoned" and over is not None:
        # A hand that is not over is 504's; where it is, the truth settles it, not the word.
        table.check("points/reason", over, reason)
        reason = over
    sides = points.sides_of(table.row, table.seats)
    held = [hand.held(seat) for seat in range(table.seats)]
    known = [tiles for tiles in held if tiles is not None]
    by_seat = [sum(map(deal.pips, tiles)) for tiles in known]
    won = data.get("winner")
    if known:
        table.check("points/counts", by_seat, data["counts"], table.by_seat)
    counts = points.by_side(by_seat, sides)
    if known or reason != "blocked":
        due = points.winner(
            table.row, counts, held_or_empty(held), reason, hand.causer, hand.leader
        )
        table.check("points/winner", due, won, table.side)
    if known or reason == "abandoned" or len(data["points"]) != sides:
        scored = points.points(table.row, counts, reason, won)
        table.check("points/points", scored, data["points"], table.by_side)
    sums = [a + b for a, b in zip(table.scores, data["points"])]
    table.check("points/scores", sums, data["scores"], table.by_side)


def held_or_empty(held: list[Any]) -> list[Any]:
    """The hands where they are known, else as many empty ones."""
    return [tiles or [] for tiles in held]


def step_of(event: Event) -> Step:
    """A move as the rules see it."""
    data = event["data"]
    tile = deal.read(data["tile"]) if "tile" in data else None
    return Step(event["type"], tile, data.get("end"))


def spoken(step: Step) -> str:
    """A move in words."""
    tile = "" if step.tile is None else f" {deal.written(step.tile)}"
    return step.type + tile + ("" if step.end is None else f" at the end {step.end}")


def said(table: Table, event: Event) -> str:
    """An event in words."""
    name, data = str(event["type"]), event["data"]
    seat = f" of {table.who(data['seat'])}" if "seat" in data else ""
    return name + seat + (f" ({data['reason']})" if "reason" in data else "")
