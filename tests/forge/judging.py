"""What a report has to say of an honest transcript (SPEC 9.4, 9.6), counted from its events."""

from __future__ import annotations

from collections.abc import Sequence

from tests.forge.paper import Json

ENDS = ("match_ended", "voided", "drawn")


def expectation(events: Sequence[Json], arguments: Sequence[str]) -> Json:
    """The members of a report that follow from the events and from what was given beside them."""
    last = events[-1]
    known_seed = "server_seed" in last["data"]
    dealt = [event["data"]["round"] for event in events if event["type"] == "dealt"]
    ended = {event["data"]["round"] for event in events if event["type"] == "round_ended"}
    proved = [r for r in dealt if known_seed or r in ended]
    told: Json = {
        "match": last["match"],
        "events": len(events),
        "complete": last["type"] in ENDS,
        "convicts": False,
        "rounds": {"proved": proved, "open": [r for r in dealt if r not in proved]},
        "unproved": unproved(events, set(proved)),
        "unchecked": unchecked(events, arguments),
    }
    if last["type"] == "match_ended":
        told["result"] = {
            name: last["data"][name]
            for name in ("reason", "winner", "scores")
            if name in last["data"]
        }
    return told


def unproved(events: Sequence[Json], proved: set[int]) -> Json:
    """Steps that only the tiles of a hand can prove, in hands that are not known (SPEC 9.4)."""
    steps = plays = 0
    hand, must_set, fixed, left = 0, False, False, set()
    for event in events:
        type_, data = event["type"], event["data"]
        if type_ == "dealt":
            hand, must_set = data["round"], "must_set" in data
        elif type_ == "left":
            left.add(data["seat"])
        elif type_ == "timed_out":
            fixed = True
        elif type_ in ("played", "drew", "passed", "declined", "gave"):
            if hand not in proved:
                if type_ != "played":
                    steps += 1
                elif fixed or data["seat"] in left or must_set:
                    plays += 1
            fixed = False
            must_set = must_set and type_ != "played"
    return {"forced_steps": steps, "plays": plays}


def unchecked(events: Sequence[Json], arguments: Sequence[str]) -> list[str]:
    """The codes of what cannot be checked (SPEC 9.6), sorted."""
    codes = {"log/no-proof", "time/house-word"}
    keyed = sum("public_key" in it["data"] for it in events if it["type"] == "seated")
    if keyed < events[0]["data"]["seats"]:
        codes.add("seats/unsigned")
    if any(event["type"] == "seated" and "client_seed" in event["data"] for event in events):
        codes.add("seeds/clear")
    if "--key" not in arguments:
        codes.add("key/not-pinned")
    if "--receipt" not in arguments:
        codes.add("receipt/none-given")
    return sorted(codes)
