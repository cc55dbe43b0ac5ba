"""What a seat says, signed: the one place that knows when a signature is due (SPEC 5.6)."""

from __future__ import annotations

from collections.abc import Mapping

from fairbones.core.errors import Illegal
from fairbones.core.match.commands import Act, Leave, Reveal, Sit
from fairbones.core.match.state import MatchState
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.ed25519 import is_signed
from fairbones.core.protocol.seatkeys import (
    leave_message,
    move_message,
    register_message,
    seed_message,
)

Said = Sit | Reveal | Act | Leave


def signature_of(state: MatchState, command: Said) -> dict[str, object]:
    """What of its signature stands in the event of a command: nothing for a seat without a key.

    One is due for all that a seat with a key says, and these commands are what seats say: what the
    house does itself, after a touch or as what follows, never comes here. It is judged after the
    shape and the place of a request and before the rules, so that a stranger with a stolen token
    learns nothing from their refusals. Illegal `signature/missing`, `signature/not-due`,
    `signature/invalid`.
    """
    key = command.public_key if isinstance(command, Sit) else state.key_of(command.seat)
    signature = command.signature
    if key is None:
        if signature is None:
            return {}
        raise Illegal("signature/not-due", "This seat has no key: leave the signature out.")
    if signature is None:
        raise Illegal("signature/missing", "This seat has a key: sign what you send with it.")
    if not is_signed(key, _message(state, command), signature):
        raise Illegal(
            "signature/invalid",
            "The seat's key did not sign this: sign the message that SPEC 5.6 has for it, for this "
            "match, seat and place.",
        )
    return {"signature": signature.hex()}


def _message(state: MatchState, command: Said) -> bytes:
    opened_hash, seat = state.terms.opened_hash, command.seat
    match command:
        case Sit():
            return register_message(
                opened_hash,
                seat,
                command.public_key or b"",
                commitment=command.commitment or b"",
                client_seed=command.client_seed or b"",
                name=command.name or "",
            )
        case Reveal():
            return seed_message(opened_hash, command.seated_hash, seat, command.client_seed)
        case Act():
            action = canonical(command.written)
            return move_message(opened_hash, state.seq + 1, state.head, seat, action)
        case Leave():
            return leave_message(opened_hash, seat)


def sent_as_listed(command: Act, listed: Mapping[str, object]) -> None:
    """That a signed action was sent in its listed form, which its event keeps (SPEC 5.6, R6).

    Illegal `signature/other-form`: the event could not show what was signed.
    """
    if command.signature is not None and command.written != listed:
        raise Illegal(
            "signature/other-form",
            "A signed action is sent in its listed form, which its event keeps: sign this one.",
            action=dict(listed),
        )
