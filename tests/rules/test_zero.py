"""Zero where it is a number like any other."""

from __future__ import annotations

from fairbones.core.rules import GiveAt, action_from_json


def test_the_first_seal_can_be_given() -> None:
    assert action_from_json({"type": "give", "seal": 0}) == GiveAt(0)
