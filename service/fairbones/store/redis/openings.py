"""Opening a match once for an Idempotency-Key, though the key and the match lie on two servers.

The key is kept first, with the id that its match is to have; then the match, with its key. A key
counts as used once a match that names it is kept: one that was chosen and never came, or whose
match was forgotten, can be given another match.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from fairbones.core.errors import Conflict, FairbonesError
from fairbones.store.redis import keys, scripts
from fairbones.store.redis.failures import corrupt
from fairbones.store.redis.packing import Damaged, pack_pair, unpack_pair
from fairbones.store.redis.wire import Wire

# How long somebody else's opening may take before its id is given up for ours.
PATIENCE_SECONDS = 1.0
_LOOK_SECONDS = 0.005


@dataclass(frozen=True, slots=True)
class Pair:
    """What an Idempotency-Key was first used with."""

    request_hash: bytes
    match_id: bytes

    def packed(self) -> bytes:
        """As it is kept."""
        return pack_pair(self.request_hash, self.match_id)


def key_reused() -> Conflict:
    """The key came with another request before."""
    return Conflict(
        "request/key-reused",
        "This Idempotency-Key came with another request before: use a new one.",
    )


def field(key: str) -> bytes:
    """An idempotency key as the match of it names it; a match without one has an empty field."""
    return b"k" + key.encode("utf-8", "surrogatepass")


def named(idempotency: tuple[str, bytes] | None) -> tuple[bytes, bytes]:
    """The fields of a match that say how it was opened."""
    return (b"", b"") if idempotency is None else (field(idempotency[0]), idempotency[1])


def unfield(named: bytes) -> str:
    """The idempotency key that a match names."""
    return named[1:].decode("utf-8", "surrogatepass")


def choose(wire: Wire, key: str, mine: Pair) -> bytes:
    """See `Store.choose`."""
    while True:
        pair, _ = claimed(wire, key, mine)
        if pair == mine:
            return mine.match_id
        opened = owner(wire, pair.match_id)
        if opened is not None and opened != (field(key), pair.request_hash):
            # It was forgotten, or it is another key's: this one is free.
            if swap(wire, key, pair, mine):
                return mine.match_id
            continue
        if pair.request_hash != mine.request_hash:
            raise key_reused()
        return pair.match_id


def settle(wire: Wire, key: str, mine: Pair) -> tuple[bytes | None, bool]:
    """Whether a match may be opened with this key under `mine.match_id`.

    The id of a match that has the key already, or None: it may. And whether the key was new.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        pair, fresh = claimed(wire, key, mine)
        if pair == mine:
            return None, fresh
        same = pair.request_hash == mine.request_hash
        # Somebody chose an id that is not kept yet: he may be about to, or dead.
        late = time.monotonic() > deadline
        opened = owner(wire, pair.match_id, bury=same and late)
        if opened == (field(key), pair.request_hash) or (opened is None and not same):
            if not same:
                raise key_reused()
            return pair.match_id, False
        if opened is None:
            time.sleep(_LOOK_SECONDS)
        elif swap(wire, key, pair, mine):
            return None, True


def claimed(wire: Wire, key: str, mine: Pair) -> tuple[Pair, bool]:
    """The pair that is kept for a key, `mine` if there was none; and whether it is new."""
    name = keys.chosen(key)
    new, kept = wire.write(name, (b"SET", name, mine.packed(), b"NX"), (b"GET", name))
    if kept is None:  # given up in this very moment
        return mine, False
    try:
        return Pair(*unpack_pair(kept)), new is not None
    except Damaged as error:
        raise corrupt(wire.place) from error


def swap(wire: Wire, key: str, old: Pair, new: Pair | None) -> bool:
    """Put another pair in place of this one, or none; False when another is there by now."""
    packed = b"" if new is None else new.packed()
    now: bytes = wire.run(scripts.SWAP, [keys.chosen(key)], old.packed(), packed)
    return now == packed


def owner(wire: Wire, match_id: bytes, *, bury: bool = False) -> tuple[bytes, bytes] | None:
    """The key and request that a match was opened with, empty for one that was forgotten.

    None: there is no such match; with `bury` there never will be.
    """
    found = wire.look(scripts.BURY, [keys.match(match_id)], "1" if bury else "")
    if not found:
        return (b"", b"") if bury else None
    key, request_hash, _ = found
    return key or b"", request_hash or b""


def id_used() -> FairbonesError:
    """The match id was used before."""
    return Conflict("match/id-used", "A match with this id exists: draw another id.")
