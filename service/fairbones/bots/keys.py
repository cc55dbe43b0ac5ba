"""A seat's own key, made for one match: everything the seat says is signed by it (SPEC 5.6)."""

from __future__ import annotations

from collections.abc import Mapping

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.seatkeys import (
    leave_message,
    move_message,
    register_message,
    seed_message,
)


class SeatKey:
    """Signs as hex, the way requests and events carry it. `secret` is 32 bytes, for tests."""

    def __init__(self, secret: bytes | None = None) -> None:
        generate = Ed25519PrivateKey.generate
        self._key = generate() if secret is None else Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._key.public_key().public_bytes_raw()

    def joins(
        self,
        opened_hash: bytes,
        seat: int,
        *,
        commitment: bytes = b"",
        client_seed: bytes = b"",
        name: str = "",
    ) -> str:
        """Proof that the key is held by whoever sits down with just this."""
        told = {"commitment": commitment, "client_seed": client_seed}
        return self.sign(register_message(opened_hash, seat, self.public, **told, name=name))

    def reveals(self, opened_hash: bytes, seated_hash: bytes, seat: int, seed: bytes) -> str:
        """A seed, for one seating."""
        return self.sign(seed_message(opened_hash, seated_hash, seat, seed))

    def moves(
        self, opened_hash: bytes, seq: int, prev: bytes, seat: int, action: Mapping[str, object]
    ) -> str:
        """An action as it is listed, for one place in the chain."""
        return self.sign(move_message(opened_hash, seq, prev, seat, canonical(action)))

    def leaves(self, opened_hash: bytes, seat: int) -> str:
        """Leaving for good."""
        return self.sign(leave_message(opened_hash, seat))

    def sign(self, message: bytes) -> str:
        """The signature over any message."""
        return self._key.sign(message).hex()

    def __repr__(self) -> str:
        return f"<SeatKey {self.public.hex()}>"
