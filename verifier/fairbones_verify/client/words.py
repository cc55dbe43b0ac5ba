"""What a seat says to the house, signed where it has a key (SPEC 5.1, 5.6)."""

from __future__ import annotations

from typing import Any

from ..hashing import commitment
from ..seatkeys import message, move_message
from .signing import public_key, signed

Json = dict[str, Any]


class Voice:
    """One seat of a match. secret: its secret key, None for a seat without one."""

    def __init__(self, opened_hash: bytes, seat: int, secret: bytes | None) -> None:
        self.opened_hash, self.seat, self.secret = opened_hash, seat, secret
        self.key = b"" if secret is None else public_key(secret)

    def joins(self, seed: bytes, name: str) -> Json:
        """The request for the seat: the commitment to its seed."""
        body: Json = {
            "client_seed_commitment": commitment(self.opened_hash, self.seat, seed, self.key).hex()
        }
        if name:
            body["name"] = name
        if self.secret is not None:
            body["public_key"] = self.key.hex()
        return self._signed(body, "seated")

    def reveals(self, seed: bytes, seated_hash: bytes) -> Json:
        """The seed, for one seating."""
        body = {"client_seed": seed.hex(), "seated_hash": seated_hash.hex()}
        return self._signed(body, "seeded")

    def acts(self, seq: int, prev: bytes, action: Json) -> Json:
        """An action in its listed form (R6), for one place in one history."""
        body: Json = {"seq": seq, "prev": prev.hex(), "action": action}
        said = move_message(self.opened_hash, seq, prev.hex(), self.seat, action)
        return self._with(body, said)

    def leaves(self) -> Json:
        return self._signed({}, "left")

    def _signed(self, body: Json, kind: str) -> Json:
        event = {"type": kind, "data": body}
        said = None if self.secret is None else message(self.opened_hash, event, self.seat)
        return self._with(body, said)

    def _with(self, body: Json, said: bytes | None) -> Json:
        if self.secret is None or said is None:
            return body
        return {**body, "signature": signed(self.secret, said).hex()}
