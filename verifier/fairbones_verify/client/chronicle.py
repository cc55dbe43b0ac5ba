"""The events and receipts seen of one match: one chain, and never another (SPEC 10, C2, C9)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .. import shape
from ..ed25519 import good_key
from ..hashing import event_hash, key_id
from ..receipts import pin
from ..signature import Receipt, signed_by
from ..strictjson import Flaw, canonical
from ..table import Event
from .lies import Gap, Lie

Json = dict[str, Any]


class Chronicle:
    """`events` from seq 0 without a gap, `texts` and `hashes` of them, `receipts` by seq.

    match: its id, 32 hex digits. pinned: keys of the house from elsewhere; without one the first
    key that the house names for this match is kept and stays the only one. first: that key, where
    it was named to an earlier run: it holds the chain, and it is still the house's own word.
    """

    def __init__(
        self, match: str, pinned: Sequence[bytes | str] = (), first: Sequence[bytes | str] = ()
    ) -> None:
        self.match = match
        self.pinned = pin(pinned)
        self.first = pin(first)
        self.listed: dict[str, bytes] = {}
        self.events: list[Event] = []
        self.texts: list[str] = []
        self.hashes: list[bytes] = []
        self.receipts: dict[int, Receipt] = {}
        self.contrary: list[Receipt] = []  # for a place that there is another receipt for

    @property
    def head(self) -> int:
        """The seq of the last event; -1 before the first."""
        return len(self.events) - 1

    @property
    def key(self) -> bytes | None:
        """The key that this match is signed with (6.5, 9.8), where it is known."""
        if not self.events:
            return None
        return self.known(str(self.events[0]["data"].get("key_id")))

    def known(self, name: str) -> bytes | None:
        """The key of this id, if the chain may be signed with it."""
        if self.pinned and name not in self.pinned:
            return None
        return (self.first or self.pinned or self.listed).get(name)

    def list_keys(self, keys: Iterable[Any]) -> None:
        """What the house says its keys are. The first word counts."""
        for one in keys:
            flaw = shape.lowest(
                shape.members({k: v for k, v in one.items() if k != "current"}, shape.KEY, "key")
                if isinstance(one, dict)
                else iter([Flaw("format/type", "key", "an object", "another value")])
            )
            if flaw is not None:
                raise Lie("C2", f"the list of keys is no such list: {flaw.expected}")
            raw = bytes.fromhex(one["public_key"])
            if key_id(raw) != one["key_id"] or good_key(raw) is None:
                raise Lie("C2", f"the key {one['key_id']} is no good key, or has another id")
            self.listed.setdefault(one["key_id"], raw)

    def take(self, told: Any) -> list[Event]:
        """Events of an answer, in order: those that are new. What is known has to be the same."""
        if not isinstance(told, list):
            raise Lie("C6", "the events of an answer are no list")
        new: list[Event] = []
        for event in told:
            self._one(event, new)
        return new

    def _one(self, event: Any, new: list[Event]) -> None:
        try:
            text = canonical(event)
        except (TypeError, ValueError, RecursionError):
            text = ""
        place = len(self.events)
        flaw = shape.lowest(shape.of_event(event, text, "the event"))
        if flaw is not None:
            words = f"event {place} cannot be read: {flaw.where} should be {flaw.expected}"
            raise Lie("C6", words, place, flaw.code)
        hashed, seq = event_hash(text), event["seq"]
        if seq < place:
            if hashed != self.hashes[seq]:
                raise Lie("C9", f"event {seq} was another one before", seq)
            return
        if seq > place:
            raise Gap(self.head)
        self._follows(event)
        self.events.append(event)
        self.texts.append(text)
        self.hashes.append(hashed)
        new.append(event)
        self._promised(seq)

    def _follows(self, event: Event) -> None:
        seq, prev = event["seq"], self.hashes[-1].hex() if self.hashes else "0" * 64
        if event["match"] != self.match:
            raise Lie("C9", f"event {seq} is of another match", seq, "chain/match")
        if event["prev"] != prev:
            raise Lie("C9", f"event {seq} does not follow the event before it", seq, "chain/prev")

    def _promised(self, seq: int) -> None:
        """A receipt that came before its event, or was kept from an earlier run."""
        kept = self.receipts.get(seq)
        if kept and seq <= self.head and kept["event_hash"] != self.hashes[seq].hex():
            self._two(seq)

    def _two(self, seq: int) -> None:
        raise Lie("C2", f"the house has signed for another event {seq} than this one", seq)

    def keep(self, given: Any) -> Receipt:
        """Check a receipt and keep it, whatever it says."""
        flaw = (
            shape.lowest(shape.members(given, shape.RECEIPT, "receipt"))
            if isinstance(given, dict)
            else Flaw("format/type", "receipt", "a receipt", "nothing")
        )
        if flaw is not None:
            raise Lie("C2", f"a head is shown without a receipt: {flaw.expected} is missing")
        receipt: Receipt = given
        seq = receipt["seq"]
        if receipt["match"] != self.match:
            raise Lie("C2", "the receipt is of another match", None, "receipt/match")
        named = self.events[0]["data"]["key_id"] if self.events else receipt["key_id"]
        if receipt["key_id"] != named:
            raise Lie("C2", "the receipt is of another key than the match", seq, "receipt/key")
        key = self.known(named)
        if key is None:
            whose = "not among the house's keys"
            if self.first:
                whose = "not the key that the house named first"
            if self.pinned and named not in self.pinned:
                whose = "not the key that you gave"
            raise Lie("C2", f"the match is signed with the key {named}: {whose}", 0, "key/other")
        if self.receipts.get(seq) == receipt:
            return receipt
        if not signed_by(receipt, key):
            raise Lie("C2", "the signature of a receipt is not valid", seq, "receipt/signature")
        known = self.receipts.setdefault(seq, receipt)
        if known["event_hash"] != receipt["event_hash"]:
            self.contrary.append(receipt)
            self._two(seq)
        self._promised(seq)
        return receipt

    def covered(self, seq: int) -> bool:
        """Whether a receipt vouches for this event: one for it, or for one after it."""
        return any(seq <= one <= self.head for one in self.receipts)
