"""Invitations: who knows the secret may take the seat that is reserved for it (SPEC 7)."""

from __future__ import annotations

from fairbones.core.protocol.encoding import H, Tag


def invite_hash(secret: bytes) -> bytes:
    """What `opened.reserved` shows of a secret of at least 16 random bytes; 32 bytes."""
    return H(Tag.INVITE, secret)
