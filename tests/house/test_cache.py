"""What a house remembers is a cache and never a truth."""

from __future__ import annotations

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import replay
from fairbones.core.protocol.chain import read_event
from fairbones.house import desk
from fairbones.house.kept import remember
from tests.house.memory_store import MemoryStore
from tests.house.party import Guests, Json, Party


def everything(guests: Guests) -> list[Json | bytes]:
    """All that can be seen of a match."""
    views = [guests.view(viewer) for viewer in guests.viewers()]
    return [*views, guests.house.transcript(guests.match_id)]


def several(party: Party) -> list[Guests]:
    """Matches at every stage."""
    opened, seated, dealt = party.open(), party.open("draw", 3), party.open("draw", 4)
    ended, void = party.open(), party.open("block", 3)
    seated.seat_all()
    dealt.deal()
    dealt.act(party.rnd.choice)
    ended.deal().play_out()
    void.seat_all().leave(2)
    return [opened, seated, dealt, ended, void]


def test_a_restart_changes_nothing(party: Party) -> None:
    """A house that was started afresh shows the same views and the same bytes."""
    for guests in several(party):
        before = everything(guests)
        guests.house = party.another_house()
        assert everything(guests) == before


def test_a_house_remembers_a_bounded_number_of_matches(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T36: memory is bounded; what was forgotten is loaded again and is the same."""
    monkeypatch.setattr(desk, "KEPT_MAX", 2)
    guests = several(party)
    kept = party.house._desk._kept
    seen = []
    for each in guests:
        seen.append(everything(each))
        assert len(kept) <= 2
    for each, before in zip(guests, seen, strict=True):
        assert everything(each) == before
        assert len(kept) <= 2


def test_the_match_used_last_is_remembered(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was not used for longest is forgotten first."""
    monkeypatch.setattr(desk, "KEPT_MAX", 2)
    first, second, third = party.open(), party.open(), party.open()
    first.view()
    second.view()
    first.view()
    third.view()
    assert set(party.house._desk._kept) == {first.match_id, third.match_id}


def test_two_houses_follow_each_other(party: Party) -> None:
    """Every use looks at the store, so whoever appended it, a step is seen by all."""
    guests = party.open("draw", 3)
    houses = [party.house, party.another_house()]
    guests.seat_all()
    for seat in range(3):
        guests.house = houses[seat % 2]
        guests.reveal(seat)
    moves = 0
    while guests.view()["status"] == "playing":
        guests.house = houses[moves % 2]
        guests.act(party.rnd.choice)
        moves += 1
    assert moves > 5
    shown = []
    for house in houses:
        guests.house = house
        shown.append(everything(guests))
    assert shown[0] == shown[1]


def test_a_match_that_is_gone_is_unknown(party: Party) -> None:
    """The store is asked on every use: what it has not got is not shown from memory."""
    guests = party.open().deal().play_out()
    party.store.matches.clear()
    for call in (guests.view, lambda: guests.sit(0), lambda: guests.house.transcript(bytes(16))):
        with pytest.raises(FairbonesError, match="match/unknown"):
            call()


def test_a_sealed_seed_of_another_match_opens_nothing(party: Party) -> None:
    """Seeds are sealed for their own match: two rows exchanged are found out."""
    guests, others = party.open(), party.open()
    store: MemoryStore = party.store
    rows = store.matches
    mine, theirs = rows[guests.match_id], rows[others.match_id]
    mine.sealed_seed, theirs.sealed_seed = theirs.sealed_seed, mine.sealed_seed
    guests.house = party.another_house()
    with pytest.raises(FairbonesError, match="house/seed-sealed"):
        guests.view()


def test_looking_back_folds_one_hand_and_finds_the_same(party: Party) -> None:
    """SPEC 6.1: every position a match was in is in its events, whatever is remembered of it."""
    guests = party.open("draw", 3).deal().play_out()
    kept = party.house._desk.fresh(guests.match_id)
    events = [read_event(raw) for raw in guests.stored_events()]
    assert len(kept.marks) == sum(event.type == "round_ended" for event in events)
    assert kept == remember(kept.state.secret, kept.steps, kept.claims)
    for index, step in enumerate(kept.steps):
        whole = replay(events[: step.head_seq + 1], kept.state.secret)
        assert kept.at_step(index) == whole


def test_a_step_that_does_not_follow_is_not_believed(party: Party) -> None:
    """SPEC 6.1: `prev` is the hash of the event before."""
    guests = party.open().deal()
    kept = party.house._desk.fresh(guests.match_id)
    steps = kept.steps
    early = remember(kept.state.secret, steps[:1], ())
    with pytest.raises(FairbonesError, match="store/corrupt"):
        early.grown(steps[2:], ())
