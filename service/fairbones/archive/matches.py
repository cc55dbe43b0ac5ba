"""Kept matches one after the other, and what is seen of each without its secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from fairbones.core.protocol.chain import Event, read_event
from fairbones.house.ports import Stored, Whole

BATCH = 256  # ids asked for at once
LAST = frozenset({"match_ended", "voided"})  # nothing follows them (SPEC 8.1)


class Library(Protocol):
    """What is asked of a store by who only reads; the same as in `Archive` and `Store`."""

    def ids(self, after: bytes | None, limit: int) -> tuple[bytes, ...]:
        """See `Archive.ids`."""

    def whole(self, match_id: bytes) -> Whole | None:
        """See `Archive.whole`."""

    def load(self, match_id: bytes) -> Stored | None:
        """See `Store.load`."""

    def known_keys(self) -> frozenset[str]:
        """See `Archive.known_keys`."""


def ids(library: Library) -> Iterator[bytes]:
    """Every match kept, in the order of ids; those that come while it runs may be missed."""
    after: bytes | None = None
    while found := library.ids(after, BATCH):
        yield from found
        after = found[-1]


def wholes(library: Library) -> Iterator[Whole]:
    """Every match kept, one at a time in memory."""
    for match_id in ids(library):
        whole = library.whole(match_id)
        if whole is not None:  # forgotten meanwhile
            yield whole


def last_event(whole: Whole) -> Event:
    """The head of a match."""
    return read_event(whole.stored.steps[-1].events[-1])


def ended_at(whole: Whole) -> int | None:
    """When a match was over (ms since 1970); None: it is not."""
    head = last_event(whole)
    return head.at if head.type in LAST else None
