"""What every store must do for the operator's commands (`fairbones.house.ports.Archive`)."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from fairbones.core.errors import Conflict, FairbonesError, Missing
from fairbones.house.ports import Listing, Wanted, Whole
from fairbones.store.points import Point
from tests.store.rig import ArchivedStore, Rig, child, together
from tests.store.story import (
    KEY,
    LISTED,
    STORY,
    WHOLE,
    listing,
    match_id,
    opening,
    step,
    told,
)

FOR_EVER = 10**15


def all_ids(store: ArchivedStore, limit: int) -> list[bytes]:
    """Every id, page by page."""
    found: list[bytes] = []
    while page := store.ids(found[-1] if found else None, limit):
        assert len(page) <= limit
        found += page
    return found


def code_of(error: object) -> str:
    assert isinstance(error, FairbonesError), error
    return error.code


def has_nothing(store: ArchivedStore, number: int = 1) -> None:
    """Of a match that was forgotten nothing is told."""
    assert store.load(match_id(number)) is None
    assert store.tail(match_id(number), (step(0),)) is None
    assert store.whole(match_id(number)) is None
    assert match_id(number) not in store.ids(None, 1_000)
    assert match_id(number) not in store.due(FOR_EVER, 1_000)
    page = store.listed(Wanted(1_000))
    assert page is not None
    assert match_id(number) not in [it.match_id for it in page]
    assert store.listed(Wanted(10, below=match_id(number))) is None


class ArchiveContract:
    """Subclass with a fixture `rig`."""

    # ------------------------------------------------------------ what is here

    def test_ids_come_in_their_order(self, rig: Rig) -> None:
        store = rig.open()
        assert store.ids(None, 10) == ()
        numbers = (7, 2, 0xFF, 0x100, 1 << 127, 3)
        for number in numbers:
            store.create(opening(number))
        expected = [match_id(number) for number in sorted(numbers)]
        for limit in (1, 2, 6, 10):
            assert all_ids(store, limit) == expected
        assert store.ids(match_id(4), 2) == (match_id(7), match_id(0xFF))
        assert store.ids(match_id(1 << 127), 2) == ()

    def test_the_whole_of_a_match(self, rig: Rig) -> None:
        store = rig.open()
        assert store.whole(match_id()) is None
        for count, write in enumerate(STORY, 1):
            write.do(store)
            stored = told(count)
            assert stored is not None
            listed = replace(listing(), standing=LISTED[count][0])
            assert store.whole(match_id()) == Whole(stored, KEY, listed, 0)
        store.defer(match_id(), 1_790_000_000_000)
        assert store.whole(match_id()) == WHOLE
        assert rig.open().whole(match_id()) == WHOLE
        store.defer(match_id(), None)
        assert store.whole(match_id()) == replace(WHOLE, due=None)

    def test_the_whole_of_a_bare_match(self, rig: Rig) -> None:
        store = rig.open()
        store.create(replace(opening(2), due=77))
        stored = store.load(match_id(2))
        assert stored is not None
        assert store.whole(match_id(2)) == Whole(stored, None, None, 77)

    # ------------------------------------------------------------ from store to store

    @pytest.mark.parametrize("due", [None, 0, 1_790_000_000_000])
    @pytest.mark.parametrize("listed", [None, WHOLE.listing], ids=["unlisted", "listed"])
    @pytest.mark.parametrize("key", [None, KEY], ids=["no key", "key"])
    def test_a_match_moves_whole(
        self, rig: Rig, due: int | None, listed: Listing | None, key: tuple[str, bytes] | None
    ) -> None:
        source, target = rig.open(), rig.fresh().open()
        source.adopt(Whole(WHOLE.stored, key, listed, due))
        whole = source.whole(match_id())
        assert whole == Whole(WHOLE.stored, key, listed, due)
        assert target.adopt(whole)
        assert target.whole(match_id()) == whole
        assert target.load(match_id()) == source.load(match_id())
        assert target.ids(None, 10) == (match_id(),)
        assert target.listed(Wanted(10)) == source.listed(Wanted(10))
        assert target.due(FOR_EVER, 10) == source.due(FOR_EVER, 10)

    def test_it_goes_on_where_it_came(self, rig: Rig) -> None:
        source, target = rig.open(), rig.fresh().open()
        for write in STORY[:3]:
            write.do(source)
        whole = source.whole(match_id())
        assert whole is not None
        target.create(replace(opening(2), listing=listing()))
        assert target.adopt(whole)
        assert target.choose(*KEY, match_id(9)) == match_id()
        assert target.create(opening(9, KEY)) == match_id()
        with pytest.raises(Conflict) as caught:
            target.choose(KEY[0], b"another request", match_id(9))
        assert caught.value.code == "request/key-reused"
        tail = target.tail(match_id(), whole.stored.steps)
        assert tail == ((), whole.stored.claims)
        for write in STORY[3:]:
            write.do(target)
        assert target.load(match_id()) == told(len(STORY))
        page = target.listed(Wanted(10))
        assert page is not None
        # It stands where it was kept here.
        assert [it.match_id for it in page] == [match_id(1), match_id(2)]
        assert [page[0].standing] == LISTED[-1]
        assert source.load(match_id()) == told(3)

    def test_what_is_here_is_not_adopted_again(self, rig: Rig) -> None:
        """Whatever may have changed here beside the steps: it stays as it is."""
        store = rig.open()
        assert store.adopt(WHOLE)
        assert not store.adopt(WHOLE)
        assert store.reseal(match_id(), b"sealed", b"sealed anew")
        store.defer(match_id(), None)
        before = store.whole(match_id())
        assert not store.adopt(WHOLE)
        assert not store.adopt(replace(WHOLE, idempotency=None, listing=None))
        assert store.whole(match_id()) == before
        page = store.listed(Wanted(10))
        assert page is not None
        assert len(page) == 1

    @pytest.mark.parametrize("kept", [1, 2, 3, 4])
    def test_another_history_is_not_adopted(self, rig: Rig, kept: int) -> None:
        """Neither a longer one nor a shorter one, nor one that went another way."""
        store = rig.open()
        for write in STORY[:kept]:
            write.do(store)
        before = store.whole(match_id())
        self.refuses(store, WHOLE, "match/id-used")
        assert store.whole(match_id()) == before
        fuller = rig.fresh().open()
        assert fuller.adopt(WHOLE)
        assert before is not None
        self.refuses(fuller, before, "match/id-used")
        steps = (*before.stored.steps[:-1], replace(before.stored.steps[-1], receipt=b"another"))
        other = replace(before, stored=replace(before.stored, steps=steps))
        self.refuses(store, other, "match/id-used")
        assert fuller.whole(match_id()) == WHOLE
        assert store.whole(match_id()) == before

    def test_a_key_of_another_match_is_not_adopted(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening(2, KEY))
        self.refuses(store, WHOLE, "request/key-reused")
        self.refuses(store, replace(WHOLE, idempotency=(KEY[0], b"other")), "request/key-reused")
        has_nothing(store)
        assert store.ids(None, 10) == (match_id(2),)
        assert store.choose(*KEY, match_id(9)) == match_id(2)
        # Nothing of the refused match stayed in the way.
        assert store.adopt(replace(WHOLE, idempotency=None))

    @staticmethod
    def refuses(store: ArchivedStore, whole: Whole, code: str) -> None:
        with pytest.raises(Conflict) as caught:
            store.adopt(whole)
        assert caught.value.code == code

    def test_of_racing_adoptions_one_is_the_first(self, rig: Rig) -> None:
        stores = [rig.open(), rig.open()]
        results = together(*(lambda who=who: stores[who % 2].adopt(WHOLE) for who in range(6)))
        assert Counter(map(str, results)) == {"True": 1, "False": 5}
        assert stores[1].whole(match_id()) == WHOLE

    # ------------------------------------------------------------ another key for the seed

    def test_a_seed_is_sealed_anew(self, rig: Rig) -> None:
        store = rig.open()
        for number in (1, 2):
            store.create(opening(number))
        assert store.reseal(match_id(1), b"sealed 1", b"\x00anew")
        assert not store.reseal(match_id(1), b"sealed 1", b"too late")
        assert not store.reseal(match_id(2), b"sealed 1", b"not that")
        assert not store.reseal(match_id(3), b"sealed 3", b"not here")
        kept = [store.load(match_id(number)) for number in (1, 2, 3)]
        assert [it and it.sealed_seed for it in kept] == [b"\x00anew", b"sealed 2", None]
        store.append(match_id(1), step(1))
        store.close()
        after = rig.open().load(match_id(1))
        assert after is not None
        assert after.sealed_seed == b"\x00anew"
        assert after.steps == (step(0), step(1))

    # ------------------------------------------------------------ forgetting

    def test_what_is_forgotten_is_gone(self, rig: Rig) -> None:
        store = rig.open()
        store.adopt(WHOLE)
        store.create(replace(opening(2, ("other key", b"request")), listing=listing()))
        others = store.whole(match_id(2))
        assert store.forget(match_id())
        assert not store.forget(match_id())
        assert not store.forget(match_id(3))
        for handle in (store, rig.open()):
            has_nothing(handle)
            assert handle.whole(match_id(2)) == others
            page = handle.listed(Wanted(10))
            assert page is not None
            assert [it.match_id for it in page] == [match_id(2)]
        with pytest.raises(Missing) as caught:
            store.append(match_id(), step(11))
        assert caught.value.code == "match/unknown"
        store.defer(match_id(), 5)
        assert not store.reseal(match_id(), b"sealed", b"anew")
        has_nothing(store)

    def test_its_id_stays_used_for_ever(self, rig: Rig) -> None:
        store = rig.open()
        store.adopt(WHOLE)
        store.forget(match_id())
        store.close()
        store = rig.open()
        for attempt in (
            lambda: store.create(opening()),
            lambda: store.create(opening(1, KEY)),
            lambda: store.create(opening(1, ("new key", b"request"))),
            lambda: store.adopt(WHOLE),
            lambda: store.adopt(replace(WHOLE, idempotency=None, listing=None, due=None)),
        ):
            with pytest.raises(Conflict) as caught:
                attempt()
            assert caught.value.code == "match/id-used"
        has_nothing(store)

    def test_its_key_is_free_again(self, rig: Rig) -> None:
        """A key is of a match: who comes back after the match is gone opens another one, be it
        with the same request or with another.
        """
        for request_hash in (KEY[1], b"another request"):
            store = rig.fresh().open()
            store.adopt(WHOLE)
            store.forget(match_id())
            key = (KEY[0], request_hash)
            assert store.choose(*key, match_id(2)) == match_id(2)
            assert store.create(opening(2, key)) == match_id(2)
            assert store.choose(*key, match_id(3)) == match_id(2)

    def test_a_match_without_anything_is_forgotten_too(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        store.defer(match_id(), None)
        assert store.forget(match_id())
        has_nothing(store)

    def test_a_step_and_its_match_go_together(self, rig: Rig) -> None:
        """Who appends while the match is forgotten is told so, or was in time: nothing is left."""
        stores = [rig.open(), rig.open()]
        for number in range(1, 9):
            stores[0].create(replace(opening(number), listing=listing()))
            appended, forgotten = together(
                *self.append_and_forget(stores[0], stores[1], match_id(number))
            )
            assert forgotten is True
            assert appended is None or code_of(appended) == "match/unknown"
            has_nothing(stores[0], number)
            with pytest.raises(Conflict):
                stores[1].create(opening(number))

    @staticmethod
    def append_and_forget(
        one: ArchivedStore, other: ArchivedStore, match_id: bytes
    ) -> tuple[Callable[[], object], ...]:
        return (lambda: one.append(match_id, step(1)), lambda: other.forget(match_id))

    # ------------------------------------------------------------ keys, faults and the end

    def test_keys_are_remembered(self, rig: Rig) -> None:
        store = rig.open()
        assert store.known_keys() == frozenset()
        store.remember_keys(["receipt-1", "kek-1"])
        store.remember_keys(["receipt-2", "kek-1"])
        store.remember_keys([])
        store.close()
        assert rig.open().known_keys() == {"receipt-1", "receipt-2", "kek-1"}

    def test_what_is_refused_adopts_and_forgets_nothing(self, rig: Rig) -> None:
        store = rig.open()
        store.adopt(WHOLE)
        other = replace(WHOLE, stored=replace(WHOLE.stored, match_id=match_id(2)))
        with rig.read_only(store):
            attempts: tuple[Callable[[], bool], ...] = (
                lambda: store.adopt(replace(other, idempotency=None)),
                lambda: store.forget(match_id()),
                lambda: store.reseal(match_id(), b"sealed", b"anew"),
            )
            for attempt in attempts:
                with pytest.raises(FairbonesError) as caught:
                    attempt()
                assert caught.value.code == "store/read-only"
        assert store.whole(match_id()) == WHOLE
        assert store.ids(None, 10) == (match_id(),)

    def test_a_killed_command_can_be_given_again(self, rig: Rig) -> None:
        """What was told is kept; what was not is there whole or not at all."""
        hits: Counter[tuple[str, Point]] = Counter()
        for command in ("adopt", "forget"):
            for point in rig.points:
                place = rig.fresh()
                before: Whole | None = None
                if command == "forget":
                    before = WHOLE
                    store = place.open()
                    store.adopt(WHOLE)
                    store.close()
                died = child(place, command, point)
                assert died.returncode == -signal.SIGKILL, died.stderr
                hits[command, point] += 1
                store = place.open()
                after = WHOLE if command == "adopt" else None
                kept = store.whole(match_id())
                assert kept == (after if point is Point.AFTER_COMMIT else before)
                again = store.adopt(WHOLE) if command == "adopt" else store.forget(match_id())
                assert again is (kept == before)
                assert store.whole(match_id()) == after
                if command == "forget":
                    has_nothing(store)
                store.close()
        assert len(hits) == 2 * len(rig.points)

    def test_a_closed_store_says_so_to_the_operator(self, rig: Rig) -> None:
        store = rig.open()
        store.adopt(WHOLE)
        store.close()
        for attempt in (
            lambda: store.ids(None, 1),
            lambda: store.whole(match_id()),
            lambda: store.adopt(WHOLE),
            lambda: store.forget(match_id()),
            lambda: store.reseal(match_id(), b"sealed", b"anew"),
            store.known_keys,
            lambda: store.remember_keys(["receipt-1"]),
        ):
            with pytest.raises(FairbonesError) as caught:
                attempt()
            assert caught.value.code == "store/closed"
