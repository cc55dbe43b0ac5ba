"""What a report says to people: names, hands, times, and what to do next."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from fairbones_verify import Report, verify
from fairbones_verify.codes import CHECKS
from fairbones_verify.story import SENTENCES
from fairbones_verify.words import listing, plural, ranges, span, utc
from tests.verifier.draws import lots
from tests.verifier.forgeries import FORGERIES
from tests.verifier.forgeries.making import begun, by_hand, ended, once, second_turn
from tests.verifier.house import House
from tests.verifier.primitives import (
    BLOCK,
    SIGNER,
    Event,
    canonical,
    document,
    event_hash,
    sealed,
    written,
)

NAMES = ("ann", "ben", "cid", "dee")


def named(house: House, *changes: Any) -> bytes:
    """The transcript with names for all seats, and more changes."""

    def baptize(events: list[Event]) -> None:
        for event in events:
            if event["type"] == "seated":
                event["data"]["name"] = NAMES[event["data"]["seat"]]

    return house.forged(baptize, *changes)


def first_line(report: Report) -> str:
    return report.text().partition("\n")[0]


# A sentence for each check


def test_every_check_has_a_sentence_and_a_cause() -> None:
    assert set(SENTENCES) == {code for number, code, _ in CHECKS if number >= 100}
    assert all(cause for _, _, cause in CHECKS)


@pytest.mark.parametrize("name", FORGERIES)
def test_a_refuted_file_is_put_into_words(name: str) -> None:
    data, beside = FORGERIES[name]()
    report = verify(data, **beside)
    assert report.story.endswith(".")
    assert not {"{", "}"} & set(report.story)
    assert f"In words:     {report.story}\n" in report.text()
    assert "story" not in json.loads(report.json())["failure"]


def test_an_exchanged_tile() -> None:
    house = second_turn()
    seat, place = house.turn, house.hands[house.turn][0]
    true, line = house.tile(place), [house.events[-1]["data"]["tile"]]
    false = next(t for t in [(6, 5), (4, 0)] if t != true and written(t) not in line)
    by_hand(house, false, place, "left")
    running, known = sealed(house.events), ended(house)
    seated = [event["data"] for event in house.events if event["type"] == "seated"]
    name = next(data.get("name") for data in seated if data["seat"] == seat)
    who = f"seat {seat}" + (f" ({name})" if name else "")
    lie = f"Hand 1: {who} plays {written(false)} from position {place}, but the seal there does"
    assert verify(known).story == f"{lie} not hold it; it holds {written(true)}."
    assert verify(running).story == f"{lie} not hold it."


def test_seats_have_their_names_and_hands_their_numbers() -> None:
    house = House(rounds=2).play()
    place = house.index("dealt", 1)
    right = house.events[place]["data"]["lead"]

    def other_lead(events: list[Event]) -> None:
        events[place]["data"]["lead"] = 1 - right

    report = verify(named(house, other_lead))
    wrong = 1 - right
    assert report.failure is not None
    assert report.failure.expected == f"seat {right} ({NAMES[right]})"
    assert report.failure.got == f"seat {wrong} ({NAMES[wrong]})"
    assert report.story == (
        f"Hand 2 is dealt and seat {wrong} ({NAMES[wrong]}) is to lead; "
        f"by the rules it is seat {right} ({NAMES[right]})."
    )


def test_points_have_names() -> None:
    house = House(rounds=1, row={**BLOCK, "partners": True}, seats=4).play()
    place = house.index("round_ended")
    due = house.events[place]["data"]["scores"]

    def other_scores(events: list[Event]) -> None:
        events[place]["data"]["scores"] = [due[0] + 1, due[1]]

    report = verify(named(house, other_scores))
    assert report.failure is not None
    sides = ("side 0 (seats 0 (ann), 2 (cid))", "side 1 (seats 1 (ben), 3 (dee))")
    assert report.failure.expected == f"{sides[0]}: {due[0]}, {sides[1]}: {due[1]}"


def test_times_are_times_of_day() -> None:
    house = House()
    house.sit(0)
    start, opened = house.at, house.events[0]["at"]
    house.at = opened + 600_000
    house.sit(1)
    late = house.at - opened - 600_000
    assert late > 0
    assert start < house.at
    report = verify(named(house))
    assert report.failure is not None
    assert report.failure.expected == "2026-09-21 14:23:20.000 UTC or earlier"
    assert report.failure.got == f"{utc(house.at)}, {span(late)} late"
    assert report.story == f"Seat 1 (ben) sits down at {utc(house.at)}, {span(late)} late."


def test_words() -> None:
    assert (span(9_940_000), span(250), span(0)) == ("9,940 s", "0.25 s", "0 s")
    assert utc(0) == "1970-01-01 00:00:00.000 UTC"
    assert utc(2**53 - 1) == "9,007,199,254,740,991 ms after 1970"
    assert [listing(list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listing(["x"] * 64).endswith("x and 56 more")
    assert (plural(1, "play"), plural(2, "wash", "washes")) == ("1 play", "2 washes")
    assert ranges([5, 1, 2, 3]) == "1-3, 5"


def test_a_time_after_all_calendars_is_no_error() -> None:
    house = House()
    house.sit(0)
    events = copy.deepcopy(house.events)
    events[1]["at"] = 2**53 - 1
    assert verify(sealed(events)).code == "time/late-seat"


# What is wrong with the file, and not with the match


def test_a_file_that_is_older_than_a_receipt() -> None:
    house = House().play()
    mine = SIGNER.receipt(house.match, 8, event_hash(house.events[8]))
    report = verify(sealed(house.events[:8]), receipts=[mine], keys=[SIGNER.public])
    text = report.text()
    assert first_line(report) == (
        "REFUTED: A check failed: this file ends before the event that your receipt is for."
    )
    assert "Your receipt is for event 8; in this file 7 is the last." in text
    assert "saved before this receipt was given (fetch it again)" in text
    assert "fetch it again and verify that" in text
    assert "not a fair match" not in text


@pytest.mark.parametrize("name", FORGERIES)
def test_the_headline_says_whether_it_is_the_file(name: str) -> None:
    data, beside = FORGERIES[name]()
    code = name.partition(" ")[0]
    about_file = code.startswith(("chain/", "key/", "receipt/")) or code == "order/unfinished"
    assert ("not a fair match" in first_line(verify(data, **beside))) is not about_file
    convicted = verify(data, **beside, keys=[SIGNER.public]) if "keys" not in beside else None
    if convicted is not None and convicted.convicts:
        assert "not a fair match" in first_line(convicted)


def test_what_is_no_transcript_is_named() -> None:
    whole = document(House().play().events)
    answer = {name: whole[name] for name in ("events", "receipt")}
    for data in (canonical(answer).encode(), json.dumps(answer, indent=1).encode()):
        report = verify(data)
        assert report.verdict == "unreadable"
        assert "JSON, but not a transcript: it has no keys and protocol." in report.text()
        assert "Fetch .../transcript" in report.text()
    spaced = verify(json.dumps(whole, indent=1).encode())
    assert (spaced.code, spaced.story) == ("format/canonical", "")
    assert "reformatted: save it as served" in spaced.text()
    assert verify(b"[]").story == ""


# What is well


def test_so_far() -> None:
    report = verify(begun().transcript())
    assert first_line(report) == "VERIFIED: Every check that could be made passed."
    report.must_be_complete = True
    assert first_line(report) == ("VERIFIED SO FAR, but the match is not at its end (--complete).")
    assert report.as_dict()["verdict"] == "verified"


def test_the_result_has_names() -> None:
    report = verify(named(House().play()))
    assert report.result is not None
    won, scores = report.result["winner"], report.result["scores"]
    said = f"seat 0 (ann): {scores[0]}, seat 1 (ben): {scores[1]}."
    reason = report.result["reason"]
    assert f"Result: seat {won} ({NAMES[won]}) wins ({reason}); scores: {said}" in report.text()


def test_names_are_escaped() -> None:
    """Check 13 lets no such name through; the report does not rely on it."""
    result = {"reason": "target", "winner": 0, "scores": [1]}
    report = Report("verified", sides=["seat 0 (\x1b<b>)"], result=result)
    assert "seat 0 (\\u001b\\u003cb\\u003e): 1." in report.text()


def test_why_something_is_not_yet_provable() -> None:
    house = House(choose=once("timeout"), rounds=1).play()
    text = verify(sealed(house.events[: house.index("timed_out") + 2])).text()
    steps = "2 draws, passes, declines or gifts and 2 plays"
    assert f"Not yet provable: {steps} (the seed of hand 1 is not shown yet)." in text


def test_a_void_says_who_is_missing() -> None:
    house = House()
    house.sit()
    house.reveal(0)
    data = {"reason": "seeds-missing", "missing": [1], "server_seed": house.S.hex()}
    house.say("voided", data, 600_000)
    text = verify(named(house)).text()
    assert "The house called the match off (seeds-missing): not every seed was revealed" in text
    assert "Seed not shown, says the house: seat 1 (ben)." in text
    ask = "Whoever sent that seed can see the deal that was dropped: add --seed 1=HEX."
    assert ask in text
    shown = verify(house.transcript(), seeds=[(1, house.seeds[1])]).text()
    assert "--seed 1=HEX" not in shown
    assert "  seat 1" in shown


def test_a_draw_that_was_called_off_has_no_deal_to_show() -> None:
    house = lots(reveal_seconds=600)
    events = [event for event in house.events if event["type"] in ("opened", "seated")]
    missing = list(range(house.seats))
    data = {"reason": "seeds-missing", "missing": missing, "server_seed": house.S.hex()}
    last = events[-1]
    events.append({**last, "at": last["at"] + 600_000, "type": "voided", "data": data})
    events[-1]["seq"], events[-1]["prev"] = len(events) - 1, event_hash(last).hex()
    text = verify(sealed(events)).text()
    assert "Seed not shown, says the house: " in text
    assert "--seed" not in text
