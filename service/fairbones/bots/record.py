"""What one client has seen of a match: the chain it hashed itself, and every receipt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from fairbones.bots.lies import Lie
from fairbones.core.protocol.chain import NO_PREV, Event, key_id, receipt_message, seal_event

_EVENT = {"match", "seq", "prev", "at", "type", "data"}


class Record:
    """The chain from `opened`, never shorter, never another one (SPEC 10.2, 10.3, 10.6).

    `public_key` is the house's, pinned: a receipt of any other key is a lie.
    """

    def __init__(self, match: bytes, public_key: bytes) -> None:
        self.match = match
        self.key_id = key_id(public_key)
        self._key = Ed25519PublicKey.from_public_bytes(public_key)
        self.events: list[Event] = []
        self.receipts: dict[int, Mapping[str, Any]] = {}

    @property
    def head(self) -> int:
        """The seq of the last event, -1 before the first."""
        return len(self.events) - 1

    def take(self, told: Iterable[Mapping[str, Any]]) -> list[Event]:
        """Extend the chain; returns what was new. Events seen before must be the same again."""
        new = []
        for written in told:
            event = self._read(written)
            if event.seq <= self.head:
                if event.hash != self.events[event.seq].hash:
                    raise Lie("10.3", f"event {event.seq} is not the one that was shown before")
                continue
            self._extend(event)
            new.append(event)
        return new

    def keep(self, receipt: Mapping[str, Any]) -> None:
        """Check and keep the receipt of a head that is in the chain already."""
        seq = receipt.get("seq")
        if not isinstance(seq, int) or not 0 <= seq <= self.head:
            raise Lie("10.2", "a receipt is for a head that was not shown")
        event = self.events[seq]
        if receipt.get("match") != self.match.hex() or receipt.get("key_id") != self.key_id:
            raise Lie("10.2", f"the receipt of event {seq} is of another match or another key")
        if receipt.get("event_hash") != event.hash.hex():
            raise Lie("10.2", f"the house signed another event {seq} than the one it showed")
        try:
            signature = bytes.fromhex(str(receipt.get("signature")))
            self._key.verify(signature, receipt_message(self.match, seq, event.hash))
        except (ValueError, InvalidSignature):
            raise Lie("10.2", f"the signature on the receipt of event {seq} is not valid") from None
        self.receipts[seq] = dict(receipt)

    def _read(self, written: Mapping[str, Any]) -> Event:
        """The event, its hash taken over the canonical form of what it says."""
        if set(written) != _EVENT:
            raise Lie("10.6", "an event has other members than SPEC 6.1 says")
        try:
            return seal_event(
                bytes.fromhex(written["match"]),
                written["seq"],
                bytes.fromhex(written["prev"]),
                written["at"],
                written["type"],
                written["data"],
            )
        except (TypeError, ValueError, AttributeError) as error:
            raise Lie("10.6", f"an event cannot be read: {error}") from error

    def _extend(self, event: Event) -> None:
        prev = self.events[-1].hash if self.events else NO_PREV
        if event.seq != self.head + 1 or event.prev != prev or event.match != self.match:
            raise Lie("10.3", f"event {event.seq} does not follow event {self.head} in the chain")
        if self.events and event.at < self.events[-1].at:
            raise Lie("10.6", f"event {event.seq} is older than the one before it")
        if (event.seq == 0) != (event.type == "opened"):
            raise Lie("10.3", f"event {event.seq} cannot be {event.type}")
        if event.type == "opened" and event.data["key_id"] != self.key_id:
            raise Lie("10.2", "the match is signed by another key than the house's")
        self.events.append(event)
