"""Chain and order: which event may stand where (SPEC 6.1, 8.1 to 8.3; checks 100 to 207)."""

from __future__ import annotations

from .games.hand import MOVES
from .table import Event, Table
from .words import hand as hand_number
from .words import listing, span, utc

IN_HAND = (*MOVES, "called", "timed_out", "left", "round_ended")

# 8.1: what may stand at each stage, `voided` aside.
STAGES: dict[str, tuple[str, ...]] = {
    "seating": ("seated",),
    "seeding": ("seeded",),
    "ready to draw for the lead": ("lead_drawn",),
    "ready to deal": ("dealt",),
    "ready to draw": ("drawn",),
    "hand": IN_HAND,
    "between hands": ("dealt", "match_ended"),
}


def chain(table: Table, event: Event) -> None:
    """Checks 100 to 103."""
    i = table.i
    before = table.events[i - 1] if i else None
    table.check("chain/match", table.match.hex(), event["match"])
    table.check("chain/seq", i, event["seq"], "number {}".format)
    table.check("chain/prev", table.hashes[i - 1].hex() if i else "0" * 64, event["prev"])
    if before is not None and event["at"] < before["at"]:
        early = f"{utc(event['at'])}, {span(before['at'] - event['at'])} early"
        table.fail("chain/time", f"{utc(before['at'])} or later", early)


def chain_holds(events: list[Event], hashes: list[bytes], start: int) -> bool:
    """9.5: whether every `prev` from event `start` to the end holds.

    Then the last event's hash covers that event, and with it the whole list before it.
    """
    return all(
        events[i]["prev"] == (hashes[i - 1].hex() if i else "0" * 64)
        for i in range(start, len(events))
    )


def order(table: Table, event: Event) -> bool:
    """Checks 200 to 206. False when the event has no place at all, so nothing else can be said."""
    name, data = event["type"], event["data"]
    if table.i == 0:
        table.check("order/first", "opened", name)
        table.opened, table.row, table.seats = data, data["ruleset"], data["seats"]
        foreign = [one["seat"] for one in data["reserved"] if one["seat"] >= table.seats]
        if foreign:
            table.fail("order/seat", f"seats below {table.seats}", f"seat {foreign[0]} reserved")
        return True
    if table.stage == "ended":
        table.fail("order/after-end", "nothing", name)
        return False
    allowed = STAGES[table.stage]
    if name != "voided" and name not in allowed:
        table.fail("order/unexpected", " or ".join(allowed) + f" ({table.stage})", name)
        if name in ("opened", "drawn") or (name in IN_HAND and table.hand is None):
            return False
    problem = seat_problem(table, event)
    if problem is not None:
        table.fail("order/seat", problem, table.who(max(data["seat"], data.get("to", 0))))
        if max(data["seat"], data.get("to", 0)) >= table.seats:
            return False
    if name == "dealt":
        table.check("order/round", table.round + 1, data["round"], hand_number)
    elif name == "round_ended":
        table.check("order/round", table.round, data["round"], hand_number)
    before = table.events[table.i - 1]
    if of_the_house(table, event, before) and event["at"] != before["at"]:
        late = f"{utc(event['at'])}, {span(event['at'] - before['at'])} later"
        table.fail("order/step", f"the time of the event before, {utc(before['at'])}", late)
    if name == "voided":
        void(table, event)
    return True


def seat_problem(table: Table, event: Event) -> str | None:
    """Check 203: what the seat should have been, or None."""
    seat = event["data"].get("seat")
    if seat is None:
        return None
    if max(seat, event["data"].get("to", 0)) >= table.seats:
        return f"a seat below {table.seats}"
    if event["type"] == "seated" and seat in table.seated:
        return "a seat that is not taken"
    if event["type"] == "seeded" and seat in table.seeds:
        return "a seat whose seed is missing"
    if event["type"] == "left" and seat in table.left:
        return "a seat that has not left"
    return None


def of_the_house(table: Table, event: Event, before: Event) -> bool:
    """8.2: whether an event belongs to the step of the event before it."""
    name, data = event["type"], event["data"]
    if name in ("lead_drawn", "dealt", "drawn", "match_ended"):
        return True
    if name in MOVES and table.calls_wait():
        # 8.8: the first move after a play begins a step of its own; when, is for check 357.
        return False
    if name == "round_ended":
        # 8.5: after close_by an abandonment begins a step of its own.
        late = event["at"] > table.opened["close_by"]
        return not (late and data["reason"] == "abandoned")
    if before["type"] == "timed_out" and name != "voided":
        return True
    if name in ("drew", "passed") and table.opened["auto_forced"]:
        return True
    return name in MOVES and data["seat"] in table.left


def void(table: Table, event: Event) -> None:
    """Check 206: whether `voided` may stand here with this reason (8.3, 8.7)."""
    data, hash_of = event["data"], table.hashes
    reason, missing = data["reason"], data.get("missing", [])
    if reason == "seats-missing":
        absent(table, "seating", set(table.seated), event)
    elif reason == "seeds-missing":
        absent(table, "seeding", set(table.seeds), event)
    elif reason == "left" and table.stage not in ("seating", "seeding"):
        table.fail("order/void", "another reason: every seed is known", reason)
    elif reason == "left" and (len(missing) != 1 or missing[0] not in table.seated):
        table.fail("order/void", "missing names one seated seat", seats(table, missing))
    elif reason == "history-lost":
        receipt, seq = data["receipt"], data["receipt"]["seq"]
        if receipt["match"] != table.match.hex():
            table.fail("order/void", "a receipt of this match", receipt["match"])
        elif seq < table.i and receipt["event_hash"] == hash_of[seq].hex():
            table.fail("order/void", "a receipt that is not for this chain", f"event {seq} itself")


def absent(table: Table, stage: str, there: set[int], event: Event) -> None:
    """8.3: who is missing, while somebody is."""
    due = [seat for seat in range(table.seats) if seat not in there]
    if table.stage != stage:
        table.fail("order/void", "another reason: nobody is missing", event["data"]["reason"])
    elif event["data"]["missing"] != due:
        table.fail("order/void", seats(table, due), seats(table, event["data"]["missing"]))


def seats(table: Table, missing: list[int]) -> str:
    """The seats that are missing, in words."""
    return "missing: " + (listing([table.who(seat) for seat in missing]) or "nobody")


def finish(table: Table) -> None:
    """Check 207: the list may only end where the match waits or is over."""
    hand, owed = table.hand, None
    if table.stage == "between hands" or table.stage.startswith("ready"):
        owed = " or ".join(STAGES[table.stage])
    elif hand is not None and (hand.over() is not None or table.must_abandon()):
        owed = "round_ended"
    elif table.calls_wait():
        owed = None
    elif table.must_step():
        owed = "a move of " + " or ".join(map(table.who, table.must_step()))
    elif table.stage == "hand" and table.must_force() is not None:
        owed = table.must_force()
    if owed is not None:
        table.fail("order/unfinished", owed, "the end of the list")
