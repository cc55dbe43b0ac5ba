"""How far a match has come, in the few words that its place in the list of matches has."""

from __future__ import annotations

from fairbones.core.match import MatchState
from fairbones.house.ports import Standing


def standing(state: MatchState) -> Standing:
    """Where a match stands; the same at nearly every step of a hand."""
    free = state.free_seats()
    return Standing(
        status=state.stage.value,
        taken=state.terms.seats - len(free),
        open=sum(seat not in state.terms.reserved for seat in free),
    )


def moved(before: MatchState, after: MatchState) -> Standing | None:
    """The standing after a step that changed it, else None."""
    if before.stage is after.stage and before.seatings is after.seatings:
        return None
    now = standing(after)
    return None if now == standing(before) else now
