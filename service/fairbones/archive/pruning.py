"""Matches that are long over, forgotten but for their ids."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from fairbones.archive.matches import Library, ended_at, wholes


@dataclass(frozen=True, slots=True)
class Pruned:
    """How many matches were forgotten (or would be), and how many stay."""

    forgotten: int
    kept: int


def prune(
    library: Library,
    before: int,
    forget: Callable[[bytes], bool],
    progress: Callable[[int], None],
) -> Pruned:
    """`forget` every match that was over before `before` (ms since 1970), and no other."""
    forgotten = kept = 0
    for whole in wholes(library):
        at = ended_at(whole)
        if at is not None and at < before:
            forgotten += forget(whole.stored.match_id)
        else:
            kept += 1
        progress(forgotten + kept)
    return Pruned(forgotten, kept)
