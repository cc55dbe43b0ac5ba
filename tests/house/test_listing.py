"""The list of matches: what a lobby is told, page by page, and that nothing else happens."""

from __future__ import annotations

import base64
import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from fairbones.core.errors import FairbonesError
from fairbones.core.match import ForInvite
from fairbones.house.messages import ListRequest, OpenRequest
from fairbones.house.ports import SeqTaken, Step
from tests.house.party import NOW, Json, Party
from tests.house.test_repeats import code


def page(party: Party, limit: int = 100, **more: Any) -> list[Json]:
    """One page as it is told."""
    return [dict(it) for it in party.house.matches(ListRequest(limit, **more)).items]


def pages(party: Party, limit: int, **more: Any) -> Iterator[list[str]]:
    """Page by page, the ids of the matches."""
    cursor: str | None = None
    while True:
        found = party.house.matches(ListRequest(limit, cursor=cursor, **more))
        yield [str(it["id"]) for it in found.items]
        cursor = found.cursor
        if cursor is None:
            return


def test_what_a_lobby_is_told(party: Party) -> None:
    """All that the table is chosen by, from the moment it is opened; nothing of it is secret."""
    guests = party.open(
        "draw",
        3,
        options={"target": 50},
        reference="table-7",
        reserved={2: ForInvite(b"\x05" * 32), 0: ForInvite(b"\x06" * 32)},
        clear_seeds=True,
    )
    expected = {
        "id": guests.match_id.hex(),
        "status": "joining",
        "ruleset": "draw",
        "seats": 3,
        "taken": 0,
        "open": 1,
        "reserved": [0, 2],
        "options": {"target": 50},
        "reference": "table-7",
        "rounds_max": 3,
        "turn_seconds": 20,
        "clear_seeds": True,
        "opened_at": NOW,
        "deadline": NOW + 60_000,
    }
    told = party.house.matches(ListRequest(1))
    assert [dict(it) for it in told.items] == [expected]
    assert (told.now, told.cursor) == (NOW, None)


def test_no_more_is_told_than_there_is(party: Party) -> None:
    party.open("block", 2)
    (told,) = page(party)
    assert set(told) == {
        *("id", "status", "ruleset", "seats", "taken", "open", "opened_at", "deadline"),
        *("rounds_max", "turn_seconds", "clear_seeds"),
    }


def test_the_list_follows_a_match_through_its_life(party: Party) -> None:
    guests = party.open("block", 2, rounds_max=1)

    def stands() -> tuple[str, int, int, bool]:
        (told,) = page(party)
        assert page(party, status=told["status"]) == [told]
        assert page(party, status=told["status"], ruleset="draw") == []
        return told["status"], told["taken"], told["open"], "deadline" in told

    assert stands() == ("joining", 0, 2, True)
    guests.sit(1)
    assert stands() == ("joining", 1, 1, True)
    guests.sit(0)
    assert stands() == ("revealing", 2, 0, False)
    guests.reveal(0)
    assert stands() == ("revealing", 2, 0, False)
    guests.reveal(1)
    assert stands() == ("playing", 2, 0, False)
    guests.play_out()
    assert stands() == ("ended", 2, 0, False)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_standing_that_is_kept_is_that_of_the_events(
    party: Party, seed: random.Random, seats: int
) -> None:
    """After every step of a match at random: what is told is what the view says."""
    guests = party.open("block", seats, rounds_max=2)
    moves = [guests.sit] * seats + [guests.reveal] * seats
    for index, move in enumerate(moves):
        move(index % seats)
        (told,) = page(party)
        seen = guests.view()
        assert told["status"] == seen["status"]
        assert told["taken"] == sum(it["taken"] for it in seen["seats"])
    while guests.view()["status"] == "playing":
        guests.act(seed.choice)
        assert page(party)[0]["status"] == guests.view()["status"]


def test_a_match_that_loses_a_seat_is_void_in_the_list(party: Party) -> None:
    guests = party.open()
    guests.sit(0)
    guests.leave(0)
    assert [it["status"] for it in page(party)] == ["void"]
    assert page(party, status="joining") == []


def test_listing_touches_nothing(party: Party) -> None:
    """Hundreds of deadlines may have passed: none is applied, nothing signed, nothing kept."""
    late = party.open()
    late.sit(0)
    party.clock.now += 50_000
    fresh = party.open()
    party.clock.now += 10_000
    signed, stored = len(party.signer.signed), party.store.stored_bytes()
    assert [it["id"] for it in page(party)] == [fresh.match_id.hex(), late.match_id.hex()]
    # Told as it was left; but nobody is sent to a table that is void when he comes.
    assert [it["status"] for it in page(party)] == ["joining", "joining"]
    assert page(party)[1]["deadline"] <= party.house.matches(ListRequest(1)).now
    assert [it["id"] for it in page(party, status="joining")] == [fresh.match_id.hex()]
    assert page(party, status="void") == []
    assert len(party.signer.signed) == signed
    assert party.store.stored_bytes() == stored
    assert late.view()["status"] == "void"
    assert [it["id"] for it in page(party, status="void")] == [late.match_id.hex()]


def test_the_last_moment_to_join(party: Party) -> None:
    """What is listed as joining can be joined at that very moment."""
    guests = party.open()
    party.clock.now += 59_999
    assert len(page(party, status="joining")) == 1
    party.clock.now += 1
    assert page(party, status="joining") == []
    assert code(guests.sit, 0) == "match/void"


def test_pages_meet(party: Party) -> None:
    """Any size, any filter: all of them, in order, once; no page is empty but the first."""
    games = [party.rnd.choice(["block", "draw"]) for _ in range(17)]
    opened = [party.open(game).match_id.hex() for game in games][::-1]
    ruled = {it["id"]: it["ruleset"] for it in page(party)}
    for limit in (1, 2, 5, 16, 17, 100):
        assert [it for them in pages(party, limit) for it in them] == opened
        for ruleset in ("block", "draw", "all-fives"):
            wanted = [it for it in opened if ruled[it] == ruleset]
            found = list(pages(party, limit, status="joining", ruleset=ruleset))
            assert [it for them in found for it in them] == wanted
            assert all(found) or not wanted
            assert len(found) == max(1, -(-len(wanted) // limit))


def test_what_comes_meanwhile_is_not_shown_and_hides_nothing(party: Party) -> None:
    first = [party.open().match_id.hex() for _ in range(9)][::-1]
    seen: list[str] = []
    for them in pages(party, 2):
        seen += them
        for _ in range(party.rnd.randrange(5)):
            party.open()
    assert seen == first


def test_pages_while_threads_open_matches(party: Party) -> None:
    first = [party.open().match_id.hex() for _ in range(20)][::-1]
    over = threading.Event()
    opened: list[str] = []

    def write() -> None:
        while not over.is_set() and len(opened) < 300:
            found = party.house.open(OpenRequest("block", 2, rounds_max=1))
            opened.append(found.match_id.hex())

    threads = [threading.Thread(target=write) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(20):
            seen = [it for them in pages(party, 3) for it in them]
            assert len(seen) == len(set(seen))
            assert seen[-20:] == first
    finally:
        over.set()
        for thread in threads:
            thread.join()
    assert opened
    assert sorted(it for them in pages(party, 7) for it in them) == sorted(first + opened)


def test_a_match_that_moves_while_somebody_pages(party: Party) -> None:
    """It leaves the list of its old status; the others are shown once, and the cursor holds."""
    tables = [party.open() for _ in range(5)][::-1]
    found = party.house.matches(ListRequest(2, status="joining"))
    tables[1].sit(0)
    tables[1].leave(0)  # the very match that the cursor names
    tables[3].sit(0)
    tables[3].leave(0)
    rest = party.house.matches(ListRequest(9, status="joining", cursor=found.cursor))
    assert [it["id"] for it in rest.items] == [tables[it].match_id.hex() for it in (2, 4)]


def test_unlisted_is_in_no_list_at_any_time(party: Party) -> None:
    """And everybody who has its id may look at it."""
    guests = party.open("block", 2, listed=False, rounds_max=1)
    shown = party.open("block", 2).match_id.hex()
    for move in (guests.sit, guests.reveal):
        for seat in range(2):
            assert [it["id"] for it in page(party)] == [shown]
            move(seat)
    guests.play_out()
    assert [it["id"] for it in page(party)] == [shown]
    assert guests.view()["status"] == "ended"


def test_another_house_on_the_same_store_goes_on_with_the_cursor(party: Party) -> None:
    opened = [party.open().match_id.hex() for _ in range(4)][::-1]
    cursor = party.house.matches(ListRequest(3)).cursor
    rest = party.another_house().matches(ListRequest(3, cursor=cursor))
    assert [it["id"] for it in rest.items] == opened[3:]


def test_a_foreign_cursor_is_refused_by_name(party: Party) -> None:
    """Made up, bent, of another list, of another house: a code, never a fault, never a page."""
    for _ in range(3):
        party.open()
    asked = ListRequest(1, status="joining")
    cursor = party.house.matches(asked).cursor
    assert cursor is not None
    assert len(party.house.matches(replace(asked, cursor=cursor)).items) == 1
    other = Party(random.Random(party.rnd.random()))
    for _ in range(3):
        other.open()
    elsewhere = other.house.matches(asked).cursor
    raw = base64.urlsafe_b64decode(cursor)
    bent = [raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :] for at in range(len(raw))]
    unlisted = party.open(listed=False).match_id
    made_up = [
        *("", "x", "AAAA", "=", cursor[:-1], cursor + "A", cursor + "====", cursor + "\n"),
        *(f" {cursor}", "\u00e9" * 32, "\ud800", "+" * 32, "/" * 32, "A" * 32, "A" * 5_000),
        *(raw.hex(), unlisted.hex(), str(elsewhere)),
        *(base64.urlsafe_b64encode(it).decode() for it in (raw + b"x", raw[:-1], *bent)),
    ]
    for told in made_up:
        assert code(party.house.matches, replace(asked, cursor=told)) == "request/cursor", told
    for others in (
        ListRequest(1, cursor=cursor),
        ListRequest(1, status="void", cursor=cursor),
        ListRequest(1, status="joining", ruleset="block", cursor=cursor),
    ):
        assert code(party.house.matches, others) == "request/cursor"
    assert party.house.matches(replace(asked, limit=50, cursor=cursor)).cursor is None


def test_an_unknown_ruleset_is_no_empty_list(party: Party) -> None:
    assert code(party.house.matches, ListRequest(1, ruleset="chess")) == "ruleset/unknown"
    assert page(party, ruleset="draw") == []


def test_the_standing_is_kept_with_its_step_or_not_at_all(party: Party) -> None:
    guests = party.open()

    def lost(_: Step) -> None:
        raise SeqTaken

    def killed(_: Step) -> None:
        raise OSError("no answer went out")

    party.store.before = lost
    with pytest.raises(FairbonesError):
        guests.sit(0)
    assert page(party)[0]["taken"] == 0
    party.store.before, party.store.after = (lambda _: None), killed
    with pytest.raises(OSError, match="no answer"):
        guests.sit(0)
    assert page(party)[0]["taken"] == 1


def test_a_move_writes_nothing_to_the_list(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a hand is played a listing stays as it is; only the last step changes it."""
    guests = party.open().deal()
    told: list[object] = []
    append = party.store.append

    def watched(*arguments: Any) -> None:
        told.append(arguments[3])
        append(*arguments)

    monkeypatch.setattr(party.store, "append", watched)
    guests.play_out()
    assert len(told) > 5
    assert [it for it in told if it is not None] == told[-1:]
