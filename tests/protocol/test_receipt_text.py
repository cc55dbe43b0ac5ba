"""A receipt is written in one go, and is canonical all the same (SPEC 6.2, 6.4)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.chain import receipt

KEYS = st.one_of(st.text(), st.text("0123456789abcdef", min_size=16, max_size=16))


@given(
    st.binary(min_size=16, max_size=16),
    st.integers(0, 2**32 - 1),
    st.binary(min_size=32, max_size=32),
    KEYS,
    st.binary(min_size=64, max_size=64),
)
def test_a_receipt_is_canonical(
    match: bytes, seq: int, event_hash: bytes, key: str, signature: bytes
) -> None:
    told = {
        "match": match.hex(),
        "seq": seq,
        "event_hash": event_hash.hex(),
        "key_id": key,
        "signature": signature.hex(),
    }
    assert receipt(match, seq, event_hash, key, signature) == canonical(told)
