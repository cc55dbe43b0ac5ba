"""Opening a match: fresh entropy, every hand washed, the seed sealed (SPEC 4)."""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace

from fairbones.core.errors import Conflict
from fairbones.core.match import Open, open_match
from fairbones.core.match.reservations import told as told_of
from fairbones.core.protocol.canonical import canonical
from fairbones.core.rules import resolve
from fairbones.core.rules.options import Row
from fairbones.house.desk import Desk
from fairbones.house.listings import listing
from fairbones.house.messages import Opened, OpenRequest
from fairbones.house.ports import Entropy, Opening, Step


def open_(
    desk: Desk, entropy: Entropy, request: OpenRequest, idempotency_key: str | None
) -> Opened:
    """A new match; with an idempotency key that was used before, the one it opened then."""
    row = resolve(request.ruleset, request.seats, request.options)
    new = _washed(desk, row, request, entropy(16), entropy(32))
    key = None
    if idempotency_key is not None:
        # The pair is kept before the match: a repetition opens the same match or finds it.
        key = (idempotency_key, _request_hash(request))
        chosen = desk.store.choose(*key, new.match_id)
        if chosen != new.match_id:
            if desk.store.load(chosen) is not None:
                return _opened_before(desk, chosen)
            new = _washed(desk, row, request, chosen, entropy(32))
    try:
        kept_id = desk.store.create(replace(new, idempotency=key))
    except Conflict as conflict:
        if key is None or conflict.code != "match/id-used":
            raise
        # The same request, sent twice at the same time: the other was first.
        return _opened_before(desk, new.match_id)
    if kept_id == new.match_id:
        return Opened(kept_id, new.step.events[0], new.step.receipt, created=True)
    return _opened_before(desk, kept_id)


def _washed(desk: Desk, row: Row, request: OpenRequest, match_id: bytes, seed: bytes) -> Opening:
    """Every hand washed and sealed under this id and server seed, and the house's word for it."""
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
    return Opening(
        match_id=match_id,
        sealed_seed=desk.vault.seal(match_id, seed),
        step=Step(0, (event.raw,), desk.sign(event, key_id)),
        listing=listing(state, request),
        due=state.terms.opened_at + state.terms.join_ms,
    )


def _opened_before(desk: Desk, match_id: bytes) -> Opened:
    first = desk.fresh(match_id).steps[0]
    return Opened(match_id, first.events[0], first.receipt, created=False)


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
