"""R7: while the boneyard can be drawn from, no hand is blocked, whatever the seats hold."""

from __future__ import annotations

from fairbones_verify import verify
from tests.verifier.forgeries.making import second_turn
from tests.verifier.house import House
from tests.verifier.primitives import DRAW


def test_a_hand_that_can_be_drawn_in_is_not_blocked() -> None:
    """The house cuts it short where it holds the lower count."""
    house: House = second_turn(row=DRAW, seats=2)
    assert house.can_draw()
    house.next()
    house.settle("blocked")
    report = verify(house.transcript())
    assert report.code == "rules/not-over", report.text()
