"""Steps, claims and chosen ids as bytes, with a sum that tells when they were damaged.

A step: version (1 byte), first seq (8), number of events (4), length of the receipt (4), receipt;
then each event with its length (4) before it, then CRC-32 of all that (4). Numbers are big-endian.
`scripts/append.lua` reads the head and the receipt.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from fairbones.house.ports import SeatClaim, Step

VERSION = 1
_HEAD = struct.Struct(">BQII")
_LENGTH = struct.Struct(">I")


class Damaged(ValueError):
    """Bytes that nothing of ours has written."""


def pack_step(step: Step) -> bytes:
    """One element of the list of steps."""
    pieces = [
        _HEAD.pack(VERSION, step.first_seq, len(step.events), len(step.receipt)),
        step.receipt,
    ]
    for event in step.events:
        pieces += (_LENGTH.pack(len(event)), event)
    return _summed(b"".join(pieces))


def unpack_step(packed: bytes) -> Step:
    """Raises `Damaged`."""
    body = _checked(packed)
    try:
        version, first_seq, count, length = _HEAD.unpack_from(body)
        if version != VERSION:
            raise Damaged(f"a step of version {version}")
        at = _HEAD.size + length
        receipt = body[_HEAD.size : at]
        events = []
        for _ in range(count):
            (length,) = _LENGTH.unpack_from(body, at)
            at += _LENGTH.size + length
            events.append(body[at - length : at])
    except struct.error as error:
        raise Damaged("a step that was cut off") from error
    if at != len(body) or not events:
        raise Damaged("a step of another length")
    return Step(first_seq, tuple(events), receipt)


def unpack_steps(packed: Sequence[bytes], first_seq: int) -> tuple[Step, ...]:
    """Steps that follow each other from `first_seq` on without a gap; raises `Damaged`."""
    steps = []
    for it in packed:
        step = unpack_step(it)
        if step.first_seq != first_seq:
            raise Damaged("a step that is missing")
        first_seq = step.head_seq + 1
        steps.append(step)
    return tuple(steps)


def pack_pair(first: bytes, second: bytes) -> bytes:
    """Two byte strings as one: a claim's hashes, or the request and the match of a key."""
    return _summed(_LENGTH.pack(len(first)) + first + second)


def unpack_pair(packed: bytes) -> tuple[bytes, bytes]:
    """Raises `Damaged`."""
    body = _checked(packed)
    if len(body) < _LENGTH.size:
        raise Damaged("a pair that was cut off")
    (length,) = _LENGTH.unpack_from(body)
    rest = body[_LENGTH.size :]
    if length > len(rest):
        raise Damaged("a pair that was cut off")
    return rest[:length], rest[length:]


def unpack_claims(flat: Sequence[bytes]) -> tuple[SeatClaim, ...]:
    """What HGETALL answers, by seat; raises `Damaged`."""
    claims = []
    for seat, packed in zip(flat[::2], flat[1::2], strict=True):
        if not seat.isdigit():
            raise Damaged("a claim of no seat")
        claims.append(SeatClaim(int(seat), *unpack_pair(packed)))
    return tuple(sorted(claims, key=lambda it: it.seat))


def _summed(body: bytes) -> bytes:
    return body + _LENGTH.pack(zlib.crc32(body))


def _checked(packed: bytes) -> bytes:
    body, crc = packed[:-4], packed[-4:]
    if crc != _LENGTH.pack(zlib.crc32(body)):
        raise Damaged("bytes that do not fit their sum")
    return body
