"""Changes bytes the way a JSON text is built: tokens, members and values, and sometimes not at all.

All is drawn from one generator, so that a seed and a number give the same input again.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from tests.fuzz.hostile import GREAT, PIECES, VALUES, WORDS

SIZE_MAX = 2_000_000
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[A-Za-z]+|[\[\]{}:,]', re.DOTALL)
_MEMBER = re.compile(rb'"[^"\\]{1,40}":(?:"[^"\\]*"|[0-9]+|true|false)')
Change = Callable[[random.Random, bytes, Sequence[bytes]], bytes]


def flipped(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A few bytes are others."""
    made = bytearray(data or b"\0")
    for _time in range(rnd.randint(1, 4)):
        place = rnd.randrange(len(made))
        made[place] = rnd.choice((made[place] ^ 1 << rnd.randrange(8), rnd.randrange(256)))
    return bytes(made)


def cut_out(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A piece is missing, or the end is."""
    start, length = rnd.randint(0, len(data)), rnd.choice((1, 2, 8, 64, 1_024))
    return data[:start] + (b"" if rnd.random() < 0.2 else data[start + length :])


def put_in(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """Something stands where nothing stood, the very front and end among the places."""
    place = rnd.choice((0, len(data), rnd.randint(0, len(data))))
    return data[:place] + rnd.choice(PIECES) + data[place:]


def spliced(rnd: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """The front of one and the end of another, cut between tokens where there are any."""
    other = rnd.choice(others)
    return data[: _seam(rnd, data)] + other[_seam(rnd, other) :]


def _seam(rnd: random.Random, data: bytes) -> int:
    start = rnd.randint(0, len(data))
    found = _TOKEN.search(data, start, start + 4_096)
    return found.start() if found and rnd.random() < 0.8 else start


def _token(rnd: random.Random, data: bytes, kind: re.Pattern[bytes]) -> re.Match[bytes] | None:
    """One of the next tokens after a random place."""
    found = None
    for found in kind.finditer(data, rnd.randint(0, len(data))):
        if rnd.random() < 0.3:
            return found
    return found or kind.search(data)


def other_token(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A token becomes a hostile value, one of the same text, or goes."""
    found = _token(rnd, data, _TOKEN)
    if found is None:
        return data
    value = rnd.choice(GREAT) if rnd.random() < 0.002 else rnd.choice(VALUES)
    if rnd.random() < 0.25:
        again = _token(rnd, data, _TOKEN)
        value = again.group() if again else b""
    return data[: found.start()] + value + data[found.end() :]


def in_a_string(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A hostile word at the front, in the middle or at the end of a string."""
    found = _token(rnd, data, re.compile(rb'"[^"\\]*"'))
    if found is None:
        return data
    word = rnd.choice([*WORDS.values()])
    text = json.dumps(word, ensure_ascii=rnd.random() < 0.5)[1:-1]
    place = rnd.randint(found.start() + 1, found.end() - 1)
    return data[:place] + text.encode("utf-8", "surrogatepass") + data[place:]


def said_twice(rnd: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    """A member again, the same or with its key escaped or its value another."""
    found = _token(rnd, data, _MEMBER)
    if found is None:
        return data
    again = found.group()
    if rnd.random() < 0.3:
        again = b'"\\u%04x' % again[1] + again[2:]
    elif rnd.random() < 0.5:
        again = again[: again.index(b":") + 1] + rnd.choice(VALUES)
    return data[: found.start()] + again + b"," + data[found.start() :]


def other_value(rnd: random.Random, data: bytes, others: Sequence[bytes]) -> bytes:
    """A value at some path, changed as a value: the text stays canonical."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return flipped(rnd, data, others)
    changed_somewhere(rnd, value)
    return spelled(value)


def changed_somewhere(rnd: random.Random, root: Any) -> None:
    """One place of a value becomes something else: another type, a neighbour, twice, nothing."""
    place = root
    while isinstance(place, (dict, list)) and place:
        name = rnd.choice(sorted(place) if isinstance(place, dict) else range(len(place)))
        inner = place[name]
        if isinstance(inner, (dict, list)) and inner and rnd.random() < 0.9:
            place = inner
            continue
        match rnd.randrange(8):
            case 0 if isinstance(place, dict):
                del place[name]
            case 1 if isinstance(place, list):
                place.insert(name, inner)
            case 2 if isinstance(place, dict):
                place[rnd.choice(["log_origin", "claim", "x", *WORDS.values()])] = inner
            case 3:
                place[name] = rnd.choice([*WORDS.values()])
            case 4:
                place[name] = rnd.choice([0, 1, 2**32, 2**53 - 1, 2**64, True, [], {}, "", None])
            case _:
                place[name] = near(rnd, inner)
        return


def near(rnd: random.Random, value: Any) -> Any:
    """A value of the same kind, which a reader may well take."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return max(0, value + rnd.choice((-1, 1, 1, 7, 1_000)))
    if isinstance(value, str) and value:
        place = rnd.randrange(len(value))
        return value[:place] + rnd.choice("0123456789abcdef-") + value[place + 1 :]
    return value


def spelled(value: object) -> bytes:
    """Canonical where that can be said (SPEC 6.2)."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


USUAL: tuple[Change, ...] = (
    *(flipped, cut_out, put_in, spliced, said_twice),
    *(other_token, other_token, in_a_string, other_value, other_value),
)


def mutated(
    rnd: random.Random, data: bytes, others: Sequence[bytes], more: Sequence[Change] = ()
) -> bytes:
    """One to three changes; `more` are those that only this kind of text knows."""
    for _ in range(rnd.choice((1, 1, 2, 3))):
        data = rnd.choice((*USUAL, *more))(rnd, data, others)
    return data[:SIZE_MAX]
