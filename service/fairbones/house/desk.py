"""Load, decide, append at the expected seq: the one loop every use case goes through.

A match's state is kept per process and checked against the store on every use, so a state is a
cache and never a truth. A step is signed before it is appended and shown after: a receipt for a
head that lost a race never leaves this file (SPEC 6.4).
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import threading
from collections import OrderedDict
from collections.abc import Callable

from fairbones.core.errors import Conflict, FairbonesError, Forbidden, Missing, Stale
from fairbones.core.match import Command, LoseHistory, Touch, decide, wake
from fairbones.core.match.times import expired
from fairbones.core.protocol.chain import Event, receipt, receipt_message
from fairbones.house.kept import Kept, remember, set_back
from fairbones.house.metering import SILENT
from fairbones.house.ports import (
    Clock,
    Meter,
    SeatClaim,
    SeqTaken,
    SetBack,
    Signer,
    Step,
    Store,
    Vault,
)
from fairbones.house.standings import moved
from fairbones.house.turns import Turns
from fairbones.house.waiting import Bell

KEPT_MAX = 256  # matches in memory; a whole match of four is about 200 KB
RACES_MAX = 20  # lost races before the client is asked to come again


def hash_token(token: str) -> bytes:
    """What is stored of a bearer token."""
    return hashlib.sha256(b"fairbones seat token\0" + token.encode("utf-8")).digest()


class Desk:
    """Where matches are looked up, touched and appended to."""

    def __init__(
        self, store: Store, vault: Vault, signer: Signer, clock: Clock, meter: Meter = SILENT
    ) -> None:
        self.store = store
        self.vault = vault
        self.signer = signer
        self.clock = clock
        self.meter = meter
        self.bell = Bell()
        self._kept: OrderedDict[bytes, Kept] = OrderedDict()
        self._lost: dict[bytes, dict[str, object]] = {}
        # Matches that this process has seen alive, and of which the store has nothing any more.
        self._vanished: set[bytes] = set()
        # One writer of a match at a time in this process: a lost race costs a signature.
        self._writes = Turns(meter.lock_waited)
        self._looks = Turns(lambda _seconds: None)
        self._guard = threading.Lock()
        store.listen(self.bell)

    def sign(self, event: Event, key_id: str) -> bytes:
        """The receipt for a head, under the key its match was opened with (SPEC 6.5)."""
        message = receipt_message(event.match, event.seq, event.hash)
        return receipt(
            event.match, event.seq, event.hash, key_id, self.signer.sign(message, key_id)
        )

    def fresh(self, match_id: bytes) -> Kept:
        """The match as the store has it now; `Missing("match/unknown")`."""
        kept = self._cached(match_id)
        if kept is None:
            kept = self._load(match_id)
        else:
            try:
                tail = self.store.tail(match_id, kept.steps)
            except SetBack:
                return self._set_back(kept)
            if tail is None:
                raise self._gone(kept)
            steps, claims = tail
            if steps or claims != kept.claims:
                kept = kept.grown(steps, claims)
        self._keep(match_id, kept)
        return kept

    def touched(self, match_id: bytes) -> Kept:
        """The match after what the clock owes, if anything, was applied (SPEC 8.4, 8.8).

        Many readers wake at one moment; only one of them, in its turn, has anything to sign.
        """
        kept = self.fresh(match_id)
        if match_id not in self._lost and not expired(kept.state, self.clock()):
            return kept
        with self._writes.at(match_id):
            lost: list[int] = []
            while len(lost) < RACES_MAX:
                kept = self.fresh(match_id)
                try:
                    return self._owed(kept, self.clock())
                except SeqTaken:
                    lost.append(kept.state.seq)
        raise _never_first(match_id, lost)

    def awaited(self, match_id: bytes, after: int) -> Kept:
        """`touched`, for the many that wake at one moment: one of them asks the store for all.

        What it has answered with a seq above `after` is as new as the ring that woke the others.
        """
        with self._looks.at(match_id):
            kept = self._cached(match_id)
            if kept is not None and kept.state.seq > after:
                return kept
            return self.touched(match_id)

    def _owed(self, kept: Kept, now: int) -> Kept:
        """The match after what the house owes it at this moment; `SeqTaken`."""
        match_id = kept.state.terms.match
        receipt_ = self._lost.get(match_id)
        if receipt_ is not None:
            if wake(kept.state) is not None and not kept.holds(receipt_):
                kept = self.append(kept, LoseHistory(now, receipt_))
            self._lost.pop(match_id, None)
        return self.append(kept, Touch(now)) if expired(kept.state, now) else kept

    def append(self, kept: Kept, command: Command, claim: SeatClaim | None = None) -> Kept:
        """Decide and append one step; the match after it. `SeqTaken`, or a refusal."""
        events, state = decide(kept.state, command)
        if not events:
            return kept
        match_id = state.terms.match
        receipt_ = self.sign(events[-1], state.terms.key_id)
        step = Step(events[0].seq, tuple(event.raw for event in events), receipt_)
        standing_ = moved(kept.state, state)
        try:
            self.store.append(match_id, step, claim, standing_, kept.steps[-1])
        except SeqTaken:
            self.meter.conflict()
            raise
        self.meter.appended(len(events))
        claims = kept.claims if claim is None else (*kept.claims, claim)
        after = kept.stepped(step, events, state, claims)
        self._keep(match_id, after)
        self.bell.ring(match_id)
        if standing_ is not None:
            self._note_due(after)
        return after

    def _note_due(self, kept: Kept) -> None:
        """When a sweep has to look, after a seating or between two stages, where it may be sooner
        than was said. What cannot be noted now is noted by the sweep that looks later.
        """
        with contextlib.suppress(FairbonesError):
            self.store.defer(kept.state.terms.match, wake(kept.state))

    def change(
        self, match_id: bytes, ask: Callable[[Kept, int], tuple[Command, SeatClaim | None] | int]
    ) -> tuple[Kept, int, bool]:
        """Touch, ask what to do, append; again when somebody else was first.

        `ask` is told the match and the moment (ms); it returns a command for that moment (and a
        claim), or the index of the step that a repeated request had appended. The match, the index
        of the step to answer with, and whether it is new. Whatever is asked of the match at the
        moment that was looked at is in time: a second look at the clock could find it too late.

        What this process remembers of the match is believed as long as an append at its head goes
        through; before anything else is answered the store is asked.
        """
        with self._writes.at(match_id):
            lost: list[int] = []
            cached = self._cached(match_id)
            kept, sure = (self.fresh(match_id), True) if cached is None else (cached, False)
            while len(lost) < RACES_MAX:
                now = self.clock()
                try:
                    kept = self._owed(kept, now)
                    asked = ask(kept, now)
                    if not isinstance(asked, int):
                        after = self.append(kept, *asked)
                        return after, len(after.steps) - 1, True
                    if sure:
                        return kept, asked, False
                except SeqTaken:
                    lost.append(kept.state.seq)
                except (Conflict, Stale) as refusal:
                    if sure:
                        # Whoever came second learns what it came second to (SPEC 6.4).
                        refusal.details |= standing(kept)
                        raise
                except FairbonesError as error:
                    # What the store says of an append is not about what is remembered.
                    if sure or error.code.startswith("store/"):
                        raise
                kept, sure = self.fresh(match_id), True
        raise _never_first(match_id, lost)

    def seat_of(self, kept: Kept, token: str) -> int:
        """The seat that holds `token`; `Forbidden("auth/token-unknown")`, in constant time."""
        hashed = hash_token(token)
        found = [c.seat for c in kept.claims if hmac.compare_digest(c.token_hash, hashed)]
        if not found:
            raise Forbidden(
                "auth/token-unknown",
                "No seat of this match holds this token: send the one you took your seat with.",
            )
        return found[0]

    def _cached(self, match_id: bytes) -> Kept | None:
        with self._guard:
            return None if match_id in self._lost else self._kept.get(match_id)

    def _set_back(self, seen: Kept) -> Kept:
        """The match from a store that has lost the last step of `seen`, which may have been shown.

        A shorter history is never played on (SPEC 8.7): the next that touches the match voids it,
        with the receipt for the head that is lost. Until it did, this is not forgotten.
        """
        match_id = seen.state.terms.match
        self.meter.history_lost(match_id)
        with self._guard:
            self._kept.pop(match_id, None)
            self._lost.setdefault(match_id, json.loads(seen.steps[-1].receipt))
        return self._load(match_id)

    def _gone(self, seen: Kept) -> FairbonesError:
        """The store has nothing at all of a match that this process has seen."""
        match_id = seen.state.terms.match
        with self._guard:
            self._kept.pop(match_id, None)
            if wake(seen.state) is None:
                return _unknown()  # an old match that was pruned
            self._vanished.add(match_id)
        self.meter.history_lost(match_id)
        return all_lost()

    def _load(self, match_id: bytes) -> Kept:
        stored = self.store.load(match_id)
        if stored is None:
            raise all_lost() if match_id in self._vanished else _unknown()
        secret = self.vault.open(match_id, stored.sealed_seed)
        return remember(secret, stored.steps, stored.claims)

    def _keep(self, match_id: bytes, kept: Kept) -> None:
        with self._guard:
            known = self._kept.get(match_id)
            if known is not None and known.state.seq > kept.state.seq:
                return  # another thread has seen more
            if match_id in self._lost and wake(kept.state) is not None:
                return  # what was lost is not said yet
            self._kept[match_id] = kept
            self._kept.move_to_end(match_id)
            while len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)


def standing(kept: Kept) -> dict[str, object]:
    """Where a match stands, with the receipt that every head shown has."""
    head = {"seq": kept.state.seq, "event_hash": kept.state.head.hex()}
    return {"head": head, "receipt": json.loads(kept.steps[-1].receipt)}


def history_lost(**details: object) -> FairbonesError:
    """What who holds a receipt for a head that is not here is told (SPEC 8.7)."""
    return FairbonesError(
        "match/history-lost",
        "The house signed a head that it does not hold any more. The match is void; the "
        "receipt you sent stands in its last event.",
        **details,
    )


def all_lost() -> FairbonesError:
    """The same, where not even the opening is left, so that nothing can be added to it."""
    return FairbonesError(
        "match/history-lost",
        "The house has nothing of this match any more, though it has signed for it. It is over; "
        "keep your receipts.",
    )


def _unknown() -> FairbonesError:
    return Missing("match/unknown", "There is no such match here.")


def _never_first(match_id: bytes, lost: list[int]) -> FairbonesError:
    """Why every race was lost, from the seq of the head at each: nothing new ever came, so the
    store is behind what was shown from it. To play on from where it stands would be to sign two
    heads for one seq (SPEC 6.4).
    """
    if len(set(lost)) == 1:
        return set_back(match_id)
    return FairbonesError("service/busy", "This match is very busy: send the same request again.")
