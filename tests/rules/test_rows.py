"""A published row never changes (SPEC R3): a changed rule is a row with another id."""

from __future__ import annotations

import hashlib
import json

import pytest

from fairbones.core.rules.rulesets import RULESETS

# Of the canonical JSON of each row with its `hand` for the fewest seats, and of `hand` by seats.
PUBLISHED = {
    "block": "d5f839dff71dc8522be5c5bef5de37ad459b1c4705e7d778bae577d230af50b6",
    "block-partners": "6a95120c9a9a7f9713f3e1dd7d02e0bbf0f2d889f2cd0b4d8cb2ef4ed1b43ee2",
    "draw": "33a0a146373226eed4ffbf3fcfaf4ab46f9f764cbbd233397d5dd737383e1845",
    "blocking": "e0809b714f6ea5269036cda485b2f0d934b29875a60047631e9ba53e52d83b16",
    "middle-eastern": "2ab13148d62e536c70c7b0eaf34c9d0a6fe7dea1ec4e348a4cd229551c32a11d",
    "latin-american": "a1979b3851148cbd710e38ce802bd2b72316e7861daad7d7c5ef4b6d682b38a4",
    "all-fives": "8873d26b11aa53c49de27bd8e24be787d4b47eb579261b836a7dd86501ba9c32",
    "fives-and-threes": "4c262bff3b16fa6fd11fe96f78efe82cca3aa034ab54322a633b128ebf5cb5c7",
}


@pytest.mark.parametrize("ruleset", list(RULESETS))
def test_row_is_as_it_was_published(ruleset: str) -> None:
    """Do not touch the hash: give the changed game an id of its own."""
    row = RULESETS[ruleset]
    whole = {"id": row.id, "hand": row.hand_by_seats[row.seats[0]], **row.row}
    hands = {str(seats): row.hand_by_seats[seats] for seats in row.seats}
    text = json.dumps([whole, hands], sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == PUBLISHED[ruleset]


def test_no_row_was_taken_back() -> None:
    """A row once published can be asked for ever after."""
    assert list(PUBLISHED) == list(RULESETS)
