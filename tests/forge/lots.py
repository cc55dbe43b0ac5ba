"""Draws without a game (SPEC 11), built from the protocol alone: the house has no use case yet."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fairbones.core.match.times import TURNS_PER_HAND, close_by
from fairbones.core.protocol.cut import client_commitment, cut_key
from fairbones.core.protocol.draws import draw_numbers, draw_order
from fairbones.core.protocol.encoding import Tag, u32
from fairbones.core.protocol.shuffle import shuffle
from fairbones.core.protocol.wash import Wash, round_seed, server_seed_hash, wash
from tests.forge.house import NOON
from tests.forge.keys import HOUSE, seat_key
from tests.forge.paper import NO_PREV, Json, event_hash, transcript

SPANS = (60, 60, 30)  # to join, to reveal, and for turns that a draw does not have
Bend = Callable[[Json], object]


@dataclass(frozen=True, slots=True)
class Lots:
    """What is drawn, and by how many seats; `clear` are the seats that show their seed at once,
    `signed` those that have a key.
    """

    kind: str = "order"
    n: int = 6
    count: int = 1
    seats: int = 2
    clear: tuple[int, ...] = ()
    rounds_max: int = 1
    signed: tuple[int, ...] = ()
    phrase: str = "lots"


class Table:
    """One draw from its opening on. `bends` change the data of events before they are sealed."""

    def __init__(self, lots: Lots, **bends: Bend) -> None:
        self.lots = lots
        self._bends = bends
        self.match = self._secret("match")[:16]
        self.secret = self._secret("house")
        self.seeds = [self._secret(f"seed {seat}") for seat in range(lots.seats)]
        self.keys = {seat: seat_key(f"{seat} {lots.phrase}") for seat in lots.signed}
        self.events: list[Json] = []
        self.now = NOON
        seed = round_seed(self.match, self.secret, 1)
        things = [u32(index) for index in range(lots.n)]
        self.wash: Wash | None = wash(self.match, seed, 1, things) if self.ordered else None
        self.write("opened", self._opened())

    def _secret(self, what: str) -> bytes:
        return hashlib.sha256(f"{what} {self.lots.phrase}".encode()).digest()

    @property
    def ordered(self) -> bool:
        """Whether an order is drawn."""
        return self.lots.kind == "order"

    def _opened(self) -> Json:
        lots = self.lots
        row: Json = {"id": "lots", "kind": lots.kind, "n": lots.n}
        if not self.ordered:
            row["count"] = lots.count
        return {
            "protocol": "fairbones/1",
            "entropy": ["house", "seats"],
            "ruleset": row,
            "seats": lots.seats,
            "rounds_max": lots.rounds_max,
            "server_seed_hash": server_seed_hash(self.match, self.secret).hex(),
            "washes": [self.wash.root.hex()] if self.wash else [],
            "key_id": HOUSE.id,
            "auto_forced": True,
            "clear_seeds": bool(lots.clear),
            "reserved": [],
            "join_seconds": SPANS[0],
            "reveal_seconds": SPANS[1],
            "turn_seconds": SPANS[2],
            "close_by": close_by(
                self.now, SPANS[0] + SPANS[1], TURNS_PER_HAND * SPANS[2] * lots.rounds_max
            ),
        }

    def write(self, type_: str, data: Json) -> None:
        """Append an event, after its bend."""
        if type_ in self._bends:
            self._bends[type_](data)
        self.events.append(
            {
                "match": self.match.hex(),
                "seq": len(self.events),
                "prev": event_hash(self.events[-1]).hex() if self.events else NO_PREV,
                "at": self.now,
                "type": type_,
                "data": data,
            }
        )

    def sit(self) -> Table:
        """Every seat is taken."""
        opened = event_hash(self.events[0])
        for seat, seed in enumerate(self.seeds):
            self.now += 500
            data: Json = {"seat": seat}
            key = self.keys.get(seat)
            commitment = client_commitment(opened, seat, key.public if key else b"", seed)
            if seat in self.lots.clear:
                data["client_seed"] = seed.hex()
            else:
                data["client_seed_commitment"] = commitment.hex()
            if key is not None:
                clear = seat in self.lots.clear
                data["public_key"] = key.public.hex()
                data["signature"] = key.joins(
                    opened,
                    seat,
                    commitment=b"" if clear else commitment,
                    client_seed=seed if clear else b"",
                )
            self.write("seated", data)
        return self

    def reveal(self, *seats: int) -> Table:
        """These seats reveal, by default all that committed."""
        seated = next(event for event in reversed(self.events) if event["type"] == "seated")
        for seat in seats or range(self.lots.seats):
            if seat not in self.lots.clear:
                self.now += 300
                named = event_hash(seated)
                data = {"seat": seat, "client_seed": self.seeds[seat].hex()}
                data["seated_hash"] = named.hex()
                if seat in self.keys:
                    place = event_hash(self.events[0]), named, seat
                    data["signature"] = self.keys[seat].reveals(*place, self.seeds[seat])
                self.write("seeded", data)
        return self

    def draw(self) -> Table:
        """The result, in the step of the last seed."""
        lots = self.lots
        key = cut_key(event_hash(self.events[0]), self.seeds)
        data: Json = {"server_seed": self.secret.hex()}
        if self.wash is not None:
            data["seals"] = [seal.hex() for seal in self.wash.seals]
            data["result"] = draw_order(self.wash.order, shuffle(key, Tag.CUT_MAP, 1, lots.n))
        else:
            data["result"] = draw_numbers(self.secret, key, lots.n, lots.count)
        self.write("drawn", data)
        return self

    def void(self, reason: str, **more: object) -> Table:
        """The draw comes to nothing."""
        self.write("voided", {"reason": reason, **more, "server_seed": self.secret.hex()})
        return self

    def told(self) -> list[Json]:
        """The events."""
        return self.events

    def transcript(self) -> bytes:
        """What a house would serve."""
        return transcript(self.events)


def drawn(**lots: object) -> Table:
    """A draw from its opening to its result."""
    return Table(Lots(**lots)).sit().reveal().draw()  # type: ignore[arg-type]


def honest() -> Iterator[tuple[str, str, Table]]:
    """Draws that verify: name, what they show, the table."""
    yield "lots-order", "Six things put in order by two seats.", drawn()
    yield "lots-order-1", "One thing: no shuffle at all.", drawn(n=1, seats=1)
    yield "lots-order-257", "More than 256 things: the shuffle reads four bytes.", drawn(n=257)
    yield "lots-order-5-seats", "Five seats draw their places.", drawn(n=5, seats=5)
    yield "lots-order-clear", "One seat committed, one did not.", drawn(clear=(1,))
    numbers = "numbers"
    yield "lots-numbers", "Ten throws of a die.", drawn(kind=numbers, count=10, seats=3)
    yield "lots-numbers-1", "The number of one thing is 0.", drawn(kind=numbers, n=1, count=3)
    yield "lots-numbers-256", "All of a byte is fair.", drawn(kind=numbers, n=256, count=40)
    yield "lots-numbers-257", "Four bytes a draw.", drawn(kind=numbers, n=257, count=9, seats=1)
    yield "lots-numbers-65536", "The largest n.", drawn(kind=numbers, n=65_536, count=9)
    yield "lots-running", "A draw that waits for a seed.", Table(Lots()).sit().reveal(1)
    yield "lots-signed", "Both seats sign what they say.", drawn(signed=(0, 1))
    yield "lots-signed-clear", "A seat signs the seed it shows.", drawn(clear=(1,), signed=(1,))
    table = Table(Lots(seats=3)).sit().reveal(2)
    table.now += 60_000
    yield "lots-void", "Two seeds are missing.", table.void("seeds-missing", missing=[0, 1])
