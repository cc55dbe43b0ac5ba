"""Deadlines (SPEC 8.3 to 8.5, 8.8). All times are milliseconds since 1970.

Two moments of a hand are kept apart: the deadline, which everybody is told, and the moment from
which a touch changes the match. The second depends on whether the seat to act has a choice, and
that is nobody's business before its move stands there.
"""

from __future__ import annotations

from fairbones.core.bones import tile_count
from fairbones.core.match.commands import Act, Command, Leave, Reveal, Sit
from fairbones.core.match.state import IDLE_LIMIT, MatchState, Round, Stage
from fairbones.core.rules import Action, Rules, fixed, forced, to_act

LAST_CHANCE_MS = 1_000  # a turn of a seat that was idle three times in a row
CLOSE_CAP_MS = 604_800_000
TURNS_PER_HAND = 60  # at least; more where there are more tiles to be drawn and played
_BOUND = (Sit, Reveal, Act, Leave)  # what a deadline takes the time from


def hand_seconds(rules: Rules, turn: int) -> int:
    """How long a hand may take in which everybody moves at the last moment (SPEC 8.5)."""
    tiles = tile_count(rules.set)
    return max(TURNS_PER_HAND, 2 * tiles) * turn + tiles * rules.call_ms // 1000


def close_by(at: int, before: int, hands: int) -> int:
    """When a match opened at `at` must be over; seconds before the first hand, and of all hands
    (SPEC 8.5).
    """
    return at + min(1000 * (before + hands), CLOSE_CAP_MS)


def by_the_house(state: MatchState, dealt: Round) -> Action | None:
    """The move that the house makes for the seat to act, which has no choice (SPEC 8.2)."""
    if to_act(dealt.hand) in state.left:
        return fixed(dealt.hand)
    return forced(dealt.hand) if state.terms.auto_forced else None


def calls_until(state: MatchState, dealt: Round) -> int:
    """Until when the house itself does not move after a play; 0 when nothing can be called."""
    if dealt.hand.window is None:
        return 0
    return state.waiting_since + state.terms.rules.call_ms  # the wait began with the play


def turn_deadline(state: MatchState, dealt: Round) -> int:
    """When the turn of the seat to act runs out; not while others may still call (SPEC 8.4, 8.8).

    Were it earlier, nobody could move until the calls are over, and a time-out in between would
    tell a seat with a choice from one without. A seat that has left is waited for only so long.
    """
    seat, calls = to_act(dealt.hand), calls_until(state, dealt)
    if seat in state.left:
        return calls
    idle = state.idle[seat] >= IDLE_LIMIT
    return max(calls, state.waiting_since + (LAST_CHANCE_MS if idle else state.terms.turn_ms))


def deadline(state: MatchState) -> int | None:
    """When the wait is over, as everybody is told; None: it never is.

    In a hand it is the same whether the seat to act has a choice or not.
    """
    terms = state.terms
    if state.stage is Stage.JOINING:
        return terms.opened_at + terms.join_ms
    if state.stage is Stage.REVEALING:
        return state.seated_at + terms.reveal_ms
    if state.round is not None:
        return min(turn_deadline(state, state.round), terms.close_by + 1)
    return None


def wake(state: MatchState) -> int | None:
    """The moment from which a touch changes this match; None: never. Not to be shown."""
    if state.round is None or by_the_house(state, state.round) is None:
        return deadline(state)
    return min(calls_until(state, state.round), state.terms.close_by + 1)


def expired(state: MatchState, now: int) -> bool:
    """Whether a touch at `now` changes this match."""
    due = wake(state)
    return due is not None and now >= due


def late(state: MatchState, command: Command, at: int) -> bool:
    """Whether the event of a command at `at` would be refuted, or comes after what a touch
    owes (SPEC 8.3 to 8.5, 8.8).

    At exactly the deadline both it and the house's own event may stand.
    """
    if not isinstance(command, _BOUND):
        return False
    due = deadline(state)
    if due is not None and state.round is not None:
        due = min(due, state.terms.close_by)
    return due is not None and at > due
