"""What an engine has to offer to be counted or to be watched, and the counting itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeVar


class Start(NamedTuple):
    """A hand as it is dealt: tiles are texts of SPEC R1, scores those before it by side.

    `played` are actions of the seats to act, as texts of SPEC R11, before anything is counted.
    """

    ruleset: str
    seats: int
    options: dict[str, Any]
    hands: list[list[str]]
    boneyard: list[str]
    lead: int
    must_set: str | None
    scores: list[int]
    played: list[str]


State = TypeVar("State")
Action = TypeVar("Action")


class Counted(Protocol[State, Action]):
    """An engine whose sequences can be counted. No call changes the state it is given."""

    def start(self, start: Start) -> State:
        """The position after the deal."""

    def legal(self, state: State) -> Sequence[Action]:
        """The listed actions of the seat to act, calls left out; none when the hand is over."""

    def after(self, state: State, action: Action) -> State:
        """The position after an action of the seat to act."""

    def over(self, state: State) -> str | None:
        """The reason for which the hand is over, or None."""

    def read(self, written: str) -> Action:
        """The action of a text of SPEC R11."""


class Watched(Counted[State, Action], Protocol[State, Action]):
    """An engine that also tells all that SPEC says about a position, in texts and numbers."""

    def text(self, action: Action) -> str:
        """The action in the words of SPEC R11."""

    def after_call(self, state: State, seat: int) -> State | None:
        """The position after that seat called; None where its call is refused."""

    def seen(self, state: State) -> dict[str, Any]:
        """to_act, ends, count, scores, forced, fixed, claimable, call_listed, hands, boneyard;
        for a hand that is over only ends, count, scores, hands, boneyard."""

    def settled(self, state: State) -> dict[str, Any]:
        """Of a hand that is over: reason, seat (None for a target), winner, points, counts."""

    def next_lead(
        self, state: State, hands: list[list[str]], drawn: int | None
    ) -> tuple[int, str | None]:
        """The lead of the next hand, dealt so, after a hand that is over and no target."""


class Counts(NamedTuple):
    """By depth, from 1: how many sequences there are, and how many of them end the hand, why."""

    sequences: list[int]
    ended: list[dict[str, int]]


def begun(engine: Counted[State, Action], start: Start) -> State:
    """The position after the deal and what was played."""
    state = engine.start(start)
    for written in start.played:
        state = engine.after(state, engine.read(written))
    return state


def count(
    engine: Counted[State, Action], start: Start, depth: int, most: int | None = None
) -> Counts:
    """All sequences of listed actions of the seat to act, up to a depth.

    It stops before, where every sequence has ended, or where there would be more than `most` of
    them in all.
    """
    counts = Counts([], [])
    positions = [begun(engine, start)]
    while positions and len(counts.sequences) < depth:
        steps = [(state, action) for state in positions for action in engine.legal(state)]
        if most is not None and sum(counts.sequences) + len(steps) > most:
            break
        ended: dict[str, int] = {}
        positions = []
        for state, action in steps:
            after = engine.after(state, action)
            reason = engine.over(after)
            if reason is None:
                positions.append(after)
            else:
                ended[reason] = ended.get(reason, 0) + 1
        counts.sequences.append(len(steps))
        counts.ended.append(dict(sorted(ended.items())))
    return counts
