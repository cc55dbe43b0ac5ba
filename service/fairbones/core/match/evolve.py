"""What an event does to a match. It may not refuse: an event has happened (SPEC 8).

The house folds only its own stored events, so a field that is not there is a bug and raises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from fairbones.core.bones import parse
from fairbones.core.match.dealing import deal_round
from fairbones.core.match.reservations import read
from fairbones.core.match.state import MatchState, Round, Seating, Stage, Terms
from fairbones.core.protocol.chain import Event
from fairbones.core.protocol.cut import cut_key
from fairbones.core.rules import (
    DECLINE,
    DRAW,
    PASS,
    Action,
    Give,
    MatchEnd,
    Play,
    abandoned,
    after_hand,
    apply,
    call,
    compile_rules,
    finish,
    outcome,
    settle,
)

Data = Mapping[str, Any]
T = TypeVar("T")


def begin(event: Event, secret: bytes) -> MatchState:
    """The state after `opened`."""
    data: Data = event.data
    rules = compile_rules(data["ruleset"], data["seats"])
    terms = Terms(
        match=event.match,
        opened_hash=event.hash,
        opened_at=event.at,
        row=data["ruleset"],
        rules=rules,
        seats=data["seats"],
        rounds_max=data["rounds_max"],
        key_id=data["key_id"],
        auto_forced=data["auto_forced"],
        clear_seeds=data["clear_seeds"],
        join_ms=1000 * data["join_seconds"],
        reveal_ms=1000 * data["reveal_seconds"],
        turn_ms=1000 * data["turn_seconds"],
        close_by=data["close_by"],
        reserved={it["seat"]: read(it) for it in data["reserved"]},
    )
    return MatchState(
        secret=secret,
        terms=terms,
        stage=Stage.JOINING,
        seq=0,
        head=event.hash,
        at=event.at,
        seatings=(None,) * terms.seats,
        scores=(0,) * rules.sides,
        idle=(0,) * terms.seats,
    )


def evolve(state: MatchState, event: Event, hand: Round | None = None) -> MatchState:
    """The state after one more event.

    `hand` is the one that a `dealt` begins, from who has dealt it for this very event: to wash it
    again is what costs most in a match.
    """
    after = _EFFECTS[event.type](state, event) if hand is None else _begun(state, event, hand)
    if after.seq == event.seq:
        return after  # a move has said so itself, for it is what happens most
    return replace(after, seq=event.seq, head=event.hash, at=event.at)


def replay(events: Iterable[Event], secret: bytes) -> MatchState:
    """Fold a whole match, `opened` first."""
    sequence = iter(events)
    state = begin(next(sequence), secret)
    for event in sequence:
        state = evolve(state, event)
    return state


def _raw(data: Data, name: str) -> bytes | None:
    return bytes.fromhex(data[name]) if name in data else None


def _put(row: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*row[:index], value, *row[index + 1 :])


def _seated(state: MatchState, event: Event) -> MatchState:
    data: Data = event.data
    seating = Seating(
        data.get("name"),
        _raw(data, "client_seed_commitment"),
        _raw(data, "client_seed"),
        _raw(data, "public_key"),
    )
    state = replace(
        state,
        seatings=_put(state.seatings, data["seat"], seating),
        seated_hash=event.hash,
        seated_at=event.at,
    )
    return state if state.free_seats() else _seeds(replace(state, stage=Stage.REVEALING))


def _seeded(state: MatchState, event: Event) -> MatchState:
    data: Data = event.data
    seating = state.seatings[data["seat"]]
    assert seating is not None
    revealed = replace(seating, seed=bytes.fromhex(data["client_seed"]))
    return _seeds(replace(state, seatings=_put(state.seatings, data["seat"], revealed)))


def _seeds(state: MatchState) -> MatchState:
    """Once every seed is known the cut is, for the whole match (SPEC 5.3)."""
    seeds = [seating.seed for seating in state.seatings if seating is not None and seating.seed]
    if len(seeds) < state.terms.seats:
        return state
    return replace(state, stage=Stage.PLAYING, cut_key=cut_key(state.terms.opened_hash, seeds))


def _lead_drawn(state: MatchState, event: Event) -> MatchState:
    data: Data = event.data
    return replace(state, drawn=data["lead"])


def _dealt(state: MatchState, event: Event) -> MatchState:
    return _begun(state, event, deal_round(state))


def _begun(state: MatchState, event: Event, hand: Round) -> MatchState:
    return replace(state, round=hand, rounds=hand.number, waiting_since=event.at)


_BARE: Mapping[str, Action] = {"drew": DRAW, "passed": PASS, "declined": DECLINE}


def _action(dealt: Round, type_: str, data: Data) -> Action:
    if type_ == "played":
        return Play(parse(data["tile"]), data.get("end"), data.get("claim"))
    if type_ == "gave":
        return Give(dealt.wash.order[data["seal"]])
    return _BARE[type_]


def _moved(state: MatchState, event: Event) -> MatchState:
    data: Data = event.data
    assert state.round is not None
    seat = data["seat"]
    idle = state.idle
    if state.fixed_due or seat in state.left:
        idle = _put(idle, seat, idle[seat] + 1)
    elif not (state.terms.auto_forced and event.type in ("drew", "passed")):
        idle = _put(idle, seat, 0)
    hand = apply(state.round.hand, _action(state.round, event.type, data))
    return replace(
        state,
        round=replace(state.round, hand=hand),
        scores=hand.scores,
        idle=idle,
        fixed_due=False,
        waiting_since=event.at,
        seq=event.seq,
        head=event.hash,
        at=event.at,
    )


def _called(state: MatchState, event: Event) -> MatchState:
    """A call is no move: it moves neither a deadline nor an idle count (SPEC 8.4)."""
    data: Data = event.data
    assert state.round is not None
    hand, _points = call(state.round.hand, data["seat"])
    return replace(state, round=replace(state.round, hand=hand), scores=hand.scores)


def _timed_out(state: MatchState, _event: Event) -> MatchState:
    return replace(state, fixed_due=True)


def _left(state: MatchState, event: Event) -> MatchState:
    data: Data = event.data
    return replace(state, left=state.left | {data["seat"]})


def _round_ended(state: MatchState, event: Event) -> MatchState:
    data: Data = event.data
    assert state.round is not None
    hand, rules = state.round.hand, state.terms.rules
    scores = tuple(data["scores"])
    over = finish(hand)
    if data["reason"] == "abandoned" or over is None:
        return replace(state, round=None, scores=scores, match_end=abandoned(rules, scores))
    return replace(
        state,
        round=None,
        scores=scores,
        before=outcome(hand, over, settle(rules, hand, over)),
        match_end=after_hand(rules, scores, state.rounds, state.terms.rounds_max),
    )


def _match_ended(state: MatchState, event: Event) -> MatchState:
    data: Data = event.data
    return replace(state, stage=Stage.ENDED, match_end=MatchEnd(data["reason"], data.get("winner")))


def _voided(state: MatchState, event: Event) -> MatchState:
    data: Data = event.data
    missing = tuple(data["missing"]) if "missing" in data else None
    return replace(state, stage=Stage.VOID, round=None, missing=missing, reason=data["reason"])


_EFFECTS: Mapping[str, Callable[[MatchState, Event], MatchState]] = {
    "seated": _seated,
    "seeded": _seeded,
    "lead_drawn": _lead_drawn,
    "dealt": _dealt,
    "played": _moved,
    "drew": _moved,
    "passed": _moved,
    "declined": _moved,
    "gave": _moved,
    "called": _called,
    "timed_out": _timed_out,
    "left": _left,
    "round_ended": _round_ended,
    "match_ended": _match_ended,
    "voided": _voided,
}
