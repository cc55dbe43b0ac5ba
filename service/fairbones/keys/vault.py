"""`house.ports.Vault`: server seeds sealed with AES-256-GCM until the protocol reveals them.

A sealed seed is `version (1) | key id (8) | nonce (12) | ciphertext (32) | tag (16)`. Version,
key id and match id are authenticated with it, so a seed opens for its own match only.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Sequence
from typing import NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Entropy

VERSION = b"\x01"
SEED_BYTES = 32
KEK_BYTES = 32
_ID_BYTES = 8
_NONCE_BYTES = 12
_MATCH_ID_BYTES = 16


def kek_id(key: bytes) -> str:
    """16 hex digits that name a key-encryption key and say nothing about it."""
    return hmac.digest(key, b"fairbones kek id", "sha256")[:_ID_BYTES].hex()


class SeedVault:
    """Seals under the first of its keys, opens under any of them."""

    __slots__ = ("_ciphers", "_entropy", "_newest")

    def __init__(self, keys: Sequence[bytes], *, entropy: Entropy = os.urandom) -> None:
        """`keys` are 32 bytes each, newest first, at least one."""
        self._ciphers = {bytes.fromhex(kek_id(key)): AESGCM(key) for key in keys}
        self._newest = next(iter(self._ciphers))
        self._entropy = entropy

    def seal(self, match_id: bytes, seed: bytes) -> bytes:
        """See `Vault.seal`."""
        if len(match_id) != _MATCH_ID_BYTES or len(seed) != SEED_BYTES:
            # From nothing: the seed must not travel in an error.
            raise ValueError("a match id has 16 bytes and a server seed 32")
        head = VERSION + self._newest
        nonce = self._entropy(_NONCE_BYTES)
        return head + nonce + self._ciphers[self._newest].encrypt(nonce, seed, head + match_id)

    def open(self, match_id: bytes, sealed: bytes) -> bytes:
        """See `Vault.open`."""
        head, rest = sealed[: 1 + _ID_BYTES], sealed[1 + _ID_BYTES :]
        nonce, ciphertext = rest[:_NONCE_BYTES], rest[_NONCE_BYTES:]
        cipher = self._ciphers.get(head[1:])
        if head[:1] != VERSION or cipher is None or len(ciphertext) != SEED_BYTES + 16:
            raise _stays_sealed(head[1:])
        try:
            return cipher.decrypt(nonce, ciphertext, head + match_id)
        except InvalidTag:
            raise _stays_sealed(head[1:]) from None

    def __repr__(self) -> str:
        return f"<SeedVault, key {self._newest.hex()}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a vault stays in its process")


def _stays_sealed(key: bytes) -> FairbonesError:
    return FairbonesError(
        "house/seed-sealed",
        "the server seed of this match cannot be opened; put back its key file "
        f"kek-*-{key.hex()}.key",
        key_id=key.hex(),
    )
