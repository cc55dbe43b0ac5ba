"""The text and the shape of a document: every check below 100, and texts that want to hurt."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairbones_verify import strictjson, verify
from fairbones_verify.codes import CHECKS, NUMBER
from tests.verifier.draws import lots
from tests.verifier.house import House
from tests.verifier.primitives import BLOCK, canonical
from tests.verifier.rows import ROWS

HOUSE = House().play()
GOOD = HOUSE.transcript()
DRAWN = lots().transcript()


def code(data: bytes) -> str | None:
    report = verify(data)
    assert report.verdict == ("verified" if report.code is None else "unreadable"), report.text()
    return report.code


def changed(change: Callable[[Any], object], base: bytes = GOOD) -> bytes:
    """The transcript with a change to its value, still canonical (its chain may be broken)."""
    value = json.loads(base)
    change(value)
    return canonical(value).encode("utf-8", "surrogatepass")


def at(path: str, new: Any, base: bytes = GOOD) -> bytes:
    """The transcript with another value at a place like "events.0.data.seats"; ... removes it."""

    def change(value: Any) -> None:
        *way, last = [int(name) if name.isdigit() else name for name in path.split(".")]
        for name in way:
            value = value[name]
        if new is ...:
            del value[last]
        else:
            value[last] = new

    return changed(change, base)


def nested(depth: int) -> bytes:
    return b'{"a":' * (depth - 1) + b"{}" + b"}" * (depth - 1)


def voided(reason: str, **data: Any) -> bytes:
    house = House()
    house.say("voided", {"reason": reason, **data})
    return house.transcript()


def reserved(*seats: int) -> bytes:
    return promised(*((seat, f"a{place}" * 32) for place, seat in enumerate(seats)))


def promised(*entries: tuple[int, str]) -> bytes:
    told = [{"seat": seat, "invite_hash": invite} for seat, invite in entries]
    return at("events.0.data.reserved", told)


def event(kind: str, **data: Any) -> bytes:
    """The transcript with another event in the place of one."""
    return changed(lambda value: value["events"][7].update(type=kind, data=data))


BIG = 2**53

TEXTS: list[tuple[str, str, bytes]] = [
    ("format/size", "too many bytes", b" " * (strictjson.MAX_BYTES + 1)),
    ("format/size", "too many values", b'{"a":[' + b"0," * 1_500_000 + b"0]}"),
    ("format/utf8", "byte order mark", b"\xef\xbb\xbf" + GOOD),
    ("format/utf8", "latin-1", GOOD.replace(b"block", b"bl\xf6ck")),
    ("format/utf8", "an encoded surrogate", b'{"a":"\xed\xa0\x80"}'),
    ("format/depth", "one too deep", nested(11)),
    ("format/depth", "very deep", b"[" * 100_000),
    ("format/depth", "deep after many strings", b'{"a":"' + b'\\"[' * 999 + b'","b":' + b"[" * 10),
    ("format/json", "empty", b""),
    ("format/json", "cut off", GOOD[:-1]),
    ("format/json", "something follows", GOOD + b"{}"),
    ("format/json", "a list", b"[]"),
    ("format/json", "a number", b"1e400"),
    ("format/json", "NaN", b'{"a":NaN}'),
    ("format/json", "Infinity", b'{"a":-Infinity}'),
    ("format/json", "a comma too many", b'{"a":1,}'),
    ("format/json", "single quotes", b"{'a':1}"),
    ("format/json", "a raw control", b'{"a":"\n"}'),
    ("format/json", "a leading zero", b'{"a":01}'),
    ("format/json", "a comment", b'{"a":1}// no'),
    ("format/duplicate-key", "twice", b'{"a":1,"a":1}'),
    ("format/duplicate-key", "twice, once escaped", b'{"a":1,"\\u0061":1}'),
    ("format/duplicate-key", "goes before a float", b'{"a":1.5,"a":1}'),
    ("format/number", "a fraction", b'{"a":1.0}'),
    ("format/number", "an exponent", b'{"a":1e2}'),
    ("format/number", "beyond all floats", b'{"a":1e400}'),
    ("format/number", "minus", b'{"a":-1}'),
    ("format/number", "minus zero", b'{"a":-0}'),
    ("format/number", "2^53", b'{"a":9007199254740992}'),
    ("format/number", "a megabyte of digits", b'{"a":' + b"9" * 1_000_000 + b"}"),
    ("format/null", "null", b'{"a":null}'),
    ("format/null", "null goes before a string", b'{"a":[null],"b":"\\ud800"}'),
    ("format/string", "a lone surrogate", b'{"a":"\\ud800"}'),
    ("format/string", "surrogates the wrong way round", b'{"a":"\\udc00\\ud800"}'),
    ("format/string", "too long", b'{"a":"' + b"x" * 16_385 + b'"}'),
    ("format/string", "too long in UTF-8", b'{"a":"' + "\u20ac".encode() * 5_462 + b'"}'),
    ("format/key", "upper case", b'{"A":1}'),
    ("format/key", "empty", b'{"":1}'),
    ("format/key", "too long", b'{"' + b"a" * 33 + b'":1}'),
    ("format/key", "not ASCII", '{"\u0430":1}'.encode()),
    ("format/canonical", "a space", GOOD.replace(b":", b": ", 1)),
    ("format/canonical", "indented", json.dumps(json.loads(GOOD), indent=1).encode()),
    ("format/canonical", "two newlines", GOOD + b"\n\n"),
    ("format/canonical", "a carriage return", GOOD + b"\r\n"),
    ("format/canonical", "other order", b'{"b":1,"a":1}'),
    ("format/canonical", "escaped for nothing", GOOD.replace(b"block", b"bloc\\u006b")),
    ("format/canonical", "upper case escape", b'{"a":"\\u001F"}'),
    ("format/canonical", "long escape", b'{"a":"\\u000a"}'),
    ("format/canonical", "solidus", b'{"a":"\\/"}'),
]

SHAPES: list[tuple[str, str, bytes]] = [
    ("format/fields", "an unknown member", at("more", 1)),
    ("format/fields", "no keys", at("keys", ...)),
    ("format/fields", "no data", at("events.1.data", ...)),
    ("format/fields", "more in an event", at("events.1.more", 1)),
    ("format/fields", "more in data", at("events.1.data.more", 1)),
    ("format/fields", "less in data", at("events.0.data.seats", ...)),
    ("format/fields", "more in the receipt", at("receipt.more", 1)),
    ("format/fields", "less in a key", at("keys.0.key_id", ...)),
    ("format/fields", "both seeds", at("events.1.data.client_seed", "00" * 32)),
    ("format/fields", "no seed", at("events.1.data.client_seed_commitment", ...)),
    ("format/fields", "void without its seed", voided("house")),
    ("format/fields", "void with a seed", voided("seed-lost", server_seed="00" * 32)),
    ("format/fields", "a promise to nobody", at("events.0.data.reserved", [{"seat": 0}])),
    ("format/fields", "a promise of more", at(
        "events.0.data.reserved", [{"seat": 0, "invite_hash": "ab" * 32, "name": "x"}]
    )),
    ("format/fields", "a gift to whom", event("gave", seat=0, seal=0)),
    ("format/fields", "a call of what", event("called", seat=0)),
    ("format/fields", "a lead of whom", event("lead_drawn", seals=["00" * 32], lead=0)),
    ("format/fields", "void with missing", voided("house", missing=[], server_seed="00" * 32)),
    ("format/fields", "void without missing", voided("left", server_seed="00" * 32)),
    ("format/fields", "lost what", voided("history-lost", server_seed="00" * 32)),
    ("format/fields", "lost", voided("history-lost", server_seed="00" * 32, receipt={"seq": 1})),
    ("format/fields", "fields before types", at("events.1", {"data": 1})),
    ("format/type", "protocol", at("protocol", 1)),
    ("format/type", "events", at("events", {})),
    ("format/type", "an event", at("events.1", 7)),
    ("format/type", "seq", at("events.1.seq", "1")),
    ("format/type", "true is no number", at("events.1.seq", True)),
    ("format/type", "1 is not true", at("events.0.data.clear_seeds", 1)),
    ("format/type", "data", at("events.1.data", [])),
    ("format/type", "a wash", at("events.0.data.washes.1", 5)),
    ("format/type", "types before ranges", at("events.0.data.washes", ["x", 5])),
    ("format/type", "an option", at("events.0.data.ruleset.partners", 0)),
    ("format/type", "a target", at("events.0.data.ruleset.target", "100")),
    ("format/type", "a ruleset", at("events.0.data.ruleset", "block")),
    ("format/type", "its id", at("events.0.data.ruleset.id", 5)),
    ("format/type", "its kind", at("events.0.data.ruleset.kind", 5, DRAWN)),
    ("format/type", "a key", at("keys.0", "ab")),
    ("format/type", "a promise", at("events.0.data.reserved", [0])),
    (
        "format/type",
        "a promised seat",
        at("events.0.data.reserved", [{"seat": "0", "invite_hash": "ab" * 32}]),
    ),
    ("format/type", "a claim", at("events.7.data.claim", "5")),
    ("format/type", "a switch", at(
        "events.0.data.ruleset", {**ROWS["all-fives"], "muggins": 0}
    )),
    ("format/range", "upper case hex", at("events.0.match", "AB" * 16)),
    ("format/range", "short hash", at("events.1.prev", "ab" * 31)),
    ("format/range", "a hash and a newline", at("events.1.prev", "ab" * 32 + "\n")),
    ("format/range", "no keys", at("keys", [])),
    ("format/range", "65 keys", at("keys", json.loads(GOOD)["keys"] * 65)),
    ("format/range", "key id", at("keys.0.key_id", "ab")),
    ("format/range", "seats", at("events.0.data.seats", 65)),
    ("format/range", "seat", at("events.1.data.seat", 64)),
    ("format/range", "entropy", at("events.0.data.entropy", ["house"])),
    ("format/range", "seconds", at("events.0.data.join_seconds", 86_401)),
    ("format/range", "name", at("events.1.data.name", "a b")),
    ("format/range", "reference", at("events.0.data.reference", "")),
    ("format/range", "reference in colour", at("events.0.data.reference", "\x1b[31m")),
    ("format/range", "tile", at("events.5.data.must_set", "1-6")),
    ("format/range", "tile 19", at("events.5.data.must_set", "19-0")),
    ("format/range", "tile 06", at("events.5.data.must_set", "06-0")),
    ("format/range", "end", at("events.7.data.end", "middle")),
    ("format/range", "a second left", at("events.7.data.end", "left-2")),
    ("format/range", "the first arm has no number", at("events.7.data.end", "up-1")),
    ("format/range", "the twentieth spinner", at("events.7.data.end", "down-20")),
    ("format/range", "a claim of nothing", at("events.7.data.claim", 0)),
    ("format/range", "seats promised out of order", reserved(1, 0)),
    ("format/range", "a seat promised twice", reserved(1, 1)),
    ("format/range", "a seat promised beyond all", reserved(64)),
    ("format/range", "one invitation for two", promised((0, "ab" * 32), (1, "ab" * 32))),
    ("format/range", "an invite", at("events.0.data.reserved", [{"seat": 0, "invite_hash": "ab"}])),
    ("format/range", "a lead wash", at("events.0.data.lead_wash", "00")),
    ("format/range", "a call of nothing", event("called", seat=0, points=0)),
    ("format/range", "a gift to nobody", event("gave", seat=0, to=64, seal=0)),
    ("format/range", "a gift of nothing", event("gave", seat=0, to=1, seal=6_144)),
    ("format/range", "no seals of the lead", event(
        "lead_drawn", seals=[], round_seed="00" * 32, lead=0
    )),
    ("format/range", "no seals", at("events.5.data.seals", [])),
    ("format/range", "points", at("events.7.data.points", 0)),
    ("format/range", "hand", at("events.0.data.ruleset.hand", 96)),
    ("format/range", "target", at("events.0.data.ruleset.target", 0)),
    ("format/range", "no time for calls", at(
        "events.0.data.ruleset", {**ROWS["all-fives"], "call_seconds": 0}
    )),
    ("format/range", "too long for calls", at(
        "events.0.data.ruleset", {**ROWS["all-fives"], "call_seconds": 61}
    )),
    ("format/type", "a time for calls", at(
        "events.0.data.ruleset", {**ROWS["all-fives"], "call_seconds": "5"}
    )),
    ("format/ruleset", "a time for calls in another game", at(
        "events.0.data.ruleset.call_seconds", 61
    )),
    ("format/range", "n", at("events.0.data.ruleset.n", 901, DRAWN)),
    ("format/range", "missing", voided("left", server_seed="00" * 32, missing=[1, 0])),
    ("format/range", "reason", voided("rain", server_seed="00" * 32)),
    ("format/protocol", "of the document", at("protocol", "fairbones/2")),
    ("format/protocol", "of the match", at("events.0.data.protocol", "fairbones/2")),
    ("format/event-type", "unknown", at("events.1.type", "doubled")),
    ("format/ruleset", "unknown", at("events.0.data.ruleset.id", "muggins")),
    ("format/ruleset", "no id", at("events.0.data.ruleset.id", ...)),
    ("format/ruleset", "an option too many", at("events.0.data.ruleset.protected", 0)),
    ("format/ruleset", "an option too few", at("events.0.data.ruleset.tie", ...)),
    ("format/ruleset", "a value not listed", at("events.0.data.ruleset.set", 7)),
    ("format/ruleset", "a value that is fixed", at("events.0.data.ruleset.win_at", "at-once")),
    ("format/ruleset", "an option of another game", at("events.0.data.ruleset.muggins", False)),
    ("format/ruleset", "a tie not listed", at("events.0.data.ruleset.tie", "house")),
    ("format/ruleset", "unknown kind", at("events.0.data.ruleset.kind", "cards", DRAWN)),
    ("format/unsupported", "log", at("log", {})),
    ("format/unsupported", "where it comes from", at("events.0.data.log_origin", "00" * 32)),
    ("format/unsupported", "goes before unknown", changed(
        lambda value: value["events"][0]["data"].update(log_origin="00", more=1)
    )),
    ("format/fields", "a key that signs nothing", at("events.1.data.public_key", "00" * 32)),
    ("format/fields", "signed with what", at("events.1.data.signature", "00" * 64)),
    ("format/fields", "a promise to a key and a guest", at(
        "events.0.data.reserved",
        [{"seat": 0, "public_key": "00" * 32, "invite_hash": "00" * 32}],
    )),
    ("format/fields", "a time-out that is signed", event("timed_out", seat=0, signature="00" * 64)),
    ("format/fields", "a void of the house that is signed", voided(
        "house", server_seed="00" * 32, signature="00" * 64
    )),
    ("format/type", "a signature", event("passed", seat=0, signature=0)),
    ("format/range", "half a signature", event("passed", seat=0, signature="ab" * 32)),
    ("format/range", "a signature in capitals", event("left", seat=0, signature="AB" * 64)),
    ("format/range", "a short key", changed(
        lambda value: value["events"][1]["data"].update(
            public_key="00" * 31, signature="00" * 64
        )
    )),
    ("format/range", "one key for two seats", at(
        "events.0.data.reserved",
        [{"seat": seat, "public_key": "ab" * 32} for seat in (0, 1)],
    )),
    ("format/range", "void with half a signature", voided(
        "left", missing=[0], server_seed="00" * 32, signature="00" * 32
    )),
    ("format/event-size", "bytes", at("events.5.data.seals", ["ab" * 32] * 1_000)),
    ("format/event-size", "a list", at("events.5.data.aside", ["0-0"] * 4_097)),
    ("format/event-count", "no event", at("events", [])),
    ("format/event-count", "too many", at("events", [{}] * 100_001)),
]  # fmt: skip


@pytest.mark.parametrize(("due", "name", "data"), TEXTS, ids=[f"{c} {n}" for c, n, _ in TEXTS])
def test_the_text(due: str, name: str, data: bytes) -> None:
    assert code(data) == due


@pytest.mark.parametrize(("due", "name", "data"), SHAPES, ids=[f"{c} {n}" for c, n, _ in SHAPES])
def test_the_shape(due: str, name: str, data: bytes) -> None:
    assert code(data) == due


def test_every_document_check_is_produced() -> None:
    assert {c for c, _, _ in TEXTS + SHAPES} == {c for number, c, _ in CHECKS if number < 100}


@pytest.mark.parametrize("data", [GOOD, GOOD + b"\n", DRAWN])
def test_one_final_newline_is_tolerated(data: bytes) -> None:
    assert code(data) is None


def test_the_limits_themselves_are_allowed() -> None:
    """SPEC 6.2: a string of 16,384 bytes, a number of 2^53-1 and depth 10 are JSON we read."""
    for text in ('"' + "x" * 16_384 + '"', str(2**53 - 1), '"' + "\u20ac" * 5_461 + '"'):
        assert code(b'{"a":' + text.encode() + b"}") == "format/fields"
    assert code(nested(10)) == "format/fields"


def test_a_row_of_a_ruleset_may_use_every_listed_value() -> None:
    row = {**BLOCK, "tie": "split", "direction": "counter-clockwise", "target": 10_000, "hand": 14}
    assert verify(House(row=row).play().transcript()).verdict == "verified"


# Those that cost the most are a third of what is allowed.
HOSTILE: dict[str, Callable[[], bytes]] = {
    "brackets": lambda: b"[]" * 16_000_000,
    "opening brackets": lambda: b"[" * 33_000_000,
    "quotes": lambda: b'"' * 11_000_000,
    "backslashes": lambda: b'{"a":"' + b"\\" * 33_000_000,
    "escapes": lambda: b'{"a":"' + b"\\n" * 16_000_000 + b'"}',
    "objects": lambda: b'{"a":[' + b",".join([b'{"a":0}'] * 250_000) + b"]}",
    "many keys": lambda: b"{" + b",".join(b'"k%d":0' % i for i in range(450_000)) + b"}",
    "the same key": lambda: b"{" + b",".join([b'"k":0'] * 450_000) + b"}",
    "digits": lambda: b'{"a":' + b"1" * 33_000_000 + b"}",
    "wide letters": lambda: b'{"a":"' + "\U0001f023".encode() * 8_000_000 + b'"}',
    "events": lambda: b'{"events":[' + b",".join([b"[[[]]]"] * 120_000) + b"]}",
    "nulls": lambda: b'{"a":[' + b"null," * 450_000 + b"null]}",
    "surrogates": lambda: b'{"a":[' + b'"\\ud800",' * 450_000 + b"0]}",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_text_costs_little(name: str) -> None:
    data = HOSTILE[name]()
    start = time.process_time()
    assert verify(data).verdict == "unreadable"
    assert time.process_time() - start < 4


@given(st.binary(max_size=200))
def test_any_bytes_get_a_verdict(data: bytes) -> None:
    assert verify(data).verdict == "unreadable"


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_any_json_gets_a_verdict(value: Any) -> None:
    assert verify(json.dumps({"events": value}).encode()).verdict == "unreadable"


@given(st.data())
def test_any_value_in_any_place_gets_a_verdict(data: st.DataObject) -> None:
    """A valid document with one value changed is refuted or unreadable, and never an error."""
    value = json.loads(GOOD)
    place: Any = value
    while True:
        names = sorted(place) if isinstance(place, dict) else range(len(place))
        name = data.draw(st.sampled_from(names))
        inner = place[name]
        if not isinstance(inner, (dict, list)) or not inner or data.draw(st.integers(0, 5)) == 0:
            break
        place = inner
    new = data.draw(values | st.just(inner))
    place[name] = new
    try:
        text = canonical(value).encode()
    except UnicodeEncodeError:
        return
    report = verify(text)
    if value == json.loads(GOOD):
        assert report.verdict == "verified" or text != GOOD
    else:
        assert report.verdict in ("refuted", "unreadable")
    assert report.failure is None or report.failure.code in NUMBER


@given(st.integers(0, len(GOOD) - 1), st.integers(0, 255))
def test_any_byte_changed_is_found(place: int, byte: int) -> None:
    data = bytearray(GOOD)
    data[place] = byte
    assert (verify(bytes(data)).verdict == "verified") == (bytes(data) == GOOD)
