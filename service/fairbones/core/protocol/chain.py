"""Events as bytes: the hash chain, receipts and transcripts (SPEC 6)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.encoding import PROTOCOL, H, Tag, tagged, u32

NO_PREV = bytes(32)


@dataclass(frozen=True, slots=True)
class Event:
    """One event; `raw` are its canonical bytes, `hash` is taken over them (SPEC 6.3)."""

    match: bytes
    seq: int
    prev: bytes
    at: int
    type: str
    data: Mapping[str, object]
    raw: bytes
    hash: bytes


def seal_event(
    match: bytes, seq: int, prev: bytes, at: int, type_: str, data: Mapping[str, object]
) -> Event:
    """Write an event down; from here on its bytes are the truth (SPEC 6.1)."""
    raw = canonical(
        {
            "match": match.hex(),
            "seq": seq,
            "prev": prev.hex(),
            "at": at,
            "type": type_,
            "data": data,
        }
    )
    return Event(match, seq, prev, at, type_, data, raw, H(Tag.EVENT, raw))


def read_event(raw: bytes) -> Event:
    """An event from the house's own stored bytes."""
    told = json.loads(raw)
    return Event(
        bytes.fromhex(told["match"]),
        told["seq"],
        bytes.fromhex(told["prev"]),
        told["at"],
        told["type"],
        told["data"],
        raw,
        H(Tag.EVENT, raw),
    )


def key_id(public_key: bytes) -> str:
    """The first 16 hex digits of the key's hash (SPEC 6.5)."""
    return H(Tag.KEY, public_key).hex()[:16]


def receipt_message(match: bytes, seq: int, event_hash: bytes) -> bytes:
    """What the house signs for a head (SPEC 6.4)."""
    return tagged(Tag.RECEIPT, match, u32(seq), event_hash)


def receipt(match: bytes, seq: int, event_hash: bytes, key: str, signature: bytes) -> bytes:
    """The canonical JSON of a receipt (SPEC 6.4)."""
    if key.isascii() and key.isalnum():
        # What `canonical` would write; one is made for every step there is.
        return (
            f'{{"event_hash":"{event_hash.hex()}","key_id":"{key}","match":"{match.hex()}",'
            f'"seq":{seq:d},"signature":"{signature.hex()}"}}'
        ).encode("ascii")
    return canonical(
        {
            "match": match.hex(),
            "seq": seq,
            "event_hash": event_hash.hex(),
            "key_id": key,
            "signature": signature.hex(),
        }
    )


def transcript(
    events: Sequence[bytes], head_receipt: bytes, keys: Sequence[tuple[str, bytes]]
) -> bytes:
    """The evidence bundle in canonical form: stored bytes, never re-encoded (SPEC 6.6)."""
    listed = [canonical({"key_id": name, "public_key": key.hex()}) for name, key in keys]
    return b"".join(
        (
            b'{"events":[',
            b",".join(events),
            b'],"keys":[',
            b",".join(listed),
            f'],"protocol":"{PROTOCOL}","receipt":'.encode("ascii"),
            head_receipt,
            b"}",
        )
    )
