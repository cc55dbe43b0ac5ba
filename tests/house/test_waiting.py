"""Readers that wait: woken by what happens, at a deadline, or when their time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.protocol.chain import read_event
from fairbones.house import waiting as waits
from fairbones.house.messages import Followed
from fairbones.house.ports import Step
from fairbones.house.waiting import Bell
from tests.house.party import Guests, Party

LONG = 20.0  # seconds that no test waits for, unless a wake-up was lost


@pytest.fixture(autouse=True)
def _no_polling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is woken here was woken by a bell or by a deadline."""
    monkeypatch.setattr(waits, "POLL_SECONDS", LONG)


class Running:
    """A clock that runs, from a moment the test says."""

    def __init__(self, start: int) -> None:
        self._zero = time.monotonic() - start / 1000

    def __call__(self) -> int:
        return round((time.monotonic() - self._zero) * 1000)


def waiting(guests: Guests, after: int, wait: float = LONG) -> Callable[[], Followed]:
    """Begin to wait on another thread; what is returned waits for what that reader got."""
    got: list[Followed] = []
    thread = threading.Thread(target=lambda: got.append(guests.follow(after, wait)))
    thread.start()
    bell = guests.house._desk.bell
    until = time.monotonic() + 5
    while guests.match_id not in bell._lines and thread.is_alive() and time.monotonic() < until:
        time.sleep(0.001)

    def followed() -> Followed:
        thread.join(LONG / 2)
        assert not thread.is_alive(), "nobody woke the reader"
        return got[0]

    return followed


def nobody_waits(party: Party) -> None:
    """Nothing is kept of readers that have gone."""
    bell = party.house._desk.bell
    assert bell._lines == {}


def test_an_append_wakes_a_reader(party: Party) -> None:
    """A reader gets the step that another thread appended, with its receipt."""
    guests = party.open()
    readers = [waiting(guests, 0) for _ in range(3)]
    answer = guests.sit(1)
    for reader in readers:
        followed = reader()
        assert followed.events == answer.events
        assert followed.receipt == answer.receipt
    nobody_waits(party)


def test_another_match_wakes_nobody(party: Party) -> None:
    """A bell belongs to a match."""
    guests, others = party.open(), party.open()
    reader = waiting(guests, 0)
    others.deal()
    lines = guests.house._desk.bell._lines
    assert {match_id: line.rings for match_id, line in lines.items()} == {guests.match_id: 0}
    guests.sit(0)
    assert len(reader().events) == 1
    nobody_waits(party)


def test_a_deadline_wakes_a_reader(party: Party) -> None:
    """SPEC 8.4: a waiting reader wakes at the deadline, and the turn that ran out is applied."""
    guests = party.open("block", 3).deal()
    view = guests.view()
    party.house._desk.clock = Running(view["deadline"] - 80)
    begun = time.monotonic()
    followed = waiting(guests, view["head"]["seq"])()
    assert 0.05 < time.monotonic() - begun < LONG / 4
    events = [read_event(raw) for raw in followed.events]
    assert [event.type for event in events][:2] == ["timed_out", "played"]
    assert events[0].at >= view["deadline"]
    nobody_waits(party)


@pytest.mark.parametrize("seated", [0, 2])
def test_a_deadline_before_the_deal_wakes_a_reader(party: Party, seated: int) -> None:
    """SPEC 8.3: seats or seeds that do not come void the match, even if nobody asks again."""
    guests = party.open()
    for seat in range(seated):
        guests.sit(seat)
    view = guests.view()
    party.house._desk.clock = Running(view["deadline"] - 50)
    (raw,) = waiting(guests, view["head"]["seq"])().events
    assert read_event(raw).data["reason"] == ("seeds-missing" if seated else "seats-missing")


def test_many_readers_at_one_deadline(party: Party) -> None:
    """T27: they all wake, one of them appends."""
    guests = party.open("block", 2).deal()
    view = guests.view()
    party.house._desk.clock = Running(view["deadline"] - 80)
    readers = [waiting(guests, view["head"]["seq"]) for _ in range(6)]
    followed = {reader().events for reader in readers}
    assert len(followed) == 1
    names = [read_event(raw).type for raw in followed.pop()]
    assert names.count("timed_out") == 1
    nobody_waits(party)


def test_a_reader_waits_no_longer_than_it_asked(party: Party) -> None:
    """Nothing happened: no events, the head and its receipt."""
    guests = party.open()
    begun = time.monotonic()
    followed = guests.follow(0, 0.05)
    assert 0.04 < time.monotonic() - begun < LONG / 4
    assert (followed.events, followed.head_seq) == ((), 0)
    nobody_waits(party)


def test_who_need_not_wait_does_not(party: Party) -> None:
    """There is something to show, or there will never be: the answer comes at once."""
    guests = party.open().deal()
    begun = time.monotonic()
    assert len(guests.follow(2, LONG).events) == len(guests.stored_events()) - 3
    guests.play_out()
    assert guests.follow(len(guests.stored_events()) - 1, LONG).events == ()
    assert guests.follow(10_000, LONG).events == ()
    assert time.monotonic() - begun < LONG / 4
    nobody_waits(party)


def test_a_reader_of_no_match_leaves_no_trace(party: Party) -> None:
    """T36: waiting costs memory only while somebody waits for something that is there."""
    for number in range(50):
        with pytest.raises(FairbonesError, match="match/unknown"):
            party.house.events(bytes([number]) * 16, -1, LONG)
    nobody_waits(party)


def test_no_wake_up_is_lost(party: Party) -> None:
    """A ring between a reader's look and its wait is heard: readers that always wait for the
    next event see a whole match, without a poll to help them."""
    for _ in range(3):
        guests = party.open("draw", 3, turn_seconds=10_000)
        seen: list[list[bytes]] = [[] for _ in range(4)]

        def read(mine: list[bytes], guests: Guests = guests) -> None:
            while not mine or read_event(mine[-1]).type != "match_ended":
                mine.extend(guests.follow(len(mine) - 1, LONG).events)

        readers = [threading.Thread(target=read, args=(mine,)) for mine in seen]
        for reader in readers:
            reader.start()
        guests.deal().play_out()
        for reader in readers:
            reader.join(LONG / 2)
            assert not reader.is_alive(), "a wake-up was lost"
        assert all(mine == guests.stored_events() for mine in seen)
        nobody_waits(party)


def test_a_ring_before_the_wait_is_heard() -> None:
    """The bell's own rule: the number is noted *before* the look."""
    bell = Bell()
    heard = bell.listen(b"m")
    bell.ring(b"m")
    begun = time.monotonic()
    heard = bell.wait(b"m", heard, LONG)
    assert time.monotonic() - begun < LONG / 4
    assert bell.wait(b"m", heard, 0.0) == heard
    assert bell.wait(b"m", heard, -1.0) == heard
    bell.leave(b"m")
    bell.ring(b"m")
    assert bell._lines == {}


def test_a_bell_is_shared_until_the_last_has_left() -> None:
    """One of two readers leaves; the other is still woken."""
    bell = Bell()
    heard = bell.listen(b"m")
    bell.listen(b"m")
    bell.leave(b"m")
    bell.ring(b"m")
    assert bell.wait(b"m", heard, LONG) != heard
    bell.leave(b"m")
    assert bell._lines == {}


def test_an_append_of_another_process_is_heard_or_looked_for(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A second house on the store rings no bell here; a deaf one looks by itself."""
    guests = party.open()
    other = party.another_house()
    monkeypatch.setattr(waits, "DEAF_SECONDS", 0.02)
    reader = waiting(guests, 0)
    here, guests.house = guests.house, other
    guests.sit(0)
    guests.house = here
    party.house._desk.bell.ring(guests.match_id)  # what the store says of it
    assert len(reader().events) == 1
    reader = waiting(guests, 1)
    party.house._desk.bell.deaf(True)
    guests.house = other
    guests.sit(1)
    assert len(reader().events) == 1
    nobody_waits(party)


def test_who_is_told_that_any_match_may_have_grown_looks(party: Party) -> None:
    """After a silence nobody knows what was missed."""
    guests, others = party.open(), party.open()
    readers = [waiting(guests, 0), waiting(others, 0)]
    guests.house = others.house = party.another_house()
    guests.sit(0)
    others.sit(1)
    party.house._desk.bell.ring_all()
    assert [len(reader().events) for reader in readers] == [1, 1]


def test_a_house_that_closes_lets_nobody_wait(party: Party) -> None:
    """Whoever waits is answered now, and so is whoever comes after."""
    guests = party.open()
    readers = [waiting(guests, 0) for _ in range(3)]
    begun = time.monotonic()
    party.house.close()
    assert all(reader().events == () for reader in readers)
    assert guests.follow(0, LONG).events == ()
    assert time.monotonic() - begun < LONG / 4
    nobody_waits(party)


def test_it_is_said_when_nothing_will_follow(party: Party) -> None:
    """`over` is what lets a stream end."""
    guests = party.open().deal()
    assert not guests.follow(-1, 0).over
    guests.play_out()
    assert guests.follow(-1, 0).over


def test_one_of_many_that_wake_asks_the_store(
    party: Party, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T36: an append costs a question to the store for each process, not for each reader."""
    guests = party.open()
    readers = [waiting(guests, 0) for _ in range(8)]
    asked: list[bytes] = []
    tail = party.store.tail

    def counted(match_id: bytes, seen: Sequence[Step]) -> object:
        asked.append(match_id)
        return tail(match_id, seen)

    monkeypatch.setattr(party.store, "tail", counted)
    here, guests.house = guests.house, party.another_house()
    guests.sit(0)
    asked.clear()
    guests.house = here
    party.house._desk.bell.ring(guests.match_id)
    assert all(len(reader().events) == 1 for reader in readers)
    assert len(asked) == 1
    nobody_waits(party)
