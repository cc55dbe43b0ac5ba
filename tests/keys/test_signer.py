"""The receipt keys: what SPEC says of them, and old keys beside the new."""

from __future__ import annotations

import hashlib

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import key_id as key_id_of
from fairbones.keys.signer import ReceiptSigner, public_key_of

# RFC 8032, section 7.1, test 2.
SECRET = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)
OLD = bytes(range(32))


def test_it_signs_as_the_standard_says() -> None:
    signer = ReceiptSigner([SECRET])
    assert signer.public_key == PUBLIC
    assert signer.sign(b"\x72") == SIGNATURE


def test_the_key_id_is_that_of_the_specification() -> None:
    """SPEC 6.5, computed by hand."""
    tag = b"fairbones/1/key"
    preimage = len(tag).to_bytes(4, "big") + tag + (32).to_bytes(4, "big") + PUBLIC
    expected = hashlib.sha256(preimage).hexdigest()[:16]
    assert ReceiptSigner([SECRET]).key_id == key_id_of(PUBLIC) == expected


def test_the_newest_signs_and_older_ones_can_be_asked() -> None:
    signer = ReceiptSigner([SECRET, OLD])
    old_public = public_key_of(OLD)
    old_id = key_id_of(old_public)
    assert signer.public_keys() == ((signer.key_id, PUBLIC), (old_id, old_public))
    assert signer.sign(b"m") == signer.sign(b"m", signer.key_id)
    Ed25519PublicKey.from_public_bytes(old_public).verify(signer.sign(b"m", old_id), b"m")
    with pytest.raises(InvalidSignature):
        Ed25519PublicKey.from_public_bytes(old_public).verify(signer.sign(b"m"), b"m")


def test_a_key_that_is_not_here_is_named() -> None:
    with pytest.raises(FairbonesError) as caught:
        ReceiptSigner([SECRET]).sign(b"m", "0123456789abcdef")
    assert caught.value.code == "house/receipt-key"
    assert "0123456789abcdef" in caught.value.message
