"""Events as plain dicts: chain them again, sign them again, spell them as a transcript (SPEC 6).

Nothing here refuses anything: a forger needs a pen that writes whatever it is told.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from fairbones.core.protocol.encoding import H, Tag
from tests.forge.keys import HOUSE, Key

Json = dict[str, Any]
NO_PREV = "0" * 64


def spell(value: object) -> bytes:
    """The canonical form (SPEC 6.2) of what is in the subset; the rest as Python spells it."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def event_hash(event: Json) -> bytes:
    """SPEC 6.3."""
    return H(Tag.EVENT, spell(event))


def relink(events: Sequence[Json], *, first: int = 0) -> list[Json]:
    """The same events in a chain that holds: `seq` and `prev` anew from `first` on."""
    linked = copy.deepcopy(list(events))
    for seq in range(first, len(linked)):
        linked[seq]["seq"] = seq
        linked[seq]["prev"] = event_hash(linked[seq - 1]).hex() if seq else NO_PREV
    return linked


def receipt(match: str, seq: int, hash_: bytes, key: Key = HOUSE) -> Json:
    """What the house signs for a head (SPEC 6.4)."""
    return {
        "match": match,
        "seq": seq,
        "event_hash": hash_.hex(),
        "key_id": key.id,
        "signature": key.sign(bytes.fromhex(match), seq, hash_).hex(),
    }


def receipt_of(event: Json, key: Key = HOUSE) -> Json:
    """The receipt for an event."""
    return receipt(event["match"], event["seq"], event_hash(event), key)


def receipt_at(events: Sequence[Json], key: Key = HOUSE) -> Json:
    """The receipt for a list's last event by its true place, whatever `match` and `seq` it tells.

    A lie in those two fields shall be found in the event, not in the receipt.
    """
    return receipt(events[0]["match"], len(events) - 1, event_hash(events[-1]), key)


def bundle(events: Sequence[Json], signed: Json | None = None, keys: Sequence[Key] = ()) -> Json:
    """A transcript as a dict; by default signed for its last event by the house's own key."""
    return {
        "protocol": "fairbones/1",
        "events": list(events),
        "receipt": receipt_at(events) if signed is None else signed,
        "keys": [key.listed() for key in (keys or (HOUSE,))],
    }


def transcript(events: Sequence[Json], signed: Json | None = None) -> bytes:
    """The bytes of a transcript."""
    return spell(bundle(events, signed))
