"""The strict reader says one thing about any text: an object, or a code."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones.api.codes import codes_of
from fairbones.api.strict_json import DEPTH_MAX, NUMBER_MAX, _members, read_object
from fairbones.core.errors import Unreadable

TEXT = st.text(st.characters(codec="utf-8"))
VALUES = st.recursive(
    st.booleans() | st.integers(0, NUMBER_MAX) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


def depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(depth, value.values()), default=0)
    if isinstance(value, list):
        return 1 + max(map(depth, value), default=0)
    return 0


@given(st.dictionaries(TEXT, VALUES, max_size=4), st.booleans(), st.sampled_from([None, 1]))
def test_every_plain_object_is_read(value: Any, ascii_only: bool, indent: int | None) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode()
    if depth(value) > DEPTH_MAX:
        with pytest.raises(Unreadable, match="json/depth"):
            read_object(raw)
    else:
        assert read_object(raw) == value


@given(st.binary(max_size=64) | st.text('{}[]":,\\u0d8c1e.-+ nultrefasNI', max_size=40))
def test_any_bytes_are_an_object_or_a_code(raw: bytes | str) -> None:
    raw = raw if isinstance(raw, bytes) else raw.encode()
    code = None
    try:
        found = read_object(raw)
    except Unreadable as error:
        code = error.code
    else:
        assert json.loads(raw) == found
    assert code in (None, *codes_of("json"))


@pytest.mark.parametrize(
    "raw", [b'{"a":"[[[[[[[[[["}', b'{"a":"\\"[[[[[[[[[["}', b'{"[[[[[[[[[":1}']
)
def test_brackets_in_strings_are_not_depth(raw: bytes) -> None:
    assert read_object(raw) == json.loads(raw)


@pytest.mark.parametrize("deep", [DEPTH_MAX, DEPTH_MAX + 1])
def test_the_depth_limit_is_exact(deep: int) -> None:
    raw = b'{"a":' + b"[" * (deep - 1) + b"]" * (deep - 1) + b"}"
    if deep <= DEPTH_MAX:
        assert read_object(raw)
    else:
        with pytest.raises(Unreadable, match="json/depth"):
            read_object(raw)


def test_words_that_only_look_like_trouble() -> None:
    assert read_object(b'{"null":"null \\u00e9 \\ud83d\\ude00"}') == {
        "null": "null \u00e9 \U0001f600"
    }


@pytest.mark.parametrize(
    ("raw", "code", "place"),
    [
        (b'{"seats":-1}', "json/number", "seats"),
        (b'{"seats":2,"options":{"tie":"void","target":1.5}}', "json/number", "options.target"),
        (b'{"reserved":[{"seat":1},{"seat":1e9}]}', "json/number", "reserved.1.seat"),
        (b'{"a":9007199254740992,"b":-1}', "json/number", "a"),
        (b'{"a":{"<b>":NaN}}', "json/number", "a.?"),
        (b'{"a":-1,', "json/number", None),
        (b'{"a":-1,"a":1}', "json/number", None),
        (b"-1", "json/number", None),
        (b'{"options":{"tie":null}}', "json/null", "options.tie"),
        (b'{"a":[1,[null]]}', "json/null", "a.1.0"),
        (b'{"name":"\\ud800"}', "json/surrogate", "name"),
        (b'{"\\ud800":1}', "json/surrogate", None),
    ],
)
def test_what_cannot_be_taken_is_named_by_its_place(
    raw: bytes, code: str, place: str | None
) -> None:
    with pytest.raises(Unreadable) as caught:
        read_object(raw)
    told = caught.value
    assert told.code == code
    assert told.details == ({} if place is None else {"in": "body", "field": place})
    assert told.message.startswith(f"{place or 'The body'}: ")


def test_a_key_is_repeated_only_when_it_could_be_ours() -> None:
    with pytest.raises(Unreadable) as plain:
        read_object(b'{"seq":1,"seq":1}')
    assert plain.value.details == {"key": "seq"}
    with pytest.raises(Unreadable) as strange:
        read_object(b'{"<b>":1,"<b>":1}')
    assert strange.value.details == {}


class Watched(str):
    """A key that counts how often keys are compared."""

    __slots__ = ()
    compared = 0

    def __eq__(self, other: object) -> bool:
        Watched.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


def test_thousands_of_keys_are_compared_once_each() -> None:
    """T36: as many as a body may have, the last of them twice."""
    pairs: list[tuple[str, object]] = [(Watched(f"{number:x}"), 1) for number in range(4_000)]
    with pytest.raises(Unreadable, match="json/duplicate-key") as caught:
        _members([*pairs, (Watched(pairs[-1][0]), 1)])
    assert caught.value.details == {"key": "f9f"}
    assert Watched.compared < 100_000
