"""The same lies in every ruleset: each is found at its event, by its check.

A lie changes one thing in an honest match that was played to its end; the house then goes on as if
it were true, chains and signs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from fairbones_verify import verify
from tests.verifier.forgeries.leads import DRAWN
from tests.verifier.forgeries.making import ended
from tests.verifier.house import House
from tests.verifier.matches import any_match
from tests.verifier.primitives import BLOCK, SIGNER, Event
from tests.verifier.rows import ROWS

# A lie: the places where it can be told, and the change there; `r` chooses among the false.
Lie = Callable[[House, random.Random], "Iterator[tuple[int, dict[str, Any]]]"]


def places(house: House, kind: str) -> list[int]:
    return [i for i, event in enumerate(house.events) if event["type"] == kind]


def data_at(house: House, place: int) -> dict[str, Any]:
    found: dict[str, Any] = house.events[place]["data"]
    return found


def another_lead(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for kind in ("dealt", "lead_drawn"):
        for place in places(house, kind):
            yield place, {"lead": (data_at(house, place)["lead"] + 1) % house.seats}


def another_first_tile(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "dealt"):
        true = data_at(house, place).get("must_set")
        yield place, {"must_set": "1-0" if true != "1-0" else "2-0"}


def no_hand_of_this_size(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "dealt"):
        yield place, {"hand_size": house.row["hand"] + 1}


def more_for_a_play(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "played"):
        yield place, {"points": data_at(house, place).get("points", 0) + 1}


def nothing_for_a_play(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "played"):
        if "points" in data_at(house, place):
            yield place, {"points": None}


def more_for_a_call(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "called"):
        yield place, {"points": data_at(house, place)["points"] + 1}


def other_counts(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "round_ended"):
        counts = list(data_at(house, place)["counts"])
        counts[rng.randrange(len(counts))] += 1
        yield place, {"counts": counts}


def another_winner(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "round_ended"):
        true = data_at(house, place).get("winner")
        yield place, {"winner": (0 if true is None else true + 1) % house.sides}


def other_points(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "round_ended"):
        points = list(data_at(house, place)["points"])
        points[rng.randrange(len(points))] += 1
        yield place, {"points": points}


def other_scores(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for kind in ("round_ended", "match_ended"):
        for place in places(house, kind):
            scores = list(data_at(house, place)["scores"])
            scores[rng.randrange(len(scores))] += 1
            yield place, {"scores": scores}


def another_reason(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    reasons = {"domino", "blocked", "target"}
    for place in places(house, "round_ended"):
        true = data_at(house, place)["reason"]
        if true in reasons:
            yield place, {"reason": rng.choice(sorted(reasons - {true}))}


def another_end(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "match_ended"):
        true = data_at(house, place)["reason"]
        # After `close_by` any other reason is too late as well, which is found first.
        if house.at <= int(house.events[0]["data"]["close_by"]):
            yield place, {"reason": "rounds" if true != "rounds" else "target"}


def another_champion(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "match_ended"):
        true = data_at(house, place).get("winner")
        yield place, {"winner": (0 if true is None else true + 1) % house.sides}


def an_end_that_is_not_there(
    house: House, rng: random.Random
) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "played"):
        if "end" in data_at(house, place):
            yield place, {"end": "up-19"}


def no_end(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "played"):
        told = data_at(house, place)
        yield place, {"end": None} if "end" in told else {"end": "left"}


def another_tile(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "played"):
        true = data_at(house, place)["tile"]
        yield place, {"tile": "1-0" if true != "1-0" else "2-0"}


def a_claim_too_high(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "played"):
        if not fixed(house, place):
            yield place, {"claim": 1_000}


def fixed(house: House, place: int) -> bool:
    """Whether a move was made for its seat."""
    seat = data_at(house, place)["seat"]
    gone = [i for i in places(house, "left") if data_at(house, i)["seat"] == seat]
    return house.events[place - 1]["type"] == "timed_out" or (bool(gone) and gone[0] < place)


def a_gift_of_another(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "gave"):
        dealt = max(i for i in places(house, "dealt") if i < place)
        played = [data_at(house, i)["seal"] for i in range(dealt, place) if is_play(house, i)]
        if played:
            yield place, {"seal": played[0]}


def is_play(house: House, place: int) -> bool:
    return bool(house.events[place]["type"] == "played")


def a_draw_from_the_tail(house: House, rng: random.Random) -> Iterator[tuple[int, dict[str, Any]]]:
    for place in places(house, "drew"):
        yield place, {"seal": (data_at(house, place)["seal"] + 1) % house.n}


def a_seed_of_another_hand(
    house: House, rng: random.Random
) -> Iterator[tuple[int, dict[str, Any]]]:
    for kind in ("round_ended", "lead_drawn"):
        for place in places(house, kind):
            yield place, {"round_seed": rng.randbytes(32).hex()}


LIES: dict[str, tuple[Lie, str]] = {
    "lead": (another_lead, "deal/lead"),
    "must set": (another_first_tile, "deal/must-set"),
    "hand size": (no_hand_of_this_size, "deal/hand-size"),
    "play": (more_for_a_play, "points/play"),
    "no points": (nothing_for_a_play, "points/play"),
    "call": (more_for_a_call, "points/call"),
    "counts": (other_counts, "points/counts"),
    "winner": (another_winner, "points/winner"),
    "points": (other_points, "points/points"),
    "scores": (other_scores, "points/scores"),
    "reason": (another_reason, "points/reason"),
    "end of the match": (another_end, "points/match-reason"),
    "champion": (another_champion, "points/match-winner"),
    "end": (an_end_that_is_not_there, "rules/does-not-fit"),
    "no end": (no_end, "rules/end"),
    "tile": (another_tile, "seal/mismatch"),
    "claim": (a_claim_too_high, "rules/claim"),
    "gift": (a_gift_of_another, "cut/foreign-seal"),
    "draw": (a_draw_from_the_tail, "cut/draw"),
    "seed": (a_seed_of_another_hand, "seed/round-seed"),
}

# Which lies a ruleset leaves no room for.
NOWHERE = {
    "no points": [name for name in ROWS if "counting" not in ROWS[name]],
    "call": [name for name in ROWS if name != "all-fives"],
    "gift": [name for name in ROWS if name != "middle-eastern"],
    "draw": [name for name in ROWS if ROWS[name]["drawing"] == "none"],
}
CASES = [(name, lie) for lie in LIES for name in ROWS if name not in NOWHERE.get(lie, [])]


def told(house: House, place: int, change: dict[str, Any]) -> bytes:
    def lie(events: list[Event]) -> None:
        data = events[place]["data"]
        for member, value in change.items():
            data[member] = value
            if value is None:
                del data[member]

    return house.forged(lie)


@pytest.mark.parametrize(("name", "lie"), CASES, ids=[f"{name} {lie}" for name, lie in CASES])
def test_a_lie_is_found_where_it_stands(name: str, lie: str) -> None:
    where, code = LIES[lie]
    found = 0
    for seed in range(400):
        house = any_match(seed, name)
        if house.events[-1]["type"] != "match_ended":
            continue
        rng = random.Random(seed)
        lies = list(where(house, rng))
        for place, change in rng.sample(lies, min(2, len(lies))):
            report = verify(told(house, place, change), keys=[SIGNER.public])
            assert report.failure is not None, (seed, place, change)
            at = (report.code, report.failure.seq, report.convicts)
            # The house plays for a seat by the fixed rule: another end or claim is 501 there.
            if lie in ("end", "no end") and fixed(house, place):
                assert at == ("rules/fixed-step", place, True), (seed, change, report.text())
            else:
                assert at == (code, place, True), (seed, change, report.text())
            found += 1
        if found >= 6:
            return
    assert found >= 2, "no such lie could be told"


@pytest.mark.parametrize("name", ROWS)
def test_a_forced_step_left_out_is_found(name: str) -> None:
    """A forced pass taken out of the file: what comes after it has no place there."""
    found = 0
    for seed in range(400):
        house = any_match(seed, name)
        if not house.house_forces or house.events[-1]["type"] != "match_ended":
            continue
        forced = [i for i in places(house, "passed") if not fixed(house, i)]
        if not forced or house.muggins:
            continue
        place = forced[len(forced) // 2]
        report = verify(house.forged(lambda events: events.pop(place)))  # noqa: B023
        after = house.events[place + 1]["type"]
        due = "forced-step" if after in ("timed_out", "left") else "not-your-turn"
        assert report.failure is not None
        assert (report.code, report.failure.seq) == (f"rules/{due}", place), report.text()
        found += 1
        if found == 5:
            return
    assert found, "nobody had to pass"


# What another check has to find


def test_a_lead_drawn_without_a_wash_is_a_wash_that_is_missing() -> None:
    """Checks 407 and 417: "nor, with 417, to a lead draw without `lead_wash`: 401"."""
    house = House(row=DRAWN)
    del house.events[0]["data"]["lead_wash"]
    house.sit()
    house.reveal()
    house.draw_lead()
    house.events[-1]["data"].update(seals=["ab" * 32], round_seed="cd" * 32)
    house.deal(1)
    data = ended(house)
    assert verify(data).code == "deal/wash-count"
    assert verify(data, without=["deal/wash-count"]).verdict == "verified"


def test_a_hand_beyond_the_last_has_no_root() -> None:
    """Check 407: "does not apply beyond `rounds_max`: 606", to the number of seals neither."""
    house = House(row=BLOCK, rounds=2)
    opened = house.events.pop()["data"]
    house.say("opened", {**opened, "rounds_max": 1, "washes": opened["washes"][:1]})
    house.sit()
    house.reveal()
    house.deal(1)
    assert not house.play_hand(1)
    house.deal(2)
    house.events[-1]["data"]["seals"].pop()
    assert verify(ended(house)).code == "points/match-over"
