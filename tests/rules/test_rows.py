"""A published row never changes (SPEC R3): a changed rule is a row with another id."""

from __future__ import annotations

import hashlib
import json

import pytest

from fairbones.core.rules import compile_rules
from fairbones.core.rules.rulesets import RULESETS

# SHA-256 of the canonical JSON of each complete row, by ruleset and number of seats.
PUBLISHED = {
    ("block", 2): "3a9ce9528f9667b338441eaa0ebd420f7961dcaf8ccbe7240ea6c6eb57d49526",
    ("block", 3): "3a9ce9528f9667b338441eaa0ebd420f7961dcaf8ccbe7240ea6c6eb57d49526",
    ("block", 4): "3a9ce9528f9667b338441eaa0ebd420f7961dcaf8ccbe7240ea6c6eb57d49526",
    ("block", 5): "3a9ce9528f9667b338441eaa0ebd420f7961dcaf8ccbe7240ea6c6eb57d49526",
    ("block", 6): "3a9ce9528f9667b338441eaa0ebd420f7961dcaf8ccbe7240ea6c6eb57d49526",
    ("block", 7): "3a9ce9528f9667b338441eaa0ebd420f7961dcaf8ccbe7240ea6c6eb57d49526",
    ("block", 8): "3a9ce9528f9667b338441eaa0ebd420f7961dcaf8ccbe7240ea6c6eb57d49526",
    ("block-partners", 4): "8a433d59d08d8782f931837eed59837b5fbaa7f8bdac128653991d82429ea287",
    ("draw", 2): "30ccb2483c7bf86d10fb12330e5f4fe88634ab9b8dbf15d885fe2aa6bb7b6575",
    ("draw", 3): "e9b848815d05b058360f8f69120fcb879863fa5f0d82ef2ee97a7e811bff3fb3",
    ("draw", 4): "e9b848815d05b058360f8f69120fcb879863fa5f0d82ef2ee97a7e811bff3fb3",
    ("draw", 5): "e9b848815d05b058360f8f69120fcb879863fa5f0d82ef2ee97a7e811bff3fb3",
    ("draw", 6): "e9b848815d05b058360f8f69120fcb879863fa5f0d82ef2ee97a7e811bff3fb3",
    ("draw", 7): "e9b848815d05b058360f8f69120fcb879863fa5f0d82ef2ee97a7e811bff3fb3",
    ("draw", 8): "e9b848815d05b058360f8f69120fcb879863fa5f0d82ef2ee97a7e811bff3fb3",
    ("blocking", 2): "7665f67052fbe0b0174b9e5fcd7548be7e10f09b01396228f9121aff0a88de17",
    ("middle-eastern", 4): "71e7cd72af5abadb4ec316e67db09f2728e511c586af3094c081120bbdf78c44",
    ("latin-american", 4): "533ce7e3b7c8fb5b639751f4f78849e60123b7780f26e2bcd0214c881c5e7bc7",
    ("all-fives", 2): "ac1c61249b9f0b4e3bc8e95da03efabb263811d38322b4565d7008cfdf2abd4d",
    ("all-fives", 3): "a69229cbfcd22545c2f7482a0eb365a5df03483a4c97744fc78525bda7a4b227",
    ("all-fives", 4): "a69229cbfcd22545c2f7482a0eb365a5df03483a4c97744fc78525bda7a4b227",
    ("all-fives", 5): "a69229cbfcd22545c2f7482a0eb365a5df03483a4c97744fc78525bda7a4b227",
    ("all-fives", 6): "a69229cbfcd22545c2f7482a0eb365a5df03483a4c97744fc78525bda7a4b227",
    ("all-fives", 7): "a69229cbfcd22545c2f7482a0eb365a5df03483a4c97744fc78525bda7a4b227",
    ("all-fives", 8): "a69229cbfcd22545c2f7482a0eb365a5df03483a4c97744fc78525bda7a4b227",
    ("fives-and-threes", 2): "3f2fff57351182493c0036fcb99635f788df27a5817aebeb2aaac06c52677fd9",
    ("fives-and-threes", 3): "4531ad4480bb7ca0a194a72661451009619b4dc1e8732ca7309a441da4fa2c25",
    ("fives-and-threes", 4): "4531ad4480bb7ca0a194a72661451009619b4dc1e8732ca7309a441da4fa2c25",
    ("fives-and-threes", 5): "4531ad4480bb7ca0a194a72661451009619b4dc1e8732ca7309a441da4fa2c25",
    ("fives-and-threes", 6): "4531ad4480bb7ca0a194a72661451009619b4dc1e8732ca7309a441da4fa2c25",
    ("fives-and-threes", 7): "4531ad4480bb7ca0a194a72661451009619b4dc1e8732ca7309a441da4fa2c25",
    ("fives-and-threes", 8): "4531ad4480bb7ca0a194a72661451009619b4dc1e8732ca7309a441da4fa2c25",
}


@pytest.mark.parametrize(("ruleset", "seats"), list(PUBLISHED))
def test_row_is_as_it_was_published(ruleset: str, seats: int) -> None:
    """A match of last year is settled by the row it was opened with."""
    row = RULESETS[ruleset]
    whole = {"id": row.id, "hand": row.hand_by_seats[seats], **row.row}
    text = json.dumps(whole, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest() == PUBLISHED[ruleset, seats], (
        f"{ruleset} for {seats} is published and stays as it is: "
        "a changed rule is a new row with a new id"
    )
    assert compile_rules(whole, seats).seats == seats


def test_no_row_was_taken_back() -> None:
    """A row once published can be asked for ever after, with each of its numbers of seats."""
    offered = [(row.id, seats) for row in RULESETS.values() for seats in row.seats]
    assert offered == list(PUBLISHED)
