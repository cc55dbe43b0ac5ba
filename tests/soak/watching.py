"""What both sides hold true after every event: the service's fold, and the verifier's table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

import fairbones_verify
from fairbones.core.bones import bits, set_tiles, text
from fairbones.core.match import MatchState
from fairbones.core.match.evolve import begin, evolve
from fairbones.core.protocol.chain import Event
from fairbones.core.rules import finish, to_act
from fairbones_verify import Report, deal, judge

End = tuple[str, int, int, bool]  # name, value, weight (where the game counts), whether open


@dataclass(frozen=True, slots=True)
class Seen:
    """A hand in progress and what the match has come to."""

    turn: int | None = None  # while the hand goes on
    actor: int | None = None
    hands: tuple[tuple[str, ...], ...] = ()
    boneyard: tuple[str, ...] = ()
    ends: tuple[End, ...] = ()
    drawn: bool = False
    given: str | None = None
    missed: int | None = None  # by the last play, while it may be called
    scores: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()
    left: frozenset[int] = frozenset()
    rounds: int = 0


def by_service(events: Sequence[Event], played: MatchState) -> list[Seen]:
    """The fold of the house, which comes to the state that was played."""
    state = begin(events[0], played.secret)
    seen = [of_state(state)]
    for event in events[1:]:
        state = evolve(state, event)
        seen.append(of_state(state))
    assert state == played
    return seen


def of_state(state: MatchState) -> Seen:
    """The house's view of it all; also that no tile is lost."""
    match: dict[str, Any] = {
        "scores": state.scores,
        "idle": state.idle,
        "left": state.left,
        "rounds": state.rounds,
    }
    if state.round is None:
        return Seen(**match)
    hand = state.round.hand
    laid = [play.tile for _, play, _ in hand.line]
    every = [tile for mask in hand.hands for tile in bits(mask)] + laid + list(hand.stock)
    assert sorted(every) == list(set_tiles(hand.rules.set)), "a tile is lost or doubled"
    goes_on = finish(hand) is None
    return Seen(
        turn=hand.turn if goes_on else None,
        actor=to_act(hand) if goes_on else None,
        hands=tuple(tuple(sorted(map(text, bits(mask)))) for mask in hand.hands),
        boneyard=tuple(map(text, hand.stock)),
        ends=tuple(
            (end.name, end.value, end.weight * hand.rules.counts, end.open) for end in hand.ends
        ),
        drawn=hand.drawn,
        given=None if hand.given is None or not goes_on else text(hand.given),
        missed=None if hand.window is None or not goes_on else hand.window.missed,
        **match,
    )


def by_verifier(data: bytes, **given: Any) -> tuple[Report, list[Seen]]:
    """The verifier's table after every event it believed."""
    seen: list[Seen] = []
    believe = judge.take

    def watched(table: Any, event: Any) -> None:
        believe(table, event)
        seen.append(of_table(table))

    with mock.patch.object(judge, "take", watched):
        report = fairbones_verify.verify(data, **given)
    return report, seen


def of_table(table: Any) -> Seen:
    """The same of a match whose tiles the verifier knows."""
    hand = table.hand
    match: dict[str, Any] = {
        "scores": tuple(table.scores if hand is None else hand.scores),
        "idle": tuple(table.idle),
        "left": frozenset(table.left),
        "rounds": table.round,
    }
    if hand is None:
        return Seen(**match)
    tiles = [deal.written(tile) for tile in hand.tiles]
    goes_on = hand.over() is None
    return Seen(
        turn=hand.turn if goes_on else None,
        actor=hand.actors()[0] if goes_on else None,
        hands=tuple(tuple(sorted(tiles[position] for position in held)) for held in hand.hands),
        boneyard=tuple(tiles[position] for position in hand.boneyard),
        ends=tuple(
            (end.name, end.value, end.weight * hand.line.counts, end.is_open)
            for end in hand.line.ends
        ),
        drawn=hand.has_drawn,
        given=None if hand.given is None or not goes_on else tiles[hand.given],
        missed=None if hand.window is None or not goes_on else hand.missed,
        **match,
    )
