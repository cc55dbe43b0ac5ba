"""What is read quickly is read as it would be slowly, or not quickly at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marshmallow import ValidationError

from fairbones.api.schemas.fields import SEQ_MAX
from fairbones.api.schemas.requests import Act

SCHEMA = Act()
HASH, SIGNATURE = "0a" * 32, "0b" * 64
RECEIPT = {
    "match": "0c" * 16,
    "seq": 3,
    "event_hash": HASH,
    "key_id": "0d" * 8,
    "signature": SIGNATURE,
}
ANY = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=4), st.just(HASH), st.just(SIGNATURE)
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seq": st.one_of(st.integers(-1, SEQ_MAX + 1), ANY),
    "action": st.one_of(st.just({"type": "draw"}), st.just([]), ANY),
    "prev": st.one_of(st.just(HASH), st.just(HASH.upper()), ANY),
    "signature": st.one_of(st.just(SIGNATURE), ANY),
    "receipt": st.one_of(st.just(RECEIPT), ANY),
    "colour": ANY,
}


@given(st.fixed_dictionaries({}, optional=VALUES))
def test_the_quick_way_is_the_slow_way(members: dict[str, Any]) -> None:
    quick = SCHEMA.quick(members)
    try:
        slow = SCHEMA.load(members)
    except ValidationError:
        assert quick is None
    else:
        assert quick is None or (quick == slow and type(quick.seq) is type(slow.seq))


@pytest.mark.parametrize("more", [{}, {"prev": HASH}, {"prev": HASH, "signature": SIGNATURE}])
def test_what_clients_send_is_read_quickly(more: dict[str, str]) -> None:
    members = {"seq": 7, "action": {"type": "draw"}, **more}
    assert SCHEMA.quick(members) == SCHEMA.load(members)
