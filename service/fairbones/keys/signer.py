"""`house.ports.Signer`: the house's Ed25519 receipt keys (SPEC 2.4, 6.4, 6.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import key_id as key_id_of
from fairbones.keys.watching import UNWATCHED, Watch

RECEIPT_KEY_BYTES = 32


def public_key_of(secret: bytes) -> bytes:
    """The 32 bytes that stand in transcripts for this private key."""
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


class ReceiptSigner:
    """Signs with the first of its keys, or with an older one that a match began with."""

    __slots__ = ("_keys", "_newest", "_public", "_watch")

    def __init__(self, secrets: Sequence[bytes], *, watch: Watch = UNWATCHED) -> None:
        """`secrets` are 32-byte Ed25519 private keys, newest first, at least one.

        `watch` calls `hold` when there are others.
        """
        self._watch = watch
        self._keys: dict[str, Ed25519PrivateKey] = {}
        self._public: dict[str, bytes] = {}
        self.hold(secrets)

    def hold(self, secrets: Sequence[bytes]) -> None:
        """Use these, newest first, from now on; one whose file is gone stays until a restart."""
        keys, public = {}, {}
        for secret in secrets:
            public_key = public_key_of(secret)
            key_id = key_id_of(public_key)
            keys[key_id] = Ed25519PrivateKey.from_private_bytes(secret)
            public[key_id] = public_key
        # Exchanged whole: others may be reading. The newest is named last, when it is there.
        self._keys = keys | {it: key for it, key in self._keys.items() if it not in keys}
        self._public = public | {it: key for it, key in self._public.items() if it not in public}
        self._newest = next(iter(keys))

    @property
    def key_id(self) -> str:
        """The key that new matches begin with."""
        self._watch.glance()
        return self._newest

    @property
    def public_key(self) -> bytes:
        """32 bytes, of `key_id`."""
        return self._public[self.key_id]

    def sign(self, message: bytes, key_id: str | None = None) -> bytes:
        """64 bytes of Ed25519 under `key_id`: a match is signed by the key of its `opened`
        to its end (SPEC 6.5). Raises `FairbonesError("house/receipt-key")` for a key not held.
        """
        key_id = key_id or self.key_id
        if key_id not in self._keys:
            self._watch.look()
        key = self._keys.get(key_id)
        if key is None:
            raise FairbonesError(
                "house/receipt-key",
                f"the receipt key of this match is not here; put back receipt-*-{key_id}.key",
                key_id=key_id,
            )
        return key.sign(message)

    def verify(self, key_id: str, message: bytes, signature: bytes) -> bool:
        """See `Signer.verify`; False for a key that is not this house's."""
        if key_id not in self._keys:
            self._watch.glance()
        key = self._keys.get(key_id)
        if key is None:
            return False
        try:
            key.public_key().verify(signature, message)
        except InvalidSignature:
            return False
        return True

    def public_keys(self) -> Sequence[tuple[str, bytes]]:
        """See `Signer.public_keys`."""
        self._watch.glance()
        return tuple(self._public.items())

    def __repr__(self) -> str:
        return f"<ReceiptSigner, key {self._newest}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a signer stays in its process")
