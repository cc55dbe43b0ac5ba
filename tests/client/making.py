"""How a vector is made: an honest course up to a place, and one step that is false."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.client.course import SEAT, Course
from tests.forge.house import House, Setup
from tests.forge.paper import event_hash, receipt_of

Json = dict[str, Any]
DRAW = Setup("draw", 2, names=True, phrase="client")


@dataclass
class Case:
    """One vector. stop: the obligations of which one names why the client stops at the last step;
    none where it must go through."""

    name: str
    about: str
    knows: Json
    steps: list[Json]
    stop: tuple[str, ...] = ()

    def text(self) -> str:
        """The file."""
        told: Json = {"name": self.name, "about": self.about, "knows": self.knows}
        told["steps"] = self.steps
        if self.stop:
            told["stop"] = {"step": len(self.steps) - 1, "obligations": list(self.stop)}
        return json.dumps(told, ensure_ascii=True, separators=(",", ":")) + "\n"


def course(stage: str, setup: Setup = DRAW, seat: int | None = SEAT) -> Course:
    """A match up to a stage: opened, seated, dealt, played (seat 0 has acted), ended."""
    made = Course(House(setup), seat)
    if stage == "opened":
        return made
    made.sit()
    if stage == "seated":
        return made
    made.reveal()
    if stage == "dealt":
        return made
    if stage == "ended":
        made.play()
        made.end()
        return made
    while "action" not in [step.get("send") for step in made.steps]:
        made.turn()
    return made


def stopped(
    name: str, about: str, made: Course, stop: tuple[str, ...], *steps: Json, **knows: Any
) -> Case:
    """A case of this course with these steps after it."""
    return Case(name, about, {**made.knows(), **knows}, [*made.steps, *steps], stop)


def last(made: Course) -> Json:
    """The last step, taken off."""
    return made.steps.pop()


def told(made: Course, change: Callable[[list[Json]], object]) -> Json:
    """An answer with all that is new, changed, and chained and signed as a lying house would."""
    step = last(made)
    body = step["body"]
    events: list[Json] = body["events"]
    change(events)
    for place in range(1, len(events)):
        events[place]["prev"] = event_hash(events[place - 1]).hex()
    return signed(step, events[-1])


def signed(step: Json, event: Json) -> Json:
    """The receipt and the head of a step that ends with this event."""
    body = step["body"]
    body["receipt"] = receipt_of(event)
    head = {"seq": event["seq"], "event_hash": event_hash(event).hex()}
    if "head" in body:
        body["head"] = head
    if "view" in body:
        body["view"]["head"] = head
    return step


def another(made: Course, type_: str, data: Json, at: int = 0) -> Json:
    """An answer with one more event, of the house's invention."""
    before = made.house.told()[-1]
    event = {
        "match": before["match"],
        "seq": before["seq"] + 1,
        "prev": event_hash(before).hex(),
        "at": before["at"] + at,
        "type": type_,
        "data": data,
    }
    return signed({"answer": "events", "body": {"events": [event], "head": {}}}, event)


def sending(made: Course, stage: str) -> Json:
    """The last thing that was sent, and all after it taken off."""
    while made.steps[-1].get("send") != stage:
        made.steps.pop()
    return last(made)


def changed(step: Json, **members: Any) -> Json:
    """The same step with other members of its body."""
    return {**step, "body": {**step["body"], **members}}


def flip(digits: str) -> str:
    return f"{int(digits[0], 16) ^ 1:x}{digits[1:]}"


class Found(Course):
    """A course that `find` can look for."""

    @property
    def events(self) -> Any:
        return self.house.events


def two_ways(setup: Setup) -> Any:
    """Seat 0 is on turn with two tiles to choose from."""
    made = Found(House(setup))
    made.sit()
    made.reveal()
    while made.house.playing:
        if made.house.turn == SEAT and len(made.house.legal()) > 1 and len(made.house.told()) > 6:
            return made
        made.turn()
    return None


def other_plays() -> Course:
    """A match in which the last answer shows a play of the other seat."""
    made = course("dealt")
    while True:
        made.turn()
        body = made.steps[-1].get("body", {})
        if made.steps[-1].get("answer") == "events" and body["events"][0]["type"] == "played":
            return made
