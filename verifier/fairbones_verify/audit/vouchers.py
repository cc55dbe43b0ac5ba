"""Receipts beside the transcripts: what the house has signed, held against what is there
(spec/audit.md, 5).

Anybody may have put them there, so a receipt counts only where its signature is valid under the key
of the match (SPEC 9.7).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

from .. import shape, sources
from ..compare import compare
from ..hashing import event_hash
from ..receipts import key_of, pin, signed_in
from ..signature import Receipt, signed_by
from ..strictjson import document
from . import folder
from .errands import Order, Result, Unread

# A receipt by itself; an answer or a transcript; a keep; evidence (spec/client.md).
ONE, MANY = ("receipt",), ("receipts", "contrary", "against")
NAMES = ("match", "seq", "event_hash", "key_id", "signature")


def read(order: Order, source: str) -> Result:
    """All receipts in one file."""
    raw, _ = folder.contents(os.path.join(os.fsencode(order.receipts), os.fsencode(source)))
    value = sources.loose(folder.unpacked(source, raw))
    found = [one for one in inside(value) if well_formed(one)]
    if not found:
        raise Unread("source/receipt", "a receipt, or a file that has some", "none")
    return {"receipts": found}


def inside(value: Any) -> Iterator[Any]:
    """Whatever may be a receipt."""
    if not isinstance(value, dict):
        return
    if "event_hash" in value:
        yield value
    for name in ONE:
        yield value.get(name)
    for name in MANY:
        listed = value.get(name)
        yield from listed if isinstance(listed, list) else ()


def well_formed(one: Any) -> bool:
    """Whether it has the form of SPEC 6.4."""
    return isinstance(one, dict) and not shape.lowest(shape.members(one, shape.RECEIPT, "receipt"))


def signed(receipt: Receipt, keys: dict[str, bytes]) -> bool:
    """Whether one of these keys has signed it."""
    key = keys.get(receipt["key_id"])
    return key is not None and signed_by(receipt, key)


def held(
    order: Order, data: bytes | None, receipts: list[Receipt], elsewhere: bool = False
) -> Result:
    """The receipts of a match and a key against its transcript: what each is to it, in order.

    "agrees", "beyond" (for a seq after the last event), "parted", "history-lost" (8.7), "missing"
    (there is no transcript under the key of the receipt), "unusable".
    """
    pinned = pin(order.keys)
    if data is None:
        # Without a key that was given nobody can tell such a receipt from an invented one. Where
        # the match is there under another key, it is nothing that the house of that match said.
        there = [signed(one, pinned) if pinned else not elsewhere for one in receipts]
        return {"held": [{"what": "missing" if so else "unusable"} for so in there]}
    read, _ = document(data)
    assert read is not None  # it was verified before
    name, key = key_of(read.value, pinned)
    hashes = [event_hash(text).hex() for text in read.texts]
    last = read.value["events"][-1]
    lost = last["type"] == "voided" and last["data"]["reason"] == "history-lost"
    told: list[Result] = []
    for one in receipts:
        seq = one["seq"]
        if not signed_in(one, name, key):
            told.append({"what": "unusable"})
        elif seq >= len(hashes):
            told.append({"what": "history-lost" if lost else "beyond"})
        elif one["event_hash"] == hashes[seq]:
            told.append({"what": "agrees"})
        else:
            found = compare(data, json.dumps(one).encode("ascii"), order.keys)
            told.append({"what": found.relation, "comparison": found.as_dict()})
    return {"held": told}
