"""Points, scores and winners: checks 600 to 608."""

from __future__ import annotations

from tests.verifier.forgeries.making import (
    ONE_HAND,
    edit,
    forgery,
    with_points,
)
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, Event


@forgery("points/play")
def points_for_a_play() -> bytes:
    house = House().play()
    return with_points(house, house.index("played", 1), 5)


@forgery("points/reason")
def reason() -> bytes:
    house = House().play()
    true = house.events[house.index("round_ended")]["data"]["reason"]
    return edit(house, "round_ended", reason="blocked" if true == "domino" else "domino")


@forgery("points/counts")
def counts() -> bytes:
    house = House().play()
    true = house.events[house.index("round_ended")]["data"]["counts"]
    return edit(house, "round_ended", counts=[true[0] + 1, true[1]])


class WrongWinner(House):
    """The house pays the loser."""

    def result(self, reason: str, sums: list[int]) -> tuple[int | None, list[int]]:
        loser = sums.index(max(sums))
        return loser, [sum(sums) - sums[loser] if side == loser else 0 for side in range(2)]


@forgery("points/winner")
def winner() -> bytes:
    return WrongWinner().play().transcript()


def more_points(house: House, member: str) -> bytes:
    """One point too many for side 0 in the only hand, believed ever after."""

    def change(events: list[Event]) -> None:
        ended, match_ended = events[-2]["data"], events[-1]["data"]
        winner = ended["winner"]
        for numbers in {"points": (ended["points"], ended["scores"]), "scores": (ended["scores"],)}[
            member
        ]:
            numbers[winner] += 1
        match_ended["scores"] = ended["scores"]

    return house.forged(change)


@forgery("points/points")
def too_many_points() -> bytes:
    return more_points(House(**ONE_HAND).play(), "points")


@forgery("points/scores")
def too_high_scores() -> bytes:
    return more_points(House(**ONE_HAND).play(), "scores")


@forgery("points/scores", ["points/match-winner"])
def other_scores_at_the_end() -> bytes:
    return edit(House().play(), "match_ended", scores=[1, 0], winner=0)


@forgery("points/match-over", ["points/match-reason"])
def played_on() -> bytes:
    house = House(row={**BLOCK, "target": 1})
    house.row = {**house.row, "target": 1000}
    return house.play().transcript()


@forgery("points/match-over")
def ended_early() -> bytes:
    house = House(rounds=3, row={**BLOCK, "target": 1000})
    house.rounds = 1
    return house.play().transcript()


@forgery("points/match-reason")
def match_reason() -> bytes:
    return edit(House(row={**BLOCK, "target": 1000}).play(), "match_ended", reason="target")


@forgery("points/match-winner")
def match_winner() -> bytes:
    return edit(House().play(), "match_ended", winner=None)
