"""A real house around a table: time stands still until a test moves it, chance is counted."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from fairbones.api.limits import Limits
from fairbones.app import build_api
from fairbones.bots.keys import SeatKey
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.chain import read_event
from fairbones.core.protocol.cut import client_commitment
from fairbones.house.service import House
from fairbones.keys.signer import ReceiptSigner
from fairbones.keys.vault import SeedVault
from fairbones.store.sqlite import SqliteStore

NOON = 1_798_800_000_000
Json = dict[str, Any]


@dataclass
class Table:
    """A service in this process. `secrets` are all server seeds the house has drawn."""

    folder: Path
    limits: Limits = field(default_factory=Limits)
    now: int = NOON
    drawn: int = 0
    secrets: list[bytes] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.store = SqliteStore(self.folder / "fairbones.db")
        self.house = House(
            self.store,
            SeedVault((bytes(range(32)),), entropy=self._entropy),
            ReceiptSigner((bytes(range(32, 64)),)),
            lambda: self.now,
            self._entropy,
        )
        self.app = build_api(self.house, self.limits)
        self.client: FlaskClient = self.app.test_client()

    def _entropy(self, n: int, /) -> bytes:
        self.drawn += 1
        made = hashlib.sha256(b"chance %d" % self.drawn).digest()[:n]
        if n == 32:
            self.secrets.append(made)
        return made

    def close(self) -> None:
        """Let the database go."""
        self.store.close()

    def call(
        self,
        method: str,
        address: str,
        body: object = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> TestResponse:
        """One request, a second later than the last."""
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        self.now += 1_000
        if body is None:
            return self.client.open(address, method=method, headers=sent)
        return self.client.open(address, method=method, headers=sent, json=body)

    def done(self, method: str, address: str, body: object = None, **more: Any) -> Json:
        """The answer of a call that must be good."""
        answer = self.call(method, address, body, **more)
        assert answer.status_code < 300, answer.text
        found = answer.get_json()
        assert isinstance(found, dict)
        return found


def token_of(seat: int) -> str:
    """A seat's bearer token."""
    return hashlib.sha256(b"token of seat %d" % seat).hexdigest()


def seed_of(seat: int) -> bytes:
    """A seat's client seed."""
    return hashlib.sha256(b"seed of seat %d" % seat).digest()


def key_of(seat: int) -> SeatKey:
    """A seat's own key."""
    return SeatKey(hashlib.sha256(b"key of seat %d" % seat).digest())


def event_hash(event: Json) -> str:
    """The hash of an event as a client computes it: from the event alone."""
    return read_event(canonical(event)).hash.hex()


@dataclass
class Game:
    """One match on a table, driven through HTTP like a client would; `signed` are the seats that
    have a key.
    """

    table: Table
    opening: Json
    signed: Collection[int] = ()

    def __post_init__(self) -> None:
        opened = self.table.call("POST", "/v1/matches", self.opening)
        assert opened.status_code == 201, opened.text
        self.address = opened.headers["Location"]
        self.events: list[Json] = [opened.json["event"]] if opened.json else []

    @property
    def opened_hash(self) -> bytes:
        """What commitments are bound to."""
        return bytes.fromhex(event_hash(self.events[0]))

    def commitment(self, seat: int) -> str:
        """What a seat sends when it sits down."""
        key = key_of(seat).public if seat in self.signed else b""
        return client_commitment(self.opened_hash, seat, key, seed_of(seat)).hex()

    def sitting(self, seat: int) -> Json:
        """What a seat sends when it sits down."""
        name, commitment = f"player-{seat}", self.commitment(seat)
        body = {"client_seed_commitment": commitment, "name": name}
        if seat in self.signed:
            key, committed = key_of(seat), bytes.fromhex(commitment)
            body["public_key"] = key.public.hex()
            body["signature"] = key.joins(self.opened_hash, seat, commitment=committed, name=name)
        return body

    def sit(self, seat: int) -> Json:
        """Take a seat."""
        return self.move("PUT", f"/seats/{seat}", self.sitting(seat), token=token_of(seat))

    def revealing(self, seat: int) -> Json:
        """What a seat sends when it reveals, naming the last `seated`."""
        seated = [event for event in self.events if event["type"] == "seated"][-1]
        body = {"client_seed": seed_of(seat).hex(), "seated_hash": event_hash(seated)}
        if seat in self.signed:
            place = self.opened_hash, bytes.fromhex(body["seated_hash"]), seat
            body["signature"] = key_of(seat).reveals(*place, seed_of(seat))
        return body

    def reveal(self, seat: int) -> Json:
        """Reveal a seed."""
        return self.move("PUT", f"/seats/{seat}/seed", self.revealing(seat))

    def start(self) -> Game:
        """Seat everybody and reveal."""
        seats = range(self.events[0]["data"]["seats"])
        for seat in seats:
            self.sit(seat)
        for seat in seats:
            self.reveal(seat)
        return self

    def move(self, method: str, below: str, body: object = None, **more: Any) -> Json:
        """A call that adds events, which are kept."""
        answer = self.table.done(method, self.address + below, body, **more)
        self.events += answer["events"]
        return answer

    def view(self, seat: int | None = None) -> Json:
        """The public view, or a seat's."""
        token = None if seat is None else token_of(seat)
        return self.table.done("GET", self.address, token=token)

    def acting(self, seat: int, action: Json) -> Json:
        """What a seat sends for an action on the head."""
        body: Json = {"seq": len(self.events), "action": action}
        if seat in self.signed:
            body["prev"] = event_hash(self.events[-1])
            place = self.opened_hash, body["seq"], bytes.fromhex(body["prev"]), seat
            body["signature"] = key_of(seat).moves(*place, action)
        return body

    def act(self, seat: int, action: Json) -> Json:
        """Send an action on the head."""
        return self.move("POST", "/actions", self.acting(seat, action), token=token_of(seat))

    def leave(self, seat: int) -> Json:
        """Leave for good."""
        body = {}
        if seat in self.signed:
            body["signature"] = key_of(seat).leaves(self.opened_hash, seat)
        return self.move("DELETE", f"/seats/{seat}", body, token=token_of(seat))

    def to_act(self) -> tuple[int, list[Json]]:
        """The seat to act and its moves, once the house has made what waited for calls.

        LookupError when the match ended with that.
        """
        while not self.over:
            seat = self.view().get("turn", 0)
            listed = self.view(seat)["you"]["legal_actions"]
            after = len(self.events) - 1
            self.events += self.table.done("GET", f"{self.address}/events?after={after}")["events"]
            moves = [action for action in listed if action["type"] != "call"]
            if moves and len(self.events) == after + 1:
                return seat, moves
        raise LookupError("the match is over")

    def play_turn(self) -> Json:
        """The seat to act does the first thing it may."""
        seat, moves = self.to_act()
        return self.act(seat, moves[0])

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.events[-1]["type"] in ("match_ended", "voided")
