"""Two at once, a clock that moves while one looks at it, a store that fails: exactly one wins."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import deadline, replay
from fairbones.core.protocol.chain import read_event
from fairbones.house.desk import RACES_MAX
from fairbones.house.messages import ActRequest, Answer, OpenRequest, SitRequest
from fairbones.house.ports import SeqTaken, Step
from tests.house.party import Guests, Party


def at_once(calls: Sequence[Callable[[], Answer]]) -> list[Answer | FairbonesError]:
    """Make all calls at the same moment, each on a thread of its own."""
    gate = threading.Barrier(len(calls))
    answers: list[Answer | FairbonesError] = []

    def run(call: Callable[[], Answer]) -> None:
        gate.wait(10)
        try:
            answers.append(call())
        except FairbonesError as error:
            answers.append(error)

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(answers) == len(calls)
    return answers


def appended(answers: list[Answer | FairbonesError]) -> list[Answer]:
    """The answers to requests that added something."""
    return [answer for answer in answers if isinstance(answer, Answer) and answer.appended]


def codes(answers: list[Answer | FairbonesError]) -> Counter[str]:
    """How often each code was the answer."""
    return Counter(answer.code for answer in answers if isinstance(answer, FairbonesError))


def check_chain(guests: Guests) -> None:
    """Whatever raced, what is stored is one chain in which everybody was in time."""
    events = [read_event(raw) for raw in guests.stored_events()]
    assert [event.seq for event in events] == list(range(len(events)))
    assert [event.prev for event in events[1:]] == [event.hash for event in events[:-1]]
    steps = guests.party.store.matches[guests.match_id].steps
    begins = {step.first_seq for step in steps}
    for event in events[1:]:
        before = replay(events[: event.seq], seed_of(guests))
        due = deadline(before)
        if event.seq in begins and due is not None:
            if event.type in ("seated", "seeded", "played", "drew", "passed", "declined"):
                assert event.at <= due, f"{event.type} at {event.at - due} ms after its deadline"
            if event.type == "timed_out" or event.data.get("reason") in (
                "seats-missing",
                "seeds-missing",
            ):
                assert event.at >= due


def seed_of(guests: Guests) -> bytes:
    """The server seed of a match."""
    ids = list(guests.party.store.matches)
    return guests.party.server_seeds[ids.index(guests.match_id)]


@pytest.mark.parametrize("houses", [1, 3])
def test_many_moves_at_once(party: Party, houses: int) -> None:
    """T27: of many requests for one seq one is appended; the rest repeat it or are stale. With
    several houses on one store the race is decided by the store, with one by its lock."""
    guests = party.open("block", 2, turn_seconds=1000).deal()
    others = [party.house, *(party.another_house() for _ in range(houses - 1))]
    for _ in range(12):
        view = guests.view()
        if view["status"] != "playing":
            break
        turn, seq = view["turn"], view["head"]["seq"] + 1
        actions = guests.view(turn)["you"]["legal_actions"]
        calls = []
        for n in range(6):
            request = ActRequest(seq, party.rnd.choice(actions))
            act = others[n % houses].act
            calls.append(partial(act, guests.match_id, guests.tokens[turn], request))
        before = len(guests.stored_events())
        answers = at_once(calls)
        (won,) = appended(answers)
        assert set(codes(answers)) <= {"match/stale"}
        for answer in answers:
            if isinstance(answer, Answer):
                assert (answer.events, answer.receipt) == (won.events, won.receipt)
        assert guests.stored_events()[before:] == list(won.events)
    check_chain(guests)


@pytest.mark.parametrize("houses", [1, 3])
def test_many_guests_for_one_seat(party: Party, houses: int) -> None:
    """T25: a seat is taken once; every other token is told that it is taken."""
    others = [party.house, *(party.another_house() for _ in range(houses - 1))]
    for _ in range(8):
        guests = party.open()
        calls = []
        for n in range(6):
            request = SitRequest(1, None, bytes([n]) * 32)
            calls.append(partial(others[n % houses].sit, guests.match_id, f"token {n}", request))
        answers = at_once(calls)
        (won,) = appended(answers)
        assert codes(answers) == {"seat/taken": 5}
        assert guests.stored_events()[1:] == list(won.events)
        assert len(party.store.matches[guests.match_id].claims) == 1


def test_one_request_sent_many_times_at_once(party: Party) -> None:
    """A retry storm: every copy gets the same answer, one of them appended it."""
    guests = party.open()
    guests.sit(1)
    houses = [party.house, party.another_house()]
    request = guests.sit_request(0)
    calls = [
        partial(houses[n % 2].sit, guests.match_id, guests.tokens[0], request) for n in range(8)
    ]
    answers = at_once(calls)
    (won,) = appended(answers)
    assert all(isinstance(answer, Answer) and answer.receipt == won.receipt for answer in answers)
    assert len(guests.stored_events()) == 3


def test_the_last_seeds_deal_one_hand(party: Party) -> None:
    """SPEC 8.2: the reveal that completes the seeds deals hand 1, and only that one."""
    for _ in range(6):
        guests = party.open("draw", 4).seat_all()
        last = guests.events()[-1].hash
        houses = [party.house, party.another_house()]
        calls = [
            partial(houses[seat % 2].reveal, guests.match_id, seat, guests.seeds[seat], last)
            for seat in range(4)
        ]
        assert len(appended(at_once(calls))) == 4
        names = [event.type for event in guests.events()]
        assert names[5:10] == ["seeded"] * 4 + ["dealt"]
        check_chain(guests)


# ------------------------------------------------------------------------- against a deadline


@pytest.mark.parametrize("early", range(10))
def test_joining_against_the_deadline(party: Party, early: int) -> None:
    """SPEC 8.3: "`seated` has `at <= opened.at + 1000 * join_seconds`", however the clock runs
    on while the house looks at it."""
    guests = party.open()
    due = guests.view()["deadline"]
    party.clock.now, party.clock.drift = due - 1 - early, 3
    try:
        answer = guests.house.sit(guests.match_id, guests.tokens[0], guests.sit_request(0))
    except FairbonesError as error:
        assert error.code == "match/void"  # noqa: PT017 - either may win
        names = ["opened", "voided"]
    else:
        assert answer.appended
        names = ["opened", "seated"]
    assert [read_event(raw).type for raw in guests.stored_events()] == names
    check_chain(guests)


@pytest.mark.parametrize("early", range(10))
def test_revealing_against_the_deadline(party: Party, early: int) -> None:
    """SPEC 8.3: "`seeded` has `at <=` the last `seated`'s `at + 1000 * reveal_seconds`"."""
    guests = party.open().seat_all()
    last = guests.events()[-1]
    party.clock.now, party.clock.drift = guests.view()["deadline"] - 1 - early, 3
    try:
        guests.house.reveal(guests.match_id, 0, guests.seeds[0], last.hash)
    except FairbonesError as error:
        assert error.code == "match/void"  # noqa: PT017 - either may win
    assert len(guests.stored_events()) == 4
    check_chain(guests)


@pytest.mark.parametrize("early", range(10))
def test_acting_against_the_deadline(party: Party, early: int) -> None:
    """SPEC 8.4: "A seat's own action has `at <=` the deadline; `timed_out` has `at >=` it"."""
    guests = party.open("draw", 2).deal()
    view = guests.view(guests.view()["turn"])
    seat, seq = view["turn"], view["head"]["seq"] + 1
    action = view["you"]["legal_actions"][0]
    party.clock.now, party.clock.drift = view["deadline"] - 1 - early, 3
    request = ActRequest(seq, action)
    try:
        guests.house.act(guests.match_id, guests.tokens[seat], request)
    except FairbonesError as error:
        assert error.code == "match/stale"  # noqa: PT017 - either may win
    steps = party.store.matches[guests.match_id].steps
    assert steps[-1].first_seq == seq
    check_chain(guests)


@pytest.mark.parametrize("early", range(10))
def test_leaving_against_the_end_of_the_match(party: Party, early: int) -> None:
    """SPEC 8.5: after `close_by` "no event may have a later `at` but `voided`, and `round_ended`
    and `match_ended` with reason `abandoned`"."""
    guests = party.open("block", 3, options={"target": 10_000}, turn_seconds=86_400, rounds_max=9)
    guests.deal()
    close_by = guests.events()[0].data["close_by"]
    assert isinstance(close_by, int)
    while guests.view()["deadline"] <= close_by:
        party.clock.now = guests.view()["deadline"] - 1
        guests.act(party.rnd.choice)
    party.clock.now, party.clock.drift = close_by - early, 3
    try:
        guests.house.leave(guests.match_id, 0, guests.tokens[0])
    except FairbonesError as error:
        assert error.code == "match/over"  # noqa: PT017 - either may win
    for event in [read_event(raw) for raw in guests.stored_events()]:
        if event.at > close_by:
            assert event.data["reason"] == "abandoned"


def test_reading_and_acting_at_the_deadline(party: Party) -> None:
    """T27: readers apply the deadline too; whoever is first, the turn runs out once."""
    for _ in range(6):
        guests = party.open("block", 2).deal()
        view = guests.view()
        party.clock.now = view["deadline"]
        houses = [party.house, party.another_house()]
        before = len(guests.stored_events())
        threads = [
            threading.Thread(target=houses[n % 2].view, args=(guests.match_id, None))
            for n in range(6)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(10)
        names = [read_event(raw).type for raw in guests.stored_events()[before:]]
        assert names.count("timed_out") == 1
        check_chain(guests)


# --------------------------------------------------------------------------- a store that fails


@pytest.mark.parametrize("lost", [1, 2, RACES_MAX - 1])
def test_lost_races_are_run_again(party: Party, lost: int) -> None:
    """`SeqTaken`: "load the tail and decide again", so the client does not notice."""
    guests = party.open().deal()
    left = lost

    def taken(_step: Step) -> None:
        nonlocal left
        if left:
            left -= 1
            raise SeqTaken

    party.store.before = taken
    guests.act(party.rnd.choice)
    assert left == 0
    check_chain(guests)


def test_a_race_that_is_always_lost(party: Party) -> None:
    """SPEC 6.4: a store that always has more, and never shows it, is not played on."""
    guests = party.open().deal()
    stored = guests.stored_events()

    def taken(_step: Step) -> None:
        raise SeqTaken

    party.store.before = taken
    view = guests.view()
    action = guests.view(view["turn"])["you"]["legal_actions"][0]
    with pytest.raises(FairbonesError, match="store/corrupt"):
        guests.send(view["turn"], action, view["head"]["seq"] + 1)
    party.clock.now = view["deadline"]
    with pytest.raises(FairbonesError, match="store/corrupt"):
        guests.view()
    assert guests.stored_events() == stored
    party.store.before = lambda _step: None
    assert [e.type for e in guests.events()[len(stored) :]][:1] == ["timed_out"]


class DiskIsFull(Exception):
    """What a store may raise of its own."""


@pytest.mark.parametrize("durable", [False, True])
def test_an_append_that_fails(party: Party, durable: bool) -> None:
    """A store's error leaves cache and store of one mind, whether or not the step was kept."""
    guests = party.open("draw", 2).deal()

    def fails(_step: Step) -> None:
        raise DiskIsFull

    for _ in range(3):
        view = guests.view()
        if view["status"] != "playing":
            break
        before = guests.stored_events()
        turn, seq = view["turn"], view["head"]["seq"] + 1
        action = guests.view(turn)["you"]["legal_actions"][0]
        setattr(party.store, "after" if durable else "before", fails)
        with pytest.raises(DiskIsFull):
            guests.send(turn, action, seq)
        party.store.before = party.store.after = lambda _step: None
        stored = guests.stored_events()
        assert (len(stored) > len(before)) == durable
        assert guests.view()["head"]["seq"] == len(stored) - 1
        assert guests.view() == guests_of_another_house(guests).view()
        answer = guests.send(turn, action, seq)
        assert answer.appended == (not durable)
        check_chain(guests)


def guests_of_another_house(guests: Guests) -> Guests:
    """The same players asking a house that was started afresh."""
    return Guests(
        guests.party, guests.match_id, guests.opened_hash, guests.tokens, guests.seeds,
        guests.party.another_house(),
    )  # fmt: skip


def test_an_opening_that_fails_is_opened_again(party: Party) -> None:
    """An opening kept although its answer was lost is found again by its Idempotency-Key."""

    def fails(_step: Step) -> None:
        raise DiskIsFull

    party.store.after = fails
    with pytest.raises(DiskIsFull):
        party.house.open(OpenRequest("block", 2), "key")
    party.store.after = lambda _step: None
    again = party.house.open(OpenRequest("block", 2), "key")
    assert not again.created
    assert list(party.store.matches) == [again.match_id]


def test_nothing_is_kept_of_locks(party: Party) -> None:
    """A lock lives as long as somebody wants it."""
    guests = party.open().deal().play_out()
    with pytest.raises(FairbonesError):
        guests.house.leave(bytes(16), 0, "x")
    desk = party.house._desk
    assert desk._writes._locks == desk._looks._locks == {}


def test_an_append_of_unknown_outcome_is_told_as_that(party: Party) -> None:
    """Kept or not, nobody has said so yet: the same request again is answered by what was kept."""
    guests = party.open("block", 3).deal()
    seat, view = guests.wait()
    action = next(it for it in view["you"]["legal_actions"] if it["type"] != "call")
    seq = view["head"]["seq"] + 1

    def lose_the_reply(_step: Step) -> None:
        raise FairbonesError("store/unknown-outcome", "no reply")

    for where, kept in (("before", 0), ("after", 1)):
        setattr(party.store, where, lose_the_reply)
        steps = len(party.store.matches[guests.match_id].steps)
        with pytest.raises(FairbonesError, match="store/unknown-outcome"):
            guests.send(seat, action, seq)
        assert len(party.store.matches[guests.match_id].steps) == steps + kept
        setattr(party.store, where, lambda _step: None)
    answer = guests.send(seat, action, seq)
    assert not answer.appended
