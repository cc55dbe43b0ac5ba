"""Vectors on seeds, receipts and the chain: C1 to C4, C9, C12."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from tests.client.making import (
    Case,
    changed,
    course,
    flip,
    last,
    sending,
    signed,
    stopped,
)
from tests.forge.keys import OTHER
from tests.forge.paper import receipt, receipt_of


def seeds() -> Iterator[Case]:
    """C1, C3, C4."""
    made = course("seated")
    step = sending(made, "seat")
    clear = {"client_seed": made.knows()["client_seed"], "name": "player-0"}
    yield stopped(
        "c1-clear-seed",
        "The seed is about to be sent in the clear.",
        made,
        ("C1",),
        {**step, "body": clear},
    )
    other = flip(step["body"]["client_seed_commitment"])
    yield stopped(
        "c1-other-commitment",
        "The commitment is not that of the seed.",
        made,
        ("C1",),
        changed(step, client_seed_commitment=other),
    )
    made = course("dealt")
    step = sending(made, "seed")
    early = course("seated")
    early.steps.pop()
    yield stopped(
        "c3-reveal-early",
        "A seed is about to be shown before every seat is taken.",
        early,
        ("C3",),
        step,
    )
    yield stopped(
        "c4-other-seating",
        "The seed is about to be shown for another seating than the one that was seen.",
        made,
        ("C4",),
        changed(step, seated_hash=flip(step["body"]["seated_hash"])),
    )
    yield stopped(
        "c4-other-seed",
        "Another seed is about to be shown than was committed to.",
        made,
        ("C4",),
        changed(step, client_seed=flip(step["body"]["client_seed"])),
    )
    made = course("seated")
    step = last(made)
    step["body"]["receipt"] = receipt_of(made.house.told()[1])
    step["body"]["head"] = {"seq": 1, "event_hash": step["body"]["receipt"]["event_hash"]}
    yield stopped(
        "c3-seat-not-signed",
        "The receipt is for the seat before the last, which could still be exchanged.",
        made,
        ("C2", "C3", "C12"),
        step,
    )
    made = course("seated")
    sending(made, "seat")
    house = made.house.told()
    fake = copy.deepcopy(house[1])
    fake["data"]["name"] = "mallory"
    made = course("seated")
    while made.steps[-1].get("answer") != "seat":
        made.steps.pop()
    step = last(made)
    step["body"]["events"] = [fake]
    yield stopped(
        "c10-own-seat-changed",
        "The own seat stands there under another name than was sent.",
        made,
        ("C3", "C10"),
        signed(step, fake),
    )


def receipts() -> Iterator[Case]:
    """C2."""
    made = course("dealt")
    step = last(course("dealt"))
    made.steps.pop()
    body = step["body"]
    without = {**step, "body": {k: v for k, v in body.items() if k != "receipt"}}
    yield stopped("c2-no-receipt", "A head is shown without a receipt.", made, ("C2",), without)
    old = receipt_of(made.house.told()[2])
    yield stopped(
        "c2-other-head",
        "The receipt is for another head.",
        made,
        ("C2",),
        changed(step, receipt=old),
    )
    good = body["receipt"]
    bad = {**good, "signature": good["signature"][:-2] + "00"}
    yield stopped(
        "c2-bad-signature",
        "The signature of a receipt is not valid.",
        made,
        ("C2",),
        changed(step, receipt=bad),
    )
    key = receipt_of(made.house.told()[-1], OTHER)
    yield stopped(
        "c2-other-key",
        "A receipt is signed by another key than the match's.",
        made,
        ("C2",),
        changed(step, receipt=key),
    )
    two = receipt(good["match"], good["seq"], bytes.fromhex(flip(good["event_hash"])))
    shown = {**body["head"], "event_hash": two["event_hash"]}
    yield stopped(
        "c2-two-hashes",
        "The house signs another hash for a place that it has signed before: it convicts itself.",
        made,
        ("C2",),
        changed(step, receipt=two, head=shown),
    )
    fresh = course("opened")
    yield Case(
        "c2-not-the-pinned-key",
        "The match is signed with a key that is not the one known from elsewhere.",
        {**fresh.knows(), "house_keys": [OTHER.public.hex()]},
        fresh.steps,
        ("C2",),
    )


def chains() -> Iterator[Case]:
    """C9."""
    made = course("played")
    step = sending(made, "action")
    body = step["body"]
    yield stopped(
        "c9-old-head",
        "A move is about to be sent for a place that is taken.",
        made,
        ("C9",),
        changed(step, seq=body["seq"] - 1),
    )
    yield stopped(
        "c9-other-head",
        "A move is about to be signed for another history.",
        made,
        ("C9",),
        changed(step, prev=flip(body["prev"])),
    )
    made = course("dealt")
    made.steps.pop()
    step = last(made)
    step["body"]["events"][0]["prev"] = flip(step["body"]["events"][0]["prev"])
    yield stopped(
        "c9-chain-broken",
        "An event does not follow the one before it.",
        made,
        ("C9",),
        signed(step, step["body"]["events"][-1]),
    )
    made = course("dealt")
    event = copy.deepcopy(made.house.told()[-1])
    event["at"] += 1
    step = {"answer": "events", "body": {"events": [event], "head": {}}}
    yield stopped(
        "c9-rewritten",
        "An event that was shown is shown again and differs.",
        made,
        ("C2", "C9"),
        signed(step, event),
    )
    made = course("dealt")
    made.steps.pop()
    step = last(made)
    for event in step["body"]["events"]:
        event["match"] = "00" * 16
    yield stopped("c9-other-match", "Events of another match.", made, ("C2", "C9"), step)


def heads() -> Iterator[Case]:
    """C12."""
    made = course("dealt")
    made.steps.pop()
    step = last(made)
    short = {**step["body"], "events": step["body"]["events"][:-1]}
    yield stopped(
        "c12-not-shown",
        "An event is signed, and the answer ends before it.",
        made,
        ("C12",),
        {**step, "body": short},
    )
    made = course("dealt")
    back = receipt_of(made.house.told()[2])
    head = {"seq": 2, "event_hash": back["event_hash"]}
    yield stopped(
        "c12-back",
        "The house is back at an earlier head.",
        made,
        ("C12",),
        {"answer": "events", "body": {"events": [], "head": head, "receipt": back}},
    )
    made = course("played")
    made.look()
    new = last(made)
    old = next(one for one in made.steps if one.get("answer") == "view")
    assert old["body"]["head"]["seq"] < new["body"]["head"]["seq"]
    yield stopped(
        "c12-view-back",
        "The own view is of a head that was left: true once, and all that it shows is old.",
        made,
        ("C12",),
        old,
    )
    made = course("played")
    while made.steps[-1].get("answer") != "action":
        made.steps.pop()
    step = last(made)
    before = receipt_of(made.house.told()[step["body"]["events"][0]["seq"] - 1])
    yield stopped(
        "c12-nothing-done",
        "A move is taken, says the house, and the answer does not have it.",
        made,
        ("C10", "C12"),
        {"answer": "action", "body": {"events": [], "receipt": before}},
    )
