"""What commands print: answers on standard output, progress and remarks on standard error."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime

import click

EVERY_SECONDS = 2.0


def say_json(told: Mapping[str, object]) -> None:
    """One object, for a program."""
    click.echo(json.dumps(told, ensure_ascii=False))


def remark(text: str) -> None:
    """One line beside the output."""
    print(f"fairbones: {text}", file=sys.stderr, flush=True)


def coloured(text: str, colour: str) -> str:
    """Coloured on a terminal whose user has not said NO_COLOR."""
    if os.environ.get("NO_COLOR") or not sys.stdout.isatty():
        return text
    return click.style(text, fg=colour)


def moment(ms: int) -> str:
    """A time as people and programs read it: UTC, to the second."""
    return datetime.fromtimestamp(ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def count(number: int, noun: str, nouns: str = "") -> str:
    """`1 match`, `2 matches`."""
    return f"{number} {noun if number == 1 else nouns or noun + 's'}"


def matches(number: int) -> str:
    """`1 match`, `2 matches`."""
    return count(number, "match", "matches")


class Progress:
    """Says every two seconds how far a command has come; called with the count so far."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._next = time.monotonic() + EVERY_SECONDS

    def __call__(self, number: int) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + EVERY_SECONDS
            remark(f"{self._doing}: {matches(number)}")
