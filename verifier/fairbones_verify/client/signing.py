"""Ed25519 signatures of a seat (SPEC 2.4, 5.6; RFC 8032, 5.1.5 and 5.1.6), in plain integers.

`cryptography` signs when it is there. The plain way takes as long as the secret makes it: who
fears that somebody measures this computer should install it.
"""

from __future__ import annotations

import hashlib
from typing import Callable

from ..ed25519 import BASE, L, encode, sum_of


def halves(secret: bytes) -> tuple[int, bytes]:
    """RFC 8032, 5.1.5: the scalar of a secret key, and the prefix that its nonces come from."""
    digest = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little")
    return scalar & (1 << 254) - 8 | 1 << 254, digest[32:]


def hashed(*parts: bytes) -> int:
    """SHA-512 as a number mod L."""
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def public_plain(secret: bytes) -> bytes:
    """The public key of a secret key, 32 bytes each."""
    return encode(sum_of([(halves(secret)[0], BASE)]))


def signed_plain(secret: bytes, message: bytes) -> bytes:
    """The 64 bytes of a signature; the same message gives the same signature."""
    scalar, prefix = halves(secret)
    nonce = hashed(prefix, message)
    point = encode(sum_of([(nonce, BASE)]))
    challenge = hashed(point, public_plain(secret), message)
    return point + ((nonce + challenge * scalar) % L).to_bytes(32, "little")


def public_fast(secret: bytes) -> bytes:
    key = Ed25519PrivateKey.from_private_bytes(secret).public_key()
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def signed_fast(secret: bytes, message: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(secret).sign(message)


public_key: Callable[[bytes], bytes] = public_plain
signed: Callable[[bytes, bytes], bytes] = signed_plain
try:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    public_fast(bytes(32))
except Exception:  # noqa: BLE001, S110 - absent or broken, the plain way always works
    pass
else:
    public_key, signed = public_fast, signed_fast
