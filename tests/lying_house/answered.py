"""Lies in an answer: the chain is in order, and somebody is told something else."""

from __future__ import annotations

import copy
import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.core.protocol import chain
from tests.client.houses import Json
from tests.forge.paper import event_hash
from tests.lying_house.house import Asked
from tests.lying_house.meeting import SPECTATOR, Planted

ORDER = 2**252 + 27742317777372353535851937790883648493  # of the base point (RFC 8032, 5.1)


def own(asked: Asked, seat: int = 0) -> Json:
    """`you` of an answer to a seat, while it holds tiles."""
    view = asked.body if "you" in asked.body else asked.body.get("view", {})
    you: Json = view.get("you", {})
    return you if you.get("seat") == seat and you.get("hand") else {}


def false_opening(asked: Asked) -> None:
    """Seat 0 is shown another tile than the one sealed for it."""
    for one in own(asked).get("hand", [])[:1]:
        one["tile"] = "6-6" if one["tile"] != "6-6" else "5-5"


def tile_withheld(asked: Asked) -> None:
    del own(asked).get("hand", [None])[:1]


def move_withheld(asked: Asked) -> None:
    """Seat 0 may do something that the list does not tell."""
    del own(asked).get("legal_actions", [None])[:1]


def score_in_view(asked: Asked) -> None:
    if own(asked):
        view = asked.body if "you" in asked.body else asked.body["view"]
        view["scores"][1] += 1


def shown(asked: Asked) -> Json:
    """The view of an answer to seat 0, while it holds tiles."""
    if not own(asked):
        return {}
    view: Json = asked.body if "you" in asked.body else asked.body["view"]
    return view


def score_at_a_seat(asked: Asked) -> None:
    """The scores by side are right."""
    for one in shown(asked).get("seats", [])[1:]:
        one["score"] += 5


def deadline_in_view(asked: Asked) -> None:
    """Seat 0 is told that it has less time than it has."""
    view = shown(asked)
    if view.get("turn") == 0:
        view["deadline"] -= 10_000


def old_view(asked: Asked) -> None:
    """Seat 0 is shown how it was before the deal, with the receipt of then, whenever it looks."""
    if asked.seat == 0 and asked.method == "GET" and "you" in asked.body:
        asked.body = copy.deepcopy(asked.house.memory.get("old view", asked.body))
    elif asked.seat == 0 and asked.path.endswith("/seats/0"):
        view = {**asked.body["view"], "receipt": asked.body["receipt"]}
        asked.house.memory["old view"] = copy.deepcopy(view)


def move_lost(asked: Asked) -> None:
    """The move of seat 0 is taken, says the answer, and shows nothing of it; nor is it refused."""
    if asked.seat == 0 and asked.path.endswith("/actions") and asked.status < 300:
        asked.body = {"events": [], "receipt": asked.house.memory["head"]}
    elif asked.seat == 0 and "receipt" in asked.body:
        asked.house.memory["head"] = asked.body["receipt"]


def running(asked: Asked) -> list[Json]:
    """The events of an answer about a hand that goes on, where there are several."""
    events: list[Json] = asked.body.get("events", [])
    several = asked.path.endswith("/events") and len(events) > 1
    return events if several and events[0]["seq"] > 5 else []


def event_left_out(asked: Asked) -> None:
    del running(asked)[:1]


def end_left_out(asked: Asked) -> None:
    """The last event is signed and not shown."""
    del running(asked)[-1:]


def without_receipt(asked: Asked) -> None:
    if asked.path.endswith("/events"):
        asked.body.pop("receipt", None)


def old_receipt(asked: Asked) -> None:
    """The last of the seats is shown, but not signed: it could still be exchanged."""
    receipt = asked.body.get("receipt")
    if receipt is None or asked.path.endswith("/transcript"):
        return
    told = asked.house.memory
    if receipt["seq"] == 1:
        told["old"] = copy.deepcopy(receipt)
    elif receipt["seq"] == 2 and "old" in told:
        asked.body["receipt"] = told["old"]


def other_signature(asked: Asked) -> None:
    """Signed by somebody else under the same name."""
    receipt = asked.body.get("receipt")
    if receipt is not None and receipt["seq"] > 3:
        key = Ed25519PrivateKey.from_private_bytes(b"\x08" * 32)
        hashed, match = bytes.fromhex(receipt["event_hash"]), bytes.fromhex(receipt["match"])
        receipt["signature"] = key.sign(chain.receipt_message(match, receipt["seq"], hashed)).hex()


def other_key(asked: Asked) -> None:
    """The keys are exchanged, after the first answer that named them."""
    receipt = asked.body.get("receipt")
    if receipt is not None and receipt["seq"] > 3:
        key = Ed25519PrivateKey.from_private_bytes(b"\x08" * 32)
        hashed, match = bytes.fromhex(receipt["event_hash"]), bytes.fromhex(receipt["match"])
        receipt["signature"] = key.sign(chain.receipt_message(match, receipt["seq"], hashed)).hex()
        receipt["key_id"] = chain.key_id(key.public_key().public_bytes_raw())


def resigned(asked: Asked, events: list[Json], first: int) -> None:
    """Chain `events` anew from index `first` on, and sign the last."""
    for place in range(max(first, 1), len(events)):
        events[place]["prev"] = event_hash(events[place - 1]).hex()
    last = events[-1]
    hashed = event_hash(last)
    asked.body["receipt"] = asked.house.receipt(last["match"], last["seq"], hashed)
    if "head" in asked.body:
        asked.body["head"]["event_hash"] = hashed.hex()


def taken_back(asked: Asked) -> None:
    """A move is shown to the spectator and signed; then another one stands in its place."""
    events = asked.body.get("events", [])
    if asked.seat is not None or not asked.path.endswith("/events") or not events:
        return
    last = events[-1]
    if (
        last["type"] == "played"
        and asked.house.memory.setdefault("seq", last["seq"]) == last["seq"]
    ):
        last["at"] += 1
        resigned(asked, events, len(events))


def older_head(asked: Asked) -> None:
    """The store is set back: an answer is about a head that was shown long ago."""
    if asked.path.endswith("/transcript") or "receipt" not in asked.body:
        return
    kept = asked.house.memory.setdefault(f"told {asked.seat}", [])
    receipt = asked.body["receipt"]
    if asked.path.endswith("/events") and len(kept) > 3:
        asked.body.update(events=[], receipt=kept[1])
        asked.body["head"] = {name: kept[1][name] for name in ("seq", "event_hash")}
    elif receipt not in kept:
        kept.append(copy.deepcopy(receipt))


def thief(asked: Asked) -> None:
    """Not the house: whoever has its key, between it and the spectator, adds an event once."""
    events = asked.body.get("events", [])
    if asked.seat is not None or not asked.path.endswith("/events") or not events:
        return
    last = events[-1]
    if (
        last["type"] == "played"
        and asked.house.memory.setdefault("stolen", last["seq"]) == (last["seq"])
    ):
        false = {**last, "seq": last["seq"] + 1, "type": "left"}
        false["data"] = {"seat": last["data"]["seat"]}
        events.append(false)
        resigned(asked, events, len(events) - 1)
        asked.body["head"]["seq"] = false["seq"]


def refused(asked: Asked, code: str, head: Json) -> None:
    """The request was good; seat 0 is told that it came too late for another head."""
    event_hash_ = hashlib.sha256(head["event_hash"].encode()).hexdigest()
    receipt = asked.house.receipt(head["match"], head["seq"], bytes.fromhex(event_hash_))
    told = {"seq": head["seq"], "event_hash": event_hash_}
    asked.status = 409
    asked.body = {"status": 409, "code": code, "detail": "", "head": told, "receipt": receipt}


def seating_rewritten(asked: Asked) -> None:
    """The seed of seat 0 is taken, and then another seating is shown to it, signed as well."""
    if asked.seat == 0 and asked.path.endswith("/seats/0/seed"):
        refused(asked, "seed/other-seating", asked.house.memory["seating"])
    elif asked.body.get("receipt", {}).get("seq") == 2:
        asked.house.memory["seating"] = asked.body["receipt"]


def refused_elsewhere(asked: Asked) -> None:
    """The move of seat 0 is refused, for a head that stands in the place of the one it knows."""
    if asked.seat == 0 and asked.path.endswith("/actions"):
        refused(asked, "match/stale", asked.house.memory["head"])
    elif asked.seat == 0 and "receipt" in asked.body:
        asked.house.memory["head"] = asked.body["receipt"]


def half(asked: Asked) -> None:
    """A number that the protocol does not know: programs read it in different ways."""
    events = asked.body.get("events", [])
    if events and events[0]["seq"]:
        events[0]["at"] += 0.5


def malleable(asked: Asked) -> None:
    """A second signature that anybody can make of the first, and lax libraries take."""
    receipt = asked.body.get("receipt")
    if receipt is not None and receipt["seq"] > 3:
        raw = bytes.fromhex(receipt["signature"])
        number = int.from_bytes(raw[32:], "little") + ORDER
        receipt["signature"] = (raw[:32] + number.to_bytes(32, "little")).hex()


def two_histories(asked: Asked) -> None:
    """Whoever has no seat is told of another end, signed as well."""
    events = asked.body.get("events", [])
    if asked.seat is not None or not events or events[-1]["type"] != "match_ended":
        return
    kept = asked.house.house._desk.fresh(bytes.fromhex(events[-1]["match"]))
    step = kept.steps[-1].first_seq
    for event in events:
        event["at"] += event["seq"] >= step
    resigned(asked, events, next(i for i, e in enumerate(events) if e["seq"] == step) + 1)


def end_cut_off(asked: Asked) -> None:
    """The transcript ends where the last hand was dealt; the house signed that too."""
    if asked.path.endswith("/transcript"):
        events = asked.body["events"]
        while events[-1]["type"] != "played":
            events.pop()
        events.pop()
        while events[-1]["type"] != "played":
            events.pop()
        resigned(asked, events, len(events))


ANSWERED = (
    Planted(
        "false-opening",
        ("T3",),
        "shows seat 0 another tile than it sealed",
        twist=false_opening,
        caught=(0,),
    ),
    Planted(
        "tile-withheld", ("T3",), "shows seat 0 one tile less", twist=tile_withheld, caught=(0,)
    ),
    Planted(
        "move-withheld",
        ("T13",),
        "leaves a legal move out of the list",
        twist=move_withheld,
        caught=(0,),
    ),
    Planted(
        "score-in-view", ("T14",), "shows seat 0 another score", twist=score_in_view, caught=(0,)
    ),
    Planted(
        "score-at-a-seat",
        ("T14",),
        "shows seat 0 the right scores, and another one at a seat",
        twist=score_at_a_seat,
        caught=(0,),
    ),
    Planted(
        "deadline-in-view",
        ("T31",),
        "tells seat 0 that its time is up sooner than it is",
        twist=deadline_in_view,
        caught=(0,),
    ),
    Planted(
        "old-view",
        ("T18",),
        "shows seat 0 what it saw before the deal, whenever it looks",
        twist=old_view,
        caught=(0,),
    ),
    Planted(
        "move-lost",
        ("T12",),
        "takes a move of seat 0, and answers without it",
        twist=move_lost,
        caught=(0,),
    ),
    Planted(
        "event-left-out",
        ("T12",),
        "leaves an event out of an answer",
        twist=event_left_out,
    ),
    Planted(
        "end-left-out",
        ("T16",),
        "signs an event and does not show it",
        twist=end_left_out,
    ),
    Planted(
        "end-cut-off",
        ("T16",),
        "serves a transcript that ends too early",
        twist=end_cut_off,
    ),
    Planted(
        "without-receipt",
        ("T17",),
        "shows a head without a receipt",
        twist=without_receipt,
    ),
    Planted(
        "receipt-withheld",
        ("T37",),
        "does not sign the last of the seats",
        twist=old_receipt,
    ),
    Planted(
        "two-histories",
        ("T17",),
        "tells the spectator of another end",
        twist=two_histories,
        caught=(),
    ),
    Planted(
        "seating-rewritten",
        ("T7", "T37"),
        "takes the seed of seat 0, and shows it another seating",
        twist=seating_rewritten,
        caught=(0,),
    ),
    Planted(
        "refused-elsewhere",
        ("T17", "T43"),
        "refuses a move of seat 0, for another head than it had signed",
        twist=refused_elsewhere,
        caught=(0,),
    ),
    Planted("older-head", ("T18",), "goes back to a head that it had left", twist=older_head),
    Planted(
        "taken-back",
        ("T18", "T43"),
        "signs a move, and then another in its place",
        twist=taken_back,
        caught=(SPECTATOR,),
    ),
    Planted(
        "other-signature",
        ("T19",),
        "signs with another key under the same name",
        twist=other_signature,
    ),
    Planted(
        "other-key",
        ("T19",),
        "goes on with another key",
        twist=other_key,
    ),
    Planted(
        "stolen-key",
        ("T52",),
        "(a thief who has its key) tells the spectator that somebody has left",
        twist=thief,
        caught=(SPECTATOR,),
    ),
    Planted("half-a-number", ("T20",), "answers with a time that is no integer", twist=half),
    Planted(
        "signature-not-reduced",
        ("T26", "T34"),
        "signs with S + L in place of S",
        twist=malleable,
    ),
)
