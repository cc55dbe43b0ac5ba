"""Points of plays, the settlement, the target, spinners: checks 207 to 609 for SPEC R5 to R10."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.verifier.forgeries.making import edit, ended, forgery, with_points
from tests.verifier.house import House
from tests.verifier.rows import published

FIVES = published("all-fives", 2)
MUGGINS = {**FIVES, "muggins": True}
FIVES_AND_THREES = published("fives-and-threes", 2)


def until(
    when: Callable[[House], bool],
    lie: Callable[[House], object],
    row: dict[str, Any] = MUGGINS,
    seats: int = 2,
    **more: Any,
) -> bytes:
    """A match up to the first wait where something holds, and a lie there; then all is shown."""
    done: list[House] = []

    def told(house: House) -> bool:
        lie(house)
        done.append(house)
        return True

    def choose(house: House, seat: int) -> Any:
        return told if when(house) else "play"

    for seed in range(200):
        house = House(seed, row, seats, rounds=4, choose=choose, **more).play()
        if done:
            return house.transcript() if house.events[-1]["type"] == "match_ended" else ended(house)
    raise AssertionError("that never came about")


def scoring_play(house: House) -> tuple[int, str] | None:
    """A play that scores and does not end the hand."""
    if len(house.hands[house.turn]) < 2 or house.actor() != house.turn:
        return None
    plays = [(p, end) for p in house.playable(house.turn) for end in house.fits(p)]
    return next((play for play in plays if house.score(*play)), None)


def may_score(house: House) -> bool:
    return scoring_play(house) is not None


# Points of plays


@forgery("points/play")
def a_play_that_scores_more() -> bytes:
    house = House(row=FIVES, rounds=1).play()
    place = next(i for i, e in enumerate(house.events) if "points" in e["data"])
    return with_points(house, place, house.events[place]["data"]["points"] + 5)


@forgery("points/play")
def a_play_that_scores_nothing() -> bytes:
    house = House(row=FIVES, rounds=1).play()
    place = next(i for i, e in enumerate(house.events) if "points" in e["data"])
    return with_points(house, place, 0)


@forgery("points/play")
def nothing_for_going_out() -> bytes:
    for seed in range(100):
        house = House(seed, FIVES_AND_THREES, rounds=1).play()
        out = house.index("played", -1)
        points = house.events[out]["data"].get("points", 0)
        ahead = abs(house.scores[0] - house.scores[1]) > 1
        reason = house.events[house.index("round_ended")]["data"]["reason"]
        if reason == "domino" and points and ahead:
            return with_points(house, out, points - 1)
    raise AssertionError("nobody went out")


class Careless(House):
    """Points past the target are counted."""

    def admitted(self, seat: int, points: int) -> int:
        return points


@forgery("points/play")
def past_the_target() -> bytes:
    row = {**FIVES_AND_THREES, "target": 5, "win_at": "hand-end", "spinner": "all"}
    for seed in range(100):
        house, true = Careless(seed, row, rounds=1).play(), House(seed, row, rounds=1).play()
        if house.scores != true.scores and len(house.events) == len(true.events):
            return house.transcript()
    raise AssertionError("nobody was near the target")


@forgery("points/points")
def settled_past_the_target() -> bytes:
    row = {**FIVES, "target": 10, "exact_target": True}
    for seed in range(100):
        house = House(seed, row, rounds=1).play()
        place = house.index("round_ended")
        data = house.events[place]["data"]
        if (
            data.get("winner") is not None
            and not any(data["points"])
            and data["reason"] == "domino"
        ):
            paid = sum(data["counts"]) // 5 * 5
            points = [paid if side == data["winner"] else 0 for side in range(2)]
            scores = [a + b for a, b in zip(data["scores"], points, strict=True)]
            data |= {"points": points, "scores": scores}
            house.events[-1]["data"] |= {"scores": scores, "winner": scores.index(max(scores))}
            if max(scores) > 10 and scores[0] != scores[1]:
                house.events[-1]["data"]["reason"] = "target"
                return house.forged()
    raise AssertionError("nobody was near the target")


# The end of a hand


@forgery("rules/hand-over", None)
def played_on_after_the_target() -> bytes:
    row = {**FIVES_AND_THREES, "win_at": "at-once", "target": 2, "exact_target": False}
    house = House(row=row, rounds=1)
    house.row = {**row, "win_at": "hand-end"}
    return house.play().transcript()


@forgery("rules/not-over")
def the_target_before_its_time() -> bytes:
    def reached(house: House) -> bool:
        ahead = house.scores[0] != house.scores[1]
        return ahead and max(house.scores) >= 2 and len(house.plays) > 2

    row = {**FIVES_AND_THREES, "win_at": "hand-end", "target": 2, "exact_target": False}
    return until(reached, lambda house: house.settle("target"), row)


@forgery("points/reason")
def domino_for_target() -> bytes:
    row = {**FIVES_AND_THREES, "target": 2, "exact_target": False}
    for seed in range(100):
        house = House(seed, row, rounds=1).play()
        if house.events[house.index("round_ended")]["data"]["reason"] == "target":
            return edit(house, "round_ended", reason="domino")
    raise AssertionError("nobody reached the target")


class Exact(House):
    """Points are not rounded."""

    def result(self, reason: str, sums: list[int]) -> tuple[int | None, list[int]]:
        self.row["settlement"], kept = "as it is", self.row["settlement"]
        found = super().result(reason, sums)
        self.row["settlement"] = kept
        return found


@forgery("points/points")
def not_rounded() -> bytes:
    for seed in range(100):
        house = Exact(seed, FIVES, rounds=1).play()
        if any(n % 5 for n in house.events[house.index("round_ended")]["data"]["points"]):
            return house.transcript()
    raise AssertionError("everything was divisible by five")


@forgery("order/unfinished")
def a_target_and_no_end() -> bytes:
    row = {**FIVES_AND_THREES, "target": 2, "exact_target": False}
    for seed in range(100):
        house = House(seed, row, rounds=1).play()
        place = house.index("round_ended")
        if house.events[place]["data"]["reason"] == "target":
            return house.forged(lambda events: events.__delitem__(slice(place, None)))  # noqa: B023
    raise AssertionError("nobody reached the target")


# Ends


@forgery("rules/does-not-fit")
def an_arm_that_is_not_open() -> bytes:
    def closed(house: House) -> bool:
        closed = [end for end in house.ends if not end.open]
        return any(end.value in house.tile(p) for end in closed for p in house.hands[house.turn])

    def lie(house: House) -> None:
        end, place = next(
            (end, p)
            for end in house.ends
            for p in house.hands[house.turn]
            if not end.open and end.value in house.tile(p)
        )
        house.put(place, end.name, 100)

    return until(closed, lie, FIVES)


@forgery("rules/does-not-fit")
def the_arm_of_a_spinner_that_there_is_not() -> bytes:
    def lie(house: House) -> None:
        place = house.playable(house.turn)[0]
        house.put(place, house.fits(place)[0], 100)
        house.events[-1]["data"]["end"] = "up-19"

    return until(lambda house: len(house.plays) > 2 and may_score(house), lie, FIVES)
