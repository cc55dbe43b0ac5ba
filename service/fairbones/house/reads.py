"""Looking at a match: views, events, the transcript."""

from __future__ import annotations

import time

from fairbones.core.errors import Missing
from fairbones.core.match import MatchState, wake
from fairbones.core.protocol.chain import transcript as bundle
from fairbones.core.views import view as show
from fairbones.house.desk import Desk
from fairbones.house.kept import Kept
from fairbones.house.messages import Answer, Followed, Shown


def answer(desk: Desk, seat: int | None, kept: Kept, index: int, appended: bool) -> Answer:
    """What a change answers: the events of its step, the receipt and the view after it."""
    step = kept.steps[index]
    return Answer(
        events=step.events,
        receipt=step.receipt,
        view=show(kept.at_step(index), seat, desk.clock()),
        appended=appended,
    )


def view(desk: Desk, match_id: bytes, token: str | None, at: int | None) -> Shown:
    """The position now, or after the step that holds the event `at`.

    Positions inside a step were never shown to anyone and have no receipt (SPEC 6.4).
    """
    kept = desk.touched(match_id)
    seat = None if token is None else desk.seat_of(kept, token)
    index = len(kept.steps) - 1
    if at is not None:
        if not 0 <= at <= kept.state.seq:
            raise Missing("match/no-such-seq", f"This match has the events 0 to {kept.state.seq}.")
        index = kept.step_index(at)
    state = kept.at_step(index)
    return Shown(show(state, seat, desk.clock()), kept.steps[index].receipt, state.head, seat)


def events(desk: Desk, match_id: bytes, after: int, wait: float) -> Followed:
    """Events above `after`; waits for one, and wakes when the clock brings one (SPEC 8.4, 8.8).

    A house that closes lets nobody wait.
    """
    until = time.monotonic() + wait
    heard = desk.bell.listen(match_id)
    try:
        kept = desk.touched(match_id)
        while True:
            left = until - time.monotonic()
            over = wake(kept.state) is None
            if kept.state.seq > after or left <= 0 or over or desk.bell.closed:
                return Followed(
                    kept.events(after),
                    kept.state.seq,
                    kept.state.head,
                    kept.steps[-1].receipt,
                    over,
                )
            sleep = min(left, _sleep(desk, kept.state))
            del kept  # thousands may wait, and a match is large
            heard = _wait(desk, match_id, heard, sleep)
            kept = desk.awaited(match_id, after)
    finally:
        desk.bell.leave(match_id)


def _wait(desk: Desk, match_id: bytes, heard: int, seconds: float) -> int:
    desk.meter.waiting(1)
    try:
        return desk.bell.wait(match_id, heard, seconds)
    finally:
        desk.meter.waiting(-1)


def _sleep(desk: Desk, state: MatchState) -> float:
    longest = desk.bell.poll_seconds
    due = wake(state)
    return longest if due is None else min(longest, max(0.001, (due - desk.clock()) / 1000))


def transcript(desk: Desk, match_id: bytes) -> bytes:
    """The evidence bundle (SPEC 6.6)."""
    kept = desk.touched(match_id)
    keys = [
        (name, key) for name, key in desk.signer.public_keys() if name == kept.state.terms.key_id
    ]
    return bundle(kept.events(), kept.steps[-1].receipt, keys)
