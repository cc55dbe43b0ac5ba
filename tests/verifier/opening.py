"""A house up to its first hand: the wash, the seats, the seeds, the draw for the lead; its papers.

`forged` changes some events and seals the chain again: a forgery is wrong in one thing only.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Collection
from typing import Any

from tests.verifier.bones import Tile
from tests.verifier.primitives import (
    BLOCK,
    MAC,
    SIGNER,
    Event,
    H,
    event_hash,
    heavy,
    rechained,
    sealed,
    shuffle,
    u32,
)
from tests.verifier.signing import message, seat_of, seat_signer


class Opening:
    """One match before its first hand. `washes` is called with the house when everything is washed
    and nothing sealed: a house that lies about its washes does it there. `keys`: the seats that
    have one.
    """

    def __init__(
        self,
        seed: int = 0,
        row: dict[str, Any] = BLOCK,
        seats: int = 2,
        rounds: int = 3,
        clear: tuple[int, ...] = (),
        washes: Callable[[Any], None] = lambda house: None,
        keys: Collection[int] = (),
        **opened: Any,
    ) -> None:
        self.signers = {seat: seat_signer(seed, seat) for seat in keys}
        self.rng = random.Random(seed)
        self.row, self.seats, self.rounds, self.clear = dict(row), seats, rounds, clear
        self.S, self.match = self.rng.randbytes(32), self.rng.randbytes(16).hex()
        self.mid = bytes.fromhex(self.match)
        self.events: list[Event] = []
        self.at = 1_790_000_000_000
        self.seeds = [self.rng.randbytes(32) for _ in range(seats)]
        game = row["id"] != "lots"
        self.draws_lead = game and row["first_lead"] == "draw-for-lead"
        self.tiles = [
            (high, low) for high in range(row.get("set", 6) + 1) for low in range(high + 1)
        ]
        self.n = len(self.tiles)
        count = rounds if game else int(row["kind"] == "order")
        self.things = [[bytes(tile[::-1]) for tile in self.tiles] for _ in range(count)]
        if not game and count:
            self.things = [[u32(i) for i in range(row["n"])]]
        self.R = [self.round_seed(r + 1) for r in range(count)]
        self.orders = [
            shuffle(self.R[r], "wash-order", r + 1, len(self.things[r])) for r in range(count)
        ]
        self.R0 = self.round_seed(0)
        self.lead_order = shuffle(self.R0, "wash-order", 0, self.n)
        washes(self)
        self.salts = [
            [MAC(seed, "salt", u32(i)) for i in range(len(order))]
            for seed, order in zip(self.R, self.orders, strict=True)
        ]
        self.seals = [
            self.sealing(r + 1, self.salts[r], [self.things[r][thing] for thing in order])
            for r, order in enumerate(self.orders)
        ]
        self.opened = {
            "protocol": "fairbones/1",
            "entropy": ["house", "seats"],
            "ruleset": self.row,
            "seats": seats,
            "rounds_max": rounds,
            "server_seed_hash": H("server-seed", self.mid, self.S).hex(),
            "washes": [self.root(r + 1, seals) for r, seals in enumerate(self.seals)],
            "key_id": SIGNER.id,
            "auto_forced": True,
            "clear_seeds": bool(clear),
            "reserved": [],
            "join_seconds": 600,
            "reveal_seconds": 60,
            "turn_seconds": 30,
            "close_by": self.at + 604_800_000,
        }
        if self.draws_lead:
            salts = [MAC(self.R0, "salt", u32(i)) for i in range(self.n)]
            lying = [bytes(self.tiles[thing][::-1]) for thing in self.lead_order]
            self.lead_seals = self.sealing(0, salts, lying)
            self.opened["lead_wash"] = self.root(0, self.lead_seals)
        self.opened |= opened
        self.say("opened", self.opened)

    # Bytes (SPEC 4)

    def round_seed(self, r: int) -> bytes:
        return MAC(self.S, "round-seed", self.mid, u32(r))

    def sealing(self, r: int, salts: list[bytes], things: list[bytes]) -> list[bytes]:
        return [
            H("seal", self.mid, u32(r), u32(i), salts[i], thing) for i, thing in enumerate(things)
        ]

    def root(self, r: int, seals: list[bytes]) -> str:
        return H("wash-root", self.mid, u32(r), b"".join(seals)).hex()

    # Saying things

    def say(
        self, kind: str, data: dict[str, Any], later: int | None = 0, by: int | None = None
    ) -> Event:
        """Append an event, `later` ms after the last one; None: a random while. `by` signs it,
        where that seat has a key.
        """
        self.at += self.rng.randint(0, 4_000) if later is None else later
        prev = event_hash(self.events[-1]).hex() if self.events else "0" * 64
        event = {
            "match": self.match,
            "seq": len(self.events),
            "prev": prev,
            "at": self.at,
            "type": kind,
            "data": {**data, "signature": ""} if by in self.signers else data,
        }
        self.resign(event)
        self.events.append(event)
        return event

    def resign(self, event: Event, opened: bytes | None = None) -> None:
        """Sign an event that has a signature for what it says now."""
        if self.signers and "signature" in event["data"] and seat_of(event) in self.signers:
            seat = seat_of(event)
            said = message(opened or event_hash(self.events[0]), event, seat)
            event["data"]["signature"] = self.signers[seat].sign(said).hex()

    # Seats and seeds (SPEC 5)

    def sit(self, *seats: int) -> None:
        opened = event_hash(self.events[0])
        for seat in seats or self.rng.sample(range(self.seats), self.seats):
            data: dict[str, Any] = {"seat": seat}
            key = self.signers[seat].public if seat in self.signers else b""
            data |= {"public_key": key.hex()} if key else {}
            if seat in self.clear:
                data["client_seed"] = self.seeds[seat].hex()
            else:
                hashed = H("client-seed", opened, u32(seat), key, self.seeds[seat])
                data["client_seed_commitment"] = hashed.hex()
            if self.rng.random() < 0.5:
                data["name"] = f"seat_{seat}"
            self.say("seated", data, None, by=seat)

    def reveal(self, *seats: int) -> None:
        seated = event_hash(self.events[-1]).hex()
        order = seats or self.rng.sample(range(self.seats), self.seats)
        for seat in order:
            if seat not in self.clear:
                data = {"seat": seat, "client_seed": self.seeds[seat].hex(), "seated_hash": seated}
                self.say("seeded", data, None, by=seat)
        self.K = H("cut-key", event_hash(self.events[0]), *self.seeds)

    def draw_lead(self) -> None:
        """SPEC 4.5: the seats draw for the lead, where the rules say so."""
        if not self.draws_lead:
            return
        places = shuffle(self.K, "cut-map", 0, self.n)
        drawn: list[Tile] = [self.tiles[self.lead_order[places[k]]] for k in range(self.seats)]
        self.lead = max(range(self.seats), key=lambda seat: heavy(drawn[seat]))
        self.first_drawn = self.lead
        seals = [seal.hex() for seal in self.lead_seals]
        data = {"seals": seals, "round_seed": self.R0.hex(), "lead": self.lead}
        self.say("lead_drawn", data)

    # What goes out

    def transcript(self) -> bytes:
        return sealed(self.events)

    def forged(self, *changes: Callable[[list[Event]], object]) -> bytes:
        """The transcript after changes to its events, chained and signed again, by seats too."""
        events = copy.deepcopy(self.events)
        for change in changes:
            change(events)
        opened = event_hash(events[0])
        return sealed(rechained(events, self.events, lambda event: self.resign(event, opened)))

    def index(self, kind: str, nth: int = 0) -> int:
        """The place of the nth event of a type; -1 is the last."""
        return [i for i, event in enumerate(self.events) if event["type"] == kind][nth]
