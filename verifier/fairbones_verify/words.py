"""Plain words for times, numbers and lists: what a report says, and nothing that judges."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

LAST_MS = 253_402_300_799_999  # the end of the year 9999, the last that Python can name
MANY = 8


def utc(ms: int) -> str:
    """Milliseconds since 1970 as a time of day."""
    if ms > LAST_MS:
        return f"{ms:,} ms after 1970"
    moment = datetime(1970, 1, 1) + timedelta(milliseconds=ms)  # noqa: DTZ001 - said below
    return f"{moment:%Y-%m-%d %H:%M:%S}.{ms % 1000:03d} UTC"


def span(ms: int) -> str:
    """A length of time: "9,940 s", "0.25 s"."""
    rest = f"{ms % 1000:03d}".rstrip("0")
    return f"{ms // 1000:,}{'.' if rest else ''}{rest} s"


def position(place: int) -> str:
    return f"position {place}"


def hand(r: int) -> str:
    return f"hand {r}"


def plural(n: int, one: str, more: str = "") -> str:
    """ "1 play", "2 plays"."""
    return f"{n} {one if n == 1 else more or one + 's'}"


def listing(items: Sequence[str]) -> str:
    """ "a, b and c"; of a long list only the beginning."""
    if len(items) > MANY:
        items = [*items[:MANY], f"{len(items) - MANY} more"]
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def ranges(numbers: Sequence[int]) -> str:
    """ "1-3, 5"."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
