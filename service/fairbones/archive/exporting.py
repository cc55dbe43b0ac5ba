"""Matches out of a store into one file, one at a time in memory (`lines` has the format)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import BinaryIO

from fairbones.archive import lines
from fairbones.archive.matches import Library, ended_at, wholes
from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Whole

Progress = Callable[[int], None]


def export(out: BinaryIO, chosen: Iterator[Whole], now: int, progress: Progress) -> int:
    """Write the chosen matches; how many. `progress` is told the count after each."""
    digest = hashlib.sha256()
    matches = 0

    def put(line: bytes) -> None:
        digest.update(line)
        out.write(line)

    put(lines.header(now))
    for whole in chosen:
        put(lines.write(whole))
        matches += 1
        progress(matches)
    out.write(lines.footer(matches, digest.hexdigest()))
    out.flush()
    return matches


def chosen(
    library: Library, match_ids: tuple[bytes, ...], ended_before: int | None
) -> Iterator[Whole]:
    """These matches (all, when none is named), of them only those over before that time (ms)."""
    for whole in _named(library, match_ids) if match_ids else wholes(library):
        at = ended_at(whole)
        if ended_before is None or (at is not None and at < ended_before):
            yield whole


def _named(library: Library, match_ids: tuple[bytes, ...]) -> Iterator[Whole]:
    for match_id in dict.fromkeys(match_ids):
        whole = library.whole(match_id)
        if whole is None:
            raise FairbonesError("house/no-match", f"there is no match {match_id.hex()} here")
        yield whole
