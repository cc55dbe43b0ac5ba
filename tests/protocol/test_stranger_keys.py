"""SPEC 2.4: every honest key is taken, whichever root its point needs, and no point that is none.

The edge cases of the criterion have one honest key among them, and only half of all keys need the
second root; here are many, and bytes that are no key at all. The verifier judges beside.
"""

from __future__ import annotations

import random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.core.protocol.ed25519 import is_key, is_signed
from fairbones_verify.ed25519 import good_key

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P


def first_root_is_one(public: bytes) -> bool | None:
    """Whether x is the first root that is tried, or that times the root of -1; None: neither."""
    y = int.from_bytes(public, "little") % (1 << 255)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root = pow(square, (P + 3) // 8, P)
    return {square: True, -square % P: False}.get(root * root % P)


def test_honest_keys_are_taken(seed: random.Random) -> None:
    met = set()
    for _ in range(24):
        key = Ed25519PrivateKey.from_private_bytes(seed.randbytes(32))
        public, message = key.public_key().public_bytes_raw(), seed.randbytes(20)
        signature = key.sign(message)
        assert is_key(public)
        assert is_signed(public, message, signature)
        assert not is_signed(public, message + b"!", signature)
        met.add(first_root_is_one(public))
    assert met == {True, False}


def test_other_bytes_are_no_keys(seed: random.Random) -> None:
    """Half of them are no point; of the points seven in eight have a part of small order."""
    met = set()
    for _ in range(40):
        told = seed.randbytes(32)
        assert is_key(told) is (good_key(told) is not None)
        met.add((first_root_is_one(told), is_key(told)))
    assert {(None, False), (True, False), (False, False)} <= met
