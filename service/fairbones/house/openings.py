"""Opening a match: fresh entropy, every hand washed, the seed sealed (SPEC 4)."""

from __future__ import annotations

import hashlib
from dataclasses import fields

from fairbones.core.match import Open, open_match
from fairbones.core.match.reservations import told as told_of
from fairbones.core.protocol.canonical import canonical
from fairbones.core.rules import resolve
from fairbones.house.desk import Desk
from fairbones.house.listings import listing
from fairbones.house.messages import Opened, OpenRequest
from fairbones.house.ports import Entropy, Opening, Step


def open_(
    desk: Desk, entropy: Entropy, request: OpenRequest, idempotency_key: str | None
) -> Opened:
    """A new match; with an idempotency key that was used before, the one it opened then."""
    row = resolve(request.ruleset, request.seats, request.options)
    match_id, seed = entropy(16), entropy(32)
    key_id = desk.signer.key_id
    event, state = open_match(
        Open(
            now=desk.clock(),
            match=match_id,
            server_seed=seed,
            key_id=key_id,
            row=row,
            seats=request.seats,
            rounds_max=request.rounds_max,
            join_seconds=request.join_seconds,
            reveal_seconds=request.reveal_seconds,
            turn_seconds=request.turn_seconds,
            auto_forced=request.auto_forced,
            clear_seeds=request.clear_seeds,
            reference=request.reference,
            reserved=request.reserved,
        )
    )
    key = None
    if idempotency_key is not None:
        key = (idempotency_key, _request_hash(request))
    step = Step(0, (event.raw,), desk.sign(event, key_id))
    sealed = desk.vault.seal(match_id, seed)
    kept_id = desk.store.create(Opening(match_id, sealed, step, key, listing(state, request)))
    if kept_id == match_id:
        return Opened(match_id, event.raw, step.receipt, created=True)
    first = desk.fresh(kept_id).steps[0]
    return Opened(kept_id, first.events[0], first.receipt, created=False)


def _request_hash(request: OpenRequest) -> bytes:
    """What makes a request the same as another. What is as usual is left out where a request of
    an older release had no such member: its repetition is still the same.
    """
    told: dict[str, object] = {
        field.name: getattr(request, field.name)
        for field in fields(request)
        if field.name not in ("listed", "reserved") and getattr(request, field.name) is not None
    }
    if not request.listed:
        told["listed"] = False
    if request.reserved:
        told["reserved"] = told_of(request.reserved)
    return hashlib.sha256(canonical(told)).digest()
