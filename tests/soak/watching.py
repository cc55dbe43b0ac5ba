"""What both sides hold true after every event: the service's fold, and the verifier's table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

import fairbones_verify
from fairbones.core.bones import bits, set_tiles, text
from fairbones.core.match import MatchState, replay
from fairbones.core.match.evolve import begin, evolve
from fairbones.core.protocol.chain import Event
from fairbones_verify import Report, deal, judge


@dataclass(frozen=True, slots=True)
class Seen:
    """A hand in progress and what the match has come to."""

    turn: int | None
    hands: tuple[tuple[str, ...], ...]
    boneyard: tuple[str, ...]
    ends: tuple[int, ...]
    drawn: bool
    scores: tuple[int, ...]
    idle: tuple[int, ...]
    left: frozenset[int]
    rounds: int


def by_service(events: Sequence[Event], secret: bytes) -> list[Seen]:
    """The fold of the house."""
    state = begin(events[0], secret)
    seen = [of_state(state)]
    for event in events[1:]:
        state = evolve(state, event)
        seen.append(of_state(state))
    assert replay(events, secret) == state
    return seen


def of_state(state: MatchState) -> Seen:
    """The house's view of it all; also that no tile is lost."""
    hands: tuple[tuple[str, ...], ...] = ()
    stock: tuple[str, ...] = ()
    ends: tuple[int, ...] = ()
    turn, drawn = None, False
    if state.round is not None:
        hand = state.round.hand
        laid = [play.tile for _, play in hand.line]
        every = [tile for mask in hand.hands for tile in bits(mask)] + laid + list(hand.stock)
        assert sorted(every) == list(set_tiles(hand.rules.set)), "a tile is lost or doubled"
        hands = tuple(tuple(sorted(map(text, bits(mask)))) for mask in hand.hands)
        stock = tuple(map(text, hand.stock))
        ends = tuple(end.value for end in hand.ends)
        turn, drawn = hand.turn, hand.drawn
    return Seen(
        *(turn, hands, stock, ends, drawn),
        *(state.scores, state.idle, state.left, state.rounds),
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
    shared = (
        tuple(table.scores),
        tuple(table.idle),
        frozenset(table.left),
        table.round,
    )
    if hand is None:
        return Seen(None, (), (), (), False, *shared)
    tiles = [deal.written(tile) for tile in hand.tiles]
    return Seen(
        hand.turn,
        tuple(tuple(sorted(tiles[position] for position in held)) for held in hand.hands),
        tuple(tiles[position] for position in hand.boneyard),
        (hand.left, hand.right) if hand.line else (),
        hand.has_drawn,
        *shared,
    )
