"""kill -9 at every point of every kind of request: what was answered stands, and what was not is
done once when it is asked for again.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairbones.store.points import Point
from tests.faults.asking import KINDS, Prepare, act, killed
from tests.faults.hall import Hall
from tests.faults.ledger import unanswered
from tests.faults.planting import BEFORE_REPLY, POINTS, Fault, Then
from tests.hostile.table import opening
from tests.hostile.wire import Json, Request

DURABLE = (Point.AFTER_COMMIT, BEFORE_REPLY)


@pytest.mark.parametrize("point", POINTS)
@pytest.mark.parametrize("prepare", KINDS)
def test_a_killed_request_happens_once(hall: Hall, point: str, prepare: Prepare) -> None:
    """The process that holds the store dies in the middle; another takes over."""
    killed(hall, prepare, Fault(point, "kill-worker"), durable=point in DURABLE)


@pytest.mark.parametrize("point", [Point.AFTER_WRITE, Point.BEFORE_COMMIT, BEFORE_REPLY])
def test_a_service_that_is_killed_starts_again(hall: Hall, point: str) -> None:
    """All of it dies, and is started again on the same folder."""
    killed(hall, act, Fault(point, "kill"), durable=point in DURABLE)


@pytest.mark.parametrize("prepare", KINDS)
def test_a_lost_reply_is_given_again(hall: Hall, prepare: Prepare) -> None:
    """The connection ends in place of the reply; nothing else is wrong."""
    killed(hall, prepare, Fault(BEFORE_REPLY, "hang-up"), durable=True)


ENDS: list[tuple[str, Then]] = [(point, "kill-worker") for point in POINTS]
ENDS += [(Point.BEFORE_COMMIT, "kill"), (BEFORE_REPLY, "hang-up")]


@pytest.mark.parametrize(("point", "then"), ENDS)
def test_a_killed_opening_opens_one_match(hall: Hall, point: str, then: Then) -> None:
    listed = len(matches(hall))
    request = replace(opening(), fields=(("Idempotency-Key", f"{then}-{point}-0123456789"),))
    with hall.service.plan.planted(Fault(point, then)):
        unanswered(hall.client, request)
    hall.service.revive()
    assert len(matches(hall)) - listed == (point in DURABLE)
    first, again = hall.client.ask(request), hall.client.ask(request)
    assert "idempotent-replayed" in again.fields
    assert ("idempotent-replayed" in first.fields) == (point in DURABLE)
    assert first.told() == again.told()
    assert len(matches(hall)) - listed == 1


def test_a_fault_that_never_comes_is_no_test(hall: Hall) -> None:
    """A look changes nothing, so it comes to no point of a write."""
    never = hall.service.plan.planted(Fault(Point.BEFORE_WRITE, "kill"))
    with pytest.raises(AssertionError, match="never came"), never:
        matches(hall)


def matches(hall: Hall) -> list[Json]:
    """The list, which has room for all of these."""
    answer = hall.client.ask(Request("GET", "/v1/matches?limit=100"))
    found: list[Json] = answer.told()["matches"]
    assert len(found) < 100
    return found
