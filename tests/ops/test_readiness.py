"""Whether requests should be sent here, and why not."""

from __future__ import annotations

import pytest

from fairbones.api.front import front_of
from fairbones.api.readiness import BELIEVED_SECONDS, Readiness
from fairbones.core.errors import FairbonesError
from tests.api.fake_house import ADDRESS, FakeHouse
from tests.ops.edge import OPENING, client_of


@pytest.mark.parametrize(
    "code", ["store/unreachable", "store/full", "store/read-only", "house/seed-sealed"]
)
def test_a_store_that_fails_is_named(house: FakeHouse, code: str) -> None:
    client = client_of(house)
    house.error = FairbonesError(code, "/secret/path")
    answer = client.get("/readyz")
    told = answer.get_json()
    assert (answer.status_code, told["code"], told["because"]) == (503, "service/not-ready", code)
    assert answer.headers["Retry-After"]
    assert "/secret/path" not in answer.text
    assert client.get("/livez").status_code == 200


def test_the_reason_is_said_in_words(house: FakeHouse) -> None:
    house.error = FairbonesError("store/unreachable", "no")
    assert "no connection to its store" in client_of(house).get("/readyz").get_json()["detail"]


@pytest.mark.parametrize("code", ["store/full", "store/read-only"])
def test_a_store_that_takes_nothing_is_not_ready_although_it_can_be_read(
    house: FakeHouse, code: str
) -> None:
    client = client_of(house)
    house.error = FairbonesError(code, "no")
    assert client.get(ADDRESS).get_json()["code"] == code
    house.error = None
    answer = client.get("/readyz")
    assert (answer.status_code, answer.get_json()["because"]) == (503, code)


def test_a_failure_that_says_nothing_of_the_next_write_is_none(house: FakeHouse) -> None:
    client = client_of(house)
    for code in ("store/unknown-outcome", "store/busy", "store/unreachable"):
        house.error = FairbonesError(code, "no")
        assert client.get(ADDRESS).status_code == 503
    house.error = None
    assert client.get("/readyz").status_code == 200


def test_a_failed_write_is_not_believed_for_ever() -> None:
    """Without requests nothing could ever show that there is room again."""
    now = [0.0]
    readiness = Readiness(lambda: now[0])
    troubles = [readiness.trouble]
    readiness.failed("store/full")
    troubles.append(readiness.trouble)
    now[0] = BELIEVED_SECONDS - 1
    readiness.failed("store/busy")
    troubles.append(readiness.trouble)
    now[0] = BELIEVED_SECONDS
    troubles.append(readiness.trouble)
    assert troubles == [None, "store/full", "store/full", None]


def test_each_reason_is_believed_for_its_own_time() -> None:
    """A newer one hides an older one, and does not make it last."""
    now = [0.0]
    readiness = Readiness(lambda: now[0])
    readiness.failed("store/full")
    now[0] = 3
    readiness.failed("store/read-only")
    assert readiness.trouble == "store/read-only"
    now[0] = 5
    readiness.failed("store/full")
    assert readiness.trouble == "store/full"
    now[0] = 3 + BELIEVED_SECONDS
    assert readiness.trouble == "store/full"
    readiness.kept()
    assert readiness.trouble is None


def test_a_write_that_succeeds_ends_it(house: FakeHouse) -> None:
    client = client_of(house)
    for code in ("store/full", "store/read-only"):
        house.error = FairbonesError(code, "no")
        assert client.post("/v1/matches", json=OPENING).get_json()["code"] == code
    house.error = None
    # Neither a read nor a write that is refused says that there is room.
    assert client.get(ADDRESS).status_code == 200
    assert client.post("/v1/matches", json={}).status_code == 422
    assert client.get("/readyz").get_json()["because"] == "store/read-only"
    assert client.post("/v1/matches", json=OPENING).status_code == 201
    assert client.get("/readyz").status_code == 200


def test_who_stops_is_not_ready_but_answers(house: FakeHouse) -> None:
    client = client_of(house)
    at = front_of(client.application)
    assert client.get("/readyz").status_code == 200
    at.stop()
    assert at.stopping
    answer = client.get("/readyz")
    told = answer.get_json()
    assert (answer.status_code, told["because"]) == (503, "service/stopping")
    assert "told to stop" in told["detail"]
    assert client.get("/livez").status_code == 200
    assert client.get(ADDRESS).status_code == 200
