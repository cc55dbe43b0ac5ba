"""Any bytes as a transcript: a verdict with a registered code, in words that harm nobody."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from fairbones_verify import Report, verify
from fairbones_verify.codes import NUMBER
from fairbones_verify.explain import explain
from fairbones_verify.sought import NoSuchSeal
from fairbones_verify.strictjson import document
from tests.forge.keys import HOUSE
from tests.forge.paper import event_hash, receipt, relink, spell
from tests.fuzz.mutator import changed_somewhere, flipped

VECTORS = Path(__file__).resolve().parent.parent / "vectors" / "valid"
SMALL = 12_000  # bytes; larger ones take long and have nothing that these have not
_SAFE = re.compile(r"[ -~\n]*")
_MARKUP = re.compile(r"[<>`]")
_COLOUR = re.compile(r"\A\x1b\[1;3[12]m([A-Z -]+)\x1b\[0m")


def one(data: bytes) -> None:
    """Raises where the verifier falls over `data` or says what it may not."""
    outcome(data)


def outcome(data: bytes) -> str:
    """The verdict on some bytes, with the code of what failed."""
    report = verify(data)
    assert report.verdict in ("verified", "refuted", "unreadable"), report.verdict
    if report.verdict == "verified":
        assert report.failure is None
        explained(data)
    else:
        assert report.code in NUMBER, report.code
        unreadable = NUMBER[str(report.code)] < 100
        assert unreadable is (report.verdict == "unreadable"), report.code
    reported(report)
    return f"{report.verdict} {report.code or ''}".rstrip()


def reported(report: Report) -> None:
    """Text and JSON are printable ASCII without markup; colours are the report's own."""
    plain = report.text()
    harmless(plain)
    coloured = report.text(colour=True)
    harmless(_COLOUR.sub(r"\1", coloured))
    assert _COLOUR.sub(r"\1", coloured) == plain
    line = report.json()
    harmless(line)
    assert "\n" not in line
    told = json.loads(line)
    assert (told["verdict"], told["exit"]) == (report.verdict, report.exit)
    for text in strings(told):
        harmless(text)


def explained(data: bytes) -> None:
    """A verified transcript can be explained, as harmlessly."""
    read, flaw = document(data)
    assert read is not None
    assert flaw is None
    try:
        told = explain(read, "1:0")
    except NoSuchSeal:
        return
    assert told.equal
    harmless(told.text())
    harmless(told.json())


def strings(value: object) -> Iterator[str]:
    """Every string of a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def harmless(text: str) -> None:
    """Neither a terminal nor a page does anything but show it."""
    assert _SAFE.fullmatch(text), ascii(text)
    assert not _MARKUP.search(text), ascii(text)


def corpus() -> list[bytes]:
    """Honest transcripts, the small ones first."""
    found = [path.read_bytes() for path in sorted(VECTORS.glob("*.transcript.json"))]
    return sorted((it for it in found if len(it) <= SMALL), key=len)


def chained(rnd: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """An event changed, and the chain and the receipt made anew: the later checks are reached."""
    try:
        value: Any = json.loads(data)
        events = value["events"]
        for _ in range(rnd.randint(1, 2)):
            event = rnd.choice(events)
            changed_somewhere(rnd, event if rnd.random() < 0.1 else event["data"])
        if rnd.random() < 0.2:
            place = rnd.randrange(len(events))
            events.insert(rnd.randrange(len(events)), events.pop(place))
        value["events"] = relink(events)
        last = value["events"][-1]
        hash_ = event_hash(last)
        value["receipt"] = receipt(events[0]["match"], len(events) - 1, hash_, HOUSE)
        return spell(value)
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError):
        return flipped(rnd, data, others)


CHANGES = (chained, chained, chained, chained, chained, chained)
