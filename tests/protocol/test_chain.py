"""SPEC 6: events, receipts and transcripts as bytes."""

from __future__ import annotations

import hashlib
import json
import random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.chain import (
    NO_PREV,
    Event,
    key_id,
    read_event,
    receipt,
    receipt_message,
    seal_event,
    transcript,
)

MATCH = bytes(range(16))


def tagged_hash(tag: str, body: bytes) -> bytes:
    """H of SPEC 2.3 over one item, with nothing but hashlib."""
    name = b"fairbones/1/" + tag.encode()
    told = len(name).to_bytes(4, "big") + name + len(body).to_bytes(4, "big") + body
    return hashlib.sha256(told).digest()


def chained(length: int) -> list[Event]:
    """A chain of events that say things a careless joiner would stumble over."""
    events: list[Event] = []
    for seq in range(length):
        prev = events[-1].hash if events else NO_PREV
        data = {"said": '],"keys":[{"', "more": ["\u2028", "é", "\x7f", {"deep": [seq]}]}
        events.append(seal_event(MATCH, seq, prev, 1_000 + seq, "said", data))
    return events


def test_an_event_is_its_bytes() -> None:
    """SPEC 6.1: "An event is the JSON object `{"match","seq","prev","at","type","data"}`"."""
    event = seal_event(MATCH, 3, b"\xab" * 32, 1_234, "passed", {"seat": 1})
    assert event.raw == (
        b'{"at":1234,"data":{"seat":1},"match":"000102030405060708090a0b0c0d0e0f",'
        b'"prev":"' + b"ab" * 32 + b'","seq":3,"type":"passed"}'
    )


def test_the_hash_is_taken_over_the_bytes() -> None:
    """SPEC 6.3: `event_hash = H("event", canonical bytes)`."""
    for event in chained(3):
        assert event.hash == tagged_hash("event", event.raw)


def test_the_chain_begins_with_zeros() -> None:
    """SPEC 6.1: "`prev` the hash of the event before (64 hex digits; 64 zeros at seq 0)"."""
    events = chained(4)
    told = [json.loads(event.raw) for event in events]
    assert told[0]["prev"] == "0" * 64
    assert [one["prev"] for one in told[1:]] == [event.hash.hex() for event in events[:-1]]


def test_a_stored_event_reads_back_as_it_was_written() -> None:
    """SPEC 6.1: the stored bytes are the event; nothing else of it is kept."""
    for event in chained(3):
        assert read_event(event.raw) == event


@pytest.mark.parametrize("at", [-1, 2**53])
def test_a_time_that_cannot_be_written_is_refused(at: int) -> None:
    """SPEC 6.2: "integers 0..2^53-1"; a slip here would be for ever."""
    with pytest.raises(ValueError, match="integer out of range"):
        seal_event(MATCH, 0, NO_PREV, at, "passed", {})


def test_the_message_of_a_receipt() -> None:
    """SPEC 6.4: `enc("fairbones/1/receipt", match_id, u32(seq), event_hash)`."""
    message = receipt_message(MATCH, 258, b"\xcd" * 32)
    assert message == (
        b"\0\0\0\x13fairbones/1/receipt\0\0\0\x10" + MATCH
        + b"\0\0\0\4\0\0\1\2\0\0\0\x20" + b"\xcd" * 32
    )  # fmt: skip


def test_a_receipt_is_valid_for_one_match_seq_and_hash(seed: random.Random) -> None:
    """SPEC 6.4: "the house's Ed25519 signature over" all three."""
    secret = Ed25519PrivateKey.from_private_bytes(seed.randbytes(32))
    public = secret.public_key()
    signature = secret.sign(receipt_message(MATCH, 7, b"\1" * 32))
    public.verify(signature, receipt_message(MATCH, 7, b"\1" * 32))
    others = ((bytes(16), 7, b"\1" * 32), (MATCH, 8, b"\1" * 32), (MATCH, 7, b"\2" * 32))
    messages = {receipt_message(*other) for other in others}
    assert len(messages) == 3
    assert receipt_message(MATCH, 7, b"\1" * 32) not in messages
    told = json.loads(receipt(MATCH, 7, b"\1" * 32, "00" * 8, signature))
    assert told == {
        "match": MATCH.hex(),
        "seq": 7,
        "event_hash": "01" * 32,
        "key_id": "00" * 8,
        "signature": signature.hex(),
    }


def test_the_id_of_a_key() -> None:
    """SPEC 6.5: "`key_id` is the first 16 hex digits of `H("key", public key)`"."""
    assert key_id(b"\x05" * 32) == tagged_hash("key", b"\x05" * 32).hex()[:16]


@pytest.mark.parametrize("length", [1, 2, 40])
@pytest.mark.parametrize("keys", [1, 3])
def test_a_spliced_transcript_is_the_canonical_form(length: int, keys: int) -> None:
    """SPEC 6.6: "in canonical form", although the house joins stored bytes."""
    events = chained(length)
    last = events[-1]
    public_keys = [bytes([number]) * 32 for number in range(keys)]
    listed = [(key_id(public_key), public_key) for public_key in public_keys]
    head = receipt(MATCH, last.seq, last.hash, listed[0][0], b"\x07" * 64)
    told = transcript([event.raw for event in events], head, listed)
    read = json.loads(told)
    # canonical() has an event's limits; of a value it wrote itself the encoder needs no check.
    assert told == json.dumps(
        read, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    ).encode("utf-8")
    assert read.keys() == {"protocol", "events", "receipt", "keys"}
    assert read["protocol"] == "fairbones/1"
    assert [canonical(event) for event in read["events"]] == [event.raw for event in events]
    assert [(one["key_id"], bytes.fromhex(one["public_key"])) for one in read["keys"]] == listed
