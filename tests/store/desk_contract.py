"""What every store must do for the desk beside keeping: ids for idempotency keys, appends after a
known step, and when the clock may owe a match something (`fairbones.house.ports.Store`).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairbones.core.errors import Conflict, FairbonesError
from fairbones.house.ports import Listed, SeqTaken, Standing, Step, Stored, Wanted
from tests.store.rig import Rig, together
from tests.store.story import claim, listing, match_id, opening, standing, step

KEY = ("key", b"request")
OTHER = ("key", b"another request")


def refused(code: str, error: object) -> bool:
    return isinstance(error, Conflict) and error.code == code


class DeskContract:
    """Subclass with a fixture `rig`."""

    # ------------------------------------------------------------ which id for a key

    def test_a_new_key_gets_the_id_that_is_offered(self, rig: Rig) -> None:
        store = rig.open()
        assert store.choose(*KEY, match_id(1)) == match_id(1)
        assert store.load(match_id(1)) is None
        assert store.choose("another key", b"request", match_id(2)) == match_id(2)
        assert store.create(opening(1, KEY)) == match_id(1)

    def test_a_key_that_was_used_has_its_match(self, rig: Rig) -> None:
        store = rig.open()
        chosen = store.choose(*KEY, match_id(1))
        assert store.create(opening(1, KEY)) == chosen == match_id(1)
        store.append(match_id(1), step(1))
        before = store.load(match_id(1))
        for handle in (store, rig.open()):
            assert handle.choose(*KEY, match_id(2)) == match_id(1)
            with pytest.raises(Conflict) as caught:
                handle.choose(*OTHER, match_id(3))
            assert caught.value.code == "request/key-reused"
            # The same create again, as after an answer that was lost.
            assert handle.create(opening(1, KEY)) == match_id(1)
            with pytest.raises(Conflict) as caught:
                handle.create(opening(1, OTHER))
            assert caught.value.code == "request/key-reused"
        assert store.load(match_id(1)) == before
        assert store.load(match_id(2)) is None

    def test_a_match_that_never_came_blocks_no_key(self, rig: Rig) -> None:
        """Whether a store remembers what it only offered is its own affair."""
        store = rig.open()
        assert store.choose(*KEY, match_id(1)) == match_id(1)
        chosen = rig.open().choose(*KEY, match_id(2))
        assert chosen in (match_id(1), match_id(2))
        number = int.from_bytes(chosen, "big")
        assert store.create(opening(number, KEY)) == chosen
        assert store.choose(*KEY, match_id(3)) == chosen
        assert store.create(opening(number, KEY)) == chosen
        assert store.load(match_id(3 - number)) is None

    def test_of_two_requests_with_a_key_one_opens_a_match(self, rig: Rig) -> None:
        """The second may be refused at once, or when it comes to open its match."""
        store = rig.open()
        assert store.choose(*KEY, match_id(1)) == match_id(1)
        (second,) = together(lambda: store.choose(*OTHER, match_id(2)))
        assert second == match_id(2) or refused("request/key-reused", second)
        assert store.create(opening(1, KEY)) == match_id(1)
        with pytest.raises(Conflict) as caught:
            store.create(opening(2, OTHER))
        assert caught.value.code == "request/key-reused"
        assert store.load(match_id(2)) is None

    def test_of_racing_requests_with_a_key_all_learn_of_one_match(self, rig: Rig) -> None:
        """As the house does it: choose, then open under what was chosen."""
        stores = [rig.open(), rig.open()]

        def ask(who: int) -> bytes:
            store = stores[who % 2]
            chosen = store.choose(*KEY, match_id(who + 1))
            try:
                return store.create(opening(int.from_bytes(chosen, "big"), KEY))
            except Conflict as conflict:
                if conflict.code != "match/id-used":
                    raise
                return chosen

        results = together(*(lambda who=who: ask(who) for who in range(6)))
        assert len(set(map(str, results))) == 1, results
        kept = [who for who in range(6) if stores[0].load(match_id(who + 1)) is not None]
        assert [match_id(who + 1) for who in kept] == results[:1]

    # ------------------------------------------------------------ after a known step

    def test_a_step_goes_after_what_its_caller_has_seen(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        store.append(match_id(), step(1, events=3), after=step(0))
        store.append(match_id(), step(4), claim(0), after=step(1, events=3))
        kept = store.load(match_id())
        assert kept is not None
        assert kept.steps == (step(0), step(1, events=3), step(4))

    @pytest.mark.parametrize(
        "after",
        [
            step(0),
            step(3, by="rival"),
            replace(step(3), receipt=b"another"),
            replace(step(1, events=3), receipt=b"receipt"),
        ],
        ids=["an earlier step", "another step", "another receipt", "another length"],
    )
    def test_another_last_step_is_another_history(self, rig: Rig, after: Step) -> None:
        """The seq alone would fit: the store was set back, and played on without the caller."""
        store = rig.open()
        store.create(replace(opening(), listing=listing()))
        store.append(match_id(), step(1, events=2))
        store.append(match_id(), step(3))
        before = store.load(match_id())
        with pytest.raises(SeqTaken):
            store.append(match_id(), step(4), claim(0), Standing("ended", 2, 0), after)
        assert store.load(match_id()) == before
        (listed,) = store.listed(Wanted(10)) or ()
        assert listed == Listed(match_id(), 1_000, b"told", standing("joining"))
        store.append(match_id(), step(4), claim(0), after=step(3))

    # ------------------------------------------------------------ many at once

    def test_each_hears_of_its_own_write(self, rig: Rig) -> None:
        """Good and bad writes of many threads, side by side: what one is told is of that one."""
        stores = [rig.open(), rig.open()]
        for number in range(1, 9):
            stores[0].create(replace(opening(number), listing=listing()))
            stores[0].append(match_id(number), step(1), claim(0))
        writes = []
        for number in range(1, 9):
            store = stores[number % 2]
            writes += [
                lambda n=number, s=store: s.append(match_id(n), step(2), None, standing("ended")),
                lambda n=number, s=store: s.append(match_id(n), step(9), claim(1)),
                lambda n=number, s=store: s.append(match_id(n), step(1), claim(1)),
                lambda n=number, s=store: s.append(match_id(n + 100), step(1)),
                lambda n=number, s=store: s.create(opening(n)),
                lambda n=number, s=store: s.create(opening(n + 50, (f"key {n}", b"request"))),
            ]
        results = together(*writes)
        for index, number in enumerate(range(1, 9)):
            good, gap, stale, unknown, used, opened = results[6 * index : 6 * index + 6]
            assert good is None
            assert isinstance(gap, SeqTaken)
            assert isinstance(stale, SeqTaken)
            assert isinstance(unknown, FairbonesError)
            assert unknown.code == "match/unknown"
            assert refused("match/id-used", used)
            assert opened == match_id(number + 50)
            assert stores[0].load(match_id(number)) == Stored(
                match_id(number), b"sealed %d" % number, (step(0), step(1), step(2)), (claim(0),)
            )

    # ------------------------------------------------------------ what the clock may owe

    def test_the_longest_due_come_first(self, rig: Rig) -> None:
        store = rig.open()
        for number, due in ((1, 300), (2, 100), (3, 400), (4, 200)):
            store.create(replace(opening(number), due=due))
        for handle in (store, rig.open()):
            assert handle.due(99, 10) == ()
            assert handle.due(100, 10) == (match_id(2),)
            assert handle.due(399, 10) == (match_id(2), match_id(4), match_id(1))
            assert handle.due(10**15, 10) == tuple(map(match_id, (2, 4, 1, 3)))
            assert handle.due(10**15, 2) == (match_id(2), match_id(4))
        # Nobody has said when to look next, and no step does.
        store.append(match_id(2), step(1))
        assert store.due(150, 10) == (match_id(2),)

    def test_who_was_looked_at_comes_later(self, rig: Rig) -> None:
        store = rig.open()
        for number in (1, 2, 3):
            store.create(replace(opening(number), due=number))
        store.defer(match_id(1), 1_790_000_000_000)
        store.defer(match_id(3), 1)
        assert store.due(1_789_999_999_999, 10) == (match_id(3), match_id(2))
        assert store.due(1_790_000_000_000, 10) == (match_id(3), match_id(2), match_id(1))
        store.close()
        assert rig.open().due(1_790_000_000_000, 10) == (match_id(3), match_id(2), match_id(1))

    def test_what_is_over_never_comes_again(self, rig: Rig) -> None:
        store = rig.open()
        for number in (1, 2):
            store.create(opening(number))
        store.defer(match_id(1), None)
        assert store.due(10**15, 10) == (match_id(2),)
        # Another process looked at the match before it was over, and says so late.
        store.defer(match_id(1), 5)
        store.defer(match_id(1), None)
        assert store.due(10**15, 10) == (match_id(2),)
        assert store.load(match_id(1)) is not None

    def test_what_is_not_here_is_never_due(self, rig: Rig) -> None:
        store = rig.open()
        store.defer(match_id(7), 5)
        store.defer(match_id(7), None)
        assert store.due(10**15, 10) == ()

    def test_matches_due_at_once_come_in_turn(self, rig: Rig) -> None:
        """A sweep that looks at few of many at a time comes to all of them."""
        store = rig.open()
        for number in range(1, 8):
            store.create(opening(number))
        looked: set[bytes] = set()
        for turn in range(1, 5):
            found = store.due(0, 2)
            assert looked.isdisjoint(found)
            looked.update(found)
            for it in found:
                store.defer(it, turn * 1_000)
        assert looked == {match_id(number) for number in range(1, 8)}

    # ------------------------------------------------------------ the end

    def test_a_closed_store_says_so_to_the_desk(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        store.close()
        for attempt in (
            lambda: store.choose(*KEY, match_id(2)),
            lambda: store.due(0, 1),
            lambda: store.defer(match_id(), None),
        ):
            with pytest.raises(FairbonesError) as caught:
                attempt()
            assert caught.value.code == "store/closed"
