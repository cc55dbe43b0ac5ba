"""Verifying a transcript, in units of one hash and one JSON parse of each event's bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from fairbones_verify import ed25519, signature, verify
from tests.bench.harness import BUSY, Bench, Done, Side, Watch
from tests.bench.matches import Played, played

HANDS = (2, 11, 73)  # of four-handed block: 60 events, 300 and 2,000
_PREFIX = b"\x00\x00\x00\x11fairbones/1/event"


def benches(quick: bool, _folder: Path) -> Iterator[Bench]:
    """Three lengths, and the one signature by itself."""
    for hands in HANDS[:1] if quick else HANDS:
        match = played("block", 4, hands)
        yield _bench(match, 1 if quick else max(1, 600 // len(match.events)))
    yield _signature(played("block", 4, HANDS[0]), 1 if quick else 5)


def _bench(match: Played, times: int) -> Bench:
    raws = [event.raw for event in match.events]
    receipt = json.loads(match.transcript)["receipt"]
    public_key = bytes.fromhex(json.loads(match.transcript)["keys"][0]["public_key"])
    number = len(raws)

    def verifying(watch: Watch, *, aside: bool) -> Done:
        heads = []
        for _ in range(times):
            ed25519.good_key.cache_clear()
            if aside:
                ed25519.good_key(public_key)  # kept from here on
            valid = _admitted if aside else ed25519.valid_plain
            with patch.object(signature, "valid", valid):
                watch.start()
                report = verify(match.transcript)
                watch.stop()
            if report.verdict != "verified" or report.events != number or not report.complete:
                raise AssertionError(report.text())
            heads.append((receipt["event_hash"], report.events))
        return Done(times * number, heads)

    def bare(watch: Watch) -> Done:
        heads = []
        for _ in range(times):
            watch.start()
            for raw in raws:
                told = json.loads(raw)
                digest = hashlib.sha256(_PREFIX + len(raw).to_bytes(4, "big") + raw).hexdigest()
            watch.stop()
            heads.append((digest, told["seq"] + 1))
        return Done(times * number, heads)

    return Bench(
        f"verify {number} events",
        "event",
        f"verified, complete, {number} events; the bare side's last hash is the receipt's",
        (
            Side(
                "checks",
                "`verify` of the whole transcript; the one signature is known already",
                lambda watch: verifying(watch, aside=True),
            ),
            Side(
                "all",
                "`verify` as a stranger runs it: Ed25519 in plain Python",
                lambda watch: verifying(watch, aside=False),
            ),
            Side("bare", "json.loads and SHA-256 of each event's bytes", bare),
        ),
        (("checks", "bare"), ("all", "bare")),
        kinds=BUSY,
    )


def _admitted(_key: bytes, _message: bytes, _signature: bytes) -> bool:
    return True


def _signature(match: Played, times: int) -> Bench:
    told = json.loads(match.transcript)
    key, receipt = bytes.fromhex(told["keys"][0]["public_key"]), told["receipt"]
    signed = bytes.fromhex(receipt["signature"])
    message = signature.signed_bytes(
        bytes.fromhex(receipt["match"]), receipt["seq"], bytes.fromhex(receipt["event_hash"])
    )

    def checking(watch: Watch, *, fast: bool) -> Done:
        valid = ed25519.valid_fast if fast else ed25519.valid_plain
        found = []
        for _ in range(times):
            ed25519.good_key.cache_clear()
            watch.start()
            found.append(valid(key, message, signed))
            watch.stop()
        return Done(times, found)

    def key_only(watch: Watch) -> Done:
        found = []
        for _ in range(times):
            ed25519.good_key.cache_clear()
            watch.start()
            found.append(ed25519.good_key(key) is not None)
            watch.stop()
        return Done(times, found)

    def library(watch: Watch) -> Done:
        ed25519.good_key(key)
        found = []
        for _ in range(times):
            watch.start()
            found.append(ed25519.valid_fast(key, message, signed))
            watch.stop()
        return Done(times, found)

    return Bench(
        "verify one signature",
        "signature",
        "each says that the signature, or the key, is good",
        (
            Side(
                "plain",
                "key and signature judged in plain Python integers",
                lambda watch: checking(watch, fast=False),
            ),
            Side(
                "with cryptography",
                "the key judged in plain Python, the signature by `cryptography`",
                lambda watch: checking(watch, fast=True),
            ),
            Side("key alone", "the key judged in plain Python: canonical, prime order", key_only),
            Side("library", "`cryptography` alone, the key being known", library),
        ),
        (("plain", "library"), ("with cryptography", "library"), ("key alone", "library")),
        kinds=BUSY,
    )
