"""Whether a kept match is what this house kept: its chain, its receipts, its seed, its place."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from fairbones.archive.matches import Library, ids
from fairbones.core.errors import FairbonesError
from fairbones.core.match import MatchState, replay, wake
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.chain import NO_PREV, Event, read_event, receipt, receipt_message
from fairbones.core.protocol.wash import server_seed_hash
from fairbones.house.ports import Signer, Step, Stored, Vault, Whole

# What a value of the wrong shape raises on the way through the core, which reads its own bytes.
_MISSHAPEN = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError)
_HASH_BYTES = 32


def judge(whole: Whole, signer: Signer, vault: Vault) -> MatchState:
    """The state of a match that is whole.

    Raises `FairbonesError`: `house/damaged` with what is wrong, `house/other-key` for a receipt
    key that is not here, `house/seed-sealed` for a seed whose key is not.
    """
    stored = whole.stored
    try:
        events = tuple(_chained(stored))
        opened = events[0]
        _receipts(stored, opened, signer)
        secret = vault.open(stored.match_id, stored.sealed_seed)
        if server_seed_hash(stored.match_id, secret).hex() != opened.data["server_seed_hash"]:
            raise damaged("its server seed is not the one that its first event commits to")
        state = replay(events, secret)
        _claims(stored, state)
        _place(whole, state)
    except FairbonesError as error:
        if error.code in ("house/damaged", "house/other-key", "house/seed-sealed"):
            raise
        raise damaged("its events contradict each other") from None
    except _MISSHAPEN:
        raise damaged("its events are not those of a match") from None
    return state


def judge_all(
    library: Library, signer: Signer, vault: Vault, progress: Callable[[int], None]
) -> tuple[int, dict[str, str]]:
    """How many matches are kept, and by id what is wrong with those that are not whole."""
    count = 0
    wrong: dict[str, str] = {}
    for count, match_id in enumerate(ids(library), 1):
        try:
            whole = library.whole(match_id)
            if whole is not None:
                judge(whole, signer, vault)
        except FairbonesError as error:
            if error.code.startswith("store/") and error.code != "store/corrupt":
                raise
            wrong[match_id.hex()] = error.message
        progress(count)
    return count, wrong


def damaged(what: str) -> FairbonesError:
    """The refusal of a match."""
    return FairbonesError("house/damaged", what)


def _chained(stored: Stored) -> Iterator[Event]:
    """The events, each the successor of the one before (SPEC 6.3)."""
    seq, prev = 0, NO_PREV
    for step in stored.steps:
        if step.first_seq != seq or not step.events:
            raise damaged(f"a step begins at event {step.first_seq} and not at {seq}")
        for raw in step.events:
            if canonical(json.loads(raw)) != raw:
                raise damaged(f"event {seq} is not in canonical form")
            event = read_event(raw)
            if (event.match, event.seq, event.prev) != (stored.match_id, seq, prev):
                raise damaged(f"event {seq} does not follow the one before")
            if (event.type == "opened") != (seq == 0):
                raise damaged(f"event {seq} is out of its place")
            yield event
            seq, prev = seq + 1, event.hash
    if seq == 0:
        raise damaged("it has no events")


def _receipts(stored: Stored, opened: Event, signer: Signer) -> None:
    """Each step has the receipt for its head, under the key of `opened` (SPEC 6.4, 6.5)."""
    key_id = str(opened.data["key_id"])
    if key_id not in {name for name, _ in signer.public_keys()}:
        raise FairbonesError(
            "house/other-key",
            f"it is signed with the receipt key {key_id}, which is not here; put its file "
            "into the folder of keys",
        )
    for step in stored.steps:
        if not _signed(stored.match_id, step, key_id, signer):
            raise damaged(f"the receipt for event {step.head_seq} is not this house's")


def _signed(match_id: bytes, step: Step, key_id: str, signer: Signer) -> bool:
    told = json.loads(step.receipt)
    signature = bytes.fromhex(told["signature"])
    head = read_event(step.events[-1])
    if step.receipt != receipt(match_id, head.seq, head.hash, key_id, signature):
        return False
    return signer.verify(key_id, receipt_message(match_id, head.seq, head.hash), signature)


def _claims(stored: Stored, state: MatchState) -> None:
    """Exactly those hold a seat by token who took one."""
    seats = [claim.seat for claim in stored.claims]
    taken = [seat for seat, seating in enumerate(state.seatings) if seating is not None]
    if sorted(seats) != taken:
        raise damaged("its tokens are not those of its taken seats")
    for claim in stored.claims:
        if {len(claim.token_hash), len(claim.request_hash)} != {_HASH_BYTES}:
            raise damaged(f"the token of seat {claim.seat} is no hash")


def _place(whole: Whole, state: MatchState) -> None:
    """It stands in the list where its events left it, and a sweep finds it while it is not over."""
    if whole.due is None and wake(state) is not None:
        raise damaged("it is not over, and no sweep would look at it")
    if whole.listing is None:
        return
    told, free = whole.listing.standing, state.free_seats()
    open_ = sum(seat not in state.terms.reserved for seat in free)
    now = (state.stage.value, state.terms.seats - len(free), open_)
    if (told.status, told.taken, told.open) != now:
        raise damaged("its place in the list is not the one that its events left it at")
