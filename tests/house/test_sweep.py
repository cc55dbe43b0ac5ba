"""Deadlines of matches that nobody touches: applied by a sweep, once, whoever sweeps."""

from __future__ import annotations

import threading

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import read_event
from fairbones.house.sweep import LATER_MS, Swept
from tests.house.party import Party


def types(guests_events: list[bytes]) -> list[str]:
    return [read_event(raw).type for raw in guests_events]


def test_what_is_not_due_is_left_alone(party: Party) -> None:
    guests = party.open()
    assert party.house.sweep(10) == Swept(0, 0, 0)
    assert types(guests.stored_events()) == ["opened"]


def test_a_match_nobody_joined_is_void(party: Party) -> None:
    """SPEC 8.3, without a request."""
    guests = party.open()
    party.clock.now += 60_000
    assert party.house.sweep(10) == Swept(1, 1, 0)
    assert types(guests.stored_events()) == ["opened", "voided"]
    assert party.house.sweep(10) == Swept(0, 0, 0)


def test_a_match_in_play_goes_to_its_end(party: Party) -> None:
    """SPEC 8.4: the turns of players who have gone, and at last the abandoned match."""
    guests = party.open("block", 3).deal()
    sweeps = 0
    while types(guests.stored_events())[-1] != "match_ended":
        party.clock.now += 60_000
        party.house.sweep(10)
        sweeps += 1
        assert sweeps < 500
    assert party.house.sweep(10) == Swept(0, 0, 0)
    assert party.store.matches[guests.match_id].due is None


def test_a_sweep_notes_when_to_look_again(party: Party) -> None:
    """A match that was played is looked at once too often, not at every sweep."""
    guests = party.open("block", 2, turn_seconds=60).deal()
    party.clock.now += 30_000
    guests.act(party.rnd.choice)
    party.clock.now += 30_000
    assert party.house.sweep(10) == Swept(1, 0, 0)
    assert party.house.sweep(10) == Swept(0, 0, 0)
    assert party.store.matches[guests.match_id].due == guests.view()["deadline"]


def test_a_sweep_has_a_limit(party: Party) -> None:
    for _ in range(5):
        party.open()
    party.clock.now += 60_000
    assert [party.house.sweep(2).matches for _ in range(4)] == [2, 2, 1, 0]


def test_a_match_that_cannot_be_looked_at_stops_no_other(party: Party) -> None:
    broken, whole = party.open(), party.open()
    party.store.matches[broken.match_id].sealed_seed = b"not a seed"
    party.house = party.another_house()
    party.clock.now += 60_000
    assert party.house.sweep(10) == Swept(2, 1, 1)
    assert types(whole.stored_events()) == ["opened", "voided"]
    assert party.house.sweep(10) == Swept(0, 0, 0)
    party.clock.now += LATER_MS
    assert party.house.sweep(10) == Swept(1, 0, 1)


def test_many_sweepers_apply_a_deadline_once(party: Party) -> None:
    """Each process sweeps; the append at the expected seq lets one of them win."""
    matches = [party.open() for _ in range(6)]
    houses = [party.another_house() for _ in range(4)]
    party.clock.now += 60_000
    swept: list[Swept] = []
    sweepers = [
        threading.Thread(target=lambda house=house: swept.append(house.sweep(10)))
        for house in houses
    ]
    for sweeper in sweepers:
        sweeper.start()
    for sweeper in sweepers:
        sweeper.join(20)
    assert len(swept) == 4
    assert not any(it.failed for it in swept)
    assert [types(it.stored_events()) for it in matches] == [["opened", "voided"]] * 6


def test_a_store_that_fails_fails_the_sweep(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(now: int, limit: int) -> tuple[bytes, ...]:
        raise FairbonesError("store/unreachable", "no answer")

    monkeypatch.setattr(party.store, "due", refuse)
    with pytest.raises(FairbonesError, match="store/unreachable"):
        party.house.sweep(10)


def test_what_is_due_sooner_than_was_said_is_not_late(party: Party) -> None:
    """SPEC 8.3, 8.4: seats taken early make the seeds due before the seats would have been, and the
    first turn sooner still.
    """
    unseeded, idle = party.open(join_seconds=3_000), party.open("block", 2, join_seconds=3_000)
    unseeded.seat_all()
    idle.deal()
    party.clock.now += 20_000
    assert party.house.sweep(10).matches == 1
    assert "timed_out" in types(idle.stored_events())
    party.clock.now += 20_000
    party.house.sweep(10)
    assert types(unseeded.stored_events())[-1] == "voided"


def test_a_store_that_cannot_note_it_fails_no_request(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(match_id: bytes, due: int | None) -> None:
        raise FairbonesError("store/full", "no room")

    monkeypatch.setattr(party.store, "defer", refuse)
    assert party.open().deal().view()["status"] == "playing"
