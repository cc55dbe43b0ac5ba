"""The places of a value that can be changed, and what can stand there instead."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from typing import Any

from tests.forge.paper import Json

Path = tuple[str | int, ...]
MOVES = ("played", "drew", "passed", "declined", "gave", "called")
WORDS: dict[str, tuple[str, ...]] = {
    "end": ("left", "right"),
    "reason": (
        *("domino", "blocked", "target", "abandoned", "rounds"),
        *("seats-missing", "seeds-missing", "left", "house", "history-lost", "seed-lost"),
    ),
    "type": (
        *("opened", "seated", "seeded", "lead_drawn", "dealt", *MOVES),
        *("timed_out", "left", "round_ended", "match_ended", "voided", "drawn"),
    ),
    "tile": ("0-0", "6-6", "6-5", "5-4", "3-0", "7-0"),
    "must_set": ("0-0", "6-6", "6-5"),
}
SIGNATURE = {"signature": "5e" * 64}
# Members that an event of the type may have, or that are known from another.
ADDED: dict[str, Json] = {
    "seated": {"name": "added", "client_seed": "5e" * 32, "public_key": "5e" * 32},
    "played": {"points": 5, "end": "left", "claim": 5},
    "gave": {"tile": "6-6"},
    "drew": {"tile": "6-6"},
    "dealt": {"must_set": "6-6"},
    "round_ended": {"winner": 0},
    "match_ended": {"winner": 0},
    "opened": {"reference": "added", "lead_wash": "5e" * 32, "log_origin": "added"},
    "voided": {"missing": [0], "receipt": {}},
    "drawn": {"seals": ["5e" * 32]},
}
ORDER = 2**252 + 27742317777372353535851937790883648493  # L of SPEC 2.4


def places(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every member, and of every list the first, the middle and the last item."""
    items: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list) and value:
        last = len(value) - 1
        items = [(at, value[at]) for at in sorted({0, last // 2, last})]
    for key, item in items:
        yield (*path, key), item
        yield from places(item, (*path, key))


def changes(path: Path, value: Any) -> Iterator[tuple[str, Any]]:
    """Other values of the same type, then other types."""
    for other in (*alike(path, value), None, 1.5, "1", 1, True, [], {}, [value], {"a": value}):
        if other != value or type(other) is not type(value):
            yield f"{json.dumps(other)[:40]}", other


def alike(path: Path, value: Any) -> list[Any]:
    """Values that could stand there."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, max(0, value - 1), 0, 63, 2**53 - 1]
    if isinstance(value, str):
        name = next((key for key in reversed(path) if isinstance(key, str)), "")
        return [*WORDS.get(name, ()), *respelled(value)]
    if isinstance(value, list):
        return [value[1:], value[:-1], value + value[-1:], value[::-1]]
    return []


def respelled(value: str) -> list[str]:
    """A text with one character changed, in capitals, shorter, longer."""
    flipped = value[:-1] + ("0" if value[-1:] != "0" else "1")
    return [flipped, "0" * len(value), value.upper(), value[:-1], value + "0", ""]


def added(event: Json) -> Iterator[tuple[Path, Any]]:
    """Members that do not stand there: known ones, and in every object an unknown one."""
    known = SIGNATURE | ADDED.get(event["type"], {})
    yield from (
        (("data", name), value) for name, value in known.items() if name not in event["data"]
    )
    yield ("zeal",), 1
    yield from (((*path, "zeal"), 1) for path, value in places(event) if isinstance(value, dict))


def reordered(events: Sequence[Json], seq: int) -> list[Json]:
    """Two events exchanged; the times stay in order."""
    swapped = copy.deepcopy(list(events))
    swapped[seq : seq + 2] = swapped[seq + 1 : seq - 1 : -1]
    first, second = swapped[seq], swapped[seq + 1]
    first["at"], second["at"] = second["at"], first["at"]
    return swapped


def stretched(signature: str) -> str:
    """The same signature with S + L: valid for libraries that do not look (SPEC 2.4)."""
    number = int.from_bytes(bytes.fromhex(signature[64:]), "little") + ORDER
    return signature[:64] + number.to_bytes(32, "little").hex()
