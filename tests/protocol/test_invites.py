"""SPEC 7: what `reserved` shows of an invitation's secret."""

from __future__ import annotations

import hashlib

from fairbones.core.protocol.invites import invite_hash


def test_the_hash_of_a_secret() -> None:
    """SPEC 2.3, tag `invite`: H over the secret alone, spelled out."""
    secret = bytes(range(16))
    told = b"\0\0\0\x12fairbones/1/invite\0\0\0\x10" + secret
    assert invite_hash(secret) == hashlib.sha256(told).digest()
    assert invite_hash(secret + b"\0") != invite_hash(secret)
