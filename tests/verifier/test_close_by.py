"""Check 350 to the millisecond: the earliest and the latest `close_by` (SPEC 8.5)."""

from __future__ import annotations

from typing import Any

import pytest

from fairbones_verify import verify
from tests.verifier.draws import lots
from tests.verifier.house import House
from tests.verifier.primitives import sealed
from tests.verifier.rows import published

AT = House().events[0]["at"]
WEEK = 604_800_000
TIMES: dict[str, Any] = {"join_seconds": 600, "reveal_seconds": 60, "turn_seconds": 30}

# A row, its seats and rounds, and the seconds that a hand of it may take.
ROWS: list[tuple[dict[str, Any], int, int]] = [
    (published("block", 2), 3, 60 * 30),  # twice 28 tiles are less than 60
    ({**published("block", 2), "set": 9}, 2, 110 * 30),
    ({**published("all-fives", 2), "muggins": True, "call_seconds": 7}, 3, 60 * 30 + 28 * 7),
    ({**published("all-fives", 2), "muggins": False, "call_seconds": 7}, 3, 60 * 30),
]


def code(row: dict[str, Any], rounds: int, close_by: int) -> str | None:
    house = House(row=row, rounds=rounds, close_by=close_by, **TIMES)
    house.sit()
    return verify(sealed(house.events)).code


@pytest.mark.parametrize(("row", "rounds", "hand"), ROWS)
def test_of_a_game(row: dict[str, Any], rounds: int, hand: int) -> None:
    earliest = AT + 1000 * (600 + 60 + rounds * hand)
    for close_by in (earliest, AT + WEEK):
        assert code(row, rounds, close_by) is None
    for close_by in (earliest - 1, AT + WEEK + 1):
        assert code(row, rounds, close_by) == "time/close-by"


def test_of_a_match_that_may_be_longer_than_a_week() -> None:
    times = TIMES | {"turn_seconds": 86_400}
    for close_by, due in ((AT + WEEK, None), (AT + WEEK - 1, "time/close-by")):
        house = House(close_by=close_by, **times)
        house.sit()
        assert verify(sealed(house.events)).code == due


def test_of_a_draw() -> None:
    earliest = AT + 1000 * (600 + 60 + 60 * 30)
    for close_by, due in ((earliest, None), (earliest - 1, "time/close-by")):
        assert verify(lots(n=100, close_by=close_by, **TIMES).transcript()).code == due
