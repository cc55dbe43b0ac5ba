"""What a seat puts beside a transcript: openings, protests, a missing seed (SPEC 9.9)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairbones_verify import verify
from tests.verifier.forgeries.making import begun
from tests.verifier.forgeries.resigned import BOTH
from tests.verifier.house import House
from tests.verifier.matches import any_match
from tests.verifier.primitives import (
    DRAW,
    OTHER,
    SIGNER,
    Event,
    canonical,
    event_hash,
    sealed,
    written,
)
from tests.verifier.signing import action, move, seat_signer

slow = settings(suppress_health_check=[HealthCheck.too_slow])


def shown(house: House, seat: int) -> list[dict[str, Any]]:
    return [
        {
            "seal": place,
            "tile": written(house.tile(place)),
            "salt": house.salts[house.r - 1][place].hex(),
        }
        for place in house.hands[seat]
    ]


def false_step(kind: str) -> tuple[House, int]:
    """A hand in which the second seat passes, or draws, although it can play."""
    for seed in range(99):
        house = begun(DRAW, seed=seed, keys=BOTH, auto_forced=False)
        house.fixed(100, own=True)
        if house.playable(house.turn):
            break
    seat = house.turn
    if kind == "passed":
        house.bone.clear()
    data = {"seat": seat, "seal": house.bone[0]} if kind == "drew" else {"seat": seat}
    house.say(kind, data, 100, by=seat)
    return house, seat


# Openings


@pytest.mark.parametrize("form", ["openings", "view"])
def test_a_false_draw_is_found_while_the_hand_runs(form: str) -> None:
    house, seat = false_step("drew")
    data, hand = house.transcript(), shown(house, seat)
    forms: dict[str, dict[str, Any]] = {
        "openings": {"round": 1, "openings": hand},
        "view": {"round": 1, "you": {"seat": seat, "hand": hand}, "scores": [0, 0], "x": None},
    }
    assert verify(data).verdict == "verified"
    report = verify(data, openings=[forms[form]], keys=[SIGNER.public])
    assert report.failure is not None
    last = len(house.events) - 1
    assert (report.code, report.failure.seq, report.convicts) == ("rules/must-play", last, True)
    assert "it holds a tile that fits" in report.story
    one = [tile for tile in hand if house.fits(tile["seal"])][:1]
    assert verify(data, openings=[{"round": 1, "openings": one}]).code == "rules/must-play"
    assert verify(data, openings=[{"round": 1, "openings": []}]).verdict == "verified"


def test_a_false_pass_is_found_while_the_hand_runs() -> None:
    house, seat = false_step("passed")
    off = ["rules/must-draw"]  # the boneyard is full, which is another matter
    paper = {"round": 1, "openings": shown(house, seat)}
    assert verify(house.transcript(), without=off).verdict == "verified"
    assert verify(house.transcript(), without=off, openings=[paper]).code == "rules/must-play"


@slow
@given(st.integers(0, 10**6))
def test_the_truth_refutes_nothing(seed: int) -> None:
    """Whatever seats show of an honest match, of every hand, it stays verified."""
    papers: list[dict[str, Any]] = []

    class Showing(House):
        def deal(self, r: int) -> None:
            super().deal(r)
            papers.extend({"round": r, "openings": shown(self, s)} for s in range(self.seats))

    house = any_match(seed, house=Showing)
    for end in range(1, len(house.events) + 1, 1 + len(house.events) // 9):
        dealt = [e["data"]["round"] for e in house.events[:end] if e["type"] == "dealt"]
        beside = [paper for paper in papers if paper["round"] in dealt]
        report = verify(sealed(house.events[:end]), openings=beside)
        assert report.code in (None, "order/unfinished"), report.text()


def test_openings_that_open_nothing_are_of_no_use() -> None:
    house = begun(DRAW)
    data = house.transcript()
    good = shown(house, 0)
    one = good[0]

    def refused(**paper: Any) -> None:
        report = verify(data, openings=[paper])
        assert (report.exit, report.code) == (3, "start/openings"), paper

    assert verify(data, openings=[{"round": 1, "openings": good}]).verdict == "verified"
    refused(round=1, openings=[*good, {**one, "salt": "ab" * 32}])
    refused(round=1, openings=[{**one, "tile": "6-5" if one["tile"] != "6-5" else "6-4"}])
    refused(round=1, openings=[{**one, "seal": (one["seal"] + 1) % 28}])
    refused(round=1, openings=[{**one, "seal": 28}])
    refused(round=1, openings=[{**one, "seal": "1"}])
    refused(round=1, openings=[{**one, "tile": one["tile"][::-1] + "x"}])
    refused(round=1, openings=[{"seal": one["seal"], "tile": one["tile"]}])
    refused(round=1, openings=["6-5"])
    refused(round=1, openings={"0": one})
    refused(round=2, openings=good)
    refused(round="1", openings=good)
    refused(round=True, openings=good)
    refused(openings=good)
    refused(round=1)
    refused(round=1, you=[])
    nothing: Any
    for nothing in ([], "x", None, 5):
        assert verify(data, openings=[nothing]).code == "start/openings"
    assert verify(begun(seed=1).transcript(), openings=[{"round": 1, "openings": good}]).exit == 3


# Protests


def protest(house: House, seat: int, said: str, at: int | None = None) -> dict[str, Any]:
    """A move as a seat would have sent it for the place after the last event, or for another."""
    seq = len(house.events) if at is None else at
    prev = event_hash(house.events[seq - 1]).hex()
    signature = seat_signer(0, seat).sign(move(event_hash(house.events[0]), seq, prev, seat, said))
    told = {"seq": seq, "prev": prev, "action": json.loads(said), "signature": signature.hex()}
    return {**told, "receipt": {"at": 1.5}, "more": None}


def standing(house: House, paper: dict[str, Any], end: int | None = None) -> dict[str, Any]:
    report = verify(sealed(house.events[:end]), protests=[paper])
    assert report.verdict == "verified", report.text()
    (told,) = report.as_dict()["protests"]
    assert "Protest: seat" in report.text()
    assert isinstance(told, dict)
    return told


def test_a_move_that_stands_there() -> None:
    house = House(keys=BOTH).play()
    for place, event in enumerate(house.events):
        if event["type"] in ("played", "passed") and "signature" in event["data"]:
            seat = event["data"]["seat"]
            paper = protest(house, seat, action(event), place)
            assert paper["signature"] == event["data"]["signature"]
            assert standing(house, paper) == {
                "seat": seat,
                "seq": place,
                "action": json.loads(action(event)),
                "standing": "taken",
            }


def timed_out() -> tuple[House, dict[str, Any]]:
    """A seat answers, and the house says that it did not."""
    house = begun(keys=BOTH)
    lead, place = house.turn, house.playable(house.turn)[0]
    said = canonical({"type": "play", "tile": written(house.tile(place))})
    paper = protest(house, lead, said)
    house.say("timed_out", {"seat": lead}, 30_000)
    house.fixed()
    return house, paper


def test_a_move_that_does_not() -> None:
    """T31: the verdict stays, and the report says what is disputed."""
    house, paper = timed_out()
    told = standing(house, paper)
    assert (told["standing"], told["seq"]) == ("disputed", paper["seq"])
    text = verify(house.transcript(), protests=[paper, paper]).text()
    assert text.count("one word against another") == 2
    assert "what stands there is not that (timed_out)" in text
    assert "protests" not in verify(house.transcript()).as_dict()


def test_another_move_of_the_same_seat_is_disputed() -> None:
    house = House(keys=BOTH).play()
    place = next(i for i, e in enumerate(house.events) if "end" in e["data"])
    event = house.events[place]
    other = json.loads(action(event)) | {"end": "left" if event["data"]["end"] != "left" else "up"}
    seat = event["data"]["seat"]
    paper = protest(house, seat, canonical(other), place)
    # Where the house has the other one signed by the seat, the seat has said two things.
    assert standing(house, paper)["standing"] == "both-signed"
    assert "says nothing against the house" in verify(house.transcript(), protests=[paper]).text()
    # A signature that is not the seat's for what stands there is the house's invention.
    invented = {**event, "data": {**event["data"], "signature": "00" * 64}}
    report = verify(sealed([*house.events[:place], invented]), protests=[paper])
    assert report.code == "authority/signature"
    assert [one.standing for one in report.protests] == ["disputed"]
    # The same move by another seat is not that seat's, and nobody asked it for one.
    away = protest(house, 1 - seat, action(event), place)
    assert standing(house, away)["standing"] == "not-its-turn"
    assert standing(house, away)["seat"] == 1 - seat


def test_a_move_where_no_seat_can_move() -> None:
    """Before the deal, after the end of a hand and of the match, and at the house's own steps."""
    house = House(keys=BOTH).play()
    said = canonical({"type": "play", "tile": "0-0", "end": "left"})
    kinds = [event["type"] for event in house.events] + ["nothing"]
    for place, kind in enumerate(kinds[1:], 1):
        for seat in (0, 1):
            told = standing(house, signed_at(house, seat, said, place))["standing"]
            own = kind == "played" and house.events[place]["data"]["seat"] == seat
            assert told == ("both-signed" if own else "not-its-turn"), (place, kind, seat)
            call = signed_at(house, seat, canonical({"type": "call"}), place)
            assert standing(house, call)["standing"] == told


def test_the_step_after_a_time_out_is_not_the_seats() -> None:
    """Whoever signs behind its own time-out knew of it."""
    house, paper = timed_out()
    seat = house.events[paper["seq"]]["data"]["seat"]
    late = signed_at(house, seat, canonical(paper["action"]), paper["seq"] + 1)
    assert standing(house, late)["standing"] == "not-its-turn"
    assert "so no such move could be taken" in verify(house.transcript(), protests=[late]).text()


def signed_at(house: House, seat: int, said: str, place: int) -> dict[str, Any]:
    """A move signed for any place, also the one after the last event."""
    prev = event_hash(house.events[place - 1]).hex()
    message = move(event_hash(house.events[0]), place, prev, seat, said)
    signature = house.signers[seat].sign(message).hex()
    return {"seq": place, "prev": prev, "action": json.loads(said), "signature": signature}


def test_a_house_step_that_is_the_same_is_not_the_seats() -> None:
    """The forced pass carries no signature, so it does not stand there as the seat's action."""
    house = next(
        house
        for house in (House(seed, keys=BOTH).play() for seed in range(99))
        if any(event["type"] == "passed" for event in house.events)
    )
    place = house.index("passed")
    seat = house.events[place]["data"]["seat"]
    prev = house.events[place]["prev"]
    said = action(house.events[place])
    message = move(event_hash(house.events[0]), place, prev, seat, said)
    signature = house.signers[seat].sign(message).hex()
    paper = {"seq": place, "prev": prev, "action": {"type": "pass"}, "signature": signature}
    assert standing(house, paper)["standing"] == "not-its-turn"
    # While the hand runs nobody can see that the pass was forced.
    assert standing(house, paper, place + 1)["standing"] == "disputed"


def test_a_move_for_another_history() -> None:
    house, paper = timed_out()
    assert standing(house, paper, 4)["standing"] == "other-history"
    text = verify(sealed(house.events[:4]), protests=[paper]).text()
    assert "this file has only 4 events" in text
    # The head of this file is where it was signed for: nothing stands there yet.
    assert standing(house, paper, paper["seq"])["standing"] == "disputed"
    assert (
        "this file ends before it"
        in verify(sealed(house.events[: paper["seq"]]), protests=[paper]).text()
    )
    seq, seat = paper["seq"], int(house.events[paper["seq"]]["data"]["seat"])
    message = move(event_hash(house.events[0]), seq, "ab" * 32, seat, canonical(paper["action"]))
    signed = {**paper, "prev": "ab" * 32, "signature": house.signers[seat].sign(message).hex()}
    assert standing(house, signed)["standing"] == "other-history"
    message = move(event_hash(house.events[0]), 0, "00" * 32, seat, canonical(paper["action"]))
    first = {**signed, "seq": 0, "prev": "00" * 32}
    first["signature"] = house.signers[seat].sign(message).hex()
    assert standing(house, first)["standing"] == "other-history"


def test_a_protest_that_no_seat_has_signed_is_of_no_use() -> None:
    house, paper = timed_out()
    data = house.transcript()

    def refused(**other: Any) -> None:
        report = verify(data, protests=[{**paper, **other}])
        assert (report.exit, report.code) == (3, "start/protest"), other

    refused(signature="00" * 64)
    refused(signature="00" * 32)
    refused(seq=paper["seq"] + 1)
    refused(seq=2**40)
    refused(prev="ab" * 32)
    refused(action={**paper["action"], "claim": 5})
    refused(action={**paper["action"], "type": "pass"})
    refused(action={**paper["action"], "tile": paper["action"]["tile"][::-1] + "0"})
    refused(action={"type": "resign"})
    refused(action={"type": "play"})
    refused(action={"tile": "6-6"})
    refused(action={"type": ["play"]})
    refused(action=canonical(paper["action"]))
    for name in ("seq", "prev", "action", "signature"):
        gone = {key: value for key, value in paper.items() if key != name}
        assert verify(data, protests=[gone]).code == "start/protest"
    nothing: Any
    for nothing in ([], "x", None):
        assert verify(data, protests=[nothing]).code == "start/protest"
    # Signed, but by nobody here, or in a match where nobody has a key.
    said = move(event_hash(house.events[0]), paper["seq"], paper["prev"], 0, '{"type":"pass"}')
    refused(action={"type": "pass"}, signature=OTHER.sign(said).hex())
    assert verify(House().play().transcript(), protests=[paper]).code == "start/protest"


def test_a_protest_changes_no_verdict() -> None:
    """Not of a refuted file either."""
    house, paper = timed_out()

    def lie(events: list[Event]) -> None:
        events[-1]["at"] += 1

    report = verify(house.forged(lie), protests=[paper])
    assert report.code == "order/step"
    assert [one.standing for one in report.protests] == ["disputed"]


# A seed


def test_the_deal_that_was_dropped_of_a_seat_with_a_key() -> None:
    """SPEC 5.1: its commitment names the key."""
    house = House(keys=BOTH, rounds=1)
    house.sit()
    house.reveal(0)
    data = {"reason": "seeds-missing", "missing": [1], "server_seed": house.S.hex()}
    house.say("voided", data, 600_000)
    report = verify(house.transcript(), seeds=[(1, house.seeds[1])])
    assert report.dropped_deal is not None
    assert verify(house.transcript(), seeds=[(1, house.seeds[0])]).code == "start/seed"
