"""What a clerk is sent for, and what it comes back with (spec/audit.md, 1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Optional

from ..report import shown

Result = dict[str, Any]
LONG = 4096  # letters of a path or an address that are shown

# What is usually behind the codes that spec/audit.md adds. None has a number: no check was made.
CAUSES = {
    "source/file": "no right to read it, or it has gone",
    "source/kind": "a pipe, a device or the like under the name of a transcript",
    "source/changed": "somebody writes to it",
    "source/gzip": "cut off while saving, or no gzip",
    "source/link": "a link that was made elsewhere, or to mislead",
    "source/folder": "no right to look into it, or it has gone",
    "source/receipt": "another file among the receipts, or one that was changed",
    "source/gone": "the service has lost a match, or does not want it seen",
    "source/url": "a wrong address, or the service is not there",
    "source/list": "no list of a Fairbones service",
    "source/match": "the service gives one match out for another",
    "source/verifier": "a transcript made to take long, or a mistake in this program",
    "start/state": "a state of another audit, one that is still running, or another file",
}


class Unread(Exception):
    """(code, what was expected, what is wrong): a source that cannot be read.

    `silent` when a service did not answer at all.
    """

    def __init__(self, code: str, expected: str, got: str, silent: bool = False) -> None:
        super().__init__(code)
        self.code, self.expected, self.got = code, expected, got
        self.silent = silent

    def result(self) -> Result:
        """As a clerk tells it."""
        words = {"expected": shown(self.expected, LONG), "got": shown(self.got, LONG)}
        return {"unread": {"code": self.code, "where": "", **words}, "silent": self.silent}


class Errand(NamedTuple):
    """`kind`: "verify" or "page", "group", "pair", "receipts", "held". `source`: a path below the
    folder or a match id; a cursor for "page". `given`: whatever else is needed."""

    kind: str
    source: str
    given: dict[str, Any]


class Order(NamedTuple):
    """What is the same for all errands of an audit.

    `place` is the folder, or the address of the service without a slash behind; `keys` are the
    house's from elsewhere; `receipts` is the folder with those, "" for none.
    """

    kind: str
    place: str
    keys: Sequence[str] = ()
    since: Optional[int] = None
    seconds: int = 300
    save: str = ""
    receipts: str = ""

    def told(self, source: str) -> str:
        """A source as people are told of it, safe to show."""
        if self.kind == "service":
            return shown(f"{self.place}/v1/matches/{source}/transcript", LONG)
        return shown(source, LONG)

    def told_place(self) -> str:
        """The folder or the service, safe to show."""
        return shown(self.place, LONG)
