"""The text of a transcript, read strictly (SPEC 6.2, checks 1 to 10).

The text may have been written by somebody who wants to crash or mislead its reader, so size and
depth are looked at before anything is built, and what programs read differently is refused.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, NoReturn

MAX_BYTES = 33_554_432
# Every value of a JSON text but the first follows one of `,` `[` `{`. A transcript of 100,000
# events has fewer; without this bound 32 MiB of "[],[],..." would fill gigabytes of memory.
MAX_VALUES = 1_500_000
MAX_DEPTH = 10
MAX_NUMBER = 2**53 - 1
MAX_STRING = 16_384

KEY_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_")


class Flaw(NamedTuple):
    """What is wrong with a document: a code of spec/codes.md and the words of the report."""

    code: str
    where: str
    expected: str
    got: str


class Document(NamedTuple):
    """A document in canonical form: its value, and the canonical text of each item of `events`."""

    value: dict[str, Any]
    texts: list[str]


_encoder = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, sort_keys=True, separators=(",", ":")
)


def canonical(value: object) -> str:
    """SPEC 6.2 for a value of the strict subset. (Keys are ASCII: every sorting agrees.)"""
    return _encoder.encode(value)


def too_deep(data: bytes, limit: int) -> bool:
    """Whether brackets outside strings nest deeper than `limit`."""
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    inside, depth = False, 0
    for start in range(0, len(plain), 1 << 20):
        parts = plain[start : start + (1 << 20)].split(b'"')
        outside = b"".join(parts[inside::2])
        inside = inside != (len(parts) % 2 == 0)
        for byte in outside.translate(None, NO_BRACKETS):
            depth += 1 if byte in b"[{" else -1
            if depth > limit:
                return True
    return False


NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


class _Reader:
    """One reading: Python's own parser with its every leniency taken away."""

    def __init__(self) -> None:
        self.flaws: dict[str, Flaw] = {}

    def note(self, code: str, expected: str, got: str) -> None:
        self.flaws.setdefault(code, Flaw(code, "the document", expected, got))

    def pairs(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs) and "format/duplicate-key" not in self.flaws:
            names = sorted(name for name, _ in pairs)
            twice = next(a for a, b in zip(names, names[1:]) if a == b)
            self.note("format/duplicate-key", "every key of an object once", twice)
        return result

    def number(self, digits: str) -> int | None:
        # The length goes first: making an int of a megabyte of digits takes minutes.
        if digits[0] == "-" or len(digits) > 16 or int(digits) > MAX_NUMBER:
            self.fraction(digits)
            return None
        return int(digits)

    def fraction(self, digits: str) -> None:
        """No number of ours. None stands for it, which is no value of ours either: whoever reads
        on in spite of the flaw (sources.loose) must not take it for another number."""
        self.note("format/number", "a whole number 0..2^53-1", digits)

    def constant(self, name: str) -> NoReturn:
        raise ValueError(f"{name} is not JSON")

    def text(self, text: str) -> None:
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            self.note("format/string", "no lone surrogates", text)
        elif len(text) * 4 > MAX_STRING and len(text.encode("utf-8")) > MAX_STRING:
            self.note("format/string", f"at most {MAX_STRING} bytes of UTF-8", text)

    def walk(self, root: object) -> None:
        """Checks 7 to 9, on the values."""
        waiting: list[object] = [root]
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                self.text(value)
            elif isinstance(value, dict):
                for key in value:
                    self.text(key)
                    if not 1 <= len(key) <= 32 or not KEY_LETTERS.issuperset(key):
                        self.note("format/key", "a key of the form [a-z0-9_]{1,32}", key)
                waiting.extend(value.values())
            elif isinstance(value, list):
                waiting.extend(value)
            elif value is None:
                self.note("format/null", "no null", "null")


def read(data: bytes, depth: int = MAX_DEPTH) -> tuple[Any, str, list[Flaw]]:
    """Checks 1 to 9: the value, its text and the flaws found, the lowest numbered first."""

    def flawed(code: str, expected: str, got: str) -> tuple[None, str, list[Flaw]]:
        return None, "", [Flaw(code, "the document", expected, got)]

    if len(data) > MAX_BYTES:
        return flawed("format/size", f"at most {MAX_BYTES} bytes", f"{len(data)} bytes or more")
    if sum(map(data.count, (b",", b"[", b"{"))) > MAX_VALUES:
        return flawed("format/size", f"at most {MAX_VALUES} of , [ {{", "more")
    if data.startswith(b"\xef\xbb\xbf"):
        return flawed("format/utf8", "no byte order mark", "a byte order mark")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return flawed("format/utf8", "UTF-8", f"other bytes, from byte {error.start}")
    if too_deep(data, depth):
        return flawed("format/depth", f"at most {depth} brackets deep", "deeper")
    reader = _Reader()
    decoder = json.JSONDecoder(
        object_pairs_hook=reader.pairs,
        parse_int=reader.number,
        parse_float=reader.fraction,
        parse_constant=reader.constant,
    )
    try:
        value = decoder.decode(text)
    except ValueError as error:
        return flawed("format/json", "a JSON document", str(error))
    if not isinstance(value, dict):
        return flawed("format/json", "a JSON object", "another JSON value")
    reader.walk(value)
    order = ("duplicate-key", "number", "null", "string", "key")
    return (
        value,
        text,
        [reader.flaws[it] for name in order if (it := "format/" + name) in reader.flaws],
    )


def document(data: bytes) -> tuple[Document | None, Flaw | None]:
    """Checks 1 to 10: a document, and the lowest numbered flaw of its text if it has one.

    With a flaw the document says only what its value is, as far as it could be read.
    """
    value, text, flaws = read(data)
    if flaws:
        return None if value is None else Document(value, []), flaws[0]
    at = 0
    texts: list[str] = []
    for piece in _pieces(value, texts):
        # Piece by piece: a second copy of a large document is never built.
        if not text.startswith(piece, at):
            return Document(value, []), _differs(text, at, piece)
        at += len(piece)
    if text[at:] not in ("", "\n"):
        return Document(value, []), _differs(text, at, "")
    return Document(value, texts), None


def _pieces(value: dict[str, Any], texts: list[str]) -> Any:
    """The canonical text of a document in order; the text of each event is kept in `texts`."""
    yield "{"
    for index, key in enumerate(sorted(value)):
        yield ("," if index else "") + canonical(key) + ":"
        member = value[key]
        if isinstance(member, list):
            yield "["
            for place, item in enumerate(member):
                if place:
                    yield ","
                text = canonical(item)
                if key == "events":
                    texts.append(text)
                yield text
            yield "]"
        else:
            yield canonical(member)
    yield "}"


def _differs(text: str, at: int, piece: str) -> Flaw:
    same = next((i for i, letter in enumerate(piece) if text[at + i : at + i + 1] != letter), 0)
    place = at + same
    expected = piece[same : same + 20] or "the end"
    return Flaw(
        "format/canonical", f"letter {place} of the text", expected, text[place : place + 20]
    )
