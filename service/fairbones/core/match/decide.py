"""A command becomes the events of one step, or is refused and nothing has happened (SPEC 8.2)."""

from __future__ import annotations

from fairbones.core.bones import tile_count
from fairbones.core.errors import Illegal, Stale
from fairbones.core.match.commands import Command, Open
from fairbones.core.match.dealing import wash_hand
from fairbones.core.match.evolve import begin, evolve
from fairbones.core.match.owed import owed
from fairbones.core.match.reservations import ForKey, told
from fairbones.core.match.state import MatchState
from fairbones.core.match.steps import Data, Draft
from fairbones.core.match.table import TABLE
from fairbones.core.match.times import close_by, hand_seconds, late
from fairbones.core.protocol.chain import NO_PREV, Event, seal_event
from fairbones.core.protocol.ed25519 import is_key
from fairbones.core.protocol.encoding import PROTOCOL
from fairbones.core.protocol.wash import WASHED_MAX, server_seed_hash
from fairbones.core.rules import compile_rules

LATE = "match/late"


def decide(state: MatchState, command: Command) -> tuple[tuple[Event, ...], MatchState]:
    """The events of the step and the state after them; no events: nothing to do.

    Raises `FairbonesError` (a refusal); `state` itself is never changed. All events have one `at`:
    the command's `now`, or the head's where the clock went back (SPEC 6.1, 8.2).
    `Stale("match/late")`: time ran out between the caller's last touch and this command, and an
    event that came of it would be refuted.
    """
    at = max(command.now, state.at)
    if late(state, command, at):
        raise Stale(LATE, "A deadline has passed: touch the match, then look at it again.")
    draft = TABLE[state.stage, type(command)](state, command)
    events: list[Event] = []
    while draft is not None:
        event = _place(state, draft, at)
        events.append(event)
        state = evolve(state, event, draft.hand)
        draft = owed(state)
    return tuple(events), state


def _place(state: MatchState, draft: Draft, at: int) -> Event:
    return seal_event(state.terms.match, state.seq + 1, state.head, at, draft.type, draft.data)


def open_match(command: Open) -> tuple[Event, MatchState]:
    """Wash every hand, and the lead draw where there is one; commit; write `opened` (SPEC 4).

    `Illegal("options/washes")` when `rounds_max` hands are more than one opening may wash;
    `Illegal("seat/bad-key")` when a seat is reserved for a key that no seat can have.
    """
    rules = compile_rules(command.row, command.seats)
    tiles = tile_count(rules.set)
    if command.rounds_max * tiles > WASHED_MAX:
        raise Illegal(
            "options/washes",
            f"At most {WASHED_MAX // tiles} hands of {tiles} tiles can be washed: "
            "lower rounds_max.",
            rounds_max=command.rounds_max,
            maximum=WASHED_MAX // tiles,
        )
    for seat, kept in command.reserved.items():
        if isinstance(kept, ForKey) and not is_key(kept.public_key):
            raise Illegal("seat/bad-key", f"Seat {seat} is reserved for no key.", seat=seat)
    data: Data = {
        "protocol": PROTOCOL,
        "entropy": ["house", "seats"],
        "ruleset": dict(command.row),
        "seats": command.seats,
        "rounds_max": command.rounds_max,
        "server_seed_hash": server_seed_hash(command.match, command.server_seed).hex(),
        "washes": [
            wash_hand(command.match, command.server_seed, r, rules).root.hex()
            for r in range(1, command.rounds_max + 1)
        ],
        "key_id": command.key_id,
        "auto_forced": command.auto_forced,
        "clear_seeds": command.clear_seeds,
        "reserved": told(command.reserved),
        "join_seconds": command.join_seconds,
        "reveal_seconds": command.reveal_seconds,
        "turn_seconds": command.turn_seconds,
        "close_by": close_by(
            command.now,
            command.join_seconds + command.reveal_seconds,
            command.rounds_max * hand_seconds(rules, command.turn_seconds),
        ),
    }
    if rules.draws_for_lead:
        drawn_from = wash_hand(command.match, command.server_seed, 0, rules)
        data["lead_wash"] = drawn_from.root.hex()
    if command.reference is not None:
        data["reference"] = command.reference
    event = seal_event(command.match, 0, NO_PREV, command.now, "opened", data)
    return event, begin(event, command.server_seed)
