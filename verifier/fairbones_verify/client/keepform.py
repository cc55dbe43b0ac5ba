"""The form of a keep (spec/client.md). A disk may fail, and people edit files: what a client says,
and whom it accuses, rests on what stands there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from .. import shape
from ..ed25519 import good_key
from ..hashing import key_id
from ..signature import signed_by
from ..strictjson import Flaw, canonical
from . import own
from .signing import public_key

Json = dict[str, Any]

SECRET = shape.text("([0-9a-f]{64})?", "64 lowercase hex digits, or nothing")
KEYS = shape.list_of(shape.HEX32)
KEEP = {
    "url": shape.ANY_TEXT,
    "match": shape.HEX16,
    "seat": shape.SEAT,
    "name": shape.ANY_TEXT,
    "invite": shape.ANY_TEXT,
    "pinned": KEYS,
    "first_named": SECRET,
    "seed": shape.HEX32,
    "token": shape.text("[!-~]{1,200}", "a token"),
    "secret_key": SECRET,
    "sent": shape.OBJECT,
    "receipts": shape.LIST,
    "contrary": shape.LIST,
    "openings": shape.LIST,
}
SENT = {
    "seat?": shape.OBJECT,
    "answer?": shape.one_of("", "taken", "refused"),
    "seed?": shape.OBJECT,
    "actions?": shape.LIST,
    "leave?": shape.OBJECT,
}
BODIES = {
    "seat": {
        "client_seed_commitment": shape.HEX32,
        "name?": shape.ANY_TEXT,
        "public_key?": shape.HEX32,
        "signature?": shape.HEX64,
        "invite?": shape.ANY_TEXT,
    },
    "seed": {
        "client_seed": shape.HEX32,
        "seated_hash": shape.HEX32,
        "signature?": shape.HEX64,
    },
    "leave": {"signature?": shape.HEX64},
}
ACTION = {
    "seq": shape.COUNT,
    "prev": shape.HEX32,
    "action": shape.OBJECT,
    "signature?": shape.HEX64,
}
HAND = {"round": shape.ROUND, "openings": shape.LIST}


def checksum(value: Json) -> str:
    """Of all members but itself: a file that was changed is not gone on with."""
    return hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()


def of_before(value: Json) -> Json:
    """A keep that has its keys in `house_keys`, as before. One alone may be the first that the
    house named: nobody is held to have given it."""
    keys = value.get("house_keys")
    if isinstance(keys, list) and "pinned" not in value:
        one = len(keys) == 1
        value.update(pinned=[] if one else keys, first_named=keys[0] if one else "")
        del value["house_keys"]
    return value


def wrong(value: Json) -> str | None:
    """What is wrong with a keep, in words; None if nothing is."""
    flaw = next(_flaws(value), None)
    if flaw is not None:
        return f"{flaw.where} should be {flaw.expected}"
    return next(_untrue(value), None)


def _flaws(value: Json) -> Iterator[Flaw]:
    """Ordered, so that none is looked for in what has another form already."""
    yield from shape.members(value, KEEP, "the keep")
    sent = value["sent"]
    yield from shape.members(sent, SENT, "sent")
    for name, form in BODIES.items():
        if sent.get(name):
            yield from shape.members(sent[name], form, f"sent.{name}")
    for body in _objects(sent.get("actions", []), ACTION, "sent.actions"):
        if isinstance(body, Flaw):
            yield body
        else:
            kind = {"type": shape.ANY_TEXT}
            named = {name: one for name, one in body["action"].items() if name in kind}
            yield from shape.members(named, kind, "sent.actions: the action")
    for name in ("receipts", "contrary"):
        yield from _only(_objects(value[name], shape.RECEIPT, name))
    for hand in _objects(value["openings"], HAND, "openings"):
        if isinstance(hand, Flaw):
            yield hand
        else:
            yield from _only(_objects(hand["openings"], own.OPENING, "openings"))


def _objects(values: list[Any], form: Any, where: str) -> Iterator[Json | Flaw]:
    """Each value of a list that has the form, or what is wrong with it."""
    for place, one in enumerate(values):
        here = f"{where}[{place}]"
        if not isinstance(one, dict):
            yield Flaw("format/type", here, "an object", shape.spoken(one))
            continue
        flaw = shape.lowest(shape.members(one, form, here))
        yield one if flaw is None else flaw


def _only(found: Iterable[Json | Flaw]) -> Iterator[Flaw]:
    return (one for one in found if isinstance(one, Flaw))


def _untrue(value: Json) -> Iterator[str]:
    """What has the form, and cannot be so."""
    named = [one for one in (value["first_named"], *value["pinned"]) if one]
    keys = {key_id(bytes.fromhex(one)): bytes.fromhex(one) for one in named}
    if any(good_key(raw) is None for raw in keys.values()):
        yield "a key of the house is no good key"
    seat, seed = value["sent"].get("seat") or {}, value["sent"].get("seed") or {}
    secret = bytes.fromhex(value["secret_key"])
    if seat and seat.get("public_key", "") != (public_key(secret).hex() if secret else ""):
        yield "sent.seat has not the key of this seat"
    if seed and seed["client_seed"] != value["seed"]:
        yield "sent.seed is not the seed of this seat"
    for name in ("receipts", "contrary"):
        for place, one in enumerate(value[name]):
            key = keys.get(one["key_id"])
            if one["match"] != value["match"] or key is None or not signed_by(one, key):
                yield f"{name}[{place}] is not signed by the house for this match"
    seqs = [one["seq"] for one in value["receipts"]]
    if len(set(seqs)) < len(seqs):
        yield "receipts has two for one event"
