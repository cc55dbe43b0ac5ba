"""Deadlines (SPEC 8.3 to 8.5). All times are milliseconds since 1970."""

from __future__ import annotations

from fairbones.core.match.state import IDLE_LIMIT, MatchState, Stage

LAST_CHANCE_MS = 1_000  # a turn of a seat that was idle three times in a row
CLOSE_CAP_MS = 604_800_000
TURNS_PER_HAND = 60


def close_by(at: int, join: int, reveal: int, turn: int, rounds_max: int) -> int:
    """When a match opened at `at` must be over; the three spans in seconds (SPEC 8.5)."""
    span = 1000 * (join + reveal + TURNS_PER_HAND * rounds_max * turn)
    return at + min(span, CLOSE_CAP_MS)


def turn_deadline(state: MatchState) -> int:
    """When the turn of the seat that is waited for runs out (SPEC 8.4)."""
    turn = state.turn
    if turn is not None and state.idle[turn] >= IDLE_LIMIT:
        return state.waiting_since + LAST_CHANCE_MS
    return state.waiting_since + state.terms.turn_ms


def deadline(state: MatchState) -> int | None:
    """The moment from which a touch changes this match; None: never."""
    terms = state.terms
    if state.stage is Stage.JOINING:
        return terms.opened_at + terms.join_ms
    if state.stage is Stage.REVEALING:
        return state.seated_at + terms.reveal_ms
    if state.stage is Stage.PLAYING:
        return min(turn_deadline(state), terms.close_by + 1)
    return None


def expired(state: MatchState, now: int) -> bool:
    """Whether a touch at `now` changes this match."""
    due = deadline(state)
    return due is not None and now >= due


def late(state: MatchState, at: int) -> bool:
    """Whether an event of a seat's own at `at` would be refuted (SPEC 8.3 to 8.5).

    At exactly the deadline both it and the house's own event may stand.
    """
    if state.stage is Stage.PLAYING:
        return at > min(turn_deadline(state), state.terms.close_by)
    due = deadline(state)
    return due is not None and at > due
