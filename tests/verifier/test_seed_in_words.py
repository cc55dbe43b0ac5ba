"""What is said to somebody whose seed cannot be used (SPEC 9.4): the seat, or the seed."""

from __future__ import annotations

from fairbones_verify import verify
from tests.verifier.house import House


def test_the_seed_of_another_and_a_seat_that_nobody_took() -> None:
    house = House(seats=2).play()
    data = house.transcript()
    told = verify(data, seeds=[(1, house.seeds[0])])
    assert told.code == "start/seed"
    assert "a seed for seat 1's commitment" in told.text()
    told = verify(data, seeds=[(5, house.seeds[0])])
    assert told.code == "start/seed"
    assert "a seat that was taken" in told.text()
