"""SPEC 6.2: canonical JSON against the rules of RFC 8785, character by character."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.core.protocol.canonical import canonical

# RFC 8785, 3.2.2.2, typed from the text.
SHORT = {0x08: r"\b", 0x09: r"\t", 0x0A: r"\n", 0x0C: r"\f", 0x0D: r"\r", 0x22: r"\"", 0x5C: r"\\"}
SURROGATES = range(0xD800, 0xE000)
# Where escapers differ: DEL, C1 controls, line separators, a byte order mark, noncharacters.
FAMOUS = (0x2F, 0x7F, 0x80, 0x9F, 0x2028, 0x2029, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF)


def escaped(code: int) -> bytes:
    """How RFC 8785 writes one character inside a string."""
    if code in SHORT:
        return SHORT[code].encode()
    if code < 0x20:
        return f"\\u{code:04x}".encode()
    return chr(code).encode("utf-8")


@pytest.mark.parametrize("code", [*range(0x100), *FAMOUS, 0x10000, 0x1F600, 0x10FFFF], ids=hex)
def test_one_character(code: int) -> None:
    """SPEC 6.2: "in strings only `"`, `\\` and the controls U+0000..U+001F escaped"."""
    assert canonical({"a": chr(code)}) == b'{"a":"' + escaped(code) + b'"}'


def test_every_character() -> None:
    """SPEC 6.2, for all of Unicode but its surrogates; 2,048 at a time, to be quick about it."""
    for first in range(0, 0x110000, 2_048):
        codes = [code for code in range(first, first + 2_048) if code not in SURROGATES]
        told = canonical({"a": "".join(map(chr, codes))})
        assert told == b'{"a":"' + b"".join(map(escaped, codes)) + b'"}', hex(first)


# As numbers, because a report may not be able to print them.
@pytest.mark.parametrize("codes", [(0xD800,), (0xDFFF,), (0x61, 0xDBFF), (0xDC00, 0xD800)], ids=str)
def test_a_lone_surrogate_is_refused(codes: tuple[int, ...]) -> None:
    """SPEC 6.2: "strings without lone surrogates"."""
    text = "".join(map(chr, codes))
    with pytest.raises(ValueError, match="surrogates not allowed"):
        canonical({"a": [text]})


@pytest.mark.parametrize("value", [0, 1, 10, 2**31, 2**53 - 1])
def test_whole_numbers_are_plain_digits(value: int) -> None:
    """SPEC 6.2: "integers 0..2^53-1"."""
    assert canonical({"a": value}) == b'{"a":%d}' % value


def test_true_is_not_one() -> None:
    """SPEC 6.2: "`true`, `false`"; Python thinks that True == 1."""
    assert canonical({"a": [True, 1, False, 0]}) == b'{"a":[true,1,false,0]}'


@pytest.mark.parametrize(
    "value",
    [None, -1, 2**53, 0.0, 1.5, float("nan"), float("inf"), b"x", {1}, ..., range(2)],
    ids=repr,
)
def test_what_is_outside_the_subset_is_refused(value: object) -> None:
    """SPEC 6.2: "No null, no floats, no negative numbers"."""
    for outer in ({"a": value}, {"a": [value]}, {"a": {"b": value}}):
        with pytest.raises(ValueError, match=r"integer out of range|not in the canonical subset"):
            canonical(outer)


@pytest.mark.parametrize("key", ["", "a" * 33, "A", "a-b", "a b", "é", "a\n", "٣", 1, None, True])
def test_a_key_of_another_form_is_refused(key: object) -> None:
    """SPEC 6.2: "objects whose keys match `[a-z0-9_]{1,32}`"."""
    odd: Any = {key: 1}
    for outer in (odd, {"a": odd}, {"a": [odd]}):
        with pytest.raises(ValueError, match="bad key"):
            canonical(outer)


def test_keys_are_sorted_at_every_depth() -> None:
    """SPEC 6.2: "no white space, keys sorted": digits, then `_`, then letters."""
    value = {"b": 1, "a": {"z": 1, "_": 2, "0": 3, "a0": 4, "a": 5, "aa": 6, "a_": 7}, "9": 0}
    inner = b'{"0":3,"_":2,"a":5,"a0":4,"a_":7,"aa":6,"z":1}'
    assert canonical(value) == b'{"9":0,"a":' + inner + b',"b":1}'
    assert canonical({"a" * 32: []}) == b'{"' + b"a" * 32 + b'":[]}'


def test_empty_things_are_written() -> None:
    """SPEC 7: what stands is written even when it is empty (`reserved`, `aside`)."""
    assert canonical({"a": [], "b": {}, "c": "", "d": ()}) == b'{"a":[],"b":{},"c":"","d":[]}'


def nested(depth: int, innermost: object) -> dict[str, object]:
    """An object with `depth` brackets around the innermost value, the object included."""
    value = innermost
    for level in range(depth - 1):
        value = [value] if level % 2 else {"a": value}
    return {"a": value}


def test_depth() -> None:
    """SPEC 6.2: "depth 8 (the event object is depth 1)"."""
    assert canonical(nested(8, 0)).count(b"{") + canonical(nested(8, 0)).count(b"[") == 8
    with pytest.raises(ValueError, match="nested too deep"):
        canonical(nested(9, 0))
    with pytest.raises(ValueError, match="nested too deep"):
        canonical(nested(8, []))


def test_length_of_a_string_is_counted_in_bytes() -> None:
    """SPEC 6.2: "a string 16,384 bytes of UTF-8"."""
    for longest in ("a" * 16_384, "é" * 8_192, "\U0001f600" * 4_096, "\0" * 10_000):
        canonical({"a": longest})
    for longer in ("a" * 16_385, "é" * 8_192 + "a", "\U0001f600" * 4_096 + "a"):
        with pytest.raises(ValueError, match="string too long"):
            canonical({"a": longer})


def test_length_of_a_list() -> None:
    """SPEC 6.2: "a list inside an event 4,096 items"."""
    canonical({"a": [0] * 4_096})
    with pytest.raises(ValueError, match="list too long"):
        canonical({"a": [0] * 4_097})


def test_size_of_an_event() -> None:
    """SPEC 6.2: "an event 65,536 bytes", escapes and brackets counted."""
    frame = len(canonical({"a": ["x" * 16_000] * 4, "b": ""}))
    assert len(canonical({"a": ["x" * 16_000] * 4, "b": "y" * (65_536 - frame)})) == 65_536
    with pytest.raises(ValueError, match="65537 bytes are more than 65536"):
        canonical({"a": ["x" * 16_000] * 4, "b": "y" * (65_537 - frame)})
    with pytest.raises(ValueError, match="bytes are more than"):
        canonical({"a": "\0" * 16_384})


KEYS = st.text("abcxyz019_", min_size=1, max_size=32)
VALUES = st.recursive(
    st.booleans() | st.integers(0, 2**53 - 1) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_a_value_has_one_spelling(value: dict[str, object]) -> None:
    """SPEC 6.2: whoever reads the bytes writes back the same bytes, in whatever order it read."""
    try:
        told = canonical(value)
    except ValueError as error:
        assert "nested too deep" in str(error)  # noqa: PT017 - the strategy may dig that deep
        return
    read = json.loads(told)
    assert read == value
    turned = dict(reversed(read.items()))
    assert canonical(turned) == told
