"""`house.ports.Vault`: server seeds sealed with AES-256-GCM until the protocol reveals them.

A sealed seed is `version (1) | key id (8) | nonce (12) | ciphertext (32) | tag (16)`. Version,
key id and match id are authenticated with it, so a seed opens for its own match only.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Entropy
from fairbones.keys.watching import UNWATCHED, Watch

VERSION = b"\x01"
SEED_BYTES = 32
KEK_BYTES = 32
_ID_BYTES = 8
_NONCE_BYTES = 12
_MATCH_ID_BYTES = 16


def sealed_under(sealed: bytes) -> str:
    """The id of the key that a sealed seed asks for."""
    return sealed[1 : 1 + _ID_BYTES].hex()


def kek_id(key: bytes) -> str:
    """16 hex digits that name a key-encryption key and say nothing about it."""
    return hmac.digest(key, b"fairbones kek id", "sha256")[:_ID_BYTES].hex()


class SeedVault:
    """Seals under the first of its keys, opens under any of them."""

    __slots__ = ("_ciphers", "_entropy", "_lying", "_newest", "_watch")

    def __init__(
        self,
        keys: Sequence[bytes],
        *,
        entropy: Entropy = os.urandom,
        watch: Watch = UNWATCHED,
        lying: Callable[[str], Path | None] = lambda _: None,
    ) -> None:
        """`keys` are 32 bytes each, newest first, at least one; `watch` calls `hold` for others.

        `lying` is where the file of a key lies, by its id, that was not read.
        """
        self._lying = lying
        self._entropy = entropy
        self._watch = watch
        self._ciphers: dict[bytes, AESGCM] = {}
        self.hold(keys)

    def hold(self, keys: Sequence[bytes]) -> None:
        """Use these, newest first, from now on; one whose file is gone stays until a restart."""
        ciphers = {bytes.fromhex(kek_id(key)): AESGCM(key) for key in keys}
        # Exchanged whole: others may be reading. The newest is named last, when it is there.
        self._ciphers = ciphers | {
            it: old for it, old in self._ciphers.items() if it not in ciphers
        }
        self._newest = next(iter(ciphers))

    @property
    def key_id(self) -> str:
        """The key that seeds are sealed under."""
        self._watch.glance()
        return self._newest.hex()

    def seal(self, match_id: bytes, seed: bytes) -> bytes:
        """See `Vault.seal`."""
        if len(match_id) != _MATCH_ID_BYTES or len(seed) != SEED_BYTES:
            # From nothing: the seed must not travel in an error.
            raise ValueError("a match id has 16 bytes and a server seed 32")
        newest = bytes.fromhex(self.key_id)
        head = VERSION + newest
        nonce = self._entropy(_NONCE_BYTES)
        return head + nonce + self._ciphers[newest].encrypt(nonce, seed, head + match_id)

    def open(self, match_id: bytes, sealed: bytes) -> bytes:
        """See `Vault.open`."""
        head, rest = sealed[: 1 + _ID_BYTES], sealed[1 + _ID_BYTES :]
        nonce, ciphertext = rest[:_NONCE_BYTES], rest[_NONCE_BYTES:]
        if head[:1] == VERSION and head[1:] not in self._ciphers:
            self._watch.look()
        cipher = self._ciphers.get(head[1:])
        if head[:1] != VERSION or cipher is None or len(ciphertext) != SEED_BYTES + 16:
            raise self._stays_sealed(head[1:])
        try:
            return cipher.decrypt(nonce, ciphertext, head + match_id)
        except InvalidTag:
            raise self._stays_sealed(head[1:]) from None

    def _stays_sealed(self, key: bytes) -> FairbonesError:
        told = "the server seed of this match cannot be opened; "
        lying = None if key in self._ciphers else self._lying(key.hex())
        if lying is None:
            told += f"put back its key file kek-*-{key.hex()}.key"
        else:
            told += f"its key is retired: rename {lying} to {lying.with_suffix('.key').name}"
        return FairbonesError("house/seed-sealed", told, key_id=key.hex())

    def __repr__(self) -> str:
        return f"<SeedVault, key {self._newest.hex()}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a vault stays in its process")
