"""An honest match as a client lives it, step by step: what it sends and what it is answered.

Bodies are those of openapi.yaml. Only a vector's maker knows the house: the steps are data.
"""

from __future__ import annotations

import copy
from typing import Any

from fairbones.core.views import view
from tests.forge.house import House
from tests.forge.keys import HOUSE
from tests.forge.paper import receipt_of

Json = dict[str, Any]
SEAT = 0

ACTIONS = {
    "played": ("play", ("tile", "end", "claim")),
    "drew": ("draw", ()),
    "passed": ("pass", ()),
    "declined": ("decline", ()),
    "gave": ("give", ("seal",)),
    "called": ("call", ()),
}


def own_words(event: Json) -> tuple[str, Json] | None:
    """The request that brought an event, as far as its seat can have sent it."""
    name, data = event["type"], dict(event["data"])
    signed = {"signature": data["signature"]} if "signature" in data else {}
    data.pop("seat", None)
    if name == "seated":
        return "seat", data
    if name == "seeded":
        return "seed", data
    if name not in ACTIONS:
        return None
    kind, members = ACTIONS[name]
    action = {"type": kind, **{one: data[one] for one in members if one in data}}
    return "action", {"seq": event["seq"], "prev": event["prev"], "action": action, **signed}


def changes_the_hand(event: Json) -> bool:
    """Whether seat 0 holds other tiles after it."""
    data = event["data"]
    return event["type"] == "dealt" or (
        event["type"] in ("drew", "gave") and SEAT in (data["seat"], data.get("to"))
    )


class Course:
    """The steps so far. seat: whose they are, None for a spectator's."""

    def __init__(self, house: House, seat: int | None = SEAT) -> None:
        self.house, self.seat = house, seat
        self.steps: list[Json] = []
        self.heard = 0  # how many events the client knows
        self.answer("keys", {"keys": [{**HOUSE.listed(), "current": True}]})
        self.follow()

    def knows(self) -> Json:
        """What a client is told before the first step."""
        told: Json = {"match": self.house.match.hex()}
        if self.seat is not None:
            told.update(seat=self.seat, client_seed=self.house.seeds[self.seat].hex())
            if self.seat in self.house.keys:
                told["public_key"] = self.house.keys[self.seat].public.hex()
        return told

    def answer(self, to: str, body: Json) -> None:
        self.steps.append({"answer": to, "body": copy.deepcopy(body)})

    def follow(self) -> None:
        """The events that are not known yet, with the head and its receipt."""
        told = self.house.told()
        receipt = receipt_of(told[-1])
        head = {"seq": receipt["seq"], "event_hash": receipt["event_hash"]}
        self.answer("events", {"events": told[self.heard :], "head": head, "receipt": receipt})
        self.heard = len(told)

    def seen(self, viewer: int | None) -> Json:
        return dict(view(self.house.state, viewer, self.house.now))

    def look(self) -> None:
        """The own view of the head."""
        if self.seat is None:
            return
        receipt = receipt_of(self.house.told()[-1])
        self.answer("view", {**self.seen(self.seat), "receipt": receipt})

    def said(self) -> None:
        """What the house has just been told by the seat, and its answer: that step alone."""
        if self.seat is None:
            self.follow()
            return
        told = self.house.told()
        step = told[self.heard :]
        words = own_words(step[0])
        assert words is not None
        to, body = words
        self.steps.append({"send": to, "body": body})
        viewer = None if to == "seed" else self.seat
        receipt = receipt_of(told[-1])
        self.answer(to, {"events": step, "receipt": receipt, "view": self.seen(viewer)})
        self.heard = len(told)

    def sit(self) -> None:
        """Seat 0, then the others."""
        self.house.sit(SEAT)
        self.said()
        self.house.sit(*self.house.state.free_seats())
        self.follow()

    def reveal(self) -> None:
        self.house.reveal(SEAT)
        self.said()
        self.house.reveal(*self.house.state.unrevealed())
        self.follow()
        self.look()

    def turn(self) -> None:
        """Whoever is to act acts; the client looks whenever its own hand may have changed."""
        house, mine = self.house, self.house.turn == self.seat
        house.act(house.dice.choice(house.legal()))
        new = house.told()[self.heard :]
        if mine:
            self.said()
            return
        self.follow()
        if house.playing and any(map(changes_the_hand, new)):
            self.look()

    def play(self, turns: int = 10_000) -> None:
        for _ in range(turns):
            if self.house.playing:
                self.turn()

    def end(self) -> None:
        """The transcript."""
        self.steps.append({"answer": "transcript", "text": self.house.transcript().decode()})
