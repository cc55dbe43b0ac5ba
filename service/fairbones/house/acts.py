"""One action of a seat: safe to repeat, refused when it was meant for another position."""

from __future__ import annotations

from collections.abc import Mapping

from fairbones.core.errors import Conflict, Illegal, Missing, Stale
from fairbones.core.match import Act, Command, LoseHistory, Stage
from fairbones.core.match.steps import admitted, move
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.chain import receipt, receipt_message
from fairbones.core.rules import Action, GiveAt, action_from_json
from fairbones.house.desk import Desk, all_lost, history_lost, standing
from fairbones.house.kept import Kept
from fairbones.house.messages import ActRequest, Answer
from fairbones.house.ports import SeatClaim
from fairbones.house.reads import answer


def act(desk: Desk, match_id: bytes, token: str, request: ActRequest) -> Answer:
    """Append the action, or answer again what it appended (SPEC R6, 8.2)."""
    action = action_from_json(request.action)
    seat = -1
    lost = False

    def ask(kept: Kept, now: int) -> tuple[Command, SeatClaim | None] | int:
        nonlocal seat, lost
        seat = desk.seat_of(kept, token)
        # Judged anew after a lost race: what was missing may have come meanwhile.
        shown, state = request.receipt, kept.state
        lost = shown is not None and _history_lost(desk, kept, shown)
        if shown is not None and lost:
            if state.reason == "history-lost":
                return len(kept.steps) - 1  # the same request again
            return LoseHistory(now, shown), None
        if request.seq <= state.seq and _repeated(kept, seat, request, action):
            return kept.step_index(request.seq)
        if state.stage is Stage.PLAYING and (
            request.seq != state.seq + 1 or request.prev not in (None, state.head)
        ):
            raise Stale(
                "match/stale",
                _difference(kept, request),
                seq=request.seq,
            )
        return Act(now, seat, action, request.action, request.signature), None

    try:
        changed = desk.change(match_id, ask)
    except Missing:
        if request.receipt is not None and _signed_by_us(desk, match_id, request.receipt):
            raise all_lost() from None
        raise
    if lost:
        raise history_lost(**standing(changed[0]))
    return answer(desk, seat, *changed)


def _repeated(kept: Kept, seat: int, request: ActRequest, action: Action | GiveAt) -> bool:
    """Whether the event `request.seq` is this very action of this seat, on this very chain."""
    if request.seq < 1:
        return False
    event = kept.event(request.seq)
    if event.data.get("seat") != seat or request.prev not in (None, event.prev):
        return False
    state = kept.before(request.seq)
    if state.round is None:
        return False
    try:
        draft = move(state.round, seat, admitted(state.round, seat, action))
    except Illegal:
        return False
    signed = {} if request.signature is None else {"signature": request.signature.hex()}
    return (draft.type, {**draft.data, **signed}) == (event.type, event.data)


def _difference(kept: Kept, request: ActRequest) -> str:
    """Which of `seq` and `prev` is not that of the next event, and what to do about it."""
    head, last = kept.state.seq, request.seq - 1
    if last > head:
        return (
            f"seq is ahead: the next event here is {head + 1}. Count again; if you do hold the "
            f"event {last}, send its receipt with the action."
        )
    if last >= 0 and request.prev not in (None, kept.event(last).hash):
        return (
            f"prev is not the hash of the event {last} here, so you hold another history: compare "
            "your events with the house's, and keep your receipts."
        )
    return (
        f"seq {request.seq} is taken: the next event is {head + 1}. Fetch what you have not seen, "
        "then decide again."
    )


def _history_lost(desk: Desk, kept: Kept, told: Mapping[str, object]) -> bool:
    """Whether a valid receipt names a head that is not in this match (SPEC 8.7)."""
    terms = kept.state.terms
    if told.get("match") != terms.match.hex():
        raise Conflict("receipt/other-match", "This receipt is for another match.")
    # The receipt will stand in `voided`, so it must be one of this match's key, as it was sent.
    if told.get("key_id") != terms.key_id or not _signed_by_us(desk, terms.match, told):
        raise Illegal("receipt/invalid", "This house did not sign that receipt.")
    return not kept.holds(told)


def _signed_by_us(desk: Desk, match: bytes, told: Mapping[str, object]) -> bool:
    """Whether this is a receipt of this house for the match, in canonical form."""
    seq, key_id = told.get("seq"), told.get("key_id")
    if type(seq) is not int or not isinstance(key_id, str):
        return False
    try:
        event_hash = bytes.fromhex(str(told["event_hash"]))
        signature = bytes.fromhex(str(told["signature"]))
        message = receipt_message(match, seq, event_hash)
        as_sent = canonical(told) == receipt(match, seq, event_hash, key_id, signature)
    except (KeyError, ValueError, OverflowError):
        return False
    return as_sent and desk.signer.verify(key_id, message, signature)
