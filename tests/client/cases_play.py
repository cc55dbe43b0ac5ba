"""Vectors on tiles, events, the own name, the clock and views: C5, C6, C8, C10, C11, C13."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

from tests.client.course import SEAT, Course
from tests.client.making import (
    Case,
    Found,
    Json,
    another,
    changed,
    course,
    last,
    other_plays,
    sending,
    signed,
    stopped,
    told,
    two_ways,
)
from tests.forge.house import House, Setup, find
from tests.forge.paper import event_hash


def tiles() -> Iterator[Case]:
    """C5."""
    made = course("dealt")
    step = last(made)
    hand = step["body"]["you"]["hand"]

    def shown(tiles: list[Json]) -> Json:
        return changed(step, you={**step["body"]["you"], "hand": tiles})

    tile = "6-6" if hand[0]["tile"] != "6-6" else "5-5"
    yield stopped(
        "c5-false-opening",
        "A tile of the own hand does not open its seal.",
        made,
        ("C5",),
        shown([{**hand[0], "tile": tile}, *hand[1:]]),
    )
    blind = {name: one for name, one in step["body"].items() if name != "you"}
    yield stopped(
        "c5-no-hand",
        "The own view of the head does not show the own hand.",
        made,
        ("C5",),
        {**step, "body": blind},
    )
    yield stopped(
        "c5-tile-missing", "A tile of the own hand is not shown.", made, ("C5",), shown(hand[1:])
    )
    more = made.house.hand.stock[0]
    dealt = made.house.state.round
    assert dealt is not None
    place = dealt.position[more]
    extra = {"seal": place, "tile": hand[0]["tile"], "salt": dealt.wash.salts[place].hex()}
    yield stopped(
        "c5-other-position",
        "A position is shown that the cut gave to nobody.",
        made,
        ("C5",),
        shown([extra, *hand[1:]]),
    )
    made = course("played")
    step = sending(made, "action")
    made.steps = [one for one in made.steps if one.get("answer") != "view"]
    for one in made.steps:
        if one.get("answer") == "action":
            one["body"]["view"].pop("you", None)
    yield stopped(
        "c5-acting-blind",
        "A move is about to be sent before the own tiles were opened.",
        made,
        ("C5",),
        step,
    )


def events() -> Iterator[Case]:
    """C6: of all checks of codes.md a few, one of each kind."""

    def dealt(change: Callable[[Json], object]) -> tuple[Course, Json]:
        made = course("dealt")
        made.steps.pop()
        return made, told(made, lambda events: change(events[-1]["data"]))

    lies: dict[str, tuple[str, Callable[[Json], object]]] = {
        "seals": ("other seals than were announced", lambda data: data["seals"].reverse()),
        "hand-size": ("one tile too many for each seat", lambda data: data.update(hand_size=8)),
        "round": ("hand 2 first", lambda data: data.update(round=2)),
    }
    for name, (about, change) in lies.items():
        made, step = dealt(change)
        yield stopped(f"c6-dealt-{name}", f"The house deals {about}.", made, ("C6",), step)
    made = course("dealt")
    made.steps.pop()
    step = told(made, lambda events: events[0]["data"].update(client_seed="00" * 32))
    yield stopped(
        "c6-seed", "A seed of another seat does not open its commitment.", made, ("C6",), step
    )
    made = course("dealt")
    made.steps.pop()
    step = told(made, lambda events: events.pop())
    yield stopped(
        "c6-inside-a-step", "The house signs a head where it owes an event.", made, ("C6",), step
    )
    made = course("dealt")
    made.steps.pop()
    step = told(made, lambda events: events[-1].update(type="redealt"))
    yield stopped(
        "c6-unknown-event",
        "An event of a type that this protocol does not have.",
        made,
        ("C6",),
        step,
    )
    made = course("played")
    while made.steps[-1].get("answer") != "action":
        made.steps.pop()
    yield stopped(
        "c6-view-unreadable",
        "The view of an answer is no object.",
        made,
        ("C6", "C13"),
        changed(last(made), view=[]),
    )
    made = other_plays()
    step = told(made, lambda events: events[0]["data"].update(tile="6-6", end="left"))
    yield stopped("c6-tile", "Another seat's tile does not open its seal.", made, ("C6",), step)
    made = course("ended")
    made.steps.pop()

    def more(events: list[Json]) -> None:
        for event in events:
            if event["type"] == "round_ended":
                event["data"]["scores"][1] += 5

    yield stopped(
        "c6-score", "A score is changed at the end of a hand.", made, ("C6",), told(made, more)
    )
    made = course("dealt")
    step = another(made, "timed_out", {"seat": made.house.turn})
    yield stopped("c6-early-timeout", "A time-out before the deadline.", made, ("C6",), step)
    made = course("dealt")
    yield stopped(
        "c6-void",
        "The house says that it lost its seed.",
        made,
        ("C6",),
        another(made, "voided", {"reason": "seed-lost"}),
    )


def names() -> Iterator[Case]:
    """C10."""
    made = course("dealt")
    while made.house.turn != SEAT:
        made.turn()
    quiet = copy.deepcopy(made)
    made.turn()
    step = last(made)
    made.steps.pop()
    yield stopped(
        "c10-move-invented",
        "A move stands in the own name, and nothing was sent.",
        quiet,
        ("C10",),
        {
            **step,
            "answer": "events",
            "body": {
                **{k: v for k, v in step["body"].items() if k != "view"},
                "head": step["body"]["view"]["head"],
            },
        },
    )
    made = course("dealt")
    yield stopped(
        "c10-left",
        "The house writes that the seat has left.",
        made,
        ("C10",),
        another(made, "left", {"seat": SEAT}),
    )
    made = find(Setup("draw", 2, names=True, phrase="client choice"), two_ways)
    house = made.house
    first, other = house.legal()[:2]
    sent = made.house.acting(SEAT, first)
    prev = house.told()[-1]
    body = {"seq": prev["seq"] + 1, "prev": event_hash(prev).hex(), "action": dict(sent.written)}
    house.do(house.acting(SEAT, other))
    made.said()
    step = last(made)
    made.steps.pop()
    yield stopped(
        "c10-move-changed",
        "Another legal move stands there than was sent.",
        made,
        ("C10",),
        {"send": "action", "body": body},
        step,
    )
    keyed = Setup("draw", 2, names=True, signed=(SEAT,), phrase="client key")
    made = course("played", keyed)
    while made.steps[-1].get("answer") != "action":
        made.steps.pop()
    step = last(made)
    step["body"]["events"][0]["data"].pop("signature")
    events = step["body"]["events"]
    for place in range(1, len(events)):
        events[place]["prev"] = event_hash(events[place - 1]).hex()
    yield stopped(
        "c10-signature-dropped",
        "The own move stands there without its signature.",
        made,
        ("C6", "C10"),
        signed(step, events[-1]),
    )


def clocks() -> Iterator[Case]:
    """C11. `asked` and `heard` are the client's own clock."""
    made = course("dealt")
    while made.house.turn != SEAT:
        made.turn()
    for place, one in enumerate(made.steps):
        if "answer" in one:
            one.update(asked=1000 * place, heard=1000 * place + 20)
    clock = 1000 * len(made.steps)
    fast, slow = copy.deepcopy(made), copy.deepcopy(made)
    for course_ in (fast, slow):
        course_.house.touch()
        course_.follow()
    step = {**last(fast), "asked": clock, "heard": clock + 5_000}
    yield stopped(
        "c11-clock-put-forward",
        "A time-out after 30 seconds by the house's clock, and a few by the client's own.",
        fast,
        ("C11",),
        step,
    )
    step = {**last(slow), "asked": clock, "heard": clock + 31_000}
    yield Case(
        "valid-timed-out",
        "A time-out of the own seat that may be true.",
        slow.knows(),
        [*slow.steps, step],
    )
    made.turn()
    send = sending(made, "action")
    yield stopped(
        "c11-too-late",
        "A move is about to be sent when its time is certainly up.",
        made,
        ("C11",),
        {**send, "now": clock + 60_000},
    )


def views() -> Iterator[Case]:
    """C8 and C13."""
    made = course("dealt")
    while made.house.turn != SEAT:
        made.turn()
    made.look()
    step = last(made)
    you = step["body"]["you"]
    yield stopped(
        "c13-move-withheld",
        "The list leaves out what the own tiles allow.",
        made,
        ("C13",),
        changed(step, you={**you, "legal_actions": you["legal_actions"][1:]}),
    )
    yield stopped(
        "c13-score",
        "The view tells another score than the events.",
        made,
        ("C13",),
        changed(step, scores=[0, 5]),
    )
    seats = step["body"]["seats"]
    untrue: dict[str, tuple[str, Json]] = {
        "seat-score": (
            "The score at a seat is another than that of its side.",
            {"seats": [seats[0], {**seats[1], "score": 5}]},
        ),
        "deadline": (
            "The turn is over sooner, says the view, than by the events.",
            {"deadline": step["body"]["deadline"] - 10_000},
        ),
        "ends": (
            "An open end is told that the line does not have.",
            {"ends": [*step["body"]["ends"], {"end": "up", "value": 6}]},
        ),
        "no-list": (
            "What may be done is not told.",
            {"you": {name: you[name] for name in ("seat", "hand")}},
        ),
    }
    for name, (about, members) in untrue.items():
        yield stopped(f"c13-{name}", about, made, ("C13",), changed(step, **members))
    prev = made.house.told()[-1]
    tile = {"type": "draw"}
    body = {"seq": prev["seq"] + 1, "prev": event_hash(prev).hex(), "action": tile}
    yield stopped(
        "c13-not-legal",
        "What is about to be sent is not legal, whatever a list says.",
        made,
        ("C13",),
        {"send": "action", "body": body},
    )
    yield from forced()


def forced() -> Iterator[Case]:
    """C8: what the house owes, by tiles that the seat alone knows."""

    def draws(setup: Setup) -> Any:
        made = Found(House(setup))
        made.sit()
        made.reveal()
        while made.house.playing:
            known = copy.deepcopy(made.steps)
            house = len(made.house.events)
            made.turn()
            new = made.house.told()[house:]
            if [e["type"] for e in new[:2]] == ["played", "drew"] and new[1]["data"][
                "seat"
            ] == SEAT:
                made.steps = known
                made.house.events = made.house.events[: house + 1]
                return made
        return None

    made = find(Setup("draw", 2, names=True, phrase="client forced"), draws)
    made.heard = len(made.house.told()) - 1
    made.follow()
    yield stopped(
        "c8-forced-step-withheld",
        "The house waits for the seat, which can only draw.",
        made,
        ("C6", "C8"),
    )
    made = course("dealt", Setup("block", 2, names=True, phrase="client pass"))
    while made.house.turn != SEAT:
        made.turn()
    step = another(made, "passed", {"seat": SEAT})
    yield stopped(
        "c8-pass-invented",
        "The house lets the seat pass, which can play.",
        made,
        ("C6", "C8", "C10"),
        step,
    )
