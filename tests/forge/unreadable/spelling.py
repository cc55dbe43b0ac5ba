"""The text itself: checks 1 to 10 of spec/codes.md."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.forge.house import House, Setup
from tests.forge.paper import Json, bundle, spell
from tests.forge.scenario import Insert, Scenario

THREAT = ("T20",)


def opened() -> bytes:
    """The shortest transcript: a match that has just been opened, with a reference to play with."""
    return House(Setup(reference="a reference", phrase="unreadable")).transcript()


def changed(old: str | bytes, new: str | bytes) -> bytes:
    """The short transcript with one place written differently."""
    before = old.encode() if isinstance(old, str) else old
    after = new.encode() if isinstance(new, str) else new
    data = opened()
    assert data.count(before) == 1, before
    return data.replace(before, after)


def unreadable(
    name: str, about: str, code: str, data: bytes, insert: Insert | None = None
) -> Scenario:
    """A document that has to be called unreadable for that reason."""
    return Scenario(
        f"{code.removeprefix('format/')}-{name}", about, data, code, threats=THREAT, insert=insert
    )


def bytes_and_depth() -> Iterator[Scenario]:
    """1 to 3."""
    good = opened()
    yield unreadable(
        "blanks",
        "A valid transcript and 32 MiB of blanks.",
        "format/size",
        good,
        Insert(len(good), " ", 33_554_432),
    )
    for name, about, data in (
        ("bom", "A byte order mark stands before it.", b"\xef\xbb\xbf" + good),
        ("invalid", "A byte that is not UTF-8 in a string.", changed("a reference", b"a\xff")),
        ("overlong", "A slash in two bytes.", changed("a reference", b"a\xc0\xaf")),
        (
            "surrogate",
            "A surrogate written as if it were UTF-8.",
            changed("a reference", b"\xed\xa0\x80"),
        ),
        ("beyond", "A code point above U+10FFFF.", changed("a reference", b"\xf4\x90\x80\x80")),
        ("cut-off", "It ends inside a character.", good[:-1] + b"\xe2\x82"),
        ("utf-16", "The whole text as UTF-16.", b"\xff\xfe" + good.decode().encode("utf-16-le")),
        ("latin-1", "An umlaut in Latin 1.", changed("a reference", "ärger".encode("latin-1"))),
    ):
        yield unreadable(name, about, "format/utf8", data)
    deep = changed('"reserved":[]', '"reserved":' + "[" * 8 + "]" * 8)
    yield unreadable("arrays", "Eleven brackets deep.", "format/depth", deep)
    deep = changed('"reserved":[]', '"reserved":' + '{"a":' * 8 + "1" + "}" * 8)
    yield unreadable("objects", "Eleven braces deep.", "format/depth", deep)
    yield unreadable(
        "bomb",
        "A million brackets are opened: nothing may recurse into them.",
        "format/depth",
        good,
        Insert(0, "[", 1_000_000),
    )
    yield unreadable(
        "bomb-closed",
        "Nested objects, 100,000 deep, cut off.",
        "format/depth",
        good,
        Insert(0, '{"a":', 100_000),
    )


def not_json() -> Iterator[Scenario]:
    """4."""
    good = opened()
    middle = len(good) // 2
    cases: tuple[tuple[str, str, bytes], ...] = (
        ("empty", "No bytes at all.", b""),
        ("blank", "A newline.", b"\n"),
        ("cut-off", "Cut off in the middle.", good[:middle]),
        ("cut-off-last", "The last brace is missing.", good[:-1]),
        ("garbage", "Something follows.", good + b"x"),
        ("twice", "Two documents in one file.", good + good),
        ("brace", "A brace too many.", good + b"}"),
        ("list", "A list, no object.", b"[" + good + b"]"),
        ("string", "A string, no object.", b'"fairbones/1"'),
        ("html", "A page about an error.", b"<!doctype html><title>502</title>"),
        ("comment", "A comment.", good[:1] + b"/* fair */" + good[1:]),
        ("trailing-comma", "A comma before a closing brace.", good[:-1] + b",}"),
        ("single-quotes", "Single quotes.", changed('"a reference"', "'a reference'")),
        ("bare-key", "A key without quotes.", changed('"reference"', "reference")),
        ("control", "A tab in a string.", changed("a reference", "a\treference")),
        ("nul", "A zero byte in a string.", changed("a reference", "a\0reference")),
        ("escape", "An escape that is none.", changed("a reference", "a\\xreference")),
        ("escape-short", "Half an escape.", changed("a reference", "a\\u12")),
        ("space", "A no-break space between two members.", changed('"keys"', '\u00a0"keys"')),
        ("nan", "NaN for a number.", changed('"join_seconds":60', '"join_seconds":NaN')),
        (
            "infinity",
            "Infinity for a number.",
            changed('"join_seconds":60', '"join_seconds":Infinity'),
        ),
        ("minus-infinity", "-Infinity.", changed('"join_seconds":60', '"join_seconds":-Infinity')),
        ("leading-zero", "A leading zero.", changed('"join_seconds":60', '"join_seconds":060')),
        ("plus", "A plus sign.", changed('"join_seconds":60', '"join_seconds":+60')),
        ("hex", "A number in hex.", changed('"join_seconds":60', '"join_seconds":0x3c')),
        (
            "bare-point",
            "Nothing after the point.",
            changed('"join_seconds":60', '"join_seconds":60.'),
        ),
        (
            "bare-exponent",
            "Nothing after the e.",
            changed('"join_seconds":60', '"join_seconds":6e'),
        ),
        (
            "python",
            "True with a capital letter.",
            changed('"clear_seeds":false', '"clear_seeds":False'),
        ),
    )
    for name, about, data in cases:
        yield unreadable(name, about, "format/json", data)


def ambiguous() -> Iterator[Scenario]:
    """5 to 9."""
    good = opened()
    for name, about, data in (
        (
            "top",
            "The protocol is said twice.",
            changed(
                '"protocol":"fairbones/1","receipt"',
                '"protocol":"fairbones/1","protocol":"fairbones/1","receipt"',
            ),
        ),
        (
            "data",
            "The time to join is said twice.",
            changed('"join_seconds":60', '"join_seconds":60,"join_seconds":61'),
        ),
        (
            "escaped",
            "The second time the key is escaped.",
            changed('"join_seconds":60', '"join_seconds":60,"join\\u005fseconds":60'),
        ),
        ("nested", "An option is said twice.", changed('"target":100', '"target":100,"target":1')),
    ):
        yield unreadable(name, about, "format/duplicate-key", data)
    for name, about, number in (
        ("fraction", "60.0 is not written 60.", "60.0"),
        ("half", "A fraction.", "60.5"),
        ("exponent", "An exponent.", "6e1"),
        ("exponent-capital", "An exponent with a capital letter.", "6E1"),
        ("minus", "A minus sign.", "-60"),
        ("minus-zero", "Minus zero.", "-0"),
        ("minus-zero-fraction", "Minus zero with a fraction.", "-0.0"),
        ("large", "2^53.", "9007199254740992"),
        ("wraps", "2^64 + 60, which is 60 for who counts in 64 bits.", "18446744073709551676"),
        ("huge", "Four hundred digits.", "6" * 400),
        ("overflow", "More than a double holds.", "1e400"),
        ("tiny", "Less than a double holds.", "1e-400"),
    ):
        data = changed('"join_seconds":60', f'"join_seconds":{number}')
        yield unreadable(name, about, "format/number", data)
    yield unreadable(
        "digits",
        "A million digits: nothing may try to make a number of them.",
        "format/number",
        good,
        Insert(good.index(b'"join_seconds":60') + 16, "6", 1_000_000),
    )
    for name, about, old, new in (
        ("value", "A member is null.", '"reference":"a reference"', '"reference":null'),
        ("item", "An item is null.", '"reserved":[]', '"reserved":[null]'),
    ):
        yield unreadable(name, about, "format/null", changed(old, new))
    for name, about, new in (
        ("high-surrogate", "A lone high surrogate, escaped.", "a\\ud83d"),
        ("low-surrogate", "A lone low surrogate, escaped.", "\\ude00a"),
        ("reversed-pair", "A pair in the wrong order.", "\\ude00\\ud83d"),
        ("two-high", "Two high surrogates.", "\\ud83d\\ud83d"),
    ):
        yield unreadable(name, about, "format/string", changed("a reference", new))
    yield unreadable(
        "long",
        "A string of 16,385 bytes.",
        "format/string",
        good,
        Insert(good.index(b"a reference"), "a", 16_385 - 11),
    )
    yield unreadable(
        "long-utf8",
        "A string of 8,193 characters of two bytes each.",
        "format/string",
        changed("a reference", "\u00e4"),
        Insert(good.index(b"a reference"), "\u00e4", 8_192),
    )
    for name, about, key in (
        ("capital", "A key with a capital letter.", "Reference"),
        ("hyphen", "A key with a hyphen.", "refer-ence"),
        ("empty", "An empty key.", ""),
        ("long", "A key of 33 characters.", "a" * 33),
        ("umlaut", "A key that is not ASCII.", "\u00e4"),
        ("prototype", "A key that means something to a language.", "__Proto__"),
    ):
        yield unreadable(name, about, "format/key", sorted_with(key))


def sorted_with(key: str) -> bytes:
    """The short transcript with one more member in its data, in its canonical place."""
    house = House(Setup(phrase="unreadable"))
    events = house.told()
    events[0]["data"][key] = "a reference"
    return spell(bundle(events))


def not_canonical() -> Iterator[Scenario]:
    """10."""
    good = opened()
    front = b'{"events":'
    assert good.startswith(front)
    last = good.rindex(b',"protocol"')
    tail = good[last + 1 : -1]
    document: Json = bundle(House(Setup(phrase="unreadable")).told())
    for name, about, data in (
        ("blank", "A blank after a colon.", changed('"join_seconds":60', '"join_seconds": 60')),
        ("pretty", "Printed for people.", json.dumps(document, indent=1, sort_keys=True).encode()),
        ("newlines", "Two final newlines.", good + b"\n\n"),
        ("crlf", "A final newline of another system.", good + b"\r\n"),
        ("space", "A final blank.", good + b" "),
        ("front", "A newline before it.", b"\n" + good),
        ("order", "The members in another order.", b"{" + tail + b"," + good[1:last] + b"}"),
        (
            "order-data",
            "Two members of the data in another order.",
            changed('"clear_seeds":false,"close_by"', '"close_by"').replace(
                b'"entropy"', b'"clear_seeds":false,"entropy"'
            ),
        ),
        (
            "solidus",
            "An escaped solidus.",
            changed('"protocol":"fairbones/1","receipt"', '"protocol":"fairbones\\/1","receipt"'),
        ),
        ("letter", "An escaped letter.", changed("a reference", "\\u0061 reference")),
        ("key", "An escaped letter in a key.", changed('"reference"', '"\\u0072eference"')),
        ("delete", "An escaped U+007F.", changed("a reference", "\\u007f")),
        ("control", "A newline as \\u000a.", changed("a reference", "a\\u000areference")),
        (
            "capital-hex",
            "An escape with capital hex digits.",
            changed("a reference", "a\\u001Freference"),
        ),
        (
            "umlaut",
            "A letter that is escaped although it need not be.",
            changed("a reference", "\\u00e4"),
        ),
        ("pair", "A pair of escaped surrogates.", changed("a reference", "\\ud83d\\ude00")),
    ):
        yield unreadable(name, about, "format/canonical", data)


def precedence() -> Iterator[Scenario]:
    """Several flaws: the lowest number is reported, wherever it stands."""
    doubled = ',"reveal_seconds":60,"reveal_seconds":60'
    for name, about, code, data in (
        (
            "before-number",
            "A fraction stands before a key that is there twice.",
            "format/duplicate-key",
            changed('"join_seconds":60', '"join_seconds":6.5').replace(
                b',"reveal_seconds":60', doubled.encode()
            ),
        ),
        (
            "after-null",
            "A null and a number too large stand in a text that is cut off.",
            "format/json",
            changed('"join_seconds":60', '"join_seconds":null').replace(b":30,", b":9e99,")[:-1],
        ),
        (
            "before-string",
            "A blank, a capital key, a lone surrogate and a null.",
            "format/null",
            changed('"reference":"a reference"', '"Reference": "\\ud800","z":null'),
        ),
        (
            "before-json",
            "No JSON, and too deep besides.",
            "format/depth",
            b"{" + b"[" * 11,
        ),
    ):
        yield unreadable(name, about, code, data)
