"""Sitting down, revealing, leaving."""

from __future__ import annotations

import hashlib
import hmac

from fairbones.core.errors import Conflict, Forbidden
from fairbones.core.match import Command, Leave, Reveal, Sit
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.chain import Event
from fairbones.core.protocol.invites import invite_hash
from fairbones.house.desk import Desk, hash_token
from fairbones.house.kept import Kept
from fairbones.house.messages import Answer, SitRequest
from fairbones.house.ports import SeatClaim
from fairbones.house.reads import answer

Asked = tuple[Command, SeatClaim | None] | int


def _request_hash(request: SitRequest) -> bytes:
    told: dict[str, object] = {"seat": request.seat}
    if request.name is not None:
        told["name"] = request.name
    if request.commitment is not None:
        told["commitment"] = request.commitment.hex()
    if request.client_seed is not None:
        told["client_seed"] = request.client_seed.hex()
    if request.invite is not None:
        # What everybody may know of it: the secret itself goes into nothing that is kept.
        told["invite_hash"] = invite_hash(request.invite).hex()
    if request.public_key is not None:
        told["public_key"] = request.public_key.hex()
    if request.signature is not None:
        told["signature"] = request.signature.hex()
    return hashlib.sha256(canonical(told)).digest()


def sit(desk: Desk, match_id: bytes, token: str, request: SitRequest) -> Answer:
    """Take a seat for the holder of `token`; the same again is a no-op (SPEC 5.2)."""
    claim = SeatClaim(request.seat, hash_token(token), _request_hash(request))

    def ask(kept: Kept, now: int) -> Asked:
        holders = {held.seat: held for held in kept.claims}
        held = holders.get(claim.seat)
        if held is not None:
            same = hmac.compare_digest(held.token_hash, claim.token_hash)
            seq = kept.find("seated", claim.seat)
            if same and held.request_hash == claim.request_hash and seq is not None:
                return kept.step_index(seq)
            raise Conflict("seat/taken", "This seat is taken: choose another.")
        if any(hmac.compare_digest(h.token_hash, claim.token_hash) for h in kept.claims):
            raise Conflict(
                "seat/token-reused", "This token holds another seat here: make a new one."
            )
        command = Sit(
            now,
            request.seat,
            request.name,
            request.commitment,
            request.client_seed,
            request.invite,
            request.public_key,
            request.signature,
        )
        return command, claim

    return answer(desk, request.seat, *desk.change(match_id, ask))


def reveal(
    desk: Desk,
    match_id: bytes,
    seat: int,
    client_seed: bytes,
    seated_hash: bytes,
    signature: bytes | None,
) -> Answer:
    """Reveal a committed seed; whoever brings it, it proves itself (SPEC 5.2)."""

    def ask(kept: Kept, now: int) -> Asked:
        seq = kept.find("seeded", seat)
        if seq is not None:
            event = kept.event(seq)
            shown = client_seed.hex(), seated_hash.hex()
            same = (event.data["client_seed"], event.data["seated_hash"]) == shown
            if same and _signed_so(event, signature):
                return kept.step_index(seq)
        return Reveal(now, seat, client_seed, seated_hash, signature), None

    return answer(desk, None, *desk.change(match_id, ask))


def leave(desk: Desk, match_id: bytes, seat: int, token: str, signature: bytes | None) -> Answer:
    """Leave for good (SPEC 8.3, 8.4)."""

    def ask(kept: Kept, now: int) -> Asked:
        if desk.seat_of(kept, token) != seat:
            raise Forbidden("auth/other-seat", "This token holds another seat of the match.")
        seq = kept.find("left", seat)
        if seq is None and kept.state.reason == "left" and kept.state.missing == (seat,):
            seq = kept.state.seq
        if seq is not None and _signed_so(kept.event(seq), signature):
            return kept.step_index(seq)
        return Leave(now, seat, signature), None

    return answer(desk, seat, *desk.change(match_id, ask))


def _signed_so(event: Event, signature: bytes | None) -> bool:
    """Whether an event carries this very signature, or none where none was sent."""
    return event.data.get("signature") == (None if signature is None else signature.hex())
