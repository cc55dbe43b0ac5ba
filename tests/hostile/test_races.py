"""Many at one moment, from threads and from processes: one wins, and the others learn the head."""

from __future__ import annotations

import itertools
import secrets
from collections import Counter
from dataclasses import replace

import pytest

from tests.hostile.conftest import Tables
from tests.hostile.judging import one_history, problem, shown
from tests.hostile.running import AtOnce
from tests.hostile.table import opening
from tests.hostile.wire import Answer, Request


def split(answers: list[Answer]) -> tuple[list[Answer], Counter[str | None]]:
    """The good answers, and how often each refusal came; each conflict names the head."""
    good = [answer for answer in answers if answer.status in (200, 201)]
    refusals = [answer for answer in answers if answer not in good]
    for answer in refusals:
        problem(answer, answer.status, str(answer.code))
        assert answer.status in (409, 410, 422)
        # What the rules refuse was decided on the head as it is.
        assert shown(answer.told()) or answer.status == 422 or str(answer.code).startswith("rules/")
    return good, Counter(answer.code for answer in refusals)


def agreed(good: list[Answer]) -> Answer:
    """All of them are one answer."""
    first, *others = good
    assert all(other.timeless() == first.timeless() for other in others)
    return first


@pytest.mark.parametrize("signed", [(), (0, 1)], ids=["bare", "signed"])
def test_different_moves_for_one_seq(
    tables: Tables, at_once: AtOnce, signed: tuple[int, ...]
) -> None:
    """T27: of all legal moves, each sent twice, one is appended; the rest repeat it or are stale
    and learn the head. T43: no two heads are signed for one place.
    """
    table = tables(signed=signed, options={"hand": 10}).deal()
    heard: list[Answer] = []
    chosen = 0
    for _ in range(6):
        seat, listed = table.to_act()
        chosen += len(listed) > 1
        seq = table.head()["seq"] + 1
        moves = [table.acting(seat, action) for action in itertools.islice(listed, 3)]
        answers = at_once(*moves, *moves)
        good, refusals = split(answers)
        won = agreed(good)
        assert len(good) == 2
        assert refusals == Counter({"match/stale": 2 * len(moves) - 2} if len(moves) > 1 else {})
        heard += answers
        assert won.told()["events"] == table.events()[seq:]
        if table.get()["status"] != "playing":
            break
    one_history(table, heard)
    assert chosen


def test_one_move_twenty_times(tables: Tables, at_once: AtOnce) -> None:
    """T27: every copy is answered alike, and one event stands."""
    table = tables("draw").deal()
    seat, listed = table.to_act()
    seq = table.head()["seq"] + 1
    answers = at_once(*[table.acting(seat, listed[0])] * 20)
    good, refusals = split(answers)
    assert not refusals
    assert one_history(table, answers)[seq:] == agreed(good).told()["events"]


def test_many_guests_for_one_seat(tables: Tables, at_once: AtOnce) -> None:
    """T25, T38: the seat is taken once; the others learn so, and hold nothing."""
    table = tables(seats=3)
    guests = [
        table.sitting(1, client_seed_commitment=secrets.token_hex(32)).by(secrets.token_urlsafe(32))
        for _ in range(8)
    ]
    answers = at_once(*guests)
    good, refusals = split(answers)
    assert [answer.status for answer in good] == [201]
    assert refusals == {"seat/taken": 7}
    events = one_history(table, answers)
    assert [it["type"] for it in events] == ["opened", "seated"]
    losers = [guest for guest, told in zip(guests, answers, strict=True) if told not in good]
    for loser in losers:
        view = table.house.ask(Request("GET", table.path, token=loser.token))
        problem(view, 401, "auth/token-unknown")
    assert table.house.ask(losers[0].at(f"{table.path}/seats/2")).status == 201


def test_one_guest_for_every_seat(tables: Tables, at_once: AtOnce) -> None:
    """T25: one token holds one seat, however many it asks for at once."""
    table = tables(seats=4)
    token = secrets.token_urlsafe(32)
    answers = at_once(*(table.sitting(seat).by(token) for seat in range(4)))
    good, refusals = split(answers)
    assert len(good) == 1
    assert refusals == {"seat/token-reused": 3}
    assert len(one_history(table, answers)) == 2


def test_a_true_seed_among_false_ones(tables: Tables, at_once: AtOnce) -> None:
    """T9: false seeds are refused, before the true one and after it, and delay it by nothing."""
    table = tables().sit_all()
    true = table.revealing(0)
    false = [true.but(client_seed=secrets.token_hex(32)) for _ in range(5)]
    answers = at_once(*false, true, *false, true)
    good, refusals = split(answers)
    assert len(good) == 2
    agreed(good)
    assert set(refusals) <= {"seed/mismatch", "seed/revealed"}
    assert [it["type"] for it in one_history(table, answers)].count("seeded") == 1


def test_the_last_seeds_at_once(tables: Tables, at_once: AtOnce) -> None:
    """T38: all seeds, each three times over, deal one hand."""
    table = tables(seats=4).sit_all()
    answers = at_once(*[table.revealing(seat) for seat in range(4)] * 3)
    good, refusals = split(answers)
    assert not refusals
    for seat in range(4):
        agreed(good[seat::4])
    types = [it["type"] for it in one_history(table, answers)]
    assert types[5:10] == ["seeded"] * 4 + ["dealt"]
    assert types.count("dealt") == 1


def test_the_last_to_join_against_one_who_leaves(tables: Tables, at_once: AtOnce) -> None:
    """T50: the match is void either way, and the guest is told which came first."""
    for _ in range(3):
        table = tables()
        table.do(table.sitting(0))
        answers = at_once(table.sitting(1), table.leaving(0), table.sitting(1), table.leaving(0))
        good, refusals = split(answers)
        types = [it["type"] for it in one_history(table, answers)]
        assert refusals == ({} if "seated" in types[2:] else {"match/void": 2})
        assert types[2:] in (["seated", "voided"], ["voided"])
        agreed(answers[1::2])
        assert len(good) == 4 - refusals.total()


def test_the_last_seed_against_one_who_leaves(tables: Tables, at_once: AtOnce) -> None:
    """T50: a deal that was dropped by leaving is void in public; else the leaver plays on."""
    for _ in range(3):
        table = tables().sit_all()
        table.do(table.revealing(0))
        answers = at_once(*[table.revealing(1), table.leaving(0)] * 2)
        good, refusals = split(answers)
        types = [it["type"] for it in one_history(table, answers)]
        if types[4] == "voided":
            assert types[4:] == ["voided"]
            assert refusals == {"match/void": 2}
        else:
            assert types[4:6] == ["seeded", "dealt"]
            assert types.count("left") == 1
            assert not refusals
        assert len(good) + refusals.total() == 4


def test_moves_of_all_seats_at_once(tables: Tables, at_once: AtOnce) -> None:
    """T13: everybody plays every tile that it holds; the seat on turn alone is heard."""
    table = tables(seats=3).deal()
    turn, _ = table.to_act()
    hands = [table.get(token=token)["you"]["hand"] for token in table.tokens]
    sent = [
        (seat, table.acting(seat, {"type": "play", "tile": it["tile"]}))
        for seat, hand in enumerate(hands)
        for it in hand
    ]
    answers = at_once(*(request for _, request in sent))
    good, _ = split(answers)
    assert len(good) <= 1
    for (seat, _), answer in zip(sent, answers, strict=True):
        assert seat == turn or answer.code in ("rules/not-your-turn", "match/stale")
    one_history(table, answers)


def test_leaving_against_moving(tables: Tables, at_once: AtOnce) -> None:
    """T50: who leaves as it moves has moved before it left, or not at all."""
    table = tables(seats=3).deal()
    seat, listed = table.to_act()
    answers = at_once(*[table.acting(seat, listed[0]), table.leaving(seat)] * 3)
    _, refusals = split(answers)
    assert set(refusals) <= {"match/stale", "seat/has-left"}
    events = one_history(table, answers)
    assert [it["type"] for it in events].count("left") == 1


def test_one_key_opens_one_match(at_once: AtOnce) -> None:
    """T27: of many openings with one Idempotency-Key one opens; the rest are led to it."""
    key = ("Idempotency-Key", secrets.token_urlsafe(24))
    one = replace(opening(rounds_max=1), fields=(key,))
    answers = at_once(*[one, one.but(seats=3)] * 5)
    good = [answer for answer in answers if answer.status == 201]
    assert len(good) == 5
    assert len({answer.body for answer in good}) == 1
    assert sum("idempotent-replayed" not in answer.fields for answer in good) == 1
    for answer in answers:
        if answer not in good:
            told = problem(answer, 409, "request/key-reused")
            assert "match" not in told
