"""Matches to measure with: played in the core alone, the same in every run."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from fairbones.core.match import Act, MatchState, Open, Sit, Stage, decide, open_match
from fairbones.core.protocol.chain import Event, receipt, receipt_message, transcript
from fairbones.core.rules import legal, resolve
from fairbones.keys.signer import ReceiptSigner

NOW = 1_700_000_000_000
DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Move:
    """An action, the match before it, and the events of the step it made."""

    before: MatchState
    command: Act
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """A whole match."""

    events: tuple[Event, ...]
    moves: tuple[Move, ...]
    transcript: bytes


def signer() -> ReceiptSigner:
    """A key that is no secret."""
    return ReceiptSigner([bytes(range(32))])


def order(rnd: random.Random, ruleset: str, seats: int, rounds_max: int, target: int) -> Open:
    """A match to open, its ids and seeds from `rnd`."""
    options: Mapping[str, object] = {"target": target}
    return Open(
        now=NOW,
        match=rnd.randbytes(16),
        server_seed=rnd.randbytes(32),
        key_id=signer().key_id,
        row=resolve(ruleset, seats, options),
        seats=seats,
        rounds_max=rounds_max,
        join_seconds=DAY_SECONDS,
        reveal_seconds=DAY_SECONDS,
        turn_seconds=DAY_SECONDS,
        clear_seeds=True,
    )


@cache
def played(ruleset: str, seats: int, rounds_max: int, target: int = 10_000) -> Played:
    """A match to its end, every choice by a die that always falls alike."""
    rnd = random.Random(f"{ruleset} {seats} {rounds_max} {target}")
    event, state = open_match(order(rnd, ruleset, seats, rounds_max, target))
    events = [event]
    moves: list[Move] = []
    for seat in range(seats):
        step, state = decide(state, Sit(NOW, seat, f"p{seat}", client_seed=rnd.randbytes(32)))
        events += step
    while state.stage is Stage.PLAYING:
        assert state.round is not None
        assert state.turn is not None
        command = Act(NOW, state.turn, rnd.choice(legal(state.round.hand)))
        step, after = decide(state, command)
        moves.append(Move(state, command, step))
        events += step
        state = after
    key = signer()
    return Played(
        tuple(events),
        tuple(moves),
        transcript(
            [it.raw for it in events],
            signed(key, events[-1]),
            [(key.key_id, key.public_key)],
        ),
    )


def signed(key: ReceiptSigner, head: Event) -> bytes:
    """A receipt, as the house makes it."""
    signature = key.sign(receipt_message(head.match, head.seq, head.hash), key.key_id)
    return receipt(head.match, head.seq, head.hash, key.key_id, signature)
