"""Honest matches, and what their reports say (SPEC 8.2 to 8.5, 9.3 to 9.7)."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairbones_verify import verify
from tests.verifier.draws import lots
from tests.verifier.forgeries.making import begun, leave_once, lost, once, second_turn
from tests.verifier.house import House
from tests.verifier.matches import any_match
from tests.verifier.primitives import (
    BLOCK,
    DRAW,
    OTHER,
    SIGNER,
    canonical,
    document,
    event_hash,
    sealed,
)
from tests.verifier.rows import ROWS, published

slow = settings(suppress_health_check=[HealthCheck.too_slow])


@slow
@given(st.sampled_from(list(ROWS)), st.integers(0, 10**9))
def test_an_honest_match_is_verified(name: str, seed: int) -> None:
    house = any_match(seed, name)
    report = verify(house.transcript(), keys=[SIGNER.public])
    assert report.verdict == "verified", report.text()
    assert report.complete is not house.stopped
    assert not report.convicts
    dealt = [event["data"]["round"] for event in house.events if event["type"] == "dealt"]
    assert report.proved + report.open == dealt
    if report.complete:
        assert not report.open
    last = house.events[-1]
    if last["type"] == "match_ended":
        assert report.result == {k: v for k, v in last["data"].items() if k != "server_seed"}


@slow
@given(st.integers(0, 10**6))
def test_every_beginning_of_a_match_is_verified_or_unfinished(seed: int) -> None:
    """SPEC 9.4: what stands before the end is not false, it only waits or was cut off in a step."""
    house = any_match(seed)
    for end in range(1, len(house.events), 1 + len(house.events) // 12):
        report = verify(sealed(house.events[:end]))
        assert report.code in (None, "order/unfinished"), report.text()
        assert report.complete is False
        same = house.events[end]["at"] == house.events[end - 1]["at"]
        assert report.code is None or same


@pytest.mark.parametrize("kind", ["order", "numbers"])
@pytest.mark.parametrize("n", [1, 2, 28, 256, 257, 900])
@pytest.mark.parametrize("seats", [1, 5, 64])
def test_an_honest_draw_is_verified(kind: str, n: int, seats: int) -> None:
    house = lots(n, kind, seats, n, reveal_seconds=600)
    report = verify(house.transcript())
    assert report.verdict == "verified", report.text()
    assert report.drawn == house.events[-1]["data"]["result"]
    assert "Drawn: " in report.text()


def test_a_draw_from_a_large_range() -> None:
    assert verify(lots(kind="numbers", n=65_536).transcript()).verdict == "verified"


def test_what_is_not_yet_provable_is_counted() -> None:
    """SPEC 9.4: `plays` counts what set hand 1 or followed the fixed rule, in hands not known."""
    house = House(choose=once("timeout"), rounds=1).play()
    report = verify(sealed(house.events[: house.index("timed_out") + 2]))
    assert (report.verdict, report.plays, report.open) == ("verified", 2, [1])
    assert "Not yet provable" in report.text()
    assert "Hands not proved: 1" in report.text()


@pytest.mark.parametrize("reason", ["seats-missing", "seeds-missing", "left", "house"])
def test_a_void_is_verified(reason: str) -> None:
    house = House()
    house.sit(0)
    data: dict[str, Any] = {"missing": [1]}
    if reason == "seeds-missing":
        house.sit(1)
        house.reveal(0)
    elif reason == "left":
        data = {"missing": [0]}
    elif reason == "house":
        data = {}
    house.say("voided", {"reason": reason, **data, "server_seed": house.S.hex()}, 600_000)
    report = verify(house.transcript())
    assert (report.verdict, report.complete) == ("verified", True), report.text()
    assert f"The house called the match off ({reason})" in report.text()


def test_the_deal_that_was_dropped() -> None:
    house = House(rounds=1)
    house.sit()
    house.reveal(0)
    data = {"reason": "seeds-missing", "missing": [1], "server_seed": house.S.hex()}
    house.say("voided", data, 600_000)
    report = verify(house.transcript(), seeds=[(1, house.seeds[1])])
    house.deal(1)
    deal = report.dropped_deal
    assert deal is not None
    for seat in range(2):
        tiles = [house.tile(position) for position in house.hands[seat]]
        assert deal["hands"][seat] == [f"{high}-{low}" for high, low in tiles]
    assert len(deal["boneyard"]) == 14
    assert "The deal that was dropped" in report.text()
    for seat, seed in ((1, b"\1" * 32), (2, house.seeds[1]), (77, house.seeds[1]), (1, b"")):
        refused = verify(house.transcript(), seeds=[(seat, seed)])
        assert (refused.exit, refused.code) == (3, "start/seed")


def test_options_that_differ_are_listed() -> None:
    report = verify(House(row={**BLOCK, "tie": "split", "hand": 6}).play().transcript())
    assert report.options == [
        {"name": "hand", "published": 7, "here": 6},
        {"name": "tie", "published": "void", "here": "split"},
    ]
    assert verify(House(row={**DRAW, "hand": 5}, seats=3).play().transcript()).options == []
    row = {**published("fives-and-threes", 3), "out_points": 0, "set": 9}
    assert verify(House(row=row, seats=3).play().transcript()).options == [
        {"name": "out_points", "published": 1, "here": 0},
        {"name": "set", "published": 6, "here": 9},
    ]


def codes(report: Any) -> set[str]:
    return {code for code, _ in report.unchecked}


def test_what_was_not_checked_is_listed() -> None:
    house = House(clear=(1,))
    house.seeds = [b"\5" * 32, b"a seed of letters and of no dice"]
    house.play()
    usual = {"seats/unsigned", "log/no-proof", "time/house-word"}
    bare = {"key/not-pinned", "receipt/none-given", "seeds/clear", "seed/printable"}
    assert codes(verify(house.transcript())) == usual | bare
    house = House().play()
    receipt = SIGNER.receipt(house.match, 2, event_hash(house.events[2]))
    assert codes(verify(house.transcript(), keys=[SIGNER.public], receipts=[receipt])) == usual
    house = House()
    house.seeds[1] = house.seeds[0]
    assert "seed/repeated" in codes(verify(house.play().transcript()))


# Receipts


def test_history_lost_admits_what_was_signed() -> None:
    """SPEC 9.7: at the receipt's seq or before it, this is noted, not refuted."""
    house = second_turn()
    other = [*house.events]
    house.fixed(100)
    gone = SIGNER.receipt(house.match, len(house.events) - 1, event_hash(house.events[-1]))
    house.events = other
    data = lost(house, gone)
    report = verify(data, receipts=[gone], keys=[SIGNER.public])
    assert report.verdict == "verified", report.text()
    assert "receipt/history-lost" in codes(report)
    late = SIGNER.receipt(house.match, 99, b"\1" * 32)
    assert verify(data, receipts=[late]).verdict == "verified"
    early = SIGNER.receipt(house.match, 2, b"\1" * 32)
    assert verify(data, receipts=[early]).code == "receipt/not-in-transcript"


@pytest.mark.parametrize(
    "receipt",
    [
        SIGNER.receipt("ab" * 16, 3, b"\1" * 32),
        OTHER.receipt(House().match, 3, b"\1" * 32),
        {**SIGNER.receipt(House().match, 3, b"\1" * 32), "seq": 4},
        {**SIGNER.receipt(House().match, 3, b"\1" * 32), "seq": 2**40},
        {**SIGNER.receipt(House().match, 3, b"\1" * 32), "more": 1},
        {},
        [],
    ],
)
def test_a_receipt_that_proves_nothing_is_not_used(receipt: Any) -> None:
    report = verify(House().play().transcript(), receipts=[receipt])
    assert (report.exit, report.code) == (3, "start/receipt")


def test_a_key_that_is_none_is_not_used() -> None:
    for key in (b"", "xyz", "ab" * 31, (1).to_bytes(32, "little")):
        report = verify(House().play().transcript(), keys=[key])
        assert (report.exit, report.code) == (3, "start/key")


# Whose word it is (SPEC 9.5)


def wrong_points() -> House:
    house = House(rounds=1).play()
    house.events[-2]["data"]["points"] = [7, 7]
    house.events[-1]["prev"] = event_hash(house.events[-2]).hex()
    return house


def test_the_house_is_convicted_by_its_own_signature() -> None:
    data = sealed(wrong_points().events)
    assert verify(data, keys=[SIGNER.public]).convicts
    assert "The house is convicted" in verify(data, keys=[SIGNER.public]).text()
    # Without a key from elsewhere anybody could have signed it.
    assert not verify(data).convicts
    assert "nothing shows that the house made it" in verify(data).text()


def test_two_histories_convict() -> None:
    house = House().play()
    other = SIGNER.receipt(house.match, 7, b"\1" * 32)
    report = verify(house.transcript(), receipts=[other], keys=[SIGNER.public])
    assert (report.code, report.convicts) == ("receipt/not-in-transcript", True)
    # A file that was cut off by whoever passed it on convicts nobody.
    cut = verify(
        sealed(house.events[:3]),
        receipts=[SIGNER.receipt(house.match, 4, event_hash(house.events[4]))],
        keys=[SIGNER.public],
    )
    assert (cut.code, cut.convicts) == ("receipt/beyond-end", False)


@given(st.data())
def test_nobody_else_can_convict_the_house(data: st.DataObject) -> None:
    """SPEC 9.5: whatever is done to an honest file, without the house's key it convicts nobody."""
    house = House(1, rounds=1).play()
    value = document(house.events)
    what = data.draw(st.sampled_from(["event", "drop", "copy", "keys", "cut"]))
    place = data.draw(st.integers(0, len(value["events"]) - 1))
    if what == "event":
        event = value["events"][place]
        inside = event["data"] if data.draw(st.booleans()) else event
        name = data.draw(st.sampled_from(sorted(inside)))
        inside[name] = data.draw(
            st.sampled_from([0, 1, 2, "ab" * 32, "ab" * 16, [], [1, 2], "6-6"])
        )
    elif what == "drop":
        del value["events"][place]
    elif what == "copy":
        value["events"].insert(place, value["events"][data.draw(st.integers(0, place))])
    elif what == "keys":
        value["keys"] = [{"key_id": OTHER.id, "public_key": OTHER.public.hex()}]
    else:
        del value["events"][place + 1 :]
    report = verify(canonical(value).encode(), keys=[SIGNER.public])
    assert not report.convicts, report.text()


def test_taking_the_key_out_of_the_file_does_not_convict_the_house() -> None:
    """Keys are not in the chain, so a check that reads them must read the pinned one (302)."""
    house = begun()
    value = json.loads(lost(house, SIGNER.receipt(house.match, 2, b"\1" * 32)))
    assert verify(canonical(value).encode()).verdict == "verified"
    value["keys"] = [{"key_id": OTHER.id, "public_key": OTHER.public.hex()}]
    report = verify(canonical(value).encode(), keys=[SIGNER.public])
    assert (report.code, report.convicts) == ("key/missing", False)


# Turns and times at their edges (SPEC 8.4, 8.5)


def test_a_slow_seat_has_a_second() -> None:
    """SPEC 8.4: plus 1,000 instead for a seat whose idle count is 3 or more."""

    def choose(house: House, seat: int) -> str:
        return "timeout" if seat == 1 else "play"

    house = House(3, seats=3, choose=choose, rounds=1).play()
    waits = [
        (event["at"] - house.events[i - 1]["at"])
        for i, event in enumerate(house.events)
        if event["type"] == "timed_out"
    ]
    assert any(wait < 2_000 for wait in waits)
    assert verify(house.transcript()).verdict == "verified"


def test_leaving_does_not_move_a_deadline() -> None:
    """SPEC 8.4: `left` by another seat does not begin the wait anew."""
    house = second_turn(seats=3)
    house.say("left", {"seat": (house.turn + 1) % 3}, 20_000)
    house.say("timed_out", {"seat": house.turn}, 10_000)
    house.fixed()
    house.fixed()
    assert verify(house.transcript()).verdict == "verified"


def test_a_match_that_all_have_left_is_abandoned_at_once() -> None:
    """SPEC 8.5: in the same step; the moves of 501 are then no longer due."""
    house = begun()
    house.say("left", {"seat": 0}, 10)
    house.left.add(0)

    house.choose = lambda house, seat: "play" if len(house.left) == 2 else f"leave {seat}"
    house.play_hand(1)
    report = verify(house.transcript())
    assert report.verdict == "verified", report.text()
    assert report.result is not None


def test_after_close_by_the_house_abandons() -> None:
    report = verify(House(choose=once("close")).play().transcript())
    assert report.verdict == "verified", report.text()
    assert report.result is not None
    assert report.result["reason"] == "abandoned"


def test_a_seat_that_leaves_is_played() -> None:
    house = House(2, seats=3, choose=leave_once(1)).play()
    assert verify(house.transcript()).verdict == "verified"


def test_sixty_events_take_a_few_milliseconds() -> None:
    data = House(1, row=DRAW, rounds=2).play().transcript()
    assert verify(data, keys=[SIGNER.public]).events > 60
    times = []
    for _ in range(5):
        start = time.process_time()
        verify(data)
        times.append(time.process_time() - start)
    assert min(times) < 0.05  # 4 ms where it was written; the rest is for slow machines
