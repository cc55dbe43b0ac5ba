"""At the very moment of a deadline: either the seat was in time or it was not, never both.

Nothing is measured. Whichever comes first, the verifier has to find every event in its time.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from tests.hostile.conftest import Tables
from tests.hostile.judging import one_history, problem
from tests.hostile.running import AtOnce
from tests.hostile.table import Table
from tests.hostile.wire import Answer, Json, Request

EARLY = 0.004  # as long as a volley needs to get on its way, more or less
LATE = ("match/stale", "match/void", "match/late")


def until_due(view: Json) -> None:
    """Sleep until just before the deadline of a view, a few seconds at most."""
    time.sleep(min(5.0, max(0.0, (view["deadline"] - view["now"]) / 1000 - EARLY)))


def struck(table: Table, at_once: AtOnce, said: Sequence[Request]) -> list[Answer]:
    """All of them twice, with readers among them, who bring the deadline too."""
    answers = at_once(*said, Request("GET", table.path), *said, Request("GET", table.path))
    for answer in answers:
        if answer.status not in (200, 201):
            assert answer.code in LATE
            problem(answer, answer.status, str(answer.code))
    return answers


def test_moving_as_time_runs_out(tables: Tables, at_once: AtOnce) -> None:
    """T27: one event for the seq: the move, or the time-out that everybody is told of."""
    table = tables(turn_seconds=1).deal()
    heard: list[Answer] = []
    for _ in range(2):
        seat, listed = table.to_act()
        view = table.get()
        if not listed or view["turn"] != seat:
            continue  # time ran out between the two looks
        moves = [table.acting(seat, action, view["head"]) for action in listed[:2]]
        until_due(view)
        answers = struck(table, at_once, moves)
        heard += answers
        event = table.events()[view["head"]["seq"] + 1]
        good = [it for it in answers if it.status == 200 and "events" in it.told()]
        assert event["type"] == "timed_out" or good
        assert all(it.told()["events"][0] == event for it in good)
    one_history(table, heard)


@pytest.mark.parametrize("stage", ["joining", "revealing"])
def test_the_last_one_as_time_runs_out(tables: Tables, at_once: AtOnce, stage: str) -> None:
    """T27, T50: the match begins or is void; a void names who was missing, and no one else."""
    table = tables(join_seconds=1) if stage == "joining" else tables(reveal_seconds=1).sit_all()
    view = table.get()
    if stage == "joining":
        said = [table.sitting(seat) for seat in range(2)]
    else:
        said = [table.revealing(seat) for seat in range(2)]
    if "deadline" in view:
        until_due(view)
    answers = struck(table, at_once, said)
    events = one_history(table, answers)
    done = [it["data"]["seat"] for it in events if it["type"] in ("seated", "seeded")]
    if events[-1]["type"] == "voided":
        missing = events[-1]["data"]["missing"]
        expected = {0, 1} - set(done if stage == "joining" else done[2:])
        assert set(missing) == expected
    else:
        assert len(done) == (2 if stage == "joining" else 4)


def test_readers_and_movers_after_the_deadline(tables: Tables, at_once: AtOnce) -> None:
    """T27: a turn that ran out runs out once, whoever brings the news."""
    table = tables(turn_seconds=1).deal()
    seat, listed = table.to_act()
    head = table.head()
    time.sleep(1.1)
    late = table.acting(seat, listed[0], head)
    answers = at_once(*[late, Request("GET", table.path), Request("GET", table.path)] * 3)
    assert {it.code for it in answers if it.status != 200} <= {"match/stale"}
    events = one_history(table, answers)
    assert events[head["seq"] + 1]["type"] in ("timed_out", "played")
