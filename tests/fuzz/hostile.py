"""What is put in place of a text, a number or a whole value to see who falls over it."""

from __future__ import annotations

import json

# Each would do something to somebody: a page, a terminal, a log, a reader, a parser.
WORDS: dict[str, str] = {
    "a script": "<script>alert(1)</script>",
    "an attribute": "\"><img src=x onerror='alert(1)'>",
    "an entity": "&lt;b&gt;&#0;",
    "colour": "\x1b[31mVERIFIED\x1b[0m",
    "a title": "\x1b]0;owned\x07",
    "a C1 sequence": "\x9b31m\x9d0;a\x9c",
    "a cleared line": "a\r\x1b[2KVERIFIED",
    "text from right to left": "\u202egnirts\u2066\u2069\u200f",
    "NUL": "a\x00b",
    "delete": "\x7f\x08\x08",
    "a line": "a\r\nSet-Cookie: a=b\r\n\r\n",
    "line separators": "\u2028\u2029\x85\x0b\x0c",
    "nothing to see": "\u200b\ufeff\u2060\u00ad",
    "no character": "\uffff\U0010ffff",
    "other digits": "\u0661\uff12\u00b2",
    "look-alikes": "\u0441all \uff50layed",
    "a great letter": "\U0001f023",
    "a path": "../../../../etc/passwd%00",
    "a format": "%s%n{0.__class__}${jndi:ldap://a}",
    "a member of everything": "__proto__",
    "markdown": "`a` [b](javascript:c) \\u003c",
    "nothing": "",
    "blanks": " \t ",
    "a long text": "A" * 20_000,
}

# JSON texts that stand for one value, well-formed and not.
VALUES: tuple[bytes, ...] = (
    *(b"-0", b"-1", b"0.0", b"1.5", b"1e999", b"-1e999", b"1E400", b"1e-999", b"01", b"+1", b".5"),
    *(b"9007199254740991", b"9007199254740992", b"4294967295", b"4294967296", b"65536"),
    *(b"18446744073709551616", b"9" * 4_301, b"1" + b"0" * 20_000, b"0x10"),
    *(b"NaN", b"Infinity", b"-Infinity", b"null", b"true", b"false", b"undefined", b"nul"),
    *(b"[]", b"{}", b'""', b"[[]]", b'{"a":{}}', b"[null]", b"0", b"1", b"'a'"),
    *(b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\u0000"', b'"\\u202e"', b'"\\x41"', b'"\\u00"'),
    *(b'"\xed\xa0\x80"', b'"\xc0\xaf"', b'"\xe0\x80\xaf"', b'"\xf0\x80\x80\xaf"', b'"\xff\xfe"'),
    *(b'"\xf5\x80\x80\x80"', b'"\xe2\x82"', b'"a', b'"\x01"', b'"\n"'),
    *(json.dumps(word).encode() for word in WORDS.values()),
    *(json.dumps(word, ensure_ascii=False).encode() for word in WORDS.values()),
)

# What is put in between, wherever that is.
PIECES: tuple[bytes, ...] = (
    *(b"\xef\xbb\xbf", b"\x00", b"\xff\xfe", b"\xed\xb0\x80", b"\xc0\x80", b"\x1b[2J", b"\r\n"),
    *(b" ", b"\n", b",", b":", b"{", b"}", b"[", b"]", b'"', b"\\", b"/**/", b"//", b"\\u"),
    *(b"[" * 12, b"[" * 5_000, b'{"a":' * 12, b'{"a":' * 2_000, b"[]," * 100, b'"a":1,' * 3),
)

# Seldom, for they cost more than all others together.
GREAT: tuple[bytes, ...] = (
    b'"' + b"a" * 1_000_000 + b'"',
    b"[" * 200_000,
    b"[" + b"0," * 300_000 + b"0]",
    b'"' + b"\\u0000" * 100_000 + b'"',
    b"9" * 500_000,
)
