"""For whom a seat is kept (SPEC 5.6, 7)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ForInvite:
    """For whoever brings the secret behind a hash (32 bytes): a promise of the house."""

    invite_hash: bytes


@dataclass(frozen=True, slots=True)
class ForKey:
    """For one key (32 bytes), which binds the house."""

    public_key: bytes


Reservation = ForInvite | ForKey


def told(reserved: Mapping[int, Reservation]) -> list[dict[str, object]]:
    """As `opened` has them, in the order of the seats."""
    return [{"seat": seat, **_shown(kept)} for seat, kept in sorted(reserved.items())]


def read(entry: Mapping[str, str]) -> Reservation:
    """One of them, from an event of the house's own."""
    if "public_key" in entry:
        return ForKey(bytes.fromhex(entry["public_key"]))
    return ForInvite(bytes.fromhex(entry["invite_hash"]))


def _shown(kept: Reservation) -> dict[str, str]:
    if isinstance(kept, ForKey):
        return {"public_key": kept.public_key.hex()}
    return {"invite_hash": kept.invite_hash.hex()}
