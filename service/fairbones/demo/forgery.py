"""What a cheat would do to a transcript: change it where it pays, and make every hash fit again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fairbones.core.protocol.chain import NO_PREV, receipt, receipt_message, seal_event, transcript
from fairbones.demo.line import Line

Json = dict[str, Any]
Change = Callable[[list[Json]], str]
Sign = Callable[[bytes], bytes]


def forge(served: bytes, change: Change, sign: Sign | None = None) -> tuple[bytes, str]:
    """A changed copy whose chain is whole again, and a sentence on what was changed.

    `sign` is the house's own signature for the new head; a forger without it can only leave the
    old one there.
    """
    told = json.loads(served)
    events: list[Json] = told["events"]
    what = change(events)
    prev, seated, raws = NO_PREV, "", []
    for seq, event in enumerate(events):
        if event["type"] == "seeded":
            event["data"]["seated_hash"] = seated
        match = bytes.fromhex(event["match"])
        sealed = seal_event(match, seq, prev, event["at"], event["type"], event["data"])
        if event["type"] == "seated":
            seated = sealed.hash.hex()
        prev = sealed.hash
        raws.append(sealed.raw)
    old = told["receipt"]
    match, seq = bytes.fromhex(old["match"]), old["seq"]
    signature = bytes.fromhex(old["signature"])
    if sign is not None:
        signature = sign(receipt_message(match, seq, prev))
    keys = [(key["key_id"], bytes.fromhex(key["public_key"])) for key in told["keys"]]
    return transcript(raws, receipt(match, seq, prev, old["key_id"], signature), keys), what


def later_end(events: list[Json]) -> str:
    """The last move a player made becomes a second later, with all that followed from it.

    It breaks no rule, and a time is nothing that a player signs.
    """
    last = max(seq for seq, event in enumerate(events) if "signature" in event["data"])
    for event in events[last:]:
        event["at"] += 1000
    name = names_of(events)[events[last]["data"]["seat"]]
    return f"in the forgery {name} makes the last move a second later"


def other_seals(events: list[Json]) -> str:
    """Two sealed bones of the last hand change places, after everybody has sat down."""
    dealt = [event["data"] for event in events if event["type"] == "dealt"][-1]
    seals = dealt["seals"]
    seals[0], seals[-1] = seals[-1], seals[0]
    return f"in the forgery two sealed bones of hand {dealt['round']} have changed places"


def names_of(events: list[Json]) -> dict[int, str]:
    """The names of the seats."""
    return {it["data"]["seat"]: it["data"]["name"] for it in events if it["type"] == "seated"}


def side_of(events: list[Json], side: int) -> str:
    """The names of a side: a seat, or two partners (SPEC R2)."""
    names = names_of(events)
    partners = events[0]["data"]["ruleset"].get("partners") is True
    return " and ".join(names[seat] for seat in ([side, side + 2] if partners else [side]))


def other_bone(events: list[Json]) -> str:
    """The last bone of a hand becomes another one that fits as well: no rule of play is broken."""
    most = events[0]["data"]["ruleset"]["set"]
    every = [f"{high}-{low}" for high in range(most + 1) for low in range(high + 1)]
    line, laid, value = Line(), set[str](), None
    choices = []
    for event in events:
        data = event["data"]
        if event["type"] == "dealt":
            line, laid = Line(), set()
        elif event["type"] == "played":
            last, value = data, line.touching(data["end"]) if "end" in data else None
            line.play(data["tile"], data.get("end"))
            laid.add(data["tile"])
        elif event["type"] == "round_ended" and laid:
            free = [tile for tile in every if tile not in laid]
            choices += [(str(value) in t.split("-"), data["round"], t, last) for t in free]
    _, hand, other, last = max(choices, key=lambda choice: choice[:3])
    true, last["tile"] = last["tile"], other
    name = names_of(events)[last["seat"]]
    return f"in the forgery {name} ends hand {hand} with {other}; in truth it was {true}"


def more_points(events: list[Json]) -> str:
    """Ten points too many for the winner of a hand, carried on in every later score."""
    ends = [event["data"] for event in events if event["type"] == "round_ended"]
    won = next((data for data in ends if "winner" in data), ends[0])
    side, hand = won.get("winner", 0), won["round"]
    won["points"][side] += 10
    for event in events[next(at for at, it in enumerate(events) if it["data"] is won) :]:
        if "scores" in event["data"]:
            event["data"]["scores"][side] += 10
    return f"the forgery pays {side_of(events, side)} ten points too many for hand {hand}"
