"""A lost history (SPEC 8.7): what looks like a lie, and is the house's own admission."""

from __future__ import annotations

from ..hashing import event_hash
from ..judge import verify
from ..strictjson import document
from ..table import Event
from .guard import Guard
from .lies import Lie, Refused

# What a client meets whose house has gone back: other events, other receipts, an older head.
BACK = ("C2", "C7", "C9", "C12")
CODES = (None, "chain/prev")


def excused(guard: Guard, stop: Lie | Refused, data: bytes) -> Event | None:
    """The void in which the house admits what the client stopped at; None where it does not.

    data: the transcript as the house serves it now. It has to verify with every receipt that was
    kept, which it only does if none is for an event before the void (9.7).
    """
    if isinstance(stop, Lie) and (stop.obligation not in BACK or stop.code not in CODES):
        return None
    chronicle = guard.chronicle
    read, flaw = document(data)
    if read is None or flaw is not None or chronicle.key is None:
        return None
    kept = [*chronicle.receipts.values(), *chronicle.contrary]
    if verify(data, keys=[chronicle.key], receipts=kept).verdict != "verified":
        return None
    events: list[Event] = read.value["events"]
    void, hashes = events[-1], [event_hash(text) for text in read.texts]
    at, hashed = void["seq"], hashes[-1].hex()
    before = chronicle.hashes[:at]
    if (
        not lost(void)
        or before != hashes[: len(before)]
        # The one event that may stand where another was signed; of others there are never two.
        or any((one["seq"], one["event_hash"]) != (at, hashed) for one in chronicle.contrary)
        or (isinstance(stop, Lie) and stop.obligation in ("C2", "C9") and stop.seq != at)
    ):
        return None
    return void


def lost(event: Event) -> bool:
    """Whether an event is the house's word that it lost its history."""
    return bool(event["type"] == "voided" and event["data"]["reason"] == "history-lost")
