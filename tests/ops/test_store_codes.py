"""Whatever the store says reaches a client under its own code, and never in the store's words."""

from __future__ import annotations

import pytest

from fairbones.api.codes import CODES, codes_of
from fairbones.core.errors import FairbonesError
from tests.api.fake_house import ADDRESS, FakeHouse
from tests.ops.edge import OPENING, client_of

PLANNED = {
    *("store/unreachable", "store/unknown-outcome", "store/full", "store/read-only", "store/busy"),
    *("store/corrupt", "store/closed", "store/newer", "store/foreign", "store/wrong-password"),
    *("store/old-server", "store/evicts", "store/url"),
}


def test_every_planned_code_has_a_row() -> None:
    assert set(codes_of("store")) >= PLANNED
    assert set(codes_of("rate")) == {"rate/requests", "rate/openings"}


@pytest.mark.parametrize("code", codes_of("store"))
def test_a_store_error_is_a_problem_of_its_own(house: FakeHouse, code: str) -> None:
    house.error = FairbonesError(code, "redis://:secret@10.0.0.9/0 said no", path="/secret/path")
    client = client_of(house)
    for answer in (client.get(ADDRESS), client.post("/v1/matches", json=OPENING)):
        told = answer.get_json()
        assert (answer.status_code, told["code"]) == (503, code)
        assert told["detail"] == CODES[code].remedy
        assert answer.headers["Retry-After"] == "2"
        assert "secret" not in answer.text


def test_an_unknown_outcome_says_what_to_do(house: FakeHouse) -> None:
    """The one thing that is safe: the very same request again."""
    house.error = FairbonesError("store/unknown-outcome", "no")
    detail = client_of(house).get(ADDRESS).get_json()["detail"]
    assert detail.startswith("Send the very same request again")
