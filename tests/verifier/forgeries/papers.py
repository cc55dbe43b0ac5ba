"""Receipts and keys, which stand around the chain: checks 800 to 808."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.verifier.forgeries.making import (
    Forgery,
    forgery,
)
from tests.verifier.house import House
from tests.verifier.primitives import OTHER, SIGNER, canonical, document, event_hash


def around(change: Callable[[dict[str, Any]], object], **beside: Any) -> Forgery:
    whole = document(House().play().events)
    change(whole)
    return canonical(whole).encode(), beside


@forgery("key/id")
def wrong_key_id() -> Forgery:
    key = {"key_id": "ab" * 8, "public_key": OTHER.public.hex()}
    return around(lambda whole: whole["keys"].append(key))


@forgery("key/id", ["receipt/signature"])
def small_key() -> Forgery:
    from fairbones_verify.hashing import key_id

    small = (1).to_bytes(32, "little")
    key = {"key_id": key_id(small), "public_key": small.hex()}
    return around(lambda whole: whole["keys"].append(key))


@forgery("key/id")
def key_twice() -> Forgery:
    return around(lambda whole: whole["keys"].append(whole["keys"][0]))


@forgery("key/missing", ["receipt/signature"])
def key_missing() -> Forgery:
    key = {"key_id": OTHER.id, "public_key": OTHER.public.hex()}
    return around(lambda whole: whole.update(keys=[key]))


@forgery("key/other")
def other_key() -> Forgery:
    return around(lambda whole: None, keys=[OTHER.public])


@forgery("receipt/match", ["receipt/signature"])
def receipt_match() -> Forgery:
    return around(lambda whole: whole["receipt"].update(match="ab" * 16))


@forgery("receipt/key")
def receipt_key() -> Forgery:
    return around(lambda whole: whole["receipt"].update(key_id=OTHER.id))


@forgery("receipt/not-head")
def receipt_of_an_earlier_event() -> Forgery:
    house = House().play()
    early = SIGNER.receipt(house.match, 3, event_hash(house.events[3]))
    return around(lambda whole: whole.update(receipt=early))


@forgery("receipt/signature")
def signature() -> Forgery:
    return around(lambda whole: whole["receipt"].update(signature="ab" * 64))


@forgery("receipt/not-in-transcript")
def two_histories() -> Forgery:
    receipt = SIGNER.receipt(House().match, 7, b"\1" * 32)
    return around(lambda whole: None, receipts=[receipt])


@forgery("receipt/beyond-end")
def beyond_end() -> Forgery:
    receipt = SIGNER.receipt(House().match, 10_000, b"\1" * 32)
    return around(lambda whole: None, receipts=[receipt])
