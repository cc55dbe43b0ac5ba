"""A house with its edges in the test's hand, and players who keep every receipt they are shown."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from fairbones.bots.keys import SeatKey
from fairbones.core.protocol.chain import Event, key_id, read_event, receipt, receipt_message
from fairbones.core.protocol.cut import client_commitment
from fairbones.house.messages import ActRequest, Answer, Followed, OpenRequest, SitRequest
from fairbones.house.service import House
from fairbones.keys.vault import SeedVault
from tests.house.memory_store import MemoryStore

NOW = 1_700_000_000_000
Json = dict[str, Any]
Choose = Callable[[Sequence[Json]], Json]


class Clock:
    """Stands still until the test moves it; `drift` ms pass at every look."""

    def __init__(self) -> None:
        self.now = NOW
        self.drift = 0

    def __call__(self) -> int:
        self.now += self.drift
        return self.now


class Signer:
    """Real Ed25519 with the newest key first; remembers what it signed."""

    def __init__(self, *secrets: bytes) -> None:
        keys = [Ed25519PrivateKey.from_private_bytes(secret) for secret in secrets]
        self._keys = {key_id(key.public_key().public_bytes_raw()): key for key in keys}
        self.signed: list[bytes] = []

    @property
    def key_id(self) -> str:
        return next(iter(self._keys))

    @property
    def public_key(self) -> bytes:
        return self.public_keys()[0][1]

    def sign(self, message: bytes, key_id: str | None = None) -> bytes:
        self.signed.append(message)
        return self._keys[key_id or self.key_id].sign(message)

    def verify(self, key_id: str, message: bytes, signature: bytes) -> bool:
        try:
            self._keys[key_id].public_key().verify(signature, message)
        except (KeyError, InvalidSignature):
            return False
        return True

    def rotate(self, secret: bytes) -> None:
        """Begin to sign new matches with another key."""
        key = Ed25519PrivateKey.from_private_bytes(secret)
        self._keys = {key_id(key.public_key().public_bytes_raw()): key} | self._keys

    def retire(self, secret: bytes) -> Signer:
        """Hold an older key, which signs no new match; the key alone."""
        older = Signer(secret)
        self._keys |= older._keys
        return older

    def public_keys(self) -> Sequence[tuple[str, bytes]]:
        return [(name, key.public_key().public_bytes_raw()) for name, key in self._keys.items()]


@dataclass
class Receipts:
    """Every receipt anybody was shown: valid, and one hash for one (match, seq)."""

    keys: dict[str, bytes]
    hashes: dict[tuple[str, int], str] = field(default_factory=dict)
    texts: dict[tuple[str, int], bytes] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, raw: bytes) -> Json:
        """Keep a receipt; fails for a false one and for a second history (SPEC 6.4)."""
        told: Json = json.loads(raw)
        match, event_hash = bytes.fromhex(told["match"]), bytes.fromhex(told["event_hash"])
        public_key = Ed25519PublicKey.from_public_bytes(self.keys[told["key_id"]])
        message = receipt_message(match, told["seq"], event_hash)
        public_key.verify(bytes.fromhex(told["signature"]), message)
        place = told["match"], told["seq"]
        with self.lock:
            assert self.hashes.setdefault(place, told["event_hash"]) == told["event_hash"]
            assert self.texts.setdefault(place, raw) == raw, "signed once, kept, never again"
        return told


class Party:
    """A house, its store, its clock and its key."""

    def __init__(self, rnd: random.Random) -> None:
        self.rnd = rnd
        self.store = MemoryStore()
        self.clock = Clock()
        self.signer = Signer(rnd.randbytes(32))
        self.vault = SeedVault([rnd.randbytes(32)])
        self.server_seeds: list[bytes] = []
        self.receipts = Receipts(dict(self.signer.public_keys()))
        self.house = self.another_house()

    def entropy(self, n: int, /) -> bytes:
        """Random bytes; those of a server seed are kept to be looked for."""
        drawn = self.rnd.randbytes(n)
        if n == 32:
            self.server_seeds.append(drawn)
        return drawn

    def another_house(self) -> House:
        """A house on the same store: after a restart, or as a second process."""
        return House(self.store, self.vault, self.signer, self.clock, self.entropy)

    def open(self, ruleset: str = "block", seats: int = 2, **more: Any) -> Guests:
        """A new match and the players that will sit at it."""
        terms: Json = {
            "rounds_max": 3,
            "turn_seconds": 20,
            "join_seconds": 60,
            "reveal_seconds": 40,
        }
        opened = self.house.open(OpenRequest(ruleset=ruleset, seats=seats, **(terms | more)))
        self.receipts.note(opened.receipt)
        tokens = [self.rnd.randbytes(32).hex() for _ in range(seats)]
        seeds = [self.rnd.randbytes(32) for _ in range(seats)]
        return Guests(
            self, opened.match_id, read_event(opened.event).hash, tokens, seeds, self.house
        )


@dataclass
class Guests:
    """The players of one match. They ask `house`, which a test may exchange.

    `keys` are those of the seats that have one.
    """

    party: Party
    match_id: bytes
    opened_hash: bytes
    tokens: list[str]
    seeds: list[bytes]
    house: House
    keys: dict[int, SeatKey] = field(default_factory=dict)

    def noted(self, answer: Answer) -> Answer:
        """An answer whose receipt covers exactly its last event."""
        told = self.party.receipts.note(answer.receipt)
        last = read_event(answer.events[-1])
        assert (told["seq"], told["event_hash"]) == (last.seq, last.hash.hex())
        assert answer.view["head"] == {"seq": last.seq, "event_hash": last.hash.hex()}
        return answer

    def sit_request(self, seat: int) -> SitRequest:
        """What the player of a seat sends."""
        key, name = self.keys.get(seat), f"p{seat}"
        public = key.public if key else b""
        commitment = client_commitment(self.opened_hash, seat, public, self.seeds[seat])
        if key is None:
            return SitRequest(seat, name, commitment)
        signature = key.joins(self.opened_hash, seat, commitment=commitment, name=name)
        return SitRequest(
            seat, name, commitment, public_key=key.public, signature=bytes.fromhex(signature)
        )

    def sit(self, seat: int) -> Answer:
        """Take a seat."""
        request = self.sit_request(seat)
        return self.noted(self.house.sit(self.match_id, self.tokens[seat], request))

    def reveal(self, seat: int) -> Answer:
        """Reveal a seed for the seating that the events show."""
        seated = [event for event in self.events() if event.type == "seated"][-1].hash
        seed, signature = self.seeds[seat], None
        if seat in self.keys:
            told = self.keys[seat].reveals(self.opened_hash, seated, seat, seed)
            signature = bytes.fromhex(told)
        return self.noted(self.house.reveal(self.match_id, seat, seed, seated, signature))

    def leave(self, seat: int) -> Answer:
        """Leave for good."""
        signature = None
        if seat in self.keys:
            signature = bytes.fromhex(self.keys[seat].leaves(self.opened_hash, seat))
        return self.noted(self.house.leave(self.match_id, seat, self.tokens[seat], signature))

    def seat_all(self) -> Guests:
        """Everybody sits."""
        for seat in range(len(self.tokens)):
            self.sit(seat)
        return self

    def deal(self) -> Guests:
        """Everybody sits and reveals."""
        self.seat_all()
        for seat in range(len(self.tokens)):
            self.reveal(seat)
        return self

    def view(self, seat: int | None = None, at: int | None = None) -> Json:
        """What a seat or the public sees."""
        token = None if seat is None else self.tokens[seat]
        shown = self.house.view(self.match_id, token, at)
        told = self.party.receipts.note(shown.receipt)
        assert shown.seat == seat
        assert shown.head_hash.hex() == told["event_hash"]
        assert shown.view["head"] == {"seq": told["seq"], "event_hash": told["event_hash"]}
        return dict(shown.view)

    def follow(self, after: int, wait: float = 0.0) -> Followed:
        """Events above a seq."""
        followed = self.house.events(self.match_id, after, wait)
        told = self.party.receipts.note(followed.receipt)
        assert (told["seq"], told["event_hash"]) == (followed.head_seq, followed.head_hash.hex())
        return followed

    def events(self) -> list[Event]:
        """Every event so far."""
        return [read_event(raw) for raw in self.follow(-1).events]

    def send(self, seat: int, action: Mapping[str, object], seq: int, **more: Any) -> Answer:
        """Send an action as it stands."""
        if seat in self.keys and "signature" not in more:
            prev = more.get("prev") or self.events()[seq - 1].hash
            signature = self.keys[seat].moves(self.opened_hash, seq, prev, seat, action)
            more["signature"] = bytes.fromhex(signature)
        request = ActRequest(seq, action, **more)
        return self.noted(self.house.act(self.match_id, self.tokens[seat], request))

    def act(self, choose: Choose) -> tuple[int, Json, int, Answer]:
        """The seat to act takes a legal action: seat, action, seq and the answer."""
        seat, view = self.wait()
        action = choose([it for it in view["you"]["legal_actions"] if it["type"] != "call"])
        seq = view["head"]["seq"] + 1
        prev = bytes.fromhex(view["head"]["event_hash"])
        return seat, action, seq, self.send(seat, action, seq, prev=prev)

    def play_out(self) -> Guests:
        """Play at random until nobody is waited for."""
        while self.wait()[1]["status"] == "playing":
            self.act(self.party.rnd.choice)
        return self

    def wait(self) -> tuple[int, Json]:
        """Let time pass while the house waits for calls (SPEC 8.8); the seat to act, its view."""
        while True:
            seat = self.view().get("turn")
            view = self.view(seat)
            if seat is None or any(it["type"] != "call" for it in view["you"]["legal_actions"]):
                return seat or 0, view
            self.party.clock.now += 1_000

    def foreign_receipt(self, seq: int, event_hash: bytes) -> Json:
        """A receipt this house signed for a head that is nowhere in its store."""
        signer = self.party.signer
        signature = signer.sign(receipt_message(self.match_id, seq, event_hash))
        told: Json = json.loads(receipt(self.match_id, seq, event_hash, signer.key_id, signature))
        return told

    def viewers(self) -> list[int | None]:
        """The public, and every seat that is taken."""
        seats = self.view()["seats"]
        return [None, *(shown["seat"] for shown in seats if shown["taken"])]

    def stored_events(self) -> list[bytes]:
        """What lies in the store, behind the house's back."""
        steps = self.party.store.matches[self.match_id].steps
        return [raw for step in steps for raw in step.events]
