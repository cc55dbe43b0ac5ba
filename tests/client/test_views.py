"""All that a view says of the head is reckoned anew (SPEC 10, C13): no honest one is called a lie,
and no member can be changed."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from fairbones.core.views import view as shown
from fairbones_verify import deal
from fairbones_verify.client import view
from fairbones_verify.client.guard import Guard
from fairbones_verify.client.lies import Lie
from fairbones_verify.table import Table
from tests.client.making import course
from tests.client.test_vectors import guard_of
from tests.forge.house import House, Setup
from tests.forge.keys import HOUSE
from tests.forge.paper import receipt_of

Json = dict[str, Any]
SETUPS = (
    Setup("draw", 2, {"target": 60}, 3, names=True, signed=(1,), reserved=(1,), phrase="views"),
    Setup("draw", 3, {"drawn_tile": "may-play"}, 1, auto_forced=False, phrase="views slow"),
    Setup("block", 4, {"partners": True}, 2, phrase="views block"),
    Setup("all-fives", 4, {"muggins": True}, 2, phrase="views calls"),
    Setup("fives-and-threes", 2, {}, 2, phrase="views fives"),
    Setup("middle-eastern", 4, {"transfer": True}, 2, phrase="views gifts"),
    Setup("blocking", 2, {}, 2, phrase="views blocking"),
)


class Watching:
    """A spectator's guard, which follows the house; every view of its head is compared."""

    def __init__(self, house: House) -> None:
        self.house, self.guard = house, Guard(house.match.hex(), None, [HOUSE.public])
        self.heard = self.compared = 0

    def look(self, _house: House | None = None) -> bool:
        told = self.house.told()
        answer = {"events": told[self.heard :], "receipt": receipt_of(told[-1])}
        self.guard.hear("events", answer)
        self.heard = len(told)
        for viewer in (None, *range(self.house.setup.seats)):
            self._compare(viewer)
        return False

    def _compare(self, viewer: int | None) -> None:
        told: Json = shown(self.house.state, viewer, self.house.now)
        you = told.get("you", {})
        known = {one["seal"]: deal.read(one["tile"]) for one in you.get("hand", [])}
        view.compare(self.guard.table, told)
        if viewer is not None:
            view.compare_own(self.guard.table, told, you, viewer, known)
        self.compared += 1


@pytest.mark.parametrize("setup", SETUPS, ids=lambda it: it.phrase)
def test_no_honest_view_is_called_a_lie(setup: Setup) -> None:
    """From the opening to the end, with turns that run out and a seat that leaves."""
    house = House(setup)
    watching = Watching(house)
    for seat in range(setup.seats):
        watching.look()
        house.sit(seat)
    for seat in range(setup.seats):
        watching.look()
        house.reveal(seat)
    house.play(lambda it: watching.look() or len(it.events) > 25, idle=25)
    if house.playing:
        watching.look()
        house.leave(0)
        house.play(watching.look, idle=60)
    watching.look()
    assert watching.compared > 30


def test_a_void_is_told_as_it_is() -> None:
    house = House(SETUPS[0])
    watching = Watching(house)
    house.sit(0)
    house.touch()
    watching.look()
    assert watching.guard.over


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value; of a list the first."""
    if path:
        yield path
    if isinstance(value, dict):
        for name, one in value.items():
            yield from places(one, (*path, name))
    elif isinstance(value, list):
        for number, one in enumerate(value[:1]):
            yield from places(one, (*path, number))


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return "zz"
    return value[1:] if value else ["zz"]


def looked() -> tuple[Guard, Json]:
    """Seat 0, and the honest answer with its view that it is about to hear."""
    made = course("played", Setup("fives-and-threes", 2, {}, names=True, phrase="client fives"))
    while not (made.house.turn == 0 and made.house.state.stage == "playing"):
        made.turn()
    made.look()
    step = made.steps.pop()
    guard = guard_of(made.knows())
    for one in made.steps:
        if "send" in one:
            guard.send(one["send"], one["body"])
        else:
            guard.hear(one["answer"], one["body"])
    return guard, step["body"]


GUARD, HONEST = looked()


def changed(path: tuple[Any, ...], gone: bool) -> Json:
    body = copy.deepcopy(HONEST)
    place = body
    for name in path[:-1]:
        place = place[name]
    if gone:
        del place[path[-1]]
    elif isinstance(place[path[-1]], dict):
        place[path[-1]] = {}
    else:
        place[path[-1]] = other(place[path[-1]])
    return body


def test_the_view_is_heard_as_it_is() -> None:
    copy.deepcopy(GUARD).hear("view", HONEST)


WAYS = [
    (path, gone)
    for path in sorted({*places(HONEST)} - {("now",)}, key=str)
    for gone in (False, True)
    if (path, gone) != (("head",), True)  # its receipt says the same
]


@pytest.mark.parametrize(("path", "gone"), WAYS, ids=str)
def test_no_member_can_be_changed_or_left_out(path: tuple[Any, ...], gone: bool) -> None:
    with pytest.raises(Lie) as caught:
        copy.deepcopy(GUARD).hear("view", changed(path, gone))
    assert caught.value.__cause__ is None


@pytest.mark.parametrize(
    "more",
    [{"giving_to": 1}, {"result": {"reason": "target"}}, {"round": True}, {"boneyard": None}],
    ids=str,
)
def test_nothing_is_told_besides(more: Json) -> None:
    with pytest.raises(Lie) as caught:
        copy.deepcopy(GUARD).hear("view", {**HONEST, **more})
    assert caught.value.obligation == "C13"


def test_a_view_goes_back_as_little_as_anything_else() -> None:
    """C12, but for an answer that came before the events it is about."""
    assert isinstance(GUARD.table, Table)
    guard = copy.deepcopy(GUARD)
    old = guard.chronicle.receipts[min(guard.chronicle.receipts)]
    head = {name: old[name] for name in ("seq", "event_hash")}
    with pytest.raises(Lie) as caught:
        guard.hear("view", {**HONEST, "receipt": old, "head": head})
    assert caught.value.obligation == "C12"
