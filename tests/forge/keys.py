"""TEST KEYS. They are derived from phrases anybody can read: never trust a thing they signed."""

from __future__ import annotations

import hashlib

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

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

    def listed(self) -> dict[str, object]:
        """As a transcript's `keys` has it."""
        return {"key_id": self.id, "public_key": self.public.hex()}


HOUSE = Key(HOUSE_PHRASE)
OTHER = Key(OTHER_PHRASE)
