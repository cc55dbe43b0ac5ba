"""The moves, held against the rule book (checks 500 to 518)."""

from __future__ import annotations

from typing import Any

from . import deal
from .games.hand import MOVES, Hand, Step
from .order import IN_HAND
from .table import Event, Table
from .words import listing, plural


def rules(table: Table, event: Event) -> None:
    """Checks 500 to 518, of an event inside a hand."""
    hand, name, data = table.hand, event["type"], event["data"]
    if hand is None or name not in IN_HAND:
        return
    owed(table, hand, event)
    if name == "round_ended":
        ending(table, hand, event)
    if name in MOVES or name == "timed_out":
        turn(table, hand, event)
    if name == "played":
        play(table, hand, data)
    if name in ("drew", "passed", "declined"):
        without_a_play(table, hand, event)
    if name == "gave":
        gift(table, hand, data)
    if name == "played":
        play_at_last(table, hand, data)
    if name == "called":
        call(table, hand, data["seat"])


def owed(table: Table, hand: Hand, event: Event) -> None:
    """Checks 500 to 503: whether the house had to append something else here."""
    name, data = event["type"], event["data"]
    over, steps, must_abandon = hand.over(), table.must_step(), table.must_abandon()
    # 8.8: while calls are waited for, these may stand where a step of the house is due.
    closing = name == "round_ended" and event["at"] > table.opened["close_by"]
    between = (name in ("called", "left") or closing) and table.calls_wait()
    if over is not None:
        if name != "round_ended":
            table.fail("rules/hand-over", f"round_ended ({over})", name)
        return
    if steps and not between:
        due = hand.fixed_step()
        if name not in MOVES or data["seat"] not in steps:
            who = " or ".join(map(table.who, steps))
            table.fail("rules/fixed-step", f"a move of {who}", said(table, event))
        elif due is not None and step_of(hand, event) != due:
            table.fail("rules/fixed-step", spoken(due), spoken(step_of(hand, event)))
    if must_abandon and not (name == "round_ended" and data["reason"] == "abandoned"):
        table.fail("rules/abandon", "round_ended (abandoned)", said(table, event))
    forced = table.must_force()
    if name in ("timed_out", "left", "called") and forced is not None and not between:
        due_now = f"{forced} of {table.who(hand.turn)}"
        table.fail("rules/forced-step", due_now, said(table, event))


def ending(table: Table, hand: Hand, event: Event) -> None:
    """Check 504."""
    if event["data"]["reason"] == "abandoned":
        waits = table.waits() or table.calls_wait()
        closing = event["at"] > table.opened["close_by"] and waits
        if not table.must_abandon() and not closing:
            table.fail("rules/not-over", "no abandonment here (8.5)", "abandoned")
    # Where a block cannot be told, `blocked` says None and this is not yet provable; but then it
    # is a block or nothing.
    elif hand.over() is None and (hand.blocked() is False or event["data"]["reason"] != "blocked"):
        table.fail("rules/not-over", "the hand goes on", said(table, event))


def turn(table: Table, hand: Hand, event: Event) -> None:
    """Check 505."""
    name, seat = event["type"], event["data"]["seat"]
    due = {"gave": [hand.left_of(hand.turn)], "timed_out": hand.actors()}.get(name, [hand.turn])
    if seat not in due:
        expected = " or ".join(map(table.who, due))
        table.fail("rules/not-your-turn", expected, table.who(seat))


def play(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Checks 506 to 509."""
    tile, name = deal.read(data["tile"]), data.get("end")
    if not hand.line.tiles:
        if hand.must_set is not None and tile != hand.must_set:
            table.fail("rules/must-set", deal.written(hand.must_set), data["tile"])
        table.check("rules/end", None, name)
        return
    names = listing([end.name for end in hand.line.open_ends()])
    if name is None:
        table.fail("rules/end", f"one of the ends {names}", name)
        return
    end = hand.line.end(name)
    if end is None or not end.is_open:
        table.fail("rules/does-not-fit", f"one of the ends {names}", f"the end {name}")
        return
    if end.value not in tile:
        wanted = f"a tile with {end.value} at the end {name}"
        table.fail("rules/does-not-fit", wanted, data["tile"])
    twin = hand.line.twin(name)
    if twin is not None:
        table.fail("rules/listed-form", f"{twin}: both ends have one value", name)


def without_a_play(table: Table, hand: Hand, event: Event) -> None:
    """Checks 510 to 514."""
    name, seat = event["type"], event["data"]["seat"]
    # Before the first tile every tile fits: that much is known without any (R5).
    fits = hand.can_play(seat) if hand.line.tiles else True
    if name in ("drew", "passed") and (fits or hand.shown_to_play(seat)):
        table.fail("rules/must-play", "a play: a tile fits", name)
    holding = sum(1 for places in hand.hands if places)
    if name == "passed" and hand.tiles is None and hand.passes + 1 == holding:
        # Whoever can play had to, and when nobody can the hand was over before: one pass is false.
        table.fail("rules/must-play", "a play by one of the seats", "every seat passed in a row")
    if (name == "passed" or (name == "declined" and fits is False)) and hand.may_draw():
        table.fail("rules/must-draw", "drew", name)
    if name == "drew" and not hand.may_draw():
        table.fail("rules/may-not-draw", "no draw: there is none to be had", name)
    if name == "declined" and not (hand.may_decline and hand.has_drawn and fits is not False):
        table.fail("rules/may-not-decline", "a play or a pass", name)
    if name == "passed" and hand.may_be_given():
        giver = table.who(hand.left_of(hand.turn))
        table.fail("rules/must-give", f"gave of {giver}", name)


def gift(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Check 515."""
    if data["to"] != hand.turn:
        wanted = f"a tile for {table.who(hand.turn)}"
        table.fail("rules/may-not-give", wanted, table.who(data["to"]))
    elif not hand.may_be_given():
        table.fail("rules/may-not-give", "no gift here", "gave")
    elif hand.can_play(hand.turn):
        table.fail("rules/may-not-give", f"a play by {table.who(hand.turn)}", "gave")


def play_at_last(table: Table, hand: Hand, data: dict[str, Any]) -> None:
    """Checks 516 and 517."""
    if hand.given is not None and data["seal"] != hand.given:
        table.fail("rules/given-tile", f"position {hand.given}", f"position {data['seal']}")
    claim = data.get("claim")
    if claim is None:
        return
    score = hand.score(data["seat"], deal.read(data["tile"]), data.get("end"))
    if not hand.muggins:
        table.fail("rules/claim", None, claim)
    elif claim > score:
        table.fail("rules/claim", f"a claim of at most {plural(score, 'point')}", claim)


def call(table: Table, hand: Hand, seat: int) -> None:
    """Check 518."""
    if hand.window is None:
        table.fail("rules/may-not-call", "no call: there is no play to call", "called")
    elif seat in table.left or not hand.opponents(seat, hand.window):
        wanted = f"an opponent of {table.who(hand.window)} that has not left"
        table.fail("rules/may-not-call", wanted, table.who(seat))


def step_of(hand: Hand, event: Event) -> Step:
    """A move as the rules see it; only called where the tiles are known."""
    data = event["data"]
    tile = deal.read(data["tile"]) if "tile" in data else None
    if event["type"] == "gave" and hand.tiles is not None and data["seal"] < len(hand.tiles):
        tile = hand.tiles[data["seal"]]
    return Step(event["type"], tile, data.get("end"), data.get("claim"))


def spoken(step: Step) -> str:
    """A move in words."""
    tile = "" if step.tile is None else f" {deal.written(step.tile)}"
    claim = "" if step.claim is None else f" with a claim of {step.claim}"
    return step.type + tile + ("" if step.end is None else f" at the end {step.end}") + claim


def said(table: Table, event: Event) -> str:
    """An event in words."""
    name, data = str(event["type"]), event["data"]
    seat = f" of {table.who(data['seat'])}" if "seat" in data else ""
    return name + seat + (f" ({data['reason']})" if "reason" in data else "")
