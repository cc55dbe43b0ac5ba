"""What can be told of a hand whose tiles are not known, and whose word a lie is (SPEC 9.3, 9.5)."""

from __future__ import annotations

import json

import pytest

from fairbones_verify import verify
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, OTHER, SIGNER, canonical, event_hash, sealed


def first_tile(seats: int, seed: int = 1) -> House:
    """A hand of block in which only the first tile was set."""
    house = House(seed, row=BLOCK, seats=seats)
    house.sit()
    house.reveal()
    house.deal(1)
    lead = next(p for p in house.hands[house.turn] if house.fits(p))
    house.put(lead, "", 0)
    return house


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_as_many_passes_as_seats_cannot_all_be_true(seats: int) -> None:
    """SPEC 510: "in a hand that is not known also the last of as many `passed` in a row"."""
    house = first_tile(seats)
    for _ in range(seats - 1):
        house.say("passed", {"seat": house.turn})
        house.next()
    assert verify(sealed(house.events)).verdict == "verified"
    house.say("passed", {"seat": house.turn})
    report = verify(sealed(house.events))
    assert (report.code, report.failure and report.failure.seq) == (
        "rules/must-play",
        len(house.events) - 1,
    )


def test_a_tile_shown_later_refutes_a_pass() -> None:
    """SPEC 9.3: "a tile that a later `played` of that hand opens rightly is known all along"."""
    for seed in range(50):
        house = first_tile(2, seed)
        fitting = [p for p in house.hands[house.turn] if house.fits(p)]
        answers = [p for p in house.hands[1 - house.turn] if house.fits(p)]
        if fitting and answers:
            break
    house.say("passed", {"seat": house.turn})
    place = len(house.events) - 1
    house.next()
    assert verify(sealed(house.events)).verdict == "verified"
    house.put(answers[0], house.fits(answers[0])[0], 5)
    shown = next((p for p in fitting if house.fits(p)), None)
    assert shown is not None
    house.put(shown, house.fits(shown)[0], 5)
    report = verify(sealed(house.events))
    assert (report.code, report.failure and report.failure.seq) == ("rules/must-play", place)
    assert report.complete is False


def test_nobody_leaves_between_the_last_seed_and_the_deal() -> None:
    """SPEC 8.3: "`voided` for `left` stands only while seats or seeds are missing"."""
    for reveal in (False, True):
        house = House(seats=2)
        house.sit()
        if reveal:
            house.reveal()
        told = {"reason": "left", "missing": [1], "server_seed": house.S.hex()}
        house.say("voided", told)
        assert verify(sealed(house.events)).code == ("order/void" if reveal else None)


def test_a_clock_that_was_signed_running_backwards_convicts() -> None:
    """SPEC 9.5: every `prev` from the false event on holds, so the house has signed it."""
    house = House().play()
    data = house.forged(lambda events: events[4].update(at=events[3]["at"] - 1))
    report = verify(data, keys=[SIGNER.public])
    assert (report.code, report.convicts) == ("chain/time", True)


def test_an_event_changed_by_somebody_else_convicts_nobody() -> None:
    """SPEC 9.5: the `prev` of the event after it does not hold."""
    house = House().play()
    head = house.events[-1]
    receipt = SIGNER.receipt(house.match, len(house.events) - 1, event_hash(head))
    events = [dict(event) for event in house.events]
    events[4] = events[4] | {"at": events[3]["at"] - 1}
    for false in (events, [events[0] | {"at": 1}, *house.events[1:]]):
        report = verify(sealed(false), keys=[SIGNER.public], receipts=[receipt])
        assert (report.verdict, report.convicts) == ("refuted", False)


BOTH_PINNED = [SIGNER.public, OTHER.public]


def test_a_receipt_of_another_pinned_key_is_of_no_use() -> None:
    """SPEC 9.7: what another house has signed is nothing that this one said."""
    house = House().play()
    last = len(house.events) - 1
    for seq in (3, last, last + 1):
        hashes = [b"\7" * 32] if seq > last else [b"\7" * 32, event_hash(house.events[seq])]
        for hashed in hashes:
            foreign = OTHER.receipt(house.match, seq, hashed)
            for pinned in (BOTH_PINNED, BOTH_PINNED[1:], []):
                report = verify(house.transcript(), keys=pinned, receipts=[foreign])
                assert (report.exit, report.code) == (3, "start/receipt")
                assert not report.convicts
    # Nor under its own name, where the signature is the other key's.
    named = OTHER.receipt(house.match, 3, b"\7" * 32) | {"key_id": SIGNER.id}
    assert verify(house.transcript(), keys=BOTH_PINNED, receipts=[named]).code == "start/receipt"
    own = SIGNER.receipt(house.match, 3, b"\7" * 32)
    assert verify(house.transcript(), keys=BOTH_PINNED, receipts=[own]).convicts


def test_a_false_event_that_another_pinned_key_has_signed_does_not_convict() -> None:
    """SPEC 9.5: the receipt of a transcript has to be the match's too."""
    house = House().play()
    data = house.forged(lambda events: events[4].update(at=events[3]["at"] - 1))
    whole = json.loads(data)
    events = whole["events"]
    for signer, convicts in ((SIGNER, True), (OTHER, False)):
        whole["receipt"] = signer.receipt(house.match, len(events) - 1, event_hash(events[-1]))
        report = verify(canonical(whole).encode(), keys=BOTH_PINNED)
        assert (report.code, report.convicts) == ("chain/time", convicts)


def test_a_receipt_has_a_seq_of_four_bytes() -> None:
    """SPEC 6.4: "`seq` is 0..4,294,967,295"."""
    house = House(seats=2)
    house.sit()
    lost = SIGNER.receipt(house.match, 9, b"\1" * 32)
    for seq, code in ((9, None), (2**32, "format/range")):
        told = {"reason": "history-lost", "server_seed": house.S.hex()}
        house.say("voided", {**told, "receipt": lost | {"seq": seq}})
        assert verify(sealed(house.events)).code == code
        house.events.pop()
