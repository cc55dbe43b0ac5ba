"""Forgeries: what a cheating house would serve, one cheat each."""

from __future__ import annotations

from collections.abc import Iterator

from tests.forge.cheats import (
    calls,
    changed,
    clocks,
    counted,
    course,
    cuts,
    derived,
    gifts,
    lines,
    moves,
    owing,
    papers,
    points,
    seals,
    signed,
    spread,
    steps,
    terms,
    unsigned,
    voids,
    witnessed,
)
from tests.forge.scenario import Scenario

REFUTED = (
    course.chains,
    course.orders,
    course.seats,
    steps.numbers,
    steps.redeals,
    steps.delays,
    steps.truncations,
    voids.blames,
    voids.losses,
    clocks.times,
    clocks.early_voids,
    clocks.turn_times,
    terms.options,
    terms.washes,
    terms.seeds,
    seals.server_seeds,
    seals.roots,
    seals.client_seeds,
    seals.deals,
    derived.leads,
    derived.values,
    cuts.cuts,
    cuts.openings,
    cuts.draws,
    moves.plays,
    moves.ends,
    moves.hidden,
    moves.boneyards,
    moves.declines,
    owing.fixed_steps,
    owing.forced,
    owing.hand_ends,
    points.counting,
    points.hands,
    points.matches,
    changed.rules,
    *lines.PARTS,
    *gifts.PARTS,
    *counted.PARTS,
    *calls.PARTS,
    *signed.PARTS,
    *unsigned.PARTS,
    terms.draws,
    papers.keys,
    papers.receipts,
    papers.histories,
    papers.framed,
    witnessed.timeouts,
    *spread.PARTS,
)


def scenarios() -> Iterator[Scenario]:
    """All that have to be refuted."""
    for part in REFUTED:
        yield from part()


def witnessed_steps() -> Iterator[Scenario]:
    """Those that are refuted only with what a seat shows beside the transcript (SPEC 9.9)."""
    yield from witnessed.steps()


def not_started() -> Iterator[Scenario]:
    """Questions a verifier cannot take."""
    yield from papers.strangers()
    yield from witnessed.strangers()
