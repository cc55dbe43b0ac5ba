"""A house that lost its history and says so (SPEC 8.7): no lie, and no match either."""

from __future__ import annotations

import threading
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from fairbones_verify.client import (
    CHOOSERS,
    Follower,
    Guard,
    HistoryLost,
    Keep,
    Lie,
    Refused,
    Seat,
    Wire,
)
from fairbones_verify.client.admission import excused
from fairbones_verify.client.commands import kept
from fairbones_verify.client.outcome import Outcome, attended
from tests.client.houses import Json, Loopback


@dataclass
class Lost:
    """A match that a house lost in part. people: two seats and a spectator, each at its end."""

    house: Loopback
    match: str
    people: list[Follower]
    outcomes: list[Outcome]

    @property
    def transcript(self) -> bytes:
        return self.people[0].other_story()


def losing(house: Loopback) -> Callable[[Json], Json]:
    """Seat 0's choices: the store is copied at the first, and that copy put back at the third."""
    seen = 0

    def choose(view: Json) -> Json:
        nonlocal seen
        seen += 1
        if seen == 1:
            house.back_up()
        elif seen == 3:
            house.restore(house.folder / "backup.db")
        return CHOOSERS["first"](view)

    return choose


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lost]:
    folder = tmp_path_factory.mktemp("lost")
    with Loopback(folder) as house:
        match = house.open("block", 2, rounds_max=1)
        seats = [
            Seat(Wire(house.url), Keep(folder / f"{n}.json", house.url, match, n), choose)
            for n, choose in enumerate((losing(house), CHOOSERS["first"]))
        ]
        spectator = Follower(Wire(house.url), Guard(match))
        for one in (*seats, spectator):
            one.longest = 1  # who waits at the house of before hears nothing new
        outcomes: dict[int, Outcome] = {}

        def attend(number: int, one: Follower, course: Callable[[], object]) -> None:
            outcomes[number] = attended(one, course, str(folder / f"evidence-{number}"), "")

        courses = [
            *((seat, seat.play) for seat in seats),
            (spectator, lambda: spectator.watch(60)),
        ]
        threads = [
            threading.Thread(target=attend, args=(n, one, course), daemon=True)
            for n, (one, course) in enumerate(courses)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        yield Lost(house, match, [*seats, spectator], [outcomes[n] for n in range(3)])


def test_it_is_an_outcome_of_its_own(lost: Lost) -> None:
    """Neither verified nor a lie: exit 0, as for every void, and no evidence is left."""
    for outcome, one in zip(lost.outcomes, lost.people, strict=True):
        assert (outcome.result, outcome.exit) == ("history-lost", 0), outcome.text()
        assert outcome.told["seq"] < outcome.told["seen"]
        assert outcome.told["seen"] == one.guard.chronicle.head + 1
        assert '"result": "history-lost"' in outcome.json()
        assert "are lost to it, and calls the match off. (SPEC 8.7)" in outcome.text()
    assert not list(lost.house.folder.glob("evidence*"))


def test_the_keep_verifies_beside_it(lost: Lost) -> None:
    """With every receipt of what was lost: the house has admitted it (9.7)."""
    given = Namespace(keep=str(lost.house.folder / "0.json"), source=None, complete=True)
    report = kept(given)
    assert report.exit == 0, report.text()
    assert not isinstance(report, Outcome)


def test_who_comes_later_is_told_the_same(lost: Lost) -> None:
    """Nothing was lost to a spectator who had seen nothing; the match is void all the same."""
    late = Follower(Wire(lost.house.url), Guard(lost.match))
    with pytest.raises(HistoryLost) as caught:
        late.watch(5)
    assert "it lost what it had signed" in str(caught.value)


def going_back(guard: Guard) -> Lie:
    return Lie("C12", "the house is back", guard.chronicle.head - 2)


def test_an_admission_excuses_nothing_else(lost: Lost) -> None:
    """What was seen before the void, and what else was found, stays what it is."""
    guard, data = lost.people[0].guard, lost.transcript
    chronicle = guard.chronicle
    seq = lost.outcomes[0].told["seq"]
    assert excused(guard, going_back(guard), data) is not None
    assert excused(guard, Refused(410, "match/history-lost", "", {}, b""), data) is not None
    assert excused(guard, Lie("C9", "another event", seq, "chain/prev"), data) is not None
    for lie in (
        Lie("C6", "a false event", seq, "seal/mismatch"),
        Lie("C2", "no valid signature", seq, "receipt/signature"),
        Lie("C9", "another event", seq - 1),
        Lie("C10", "in my name", seq),
    ):
        assert excused(guard, lie, data) is None, lie
    assert excused(guard, going_back(guard), b"") is None
    assert excused(guard, going_back(guard), data.replace(b'"seat":1', b'"seat":0', 1)) is None
    two = [chronicle.receipts[max(chronicle.receipts)]]
    chronicle.contrary, before = two, chronicle.contrary
    assert excused(guard, going_back(guard), data) is None  # two histories were signed besides
    chronicle.contrary = before
    first = chronicle.hashes[seq - 1]
    chronicle.hashes[seq - 1] = bytes(32)
    assert excused(guard, going_back(guard), data) is None  # and before the void it was another
    chronicle.hashes[seq - 1] = first


def test_a_house_that_is_back_and_does_not_say_so(tmp_path: Path) -> None:
    """Until it admits it, it is a lie like any other (C12)."""
    with Loopback(tmp_path) as house:
        match = house.open("block", 2, rounds_max=1)
        path = house.back_up()
        keep = Keep(tmp_path / "keep", house.url, match, 0)
        seat = Seat(Wire(house.url), keep, CHOOSERS["first"])
        seat.grace = 0
        seat.begin()
        seat._sit()
        house.restore(path)
        with pytest.raises(Lie) as caught, seat.attending():
            seat.follow(0)
    assert caught.value.obligation == "C12"
