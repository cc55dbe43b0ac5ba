"""`house.ports.Archive` on Redis or Valkey: whole matches, for the operator's commands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from fairbones.core.errors import FairbonesError
from fairbones.house.ports import Stored, Whole
from fairbones.store.points import Point, Probe
from fairbones.store.redis import keys, lists, openings, scripts
from fairbones.store.redis.failures import corrupt
from fairbones.store.redis.feeder import Feeder
from fairbones.store.redis.lines import Reply
from fairbones.store.redis.openings import Pair
from fairbones.store.redis.packing import (
    Damaged,
    pack_pair,
    pack_step,
    unpack_claims,
    unpack_steps,
)
from fairbones.store.redis.wire import Wire

# What the scripts answer first when something was done.
_DONE = 1
_DUE = lists.FIELDS.index(b"due")


class RedisArchive:
    """The part of `RedisStore` that commands use."""

    def __init__(self, wire: Wire, feeder: Feeder, probe: Probe) -> None:
        self._wire = wire
        self._feeder = feeder
        self._probe = probe
        self._found: list[bytes] = []
        self._shown_up_to: bytes | None = None

    def ids(self, after: bytes | None, limit: int) -> tuple[bytes, ...]:
        """See `Archive.ids`. The matches themselves are looked through, not the lists; a page that
        follows another is of the same look.
        """
        if after is None or after != self._shown_up_to:
            self._found = sorted(
                {keys.match_of(it) for it in lists.scan(self._wire, keys.ANY_STEPS)}
            )
        else:
            self._wire.holders()
        start = 0 if after is None else bisect_right(self._found, after)
        page = tuple(self._found[start : start + limit])
        self._shown_up_to = page[-1] if page else None
        if not page:
            self._found = []
        return page

    def whole(self, match_id: bytes) -> Whole | None:
        """See `Archive.whole`."""
        (seed, key, request_hash), state, packed, claimed, _ = self._whole(match_id)
        if state[-1] or (seed is None and not packed):
            return None
        try:
            if seed is None or not packed:
                raise Damaged("half a match")
            steps, claims = unpack_steps(packed, 0), unpack_claims(claimed)
            listing = lists.listing_of(state)
        except (Damaged, ValueError) as error:
            raise corrupt(self._wire.place, match=match_id.hex()) from error
        return Whole(
            Stored(match_id, seed, steps, claims),
            (openings.unfield(key), request_hash) if key else None,
            listing,
            int(state[_DUE]) if state[_DUE] else None,
        )

    def adopt(self, whole: Whole) -> bool:
        """See `Archive.adopt`."""
        if self._is_here(whole):
            return False
        match_id = whole.stored.match_id
        if whole.idempotency is not None:
            key, request_hash = whole.idempotency
            self._claim(key, Pair(request_hash, match_id))
        claims: list[bytes | int] = []
        for claim in whole.stored.claims:
            claims += (claim.seat, pack_pair(claim.token_hash, claim.request_hash))
        code, *states = self._wire.run_probed(
            scripts.ADOPT,
            keys.of_match(match_id),
            whole.stored.sealed_seed,
            *openings.named(whole.idempotency),
            *lists.fields_of(whole.listing),
            "" if whole.due is None else whole.due,
            len(whole.stored.claims),
            *claims,
            *map(pack_step, whole.stored.steps),
        )
        if code != _DONE:
            # Somebody else was faster with a match of this id.
            if self._is_here(whole):
                return False
            raise openings.id_used()
        self._show(match_id, states[0])
        self._probe(Point.AFTER_COMMIT)
        return True

    def reseal(self, match_id: bytes, old: bytes, new: bytes) -> bool:
        """See `Archive.reseal`."""
        code: int = self._wire.run(scripts.RESEAL, [keys.match(match_id)], old, new)
        return code == _DONE

    def forget(self, match_id: bytes) -> bool:
        """See `Archive.forget`."""
        code, *found = self._wire.run_probed(scripts.FORGET, keys.of_match(match_id))
        if code != _DONE:
            return False
        key, request_hash, state = found
        if key:
            # Should this not come to pass: a key whose match is gone is free anyway.
            openings.swap(self._wire, openings.unfield(key), Pair(request_hash, match_id), None)
        self._show(match_id, state)
        self._probe(Point.AFTER_COMMIT)
        return True

    def known_keys(self) -> frozenset[str]:
        """See `Archive.known_keys`."""
        (found,) = self._wire.read(keys.HOUSE_KEYS, (b"SMEMBERS", keys.HOUSE_KEYS))
        return frozenset(it.decode() for it in found)

    def remember_keys(self, key_ids: Iterable[str]) -> None:
        """See `Archive.remember_keys`."""
        names = tuple(it.encode() for it in key_ids)
        if names:
            self._wire.write(keys.HOUSE_KEYS, (b"SADD", keys.HOUSE_KEYS, *names))
        else:
            self._wire.holder()

    def _show(self, match_id: bytes, state: lists.State) -> None:
        """Read your writes; but what cannot be shown now is kept all the same."""
        try:
            lists.show(self._wire, match_id, state)
        except FairbonesError:
            self._feeder.owed(match_id)
        else:
            self._feeder.shown(match_id, state[0] or b"")

    def _whole(self, match_id: bytes) -> list[Reply]:
        found: list[Reply] = self._wire.look(scripts.WHOLE, keys.of_match(match_id))
        return found

    def _is_here(self, whole: Whole) -> bool:
        """Whether a match of this id has just these steps; `match/id-used` for any other."""
        match_id = whole.stored.match_id
        _, state, packed, *_ = self._whole(match_id)
        if state[-1] or (packed and packed != [pack_step(it) for it in whole.stored.steps]):
            raise openings.id_used()
        return bool(packed)

    def _claim(self, key: str, mine: Pair) -> None:
        """Give the key to this match; `request/key-reused` when another has it."""
        while True:
            pair, _ = openings.claimed(self._wire, key, mine)
            if pair == mine:
                return
            opened = openings.owner(self._wire, pair.match_id)
            if opened == (openings.field(key), pair.request_hash):
                raise openings.key_reused()
            if openings.swap(self._wire, key, pair, mine):
                return
