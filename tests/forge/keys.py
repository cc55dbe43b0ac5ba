"""TEST KEYS. They are derived from phrases anybody can read: never trust a thing they signed."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.bots.keys import SeatKey
from fairbones.core.protocol import chain

HOUSE_PHRASE = "fairbones test key, worth nothing"
OTHER_PHRASE = "fairbones other test key, worth nothing"


class Key:
    """A receipt key of a house (SPEC 6.4, 6.5)."""

    def __init__(self, phrase: str) -> None:
        secret = hashlib.sha256(phrase.encode()).digest()
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.public = self._private.public_key().public_bytes_raw()
        self.id = chain.key_id(self.public)

    def sign(self, match: bytes, seq: int, event_hash: bytes) -> bytes:
        """The signature of a receipt."""
        return self._private.sign(chain.receipt_message(match, seq, event_hash))

    def say(self, message: bytes) -> str:
        """A signature over anything, as hex: what a house might put in a player's name."""
        return self._private.sign(message).hex()

    def listed(self) -> dict[str, object]:
        """As a transcript's `keys` has it."""
        return {"key_id": self.id, "public_key": self.public.hex()}


def seat_key(phrase: str) -> SeatKey:
    """A player's key (SPEC 5.6)."""
    return SeatKey(hashlib.sha256(f"seat key {phrase}".encode()).digest())


HOUSE = Key(HOUSE_PHRASE)
OTHER = Key(OTHER_PHRASE)
