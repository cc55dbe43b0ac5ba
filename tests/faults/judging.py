"""After the faults: nothing that was acknowledged is missing, and nothing was signed twice."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable

from fairbones.house.ports import Store
from fairbones_verify import Report, verify
from tests.api.table import event_hash
from tests.faults.ledger import Ledger
from tests.hostile.table import Table
from tests.hostile.wire import Json


def judge(ledger: Ledger, tables: Iterable[Table], *, ended: bool = True) -> Counter[str]:
    """What clients hold against what the service serves; what was compared.

    `ended`: every match has come to its end, and to one that its players brought about.
    """
    figures: Counter[str] = Counter()
    for table in tables:
        transcript = table.transcript()
        events: list[Json] = json.loads(transcript)["events"]
        assert [it["seq"] for it in events] == list(range(len(events)))
        for seq, event in ledger.events[table.match].items():
            assert seq < len(events), f"event {seq} was acknowledged and is gone"
            assert events[seq] == event, f"event {seq} is not the one that was acknowledged"
        receipts = ledger.receipts[table.match]
        hashes = [event_hash(it) for it in events]
        for receipt in receipts:
            assert receipt["event_hash"] == hashes[receipt["seq"]], f"another {receipt['seq']}"
        assert not second_signatures(receipts), f"two signatures in {table.match}"
        report = verified(transcript, receipts)
        last = events[-1]
        if ended:
            assert report.complete
            assert last["type"] == "match_ended" or last["data"]["reason"] == "left", last
        figures["acknowledged events found again"] += len(ledger.events[table.match])
        figures["transcripts verified"] += 1
        figures["receipts compared"] += len(receipts)
        figures["matches ended"] += last["type"] in ("match_ended", "voided")
    return figures


def verified(transcript: bytes, receipts: Iterable[Json] = ()) -> Report:
    """The verifier's report, which has nothing against it, whatever receipts players hold."""
    report = verify(transcript, receipts=list(receipts))
    assert report.verdict == "verified", report.failure
    return report


def kept(ledger: Ledger, store: Store, tables: Iterable[Table]) -> Counter[str]:
    """The receipts that clients hold are those of the store, which has one for each step."""
    figures: Counter[str] = Counter()
    for table in tables:
        stored = store.load(bytes.fromhex(table.match))
        assert stored is not None
        receipts: list[Json] = [json.loads(step.receipt) for step in stored.steps]
        assert [it["seq"] for it in receipts] == [step.head_seq for step in stored.steps]
        second = second_signatures([*receipts, *ledger.receipts[table.match]])
        assert not second, f"two signatures in {table.match}"
        assert all(it in receipts for it in ledger.receipts[table.match]), "shown and not kept"
        figures.update({"receipts in the store": len(receipts), "second signatures": second})
    return figures


def second_signatures(receipts: Iterable[Json]) -> int:
    """How many there are beside the first for a place of a match."""
    seen = {(it["match"], it["seq"], it["event_hash"], it["signature"]) for it in receipts}
    return len(seen) - len({(match, seq) for match, seq, *_ in seen})
