"""Whether a kept match is what this house kept: its chain, its receipts, its seed, its place."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from fairbones.archive.matches import Library, ids
from fairbones.core.errors import FairbonesError
from fairbones.core.match import MatchState, Stage, replay, wake
from fairbones.core.protocol.canonical import canonical
from fairbones.core.protocol.chain import NO_PREV, Event, read_event, receipt, receipt_message
from fairbones.core.protocol.wash import server_seed_hash
from fairbones.house.ports import Listing, Signer, Step, Stored, Vault, Whole

# What a value of the wrong shape raises on the way through the core, which reads its own bytes.
MISSHAPEN = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
_HASH_BYTES = 32
_KEY_ID = re.compile(r"[0-9a-f]{16}", re.ASCII)
# As the service takes them, and shorter ones of whoever uses the house without it.
_IDEMPOTENCY_KEY = re.compile(r"[!-~]{1,128}", re.ASCII)


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
        _idempotency(whole)
        _place(whole, state)
        if whole.listing is not None:
            _told(whole.listing, state, opened)
    except FairbonesError as error:
        if error.code in ("house/damaged", "house/other-key", "house/seed-sealed"):
            raise
        raise damaged("its events contradict each other") from None
    except MISSHAPEN:
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


def settled(whole: Whole, state: MatchState) -> Whole:
    """The match with its `due` no later than its events say.

    Until a sweep looks at it, a store may hold one that is later, and holds one for a match that
    is over: so a wrong one is put right and not refused.
    """
    if state.stage in (Stage.ENDED, Stage.VOID):
        return replace(whole, due=None)
    moment = wake(state)
    if moment is None or whole.due is None:
        return whole
    return replace(whole, due=min(whole.due, moment))


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
    if _KEY_ID.fullmatch(key_id) is None:
        raise damaged("its first event names no receipt key")
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
    if len({claim.token_hash for claim in stored.claims}) != len(seats):
        raise damaged("one token holds two of its seats")


def _idempotency(whole: Whole) -> None:
    """The key that it was opened with is one that the service could have been given."""
    if whole.idempotency is None:
        return
    key, request_hash = whole.idempotency
    if _IDEMPOTENCY_KEY.fullmatch(key) is None or len(request_hash) != _HASH_BYTES:
        raise damaged("its idempotency key is none")


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


def _told(listing: Listing, state: MatchState, opened: Event) -> None:
    """The list tells of it what its first event says (`house.listings` writes it).

    Which options were asked for stands there alone; but each has to stand in the row.
    """
    terms = state.terms
    told: dict[str, object] = {
        "ruleset": terms.row["id"],
        "seats": terms.seats,
        "opened_at": terms.opened_at,
        "rounds_max": terms.rounds_max,
        "turn_seconds": opened.data["turn_seconds"],
        "clear_seeds": terms.clear_seeds,
    }
    options = json.loads(listing.told).get("options")
    if options:
        told["options"] = options
        # As text, for 1 is not true.
        if canonical(options) != canonical({name: terms.row[name] for name in options}):
            raise damaged("the list tells of options that its first event does not have")
    if terms.reserved:
        told["reserved"] = sorted(terms.reserved)
    if "reference" in opened.data:
        told["reference"] = opened.data["reference"]
    found = (listing.ruleset, listing.join_by, listing.told)
    if found != (terms.row["id"], terms.opened_at + terms.join_ms, canonical(told)):
        raise damaged("the list tells of it what its first event does not")
