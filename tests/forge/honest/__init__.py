"""Transcripts that every verifier has to verify."""

from __future__ import annotations

from collections.abc import Iterator

from tests.forge.honest import counted, course, limits, lines, play, signed, witnessed
from tests.forge.scenario import Scenario

PARTS = (
    play.games,
    play.scoring,
    play.leads,
    play.boneyards,
    *lines.PARTS,
    *counted.PARTS,
    course.seeds,
    course.voids,
    course.clocks,
    course.running,
    course.receipts,
    course.draws,
    limits.last_moments,
    limits.leaving,
    limits.odd_places,
    limits.weak_seeds,
    signed.seats,
    signed.leaving,
    *witnessed.PARTS,
)


def scenarios() -> Iterator[Scenario]:
    """All of them."""
    for part in PARTS:
        yield from part()
