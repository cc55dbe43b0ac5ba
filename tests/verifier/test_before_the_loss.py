"""SPEC 9.7: a house that lost its history admits what it signed from there on, nothing before."""

from __future__ import annotations

from fairbones_verify import verify
from tests.verifier.forgeries.making import lost
from tests.verifier.house import House
from tests.verifier.primitives import SIGNER, event_hash


def test_the_event_before_the_loss_is_not_admitted() -> None:
    house = House(seats=2)
    house.sit()
    head = len(house.events) - 1
    kept = SIGNER.receipt(house.match, head, event_hash(house.events[head]))
    other = SIGNER.receipt(house.match, head, b"\1" * 32)
    gone = SIGNER.receipt(house.match, head + 1, b"\1" * 32)
    data = lost(house, gone)
    report = verify(data, receipts=[gone, kept])
    assert report.verdict == "verified", report.text()
    assert "receipt/history-lost" in {code for code, _ in report.unchecked}
    report = verify(data, receipts=[kept])
    assert report.verdict == "verified", report.text()
    assert "receipt/history-lost" not in {code for code, _ in report.unchecked}
    assert verify(data, receipts=[other]).code == "receipt/not-in-transcript"
