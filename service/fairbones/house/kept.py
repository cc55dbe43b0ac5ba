"""A match as one process remembers it, and how it looked earlier.

The state is a fold over the steps and can be thrown away at any time. A mark is the state
between two hands: to look back is to fold one hand again, not the whole match.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from fairbones.core.errors import FairbonesError
from fairbones.core.match import MatchState
from fairbones.core.match.evolve import begin, evolve
from fairbones.core.protocol.chain import Event, read_event
from fairbones.house.ports import SeatClaim, Step


@dataclass(frozen=True, slots=True)
class Kept:
    """State, steps and who holds the seats; `marks` are states after a `round_ended`, in order."""

    state: MatchState
    steps: tuple[Step, ...]
    claims: tuple[SeatClaim, ...]
    marks: tuple[MatchState, ...]

    def events(self, after: int = -1, before: int | None = None) -> tuple[bytes, ...]:
        """Canonical bytes of the events with a seq above `after` (and below `before`)."""
        out: list[bytes] = []
        for step in self.steps[self.step_index(after + 1) :]:
            if before is not None and step.first_seq >= before:
                break
            out.extend(step.events[max(0, after + 1 - step.first_seq) :])
        return tuple(out if before is None else out[: before - after - 1])

    def step_index(self, seq: int) -> int:
        """Which step holds the event `seq`; one past the last for a seq beyond the head."""
        return bisect_left(self.steps, seq, key=lambda step: step.head_seq)

    def event(self, seq: int) -> Event:
        """The event with that seq, which must be there."""
        step = self.steps[self.step_index(seq)]
        return read_event(step.events[seq - step.first_seq])

    def holds(self, receipt: Mapping[str, object]) -> bool:
        """Whether the head of a receipt of this match is in its history."""
        seq = receipt["seq"]
        assert isinstance(seq, int)
        return seq <= self.state.seq and self.event(seq).hash.hex() == receipt["event_hash"]

    def find(self, type_: str, seat: int) -> int | None:
        """The seq of the last event of that type and seat."""
        for step in reversed(self.steps):
            for offset in range(len(step.events) - 1, -1, -1):
                event = read_event(step.events[offset])
                if event.type == type_ and event.data.get("seat") == seat:
                    return event.seq
        return None

    def at_step(self, index: int) -> MatchState:
        """The state after an earlier step."""
        if index == len(self.steps) - 1:
            return self.state
        return self.before(self.steps[index].head_seq + 1)

    def before(self, seq: int) -> MatchState:
        """The state before the event `seq` (1 or more)."""
        behind = bisect_left(self.marks, seq, key=lambda mark: mark.seq)
        state = self.marks[behind - 1] if behind else begin(self.event(0), self.state.secret)
        for raw in self.events(state.seq, seq):
            state = evolve(state, read_event(raw))
        return state

    def stepped(
        self,
        step: Step,
        events: Sequence[Event],
        state: MatchState,
        claims: tuple[SeatClaim, ...],
    ) -> Kept:
        """The match after a step of its own: `grown`, where its events and end are known."""
        marks, between = list(self.marks), self.state
        hands = [index for index, event in enumerate(events) if event.type == "round_ended"]
        for event in events[: hands[-1] + 1 if hands else 0]:
            between = evolve(between, event)
            if event.type == "round_ended":
                marks.append(between)
        return Kept(state, (*self.steps, step), claims, tuple(marks))

    def grown(self, steps: Iterable[Step], claims: tuple[SeatClaim, ...]) -> Kept:
        """The match after more steps of the store; `store/corrupt` when they do not follow."""
        state, marks, added = self.state, list(self.marks), tuple(steps)
        for step in added:
            for event in map(read_event, step.events):
                if event.prev != state.head:
                    raise set_back(state.terms.match)
                state = evolve(state, event)
                if event.type == "round_ended":
                    marks.append(state)
        return Kept(state, (*self.steps, *added), claims, tuple(marks))


def remember(secret: bytes, steps: tuple[Step, ...], claims: tuple[SeatClaim, ...]) -> Kept:
    """A match from its stored steps, the first of which is the opening."""
    opening = steps[0]
    first = Kept(begin(read_event(opening.events[0]), secret), (opening,), (), ())
    return first.grown(steps[1:], claims)


def set_back(match_id: bytes) -> FairbonesError:
    """The store has not the history that was shown from it."""
    return FairbonesError(
        "store/corrupt",
        "The store has lost events of this match that it had kept: stop, and restore it.",
        match=match_id.hex(),
    )
