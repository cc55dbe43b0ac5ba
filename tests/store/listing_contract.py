"""What every store must do for the list of matches (`fairbones.house.ports.Store.listed`)."""

from __future__ import annotations

import itertools
import random
import signal
import threading
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairbones.core.errors import Conflict
from fairbones.house.ports import Listed, Listing, SeqTaken, Standing, Store, Wanted
from fairbones.store.points import Point
from tests.store.rig import Rig, child, together
from tests.store.story import LISTED, STORY, claim, listing, match_id, opening, standing, step

STATUSES = ("joining", "playing", "ended")
RULESETS = ("block", "draw")


def numbers(page: tuple[Listed, ...] | None) -> list[int]:
    """The matches of a page by their numbers in the tests."""
    assert page is not None
    return [int.from_bytes(it.match_id, "big") for it in page]


def pages(store: Store, wanted: Wanted) -> list[int]:
    """All matches of a list, page by page."""
    found: list[int] = []
    while True:
        page = store.listed(wanted)
        found += numbers(page)
        if not page:
            return found
        wanted = replace(wanted, below=page[-1].match_id)


class ListingContract:
    """Subclass with a fixture `rig`."""

    def test_what_was_told_is_listed(self, rig: Rig) -> None:
        store = rig.open()
        assert store.listed(Wanted(10)) == ()
        store.create(replace(opening(3), listing=listing("draw", 500)))
        store.create(opening(2))
        store.create(replace(opening(1), listing=listing("block", 400, told=b"\x00any bytes")))
        expected = (
            Listed(match_id(1), 400, b"\x00any bytes", standing("joining")),
            Listed(match_id(3), 500, b"told", standing("joining")),
        )
        assert store.listed(Wanted(10)) == expected
        assert store.listed(Wanted(1)) == expected[:1]
        store.close()
        assert rig.open().listed(Wanted(10)) == expected

    def test_a_step_moves_its_match_alone(self, rig: Rig) -> None:
        store = rig.open()
        for number in (1, 2):
            store.create(replace(opening(number), listing=listing()))
        store.append(match_id(1), step(1), claim(0), Standing("revealing", 2, 0))
        store.append(match_id(1), step(2))
        store.append(match_id(2), step(1), None, None)
        page = store.listed(Wanted(10))
        assert page is not None
        assert [it.standing for it in page] == [standing("joining"), Standing("revealing", 2, 0)]
        assert numbers(store.listed(Wanted(10, status="revealing"))) == [1]

    def test_a_match_without_a_listing_never_gets_one(self, rig: Rig) -> None:
        store = rig.open()
        store.create(opening())
        store.append(match_id(), step(1), None, standing("ended"))
        assert store.listed(Wanted(10)) == ()
        assert store.listed(Wanted(10, below=match_id())) is None
        assert store.listed(Wanted(10, below=match_id(9))) is None

    def test_what_is_refused_moves_nothing(self, rig: Rig) -> None:
        store = rig.open()
        store.create(replace(opening(1, ("key", b"request")), listing=listing()))
        store.append(match_id(), step(1), claim(0), standing("playing"))
        with pytest.raises(SeqTaken):
            store.append(match_id(), step(1), None, standing("ended"))
        with pytest.raises(Conflict):
            store.append(match_id(), step(2), claim(0, "rival"), standing("ended"))
        with pytest.raises(Conflict):
            store.create(replace(opening(1), listing=listing("draw")))
        again = replace(opening(2, ("key", b"request")), listing=listing("draw"))
        assert store.create(again) == match_id(1)
        page = store.listed(Wanted(10))
        assert page == (Listed(match_id(), 1_000, b"told", standing("playing")),)

    def test_every_question(self, rig: Rig, seed: random.Random) -> None:
        """Each combination of conditions, against a scan of all matches, in pages of any size."""
        store = rig.open()
        kept: dict[int, tuple[Listing, str]] = {}
        for number in seed.sample(range(1, 1_000), 40):
            told = listing(seed.choice(RULESETS), seed.randrange(5))
            status = seed.choice(STATUSES)
            store.create(replace(opening(number), listing=told))
            store.append(match_id(number), step(1), None, standing(status))
            kept[number] = told, status
        questions = itertools.product(
            (None, *STATUSES, "void"), (None, *RULESETS, "chess"), (None, -1, 2, 4)
        )
        for asked, ruleset, join_after in questions:
            expected = [
                number
                for number, (told, now) in reversed(kept.items())
                if asked in (None, now)
                and ruleset in (None, told.ruleset)
                and (join_after is None or told.join_by > join_after)
            ]
            wanted = Wanted(seed.randint(1, 12), asked, ruleset, join_after)
            assert pages(store, wanted) == expected, wanted
        store.close()

    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.lists(st.integers(1, 4), min_size=1, max_size=8), st.integers(1, 3))
    def test_what_is_opened_meanwhile_moves_no_page(
        self, rig: Rig, bursts: list[int], limit: int
    ) -> None:
        """Between two pages any number of matches is opened: none is shown twice, none missed."""
        store = rig.fresh().open()
        made = 0
        for _ in range(7):
            made += 1
            store.create(replace(opening(made), listing=listing()))
        expected = list(range(made, 0, -1))
        seen: list[int] = []
        wanted = Wanted(limit)
        while page := store.listed(wanted):
            seen += numbers(page)
            wanted = replace(wanted, below=page[-1].match_id)
            for _ in range(bursts[len(seen) % len(bursts)]):
                made += 1
                store.create(replace(opening(made), listing=listing()))
        assert seen == expected
        store.close()

    def test_pages_while_others_open_matches(self, rig: Rig) -> None:
        """Two handles write as fast as they can, two more read pages all the while."""
        stores = [rig.open(), rig.open()]
        for number in range(1, 13):
            stores[0].create(replace(opening(number), listing=listing()))
        over = threading.Event()

        def write(who: int) -> None:
            try:
                for number in range(100 * who, 100 * who + 40):
                    stores[who - 1].create(replace(opening(number), listing=listing()))
            finally:
                over.set()

        def read() -> int:
            looks = 0
            while not over.is_set() or not looks:
                found = pages(stores[looks % 2], Wanted(5))
                assert len(found) == len(set(found))
                assert found[-12:] == list(range(12, 0, -1))
                looks += 1
            return looks

        wrote = together(lambda: write(1), lambda: write(2), read, read)
        assert wrote[:2] == [None, None]
        assert all(isinstance(count, int) for count in wrote[2:]), wrote
        assert len(pages(stores[0], Wanted(7))) == 92

    def test_a_killed_process_lists_what_it_kept(self, rig: Rig) -> None:
        """The status of a match and its steps are one: both kept, or neither."""
        hits: Counter[Point] = Counter()
        for point in rig.points:
            for nth in range(1, len(STORY) + 1):
                place = rig.fresh()
                died = child(place, "story", point, str(nth))
                hits[point] += died.returncode == -signal.SIGKILL
                kept = nth - 1 + (point is Point.AFTER_COMMIT)
                store = place.open()
                page = store.listed(Wanted(10))
                assert page is not None
                assert [it.standing for it in page] == LISTED[kept], (point, nth)
                store.close()
        assert hits == dict.fromkeys(rig.points, len(STORY)), f"points hit: {hits}"
