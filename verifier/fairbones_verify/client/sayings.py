"""What a seat has said, and what is said in its name (SPEC 10, C1, C3, C4, C9, C10)."""

from __future__ import annotations

from typing import Any

from ..games.hand import MOVES
from ..hashing import commitment
from ..seatkeys import action_of
from ..table import Event, Table
from .chronicle import Chronicle
from .lies import Lie, SeatTaken

Json = dict[str, Any]


class Sayings:
    """One seat: its secrets, and each request that it has sent.

    seated, seeded: the bodies, {} while there is none. actions: by seq, each a list of bodies: one
    move at most, and calls. left: the body, None before. answer: to the request for the seat,
    "taken" or "refused"; "" while there is none, also where one got lost.
    """

    def __init__(self, seat: int, seed: bytes, name: str = "", public_key: bytes = b"") -> None:
        self.seat, self.seed, self.name, self.public_key = seat, seed, name, public_key
        self.seated: Json = {}
        self.answer = ""
        self.seeded: Json = {}
        self.actions: dict[int, list[Json]] = {}
        self.left: Json | None = None

    # What may be sent

    def seats(self, seen: Chronicle, body: Json) -> None:
        """C1: the commitment to this very seed, and never the seed."""
        if "client_seed" in body:
            raise Lie("C1", "I was about to send my seed before the others had committed")
        due = commitment(seen.hashes[0], self.seat, self.seed, self.public_key).hex()
        if body.get("client_seed_commitment") != due:
            raise Lie("C1", "I was about to send a commitment that my seed does not open")
        if self.seated and self.seated != body and self.answer != "refused":
            raise Lie("C9", "I was about to take my seat in two ways")
        self.seated, self.answer = dict(body), ""

    def reveals(self, seen: Chronicle, table: Table, body: Json) -> None:
        """C3 and C4: only this seating, which the house has signed, gets to know the seed."""
        last = max((e["seq"] for e in seen.events if e["type"] == "seated"), default=0)
        if len(table.seated) < table.seats:
            raise Lie("C3", "I was about to show my seed before every seat is taken", last)
        if self.seat not in table.seated:
            raise Lie("C3", "my seat is not there", last)
        if not seen.covered(last):
            raise Lie("C3", "no receipt covers the last of the seats", last)
        if body.get("client_seed") != self.seed.hex():
            raise Lie("C4", "I was about to show another seed than I committed to")
        if body.get("seated_hash") != table.seated_hash.hex():
            raise Lie("C4", "I was about to show my seed for another seating than I saw", last)
        self.seeded = dict(body)

    def acts(self, seen: Chronicle, body: Json) -> None:
        """C9: on the head that was seen, its hash reckoned, and one move for each place."""
        seq = body.get("seq")
        if seq != seen.head + 1 or body.get("prev") != seen.hashes[-1].hex():
            raise Lie("C9", "I was about to act on another head than the one I saw", seen.head)
        call = body["action"].get("type") == "call"
        for before in self.actions.get(seen.head + 1, []):
            same = before["action"] == body["action"]
            if not same and (before["action"].get("type") == "call") == call:
                raise Lie("C9", f"I was about to say two things for event {seq}", seen.head)
        said = self.actions.setdefault(seen.head + 1, [])
        if body not in said:
            said.append(body)

    # What stands there

    def recognise(self, table: Table, event: Event) -> None:
        """C10: an event in my name is what I sent, where I sent it. `table` is before it."""
        name, data, seq = event["type"], event["data"], event["seq"]
        if name == "voided" and data["reason"] == "left" and data["missing"] == [self.seat]:
            self._said(self.left is not None, event)
            self._signed(self.left, event)
        if data.get("seat") != self.seat:
            return
        if name == "seated":
            self._sits(event)
        elif name == "seeded":
            self._said(self.seeded.get("client_seed") == data["client_seed"], event)
            self._signed(self.seeded, event)
        elif name == "left":
            self._said(self.left is not None, event)
            self._signed(self.left, event)
        elif name in (*MOVES, "called") and table.is_own(event):
            bodies = [b for b in self.actions.get(seq, []) if b["action"] == action_of(event)]
            self._said(bool(bodies), event)
            self._signed(bodies[0], event)

    def _sits(self, event: Event) -> None:
        """A seat may be somebody else's: that is no lie, unless this client was given it."""
        data, sent = event["data"], {k: v for k, v in self.seated.items() if k != "invite"}
        same = {"seat": self.seat, **sent} == data
        ours = any(
            name in sent and sent[name] == data.get(name)
            for name in ("client_seed_commitment", "public_key")
        )
        if not same and not ours and self.answer != "taken":
            raise SeatTaken(self.seat)
        self._said(same, event)
        self.answer = "taken"

    def _said(self, so: bool, event: Event) -> None:
        if not so:
            said = f"event {event['seq']}: {event['type']} stands in my name, and not as I sent it"
            raise Lie("C10", said, event["seq"])

    def _signed(self, body: Json | None, event: Event) -> None:
        sent, stands = (body or {}).get("signature"), event["data"].get("signature")
        if sent != stands:
            said = f"event {event['seq']}: {event['type']} has not the signature that I sent"
            raise Lie("C10", said, event["seq"])
