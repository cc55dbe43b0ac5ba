"""What every store must do, whatever it is made of (`fairbones.house.ports.Store`).

A store's own test file subclasses `StoreContract` and gives it a fixture `rig` (see `rig.Rig`),
which knows how to open the store, to harm it for real, and to have another process use it.
"""

from __future__ import annotations

import signal
import subprocess
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairbones.core.errors import Conflict, FairbonesError, Missing
from fairbones.house.ports import Opening, SeatClaim, SeqTaken, SetBack, Step, Store, Stored, Wanted
from fairbones.store.points import Point
from tests.store.rig import Rig, child, together
from tests.store.story import STORY, claim, match_id, opening, step, told


class StoreContract:
    """Subclass with a fixture `rig`."""

    # ------------------------------------------------------------ keeping

    def test_a_match_is_kept_as_it_came(self, rig: Rig) -> None:
        store = rig.open()
        for count, write in enumerate(STORY):
            assert store.load(match_id()) == told(count)
            write.do(store)
        assert store.load(match_id()) == told(len(STORY))
        assert store.load(match_id(2)) is None
        store.close()
        assert rig.open().load(match_id()) == told(len(STORY))

    def test_the_tail_after_every_step(self, rig: Rig) -> None:
        store = rig.open()
        assert store.tail(match_id(), (step(0),)) is None
        for write in STORY:
            write.do(store)
        whole = told(len(STORY))
        assert whole is not None
        for index, seen in enumerate(whole.steps):
            steps = whole.steps[index + 1 :]
            assert store.tail(match_id(), whole.steps[: index + 1]) == (steps, whole.claims)
            with pytest.raises(SetBack):
                store.tail(match_id(), (*whole.steps[:index], replace(seen, receipt=b"another")))
        with pytest.raises(SetBack):
            store.tail(match_id(), (*whole.steps, step(11)))

    def test_matches_do_not_mix(self, rig: Rig) -> None:
        store = rig.open()
        for number in (1, 2, 3):
            store.create(opening(number))
        store.append(match_id(2), step(1, by="two"), claim(0))
        first, second = store.load(match_id(1)), store.load(match_id(2))
        assert first == Stored(match_id(1), b"sealed 1", (step(0),), ())
        assert second == Stored(match_id(2), b"sealed 2", (step(0), step(1, by="two")), (claim(0),))

    @pytest.mark.parametrize("first_seq", [0, 1, 3, 100])
    def test_only_the_next_seq_is_taken(self, rig: Rig, first_seq: int) -> None:
        """A repeated seq, and a gap."""
        store = rig.open()
        store.create(opening())
        store.append(match_id(), step(1))
        before = store.load(match_id())
        with pytest.raises(SeqTaken):
            store.append(match_id(), step(first_seq), claim(0))
        assert store.load(match_id()) == before

    def test_an_unknown_match_takes_no_step(self, rig: Rig) -> None:
        store = rig.open()
        with pytest.raises(Missing) as caught:
            store.append(match_id(), step(1))
        assert caught.value.code == "match/unknown"

    def test_an_empty_step_is_a_mistake(self, rig: Rig) -> None:
        store = rig.open()
        with pytest.raises(ValueError, match="event"):
            store.create(replace(opening(), step=Step(0, (), b"receipt")))
        store.create(opening())
        with pytest.raises(ValueError, match="event"):
            store.append(match_id(), Step(1, (), b"receipt"))

    def test_a_seat_is_claimed_once(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        store.append(match_id(), step(1), claim(0, "first"))
        before = store.load(match_id())
        with pytest.raises(Conflict) as caught:
            store.append(match_id(), step(2), claim(0, "second"))
        assert caught.value.code == "seat/taken"
        assert store.load(match_id()) == before
        # Who has not seen that claim hears of the events first, and may find it is his own.
        with pytest.raises(SeqTaken):
            store.append(match_id(), step(1), claim(0, "first"))

    def test_a_match_id_is_used_once(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        before = store.load(match_id())
        with pytest.raises(Conflict) as caught:
            store.create(replace(opening(), sealed_seed=b"another"))
        assert caught.value.code == "match/id-used"
        assert store.load(match_id()) == before

    def test_a_request_repeated_opens_no_second_match(self, rig: Rig) -> None:
        store = rig.open()
        assert store.create(opening(1, ("key", b"request"))) == match_id(1)
        assert store.create(opening(2, ("key", b"request"))) == match_id(1)
        with pytest.raises(Conflict) as caught:
            store.create(opening(3, ("key", b"another request")))
        assert caught.value.code == "request/key-reused"
        assert store.load(match_id(2)) is None
        assert store.load(match_id(3)) is None
        assert store.create(opening(4, ("another key", b"request"))) == match_id(4)

    def test_a_refused_match_uses_up_no_key(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening(1))
        with pytest.raises(Conflict):
            store.create(opening(1, ("key", b"request")))
        assert store.create(opening(2, ("key", b"request"))) == match_id(2)

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.data())
    def test_it_is_what_a_dictionary_would_be(self, rig: Rig, data: st.DataObject) -> None:
        """Any order of good and bad writes, against a model of a few lines."""
        store = rig.fresh().open()
        kept: dict[int, list[Step]] = {}
        seats: dict[int, dict[int, SeatClaim]] = {}
        for turn in range(data.draw(st.integers(1, 15))):
            number = data.draw(st.integers(1, 2))
            if data.draw(st.booleans()):
                made = self.attempt(store.create, opening(number))
                assert made == ("match/id-used" if number in kept else "")
                kept.setdefault(number, [step(0)])
                seats.setdefault(number, {})
                continue
            head = kept[number][-1].head_seq if number in kept else 0
            new = step(head + data.draw(st.integers(0, 2)), data.draw(st.integers(1, 3)), str(turn))
            seat = data.draw(st.none() | st.integers(0, 1))
            claimed = None if seat is None else claim(seat, str(turn))
            said = self.attempt(store.append, match_id(number), new, claimed)
            if number not in kept:
                assert said == "match/unknown"
            elif new.first_seq != head + 1:
                assert said == "SeqTaken"
            elif claimed is not None and seat in seats[number]:
                assert said == "seat/taken"
            else:
                assert said == ""
                kept[number].append(new)
                if claimed is not None:
                    seats[number][claimed.seat] = claimed
        for number, steps in kept.items():
            claims = tuple(seats[number][seat] for seat in sorted(seats[number]))
            assert store.load(match_id(number)) == Stored(
                match_id(number), b"sealed %d" % number, tuple(steps), claims
            )
        store.close()

    @staticmethod
    def attempt(call: Callable[..., object], *arguments: object) -> str:
        try:
            call(*arguments)
        except SeqTaken:
            return "SeqTaken"
        except FairbonesError as error:
            return error.code
        return ""

    # ------------------------------------------------------------ racing

    def test_of_racing_steps_one_wins(self, rig: Rig) -> None:
        stores = [rig.open(), rig.open()]
        stores[0].create(opening())
        seen: tuple[Step, ...] = (step(0),)
        for seq in range(1, 11):
            results = together(
                *(
                    lambda who=who, seq=seq: stores[who % 2].append(
                        match_id(), step(seq, by=str(who))
                    )
                    for who in range(6)
                )
            )
            winners = [who for who, result in enumerate(results) if result is None]
            assert len(winners) == 1
            assert all(isinstance(it, SeqTaken) for it in results if it is not None)
            tail = stores[1].tail(match_id(), seen)
            assert tail is not None
            assert tail[0] == (step(seq, by=str(winners[0])),)
            seen += tail[0]

    def test_of_racing_claims_one_wins(self, rig: Rig) -> None:
        stores = [rig.open(), rig.open()]
        for number in range(1, 6):
            stores[0].create(opening(number))
            results = together(
                *(
                    lambda who=who, number=number: stores[who % 2].append(
                        match_id(number), step(1, by=str(who)), claim(0, str(who))
                    )
                    for who in range(6)
                )
            )
            (winner,) = (who for who, result in enumerate(results) if result is None)
            kept = stores[1].load(match_id(number))
            assert kept is not None
            assert kept.claims == (claim(0, str(winner)),)
            assert kept.steps[1:] == (step(1, by=str(winner)),)

    def test_of_racing_openings_with_one_key_one_wins(self, rig: Rig) -> None:
        stores = [rig.open(), rig.open()]
        results = together(
            *(
                lambda who=who: stores[who % 2].create(opening(who + 1, ("key", b"request")))
                for who in range(6)
            )
        )
        assert len(set(map(str, results))) == 1
        assert sum(stores[0].load(match_id(who + 1)) is not None for who in range(6)) == 1

    def test_processes_race_without_a_gap(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        ended = together(*(lambda by=by: child(rig, "race", by, "40") for by in "ab"))
        won: Counter[str] = Counter()
        for result in ended:
            assert isinstance(result, subprocess.CompletedProcess)
            assert result.returncode == 0, result.stderr
            won.update(result.stdout.split())
        kept = store.load(match_id())
        assert kept is not None
        assert [it.first_seq for it in kept.steps] == list(range(81))
        assert Counter(it.events[0].split()[-1].decode() for it in kept.steps[1:]) == won

    def test_a_reader_sees_whole_steps(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        over = threading.Event()

        def write() -> None:
            try:
                for seq in range(1, 90, 3):
                    store.append(match_id(), step(seq, events=3))
            finally:
                over.set()

        def read() -> int:
            looks = 0
            while not over.is_set() or not looks:
                kept = store.load(match_id())
                assert kept is not None
                assert all(len(it.events) == 3 for it in kept.steps[1:])
                looks += 1
            return looks

        wrote, *looks = together(write, read, read)
        assert wrote is None
        assert all(isinstance(count, int) for count in looks), looks

    # ------------------------------------------------------------ faults

    def test_a_full_disk_keeps_nothing_and_loses_nothing(self, rig: Rig) -> None:
        store = rig.open()
        for write in STORY:
            write.do(store)
        with rig.full(store):
            self.refuses_all_writes(store, "store/full")
            self.foresees(rig, store, "store/full")
        self.goes_on(store)

    def test_what_cannot_be_written_can_be_read(self, rig: Rig) -> None:
        store = rig.open()
        for write in STORY:
            write.do(store)
        with rig.read_only(store):
            self.refuses_all_writes(store, "store/read-only")
            self.foresees(rig, store, "store/read-only")
        self.goes_on(store)

    def test_a_write_does_not_wait_for_ever(self, rig: Rig) -> None:
        store = rig.open()
        for write in STORY:
            write.do(store)
        with rig.busy(store):
            self.refuses_all_writes(store, "store/busy")
            self.foresees(rig, store, "store/busy")
        self.goes_on(store)

    def refuses_all_writes(self, store: Store, code: str) -> None:
        big = b"x" * 60_000
        for attempt in (
            lambda: store.append(match_id(), Step(11, (big, big, big), big)),
            lambda: store.append(match_id(), Step(11, (big, big), big), claim(2)),
            lambda: store.create(
                Opening(match_id(2), big, Step(0, (big, big), big), ("new", b"new"))
            ),
        ):
            with pytest.raises(FairbonesError) as caught:
                attempt()
            assert caught.value.code == code
        assert store.load(match_id()) == told(len(STORY))
        assert store.load(match_id(2)) is None

    def foresees(self, rig: Rig, store: Store, code: str) -> None:
        told = self.attempt(store.ready)
        assert told == (code if code in rig.foreseen else "")

    def goes_on(self, store: Store) -> None:
        store.ready()
        store.append(match_id(), step(11), claim(2))
        assert store.create(opening(2, ("new", b"new"))) == match_id(2)

    def test_damage_is_told(self, rig: Rig) -> None:
        count = len(rig.damages())
        assert count
        for index in range(count):
            harmed = rig.fresh()
            store = harmed.open()
            for write in STORY:
                write.do(store)
            for number in range(2, 40):
                store.create(opening(number))
            store.close()
            harmed.damages()[index]()
            with pytest.raises(FairbonesError) as caught:
                self.use_everything(harmed)
            assert caught.value.code == "store/corrupt", f"damage {index}"

    def use_everything(self, rig: Rig) -> None:
        store = rig.open()
        for number in range(1, 40):
            kept = store.load(match_id(number))
            assert kept is None or kept.steps
        store.append(match_id(), step(11))
        store.create(opening(99, ("a-key", b"request")))

    def test_a_killed_process_leaves_whole_writes(self, rig: Rig) -> None:
        """`told` and kept are one; a write that was not told is kept whole or not at all."""
        hits: Counter[Point] = Counter()
        for point in rig.points:
            for nth in range(1, len(STORY) + 1):
                place = rig.fresh()
                died = child(place, "story", point, str(nth))
                if died.returncode == -signal.SIGKILL:
                    hits[point] += 1
                done = died.stdout.split().count("done")
                assert done == nth - 1, died.stderr
                kept = done + (point is Point.AFTER_COMMIT)
                store = place.open()
                assert store.load(match_id()) == told(kept)
                # Whoever repeats the write that was cut short is not worse off.
                if kept == done:
                    STORY[done].do(store)
                elif done:
                    with pytest.raises(SeqTaken):
                        STORY[done].do(store)
                else:
                    STORY[done].do(store)
                for write in STORY[done + 1 :]:
                    write.do(store)
                assert store.load(match_id()) == told(len(STORY))
                store.close()
        assert hits == dict.fromkeys(rig.points, len(STORY)), f"points hit: {hits}"

    # ------------------------------------------------------------ the end

    def test_a_closed_store_says_so(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        store.close()
        for attempt in (
            lambda: store.create(opening(2)),
            lambda: store.load(match_id()),
            lambda: store.tail(match_id(), (step(0),)),
            lambda: store.append(match_id(), step(1)),
            lambda: store.listed(Wanted(1)),
            store.ready,
        ):
            with pytest.raises(FairbonesError) as caught:
                attempt()
            assert caught.value.code == "store/closed"
        store.close()
