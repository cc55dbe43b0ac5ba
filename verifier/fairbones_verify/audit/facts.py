"""What one verified transcript adds to the counts of an audit (spec/audit.md, 3).

Everything here is taken as the events state it: that it is true has been checked before.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

Event = dict[str, Any]

ROOT_LETTERS = 32  # of 64: 16 bytes of a root are enough to tell it from any other


def facts(events: list[Event], options: list[dict[str, Any]], unchecked: list[str]) -> Event:
    """The facts of a match; `options` and `unchecked` are those of its report."""
    opened, last = events[0]["data"], events[-1]
    told: dict[str, Any] = {
        "ruleset": opened["ruleset"]["id"],
        "partners": bool(opened["ruleset"].get("partners")),
        "key_id": opened["key_id"],
        "close_by": opened["close_by"],
        "end": ending(events),
        "seats": seats(events),
        "client_seeds": {
            str(event["data"]["seat"]): event["data"]["client_seed"]
            for event in events
            if "client_seed" in event["data"]
        },
        "seed_hash": opened["server_seed_hash"],
        "roots": [[r, root[:ROOT_LETTERS]] for r, root in roots(opened)],
        "options": options,
        "unchecked": unchecked,
        "table": table(events),
    }
    if "server_seed" in last["data"]:
        told["server_seed"] = last["data"]["server_seed"]
    return told


def roots(opened: dict[str, Any]) -> list[tuple[int, str]]:
    """Every root that was announced, with its hand; 0 is the draw for the lead."""
    announced = [(0, opened["lead_wash"])] if "lead_wash" in opened else []
    return announced + list(enumerate(opened["washes"], 1))


def ending(events: list[Event]) -> dict[str, Any]:
    """How the match ended, or what it waits for."""
    opened, last = events[0]["data"], events[-1]
    reason = last["data"].get("reason")
    if last["type"] == "voided":
        return {"kind": "voided", "reason": reason, "knew": knew(events)}
    if last["type"] == "match_ended" and reason == "abandoned":
        late = last["at"] > opened["close_by"]
        return {"kind": "abandoned", "reason": "close_by" if late else "idle"}
    if last["type"] in ("match_ended", "drawn"):
        return {"kind": "drawn" if last["type"] == "drawn" else "played"}
    types = Counter(event["type"] for event in events)
    if types["seated"] < opened["seats"]:
        return {"kind": "waiting", "reason": "seats"}
    return {"kind": "waiting", "reason": "hands" if types["dealt"] else "seeds"}


def knew(events: list[Event]) -> str:
    """What the house knew when it called the match off, by what it had written down."""
    types = Counter(event["type"] for event in events)
    shown = sum("client_seed" in event["data"] for event in events)
    missing = events[0]["data"]["seats"] - shown
    if types["dealt"]:
        return "dealt"
    if not missing:
        return "all-seeds"
    if not types["seated"]:
        return "no-seat"
    if not shown:
        return "no-seed"
    return "all-but-one" if missing == 1 else "some-seeds"


def seats(events: list[Event]) -> list[dict[str, Any]]:
    """Who sat where, and how often it ran out of time, left, or kept its seed."""
    found: dict[int, dict[str, Any]] = {}
    for event in events:
        data = event["data"]
        if event["type"] == "seated":
            named = {k: data[k] for k in ("public_key", "name") if k in data}
            counts = {"timed_out": 0, "left": 0, "withheld": 0}
            found[data["seat"]] = {"seat": data["seat"], **named, **counts}
        elif event["type"] in ("timed_out", "left"):
            found[data["seat"]][event["type"]] += 1
        elif event["type"] == "voided":
            blamed = {"left": "left", "seeds-missing": "withheld"}.get(data["reason"], "")
            for seat in data["missing"] if blamed else ():
                found[seat][blamed] += 1
    return [found[seat] for seat in sorted(found)]


def table(events: list[Event]) -> dict[str, Any]:
    """Leads, winners and pips, by seat or by side."""
    dealt = [event["data"] for event in events if event["type"] == "dealt"]
    over = [
        event["data"]
        for event in events
        if event["type"] == "round_ended" and event["data"]["reason"] != "abandoned"
    ]
    told: dict[str, Any] = {
        "seats": events[0]["data"]["seats"],
        "leads": [hand["lead"] for hand in dealt],
        "winners": [hand.get("winner", -1) for hand in over],
        "pips": [sum(counts) for counts in zip(*(hand["counts"] for hand in over))],
    }
    last = events[-1]
    if last["type"] == "match_ended" and last["data"]["reason"] != "abandoned":
        told["winner"] = last["data"].get("winner", -1)
    return told
