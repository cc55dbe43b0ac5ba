"""SPEC 6.6: a file has one key at least and 64 at most."""

from __future__ import annotations

import pytest

from fairbones_verify import verify
from tests.verifier.house import House
from tests.verifier.primitives import Signer, canonical, document

FURTHER = [Signer(bytes([n]) * 32) for n in range(64)]


@pytest.mark.parametrize(
    ("further", "code"), [(0, None), (62, None), (63, None), (64, "format/range")]
)
def test_number_of_keys(further: int, code: str | None) -> None:
    house = House(seats=2)
    house.sit()
    told = document(house.events)
    told["keys"] += [{"key_id": it.id, "public_key": it.public.hex()} for it in FURTHER[:further]]
    assert verify(canonical(told).encode()).code == code
