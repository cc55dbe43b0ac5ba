"""The cells of the table: a command becomes the first event of a step, or is refused (SPEC 8)."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field

from fairbones.core.bones import text
from fairbones.core.errors import Conflict, Forbidden, Illegal, Missing
from fairbones.core.match.commands import Act, GiveUp, Leave, LoseHistory, Reveal, Sit, Touch
from fairbones.core.match.reservations import ForInvite, ForKey
from fairbones.core.match.signed import sent_as_listed, signature_of
from fairbones.core.match.state import MatchState, Round, Seating
from fairbones.core.match.times import by_the_house, expired
from fairbones.core.protocol.cut import client_commitment
from fairbones.core.protocol.ed25519 import is_key
from fairbones.core.protocol.invites import invite_hash
from fairbones.core.rules import (
    CALL,
    Action,
    Call,
    Decline,
    Draw,
    Give,
    GiveAt,
    Pass,
    Play,
    action_to_json,
    admit,
    call,
    counts,
    credited,
    forced,
    to_act,
)
from fairbones.core.rules.turns import admit_giver

Data = dict[str, object]


@dataclass(frozen=True, slots=True)
class Draft:
    """An event before it has a place in the chain; with `dealt` the hand that it begins."""

    type: str
    data: Mapping[str, object]
    hand: Round | None = field(default=None, repr=False, compare=False)


def void(state: MatchState, reason: str, **more: object) -> Draft:
    """`voided`: the match id is spent and the server seed is shown (SPEC 7)."""
    return Draft("voided", {"reason": reason, **more, "server_seed": state.secret.hex()})


def move(dealt: Round, seat: int, action: Action) -> Draft:
    """The event of an action in its listed form; a play opens its seal (SPEC 5.5)."""
    hand, position = dealt.hand, dealt.position
    match action:
        case Play(tile, end, claim):
            place = position[tile]
            played: Data = {"seat": seat, "tile": text(tile), "seal": place}
            played["salt"] = dealt.wash.salts[place].hex()
            told = {"end": end, "claim": claim, "points": credited(hand, action) or None}
            played |= {name: value for name, value in told.items() if value is not None}
            return Draft("played", played)
        case Draw():
            # The front of the boneyard: the tile stays the seat's secret, its position does not.
            return Draft("drew", {"seat": seat, "seal": position[hand.stock[0]]})
        case Give(tile):
            # And so does a tile given, which stays a secret of the two.
            return Draft("gave", {"seat": seat, "to": hand.turn, "seal": position[tile]})
        case Call():
            return Draft("called", {"seat": seat, "points": call(hand, seat)[1]})
    types = {Pass: "passed", Decline: "declined"}
    return Draft(types[type(action)], {"seat": seat})


def admitted(dealt: Round, seat: int, action: Action | GiveAt) -> Action:
    """The listed form of what a seat asks for, or the refusal of the rules (SPEC R6, R10)."""
    if isinstance(action, GiveAt):
        admit_giver(dealt.hand, seat)  # before a tile is looked for that may be nobody's to give
        action = _given(dealt, seat, action.seal)
    return admit(dealt.hand, seat, action)


def _given(dealt: Round, seat: int, position: int) -> Give:
    """The gift of the tile at a position, which its seat alone is told about."""
    order = dealt.wash.order
    if position < len(order) and dealt.hand.hands[seat] >> order[position] & 1:
        return Give(order[position])
    raise Illegal(
        "rules/not-in-hand", f"You do not hold the tile at position {position}: give one you hold."
    )


def abandon(state: MatchState, dealt: Round) -> Draft:
    """`round_ended` without winner or points (SPEC 8.5)."""
    return Draft(
        "round_ended",
        {
            "round": dealt.number,
            "reason": "abandoned",
            "counts": list(counts(dealt.hand)),
            "points": [0] * state.terms.rules.sides,
            "scores": list(state.scores),
            "round_seed": dealt.seed.hex(),
        },
    )


def _seat(state: MatchState, seat: int) -> Seating | None:
    if not 0 <= seat < state.terms.seats:
        raise Missing("seat/unknown", f"This match has the seats 0 to {state.terms.seats - 1}.")
    return state.seatings[seat]


def sit(state: MatchState, command: Sit) -> Draft:
    """Take a seat; nothing is ever replaced (SPEC 5.2, 8.1)."""
    if _seat(state, command.seat) is not None:
        raise Conflict("seat/taken", "This seat is taken: choose another.")
    _admit_guest(state, command)
    _admit_key(state, command)
    data: Data = {"seat": command.seat, **signature_of(state, command)}
    if command.public_key is not None:
        data["public_key"] = command.public_key.hex()
    if command.name is not None:
        data["name"] = command.name
    if command.commitment is not None:
        data["client_seed_commitment"] = command.commitment.hex()
    elif command.client_seed is None:
        raise Illegal("seat/no-seed", "Send a commitment to your client seed.")
    elif not state.terms.clear_seeds:
        raise Illegal(
            "seat/clear-seed",
            "This match takes commitments: commit to your seed, do not show it.",
        )
    else:
        data["client_seed"] = command.client_seed.hex()
    for other in state.seatings:
        if other is not None and (
            (command.commitment is not None and other.commitment == command.commitment)
            or (command.client_seed is not None and other.seed == command.client_seed)
        ):
            raise Conflict(
                "seat/duplicate-seed",
                "Another seat sent the very same: make your own 32 random bytes.",
            )
    return Draft("seated", data)


def _admit_guest(state: MatchState, command: Sit) -> None:
    """Whoever brings the secret of a reserved seat, or its key, may take it (SPEC 5.6, 7)."""
    kept, invite = state.terms.reserved.get(command.seat), command.invite
    if isinstance(kept, ForInvite):
        if invite is None or not hmac.compare_digest(invite_hash(invite), kept.invite_hash):
            raise Forbidden(
                "seat/reserved",
                "This seat is reserved: send the secret that you were given for it as invite.",
            )
        return
    if invite is not None:
        raise Illegal(
            "seat/not-reserved", "This seat needs no invitation: send none, and keep yours."
        )
    if kept is not None and command.public_key != kept.public_key:
        raise Forbidden(
            "seat/reserved-key",
            "This seat is reserved for a key: take it with that one, or choose another seat.",
            public_key=kept.public_key.hex(),
        )


def _admit_key(state: MatchState, command: Sit) -> None:
    """A key that satisfies SPEC 2.4, of nobody else here (SPEC 5.6)."""
    key = command.public_key
    if key is None:
        return
    if not is_key(key):
        raise Illegal("seat/bad-key", "No seat can have this key: make a new one.")
    holders = [seat for seat in range(state.terms.seats) if state.key_of(seat) == key]
    kept = [seat for seat, whom in state.terms.reserved.items() if whom == ForKey(key)]
    if holders or any(seat != command.seat for seat in kept):
        raise Conflict(
            "seat/key-taken",
            f"Seat {(holders or kept)[0]} of this match has that key: one key is for one seat.",
        )


def reveal(state: MatchState, command: Reveal) -> Draft:
    """Open a commitment (SPEC 5.2); it proves itself, so nobody is asked who they are."""
    seating = _seat(state, command.seat)
    if seating is None or seating.commitment is None:
        raise Conflict(
            "seed/not-committed", "This seat sat down with a clear seed: nothing to reveal."
        )
    if seating.seed is not None:
        raise Conflict("seed/revealed", "This seat has revealed its seed.")
    if command.seated_hash != state.seated_hash:
        raise Conflict(
            "seed/other-seating",
            "seated_hash is not the hash of the last seated event here. Compare the chain you hold "
            "with this match before you show your seed to anyone.",
        )
    signature = signature_of(state, command)
    key = seating.public_key or b""
    opened = client_commitment(state.terms.opened_hash, command.seat, key, command.client_seed)
    if opened != seating.commitment:
        raise Illegal(
            "seed/mismatch", "This seed does not open the seat's commitment: check the copy."
        )
    return Draft(
        "seeded",
        {
            "seat": command.seat,
            "client_seed": command.client_seed.hex(),
            "seated_hash": command.seated_hash.hex(),
            **signature,
        },
    )


def act(state: MatchState, command: Act) -> Draft:
    """A seat's own action, in its listed form (SPEC R6); a call by any opponent (SPEC R10)."""
    assert state.round is not None
    _seat(state, command.seat)
    if command.seat in state.left:
        raise Conflict(
            "seat/has-left", "This seat has left: its turns are played by the fixed rule."
        )
    signature = signature_of(state, command)
    action = admitted(state.round, command.seat, command.action)
    if state.terms.auto_forced and action != CALL and forced(state.round.hand) is not None:
        raise Illegal(
            "rules/wait-for-calls",
            "You have no choice: the house makes this step once the time for calls is over.",
        )
    sent_as_listed(command, action_to_json(action, state.round.position))
    draft = move(state.round, command.seat, action)
    return Draft(draft.type, {**draft.data, **signature})


def leave_early(state: MatchState, command: Leave) -> Draft:
    """Before the deal a leaving seat voids the match at once (SPEC 8.3)."""
    if _seat(state, command.seat) is None:
        raise Conflict("seat/free", "Nobody sits there.")
    return void(state, "left", missing=[command.seat], **signature_of(state, command))


def leave(state: MatchState, command: Leave) -> Draft:
    """After it nobody can call the match off: the fixed rule plays on (SPEC 8.4)."""
    _seat(state, command.seat)
    if command.seat in state.left:
        raise Conflict("seat/has-left", "This seat has left already.")
    return Draft("left", {"seat": command.seat, **signature_of(state, command)})


def seats_late(state: MatchState, command: Touch) -> Draft | None:
    """`join_seconds` have passed (SPEC 8.3)."""
    if not expired(state, command.now):
        return None
    return void(state, "seats-missing", missing=list(state.free_seats()))


def seeds_late(state: MatchState, command: Touch) -> Draft | None:
    """`reveal_seconds` have passed (SPEC 8.3)."""
    if not expired(state, command.now):
        return None
    return void(state, "seeds-missing", missing=list(state.unrevealed()))


def turn_late(state: MatchState, command: Touch) -> Draft | None:
    """One expired turn, a step that waited for calls, or the end of the match's own time.

    SPEC 8.4, 8.8, 8.5.
    """
    dealt = state.round
    assert dealt is not None
    if command.now > state.terms.close_by:
        return abandon(state, dealt)
    if not expired(state, command.now):
        return None
    seat = to_act(dealt.hand)
    waited = by_the_house(state, dealt)
    if waited is not None:
        return move(dealt, seat, waited)
    return Draft("timed_out", {"seat": seat})


def lose(state: MatchState, command: LoseHistory) -> Draft:
    """A receipt for a head that is not here: a shorter history is never played on (SPEC 8.7)."""
    return void(state, "history-lost", receipt=dict(command.receipt))


def give_up(state: MatchState, _command: GiveUp) -> Draft:
    """The house cannot go on."""
    return void(state, "house")
