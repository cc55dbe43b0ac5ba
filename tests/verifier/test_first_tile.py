"""Before the first tile of a hand nothing can have ended it (SPEC R7, check 504)."""

from __future__ import annotations

import pytest

from fairbones_verify import verify
from tests.verifier.forgeries.making import begun, ended
from tests.verifier.primitives import BLOCK, SIGNER
from tests.verifier.rows import published


@pytest.mark.parametrize("row", [BLOCK, published("draw", 2)], ids=["block", "draw"])
@pytest.mark.parametrize("reason", ["blocked", "domino"])
def test_a_hand_is_not_over_before_its_first_tile(row: dict[str, object], reason: str) -> None:
    house = begun(row, rounds=2)
    place = len(house.events)
    house.settle(reason)
    report = verify(ended(house), keys=[SIGNER.public])
    assert report.failure is not None
    assert (report.code, report.failure.seq) == ("rules/not-over", place)
