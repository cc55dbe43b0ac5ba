"""A match with a real house, and the requests of its seats, made but not sent."""

from __future__ import annotations

import json
import secrets
from collections.abc import Collection
from typing import Any

from fairbones.bots.keys import SeatKey
from fairbones.core.protocol.cut import client_commitment
from tests.api.table import event_hash
from tests.hostile.running import House
from tests.hostile.wire import Answer, Json, Request


def opening(ruleset: str = "block", seats: int = 2, **more: Any) -> Request:
    """Time enough for any test, unless it wants less."""
    wanted = {"ruleset": ruleset, "seats": seats, "rounds_max": 2, "turn_seconds": 86_400, **more}
    return Request("POST", "/v1/matches", json.dumps(wanted).encode())


class Table:
    """One match. `signed` are the seats that have a key."""

    def __init__(self, house: House, request: Request, signed: Collection[int] = ()) -> None:
        self.house = house
        opened = house.ask(request)
        assert opened.status == 201, opened.body
        event = opened.told()["event"]
        self.match: str = event["match"]
        self.seats: int = event["data"]["seats"]
        self.path = f"/v1/matches/{self.match}"
        self.opened_hash = bytes.fromhex(event_hash(event))
        self.tokens = [secrets.token_urlsafe(32) for _ in range(self.seats)]
        self.seeds = [secrets.token_bytes(32) for _ in range(self.seats)]
        self.keys = {seat: SeatKey() for seat in signed}

    # What is read.

    def get(self, below: str = "", token: str | None = None) -> Json:
        """A good answer to a reader."""
        answer = self.house.ask(Request("GET", self.path + below, token=token))
        assert answer.status == 200, answer.body
        return answer.told()

    def events(self) -> list[Json]:
        """All of them."""
        found: list[Json] = self.get("/events?after=-1")["events"]
        return found

    def head(self) -> Json:
        """Where the match stands."""
        found: Json = self.get()["head"]
        return found

    def transcript(self) -> bytes:
        """The evidence, byte for byte."""
        answer = self.house.ask(Request("GET", self.path + "/transcript"))
        assert answer.status == 200, answer.body
        return answer.body

    def seated_hash(self) -> str:
        """Of the last `seated` event."""
        return event_hash([it for it in self.events() if it["type"] == "seated"][-1])

    def to_act(self) -> tuple[int, list[Json]]:
        """The seat on turn and what it may do."""
        seat: int = self.get()["turn"]
        listed: list[Json] = self.get(token=self.tokens[seat])["you"]["legal_actions"]
        return seat, listed

    # What is sent.

    def sitting(self, seat: int, **more: Any) -> Request:
        """Take a seat."""
        key = self.keys.get(seat)
        public = b"" if key is None else key.public
        commitment = client_commitment(self.opened_hash, seat, public, self.seeds[seat])
        body: Json = {"client_seed_commitment": commitment.hex()}
        if key is not None:
            body["public_key"] = public.hex()
            body["signature"] = key.joins(self.opened_hash, seat, commitment=commitment)
        return self._of(seat, "PUT", f"/seats/{seat}", body | more)

    def revealing(self, seat: int) -> Request:
        """Reveal a seed; anybody may bring it."""
        seated_hash = self.seated_hash()
        body = {"client_seed": self.seeds[seat].hex(), "seated_hash": seated_hash}
        if seat in self.keys:
            place = self.opened_hash, bytes.fromhex(seated_hash), seat
            body["signature"] = self.keys[seat].reveals(*place, self.seeds[seat])
        return self._of(seat, "PUT", f"/seats/{seat}/seed", body).by(None)

    def acting(self, seat: int, action: Json, head: Json | None = None) -> Request:
        """An action on the head, or on another one."""
        on = self.head() if head is None else head
        seq, prev = on["seq"] + 1, on["event_hash"]
        body: Json = {"seq": seq, "prev": prev, "action": action}
        if seat in self.keys:
            place = self.opened_hash, seq, bytes.fromhex(prev), seat
            body["signature"] = self.keys[seat].moves(*place, action)
        return self._of(seat, "POST", "/actions", body)

    def leaving(self, seat: int) -> Request:
        """Leave for good."""
        body = {}
        if seat in self.keys:
            body["signature"] = self.keys[seat].leaves(self.opened_hash, seat)
        return self._of(seat, "DELETE", f"/seats/{seat}", body)

    def _of(self, seat: int, method: str, below: str, body: Json) -> Request:
        return Request(method, self.path + below, json.dumps(body).encode(), self.tokens[seat])

    # A course.

    def do(self, request: Request) -> Answer:
        """A request that must be taken."""
        answer = self.house.ask(request)
        assert answer.status in (200, 201), answer.body
        return answer

    def sit_all(self) -> Table:
        """Everybody sits."""
        for seat in range(self.seats):
            self.do(self.sitting(seat))
        return self

    def deal(self) -> Table:
        """Everybody sits and reveals."""
        self.sit_all()
        for seat in range(self.seats):
            self.do(self.revealing(seat))
        return self

    def turn(self) -> Answer:
        """The seat on turn does the first thing it may."""
        seat, listed = self.to_act()
        return self.do(self.acting(seat, listed[0]))

    def finish(self) -> Table:
        """Play to the end, of which a match of few hands is never far."""
        for _ in range(500):
            if self.get()["status"] != "playing":
                return self
            self.turn()
        raise AssertionError("it does not end")
