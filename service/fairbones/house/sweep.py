"""Deadlines of matches that nobody touches (SPEC 8.3, 8.4, 8.8).

The store keeps for each match a moment before which the clock owes it nothing. It is noted when a
seat or the stage changes and is a lower bound that no move keeps up to date; so a sweep looks at a
match, applies what is due, and notes when to look again. Whichever process sweeps, the append at
the expected seq applies a deadline once.
"""

from __future__ import annotations

from dataclasses import dataclass

from fairbones.core.errors import FairbonesError, Missing
from fairbones.core.match import wake
from fairbones.house.desk import Desk

STEPS_MAX = 64  # of one match in one look; the rest is due at once
LATER_MS = 60_000  # before a match that could not be looked at is looked at again


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep did: matches looked at, steps appended, matches that could not be looked at."""

    matches: int
    steps: int
    failed: int


def sweep(desk: Desk, limit: int) -> Swept:
    """Look at up to `limit` matches that may be owed something."""
    now = desk.clock()
    steps = failed = 0
    found = desk.store.due(now, limit)
    for match_id in found:
        try:
            steps += _caught_up(desk, match_id)
        except Missing:
            desk.store.defer(match_id, None)
        except FairbonesError:
            failed += 1
            desk.store.defer(match_id, now + LATER_MS)
    return Swept(len(found), steps, failed)


def _caught_up(desk: Desk, match_id: bytes) -> int:
    kept = desk.fresh(match_id)
    before = len(kept.steps)
    for _ in range(STEPS_MAX):
        seq = kept.state.seq
        kept = desk.touched(match_id)
        if kept.state.seq == seq:
            break
    desk.store.defer(match_id, wake(kept.state))
    return len(kept.steps) - before
