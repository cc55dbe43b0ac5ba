"""`house.ports.Store` on Redis or Valkey: many processes on many hosts."""

from __future__ import annotations

from collections.abc import Sequence

from fairbones.core.errors import Conflict, Missing
from fairbones.house.ports import (
    Ears,
    Listed,
    Opening,
    SeatClaim,
    SeqTaken,
    SetBack,
    Standing,
    Step,
    Stored,
    Wanted,
)
from fairbones.store.points import Point, Probe, unprobed
from fairbones.store.redis import keys, lists, openings, scripts
from fairbones.store.redis.archive import RedisArchive
from fairbones.store.redis.checks import takes_writes
from fairbones.store.redis.ears import Listener
from fairbones.store.redis.failures import corrupt
from fairbones.store.redis.feeder import Feeder
from fairbones.store.redis.openings import Pair
from fairbones.store.redis.packing import (
    Damaged,
    pack_pair,
    pack_step,
    unpack_claims,
    unpack_steps,
)
from fairbones.store.redis.wire import Wire

# What the scripts answer first.
_UNKNOWN, _KEPT, _AGAIN, _OTHER, _SEAT_TAKEN, _DAMAGED = range(6)


class RedisStore(RedisArchive):
    """Keeps matches where `wire` leads; see `open_redis`.

    Threads may call it side by side. Beside what `Store` promises, every call may raise
    `FairbonesError` with `store/unreachable`, `store/busy`, `store/corrupt`, `store/closed` or
    `store/failed`, every write `store/full` and `store/read-only` too; then nothing was kept.
    After `store/unknown-outcome` a write may have been kept.
    """

    def __init__(self, wire: Wire, probe: Probe = unprobed) -> None:
        super().__init__(wire, Feeder(wire), probe)
        self._listener: Listener | None = None

    def listen(self, ears: Ears) -> None:
        """See `Store.listen`."""
        self._listener = Listener(self._wire, ears, self._feeder.name)
        self._listener.start()

    def choose(self, key: str, request_hash: bytes, match_id: bytes) -> bytes:
        """See `Store.choose`. The pair is kept, for ever if a match follows."""
        return openings.choose(self._wire, key, Pair(request_hash, match_id))

    def create(self, opening: Opening) -> bytes:
        """See `Store.create`."""
        if opening.step.first_seq != 0 or not opening.step.events:
            raise ValueError("a match begins with an event at seq 0")
        if opening.idempotency is None:
            code, _ = self._created(opening)
            if code != _KEPT:
                raise openings.id_used()
            return opening.match_id
        key, request_hash = opening.idempotency
        mine = Pair(request_hash, opening.match_id)
        while True:
            earlier, fresh = openings.settle(self._wire, key, mine)
            if earlier is not None:
                return earlier
            code, of_key = self._created(opening)
            if code == _KEPT or (code == _AGAIN and of_key):
                return opening.match_id
            # A key that was new is given up with the match; one that was given away meanwhile
            # has another match by now.
            kept = None if fresh and not of_key else mine
            if of_key or openings.swap(self._wire, key, mine, kept):
                raise openings.id_used()

    def load(self, match_id: bytes) -> Stored | None:
        """See `Store.load`."""
        (seed, *_), state, packed, claimed, owed = self._whole(match_id)
        if owed:
            self._feeder.owed(match_id)
        if state[-1] or (seed is None and not packed):
            return None
        if seed is None or not packed:
            raise corrupt(self._wire.place, match=match_id.hex())
        return Stored(match_id, seed, *self._unpacked(match_id, packed, claimed, 0))

    def tail(
        self, match_id: bytes, seen: Sequence[Step]
    ) -> tuple[tuple[Step, ...], tuple[SeatClaim, ...]] | None:
        """See `Store.tail`."""
        last = seen[-1]
        names = (keys.steps(match_id), keys.claims(match_id))
        packed, claimed, here = self._wire.look(scripts.TAIL, names, len(seen) - 1)
        if not here:
            return None
        if not packed or packed[0] != pack_step(last):
            raise SetBack
        return self._unpacked(match_id, packed[1:], claimed, last.head_seq + 1)

    def append(
        self,
        match_id: bytes,
        step: Step,
        claim: SeatClaim | None = None,
        standing: Standing | None = None,
        after: Step | None = None,
    ) -> None:
        """See `Store.append`. A stale seq is told before a taken seat: only who has seen the
        newest events can tell a rival from his own repeated request.
        """
        if not step.events:
            raise ValueError("a step has events")
        packed = b"" if claim is None else pack_pair(claim.token_hash, claim.request_hash)
        code, *rest = self._wire.run_probed(
            scripts.APPEND,
            keys.of_match(match_id),
            pack_step(step),
            step.first_seq,
            *(("", "") if after is None else ("1", after.receipt)),
            *(("", "") if claim is None else (claim.seat, packed)),
            *(("", "", "") if standing is None else _standing(standing)),
        )
        if code == _UNKNOWN:
            raise Missing("match/unknown", "There is no such match here.")
        if code in (_AGAIN, _OTHER):
            raise SeqTaken
        if code == _SEAT_TAKEN:
            assert claim is not None
            raise Conflict("seat/taken", "This seat is taken: choose another.", seat=claim.seat)
        if code == _DAMAGED:
            raise corrupt(self._wire.place, match=match_id.hex())
        owed, *states = rest
        for state in states:
            self._show(match_id, state)
        if owed:
            self._feeder.owed(match_id)
        self._feeder.grown(match_id)
        self._probe(Point.AFTER_COMMIT)

    def listed(self, wanted: Wanted) -> tuple[Listed, ...] | None:
        """See `Store.listed`."""
        return lists.page(self._wire, wanted)

    def due(self, now: int, limit: int) -> tuple[bytes, ...]:
        """See `Store.due`."""
        return lists.due(self._wire, now, limit)

    def defer(self, match_id: bytes, due: int | None) -> None:
        """See `Store.defer`."""
        code, *states = self._wire.run(
            scripts.DEFER,
            (keys.match(match_id), keys.outbox(match_id)),
            "" if due is None else due,
        )
        if code == _UNKNOWN:
            lists.hide(self._wire, match_id)
        for state in states:
            self._show(match_id, state)

    def ready(self) -> None:
        """See `Store.ready`: every server that holds keys takes writes now."""
        takes_writes(self._wire)

    def rebuild(self) -> int:
        """Make the lists again from the matches; how many ids were ever used."""
        return lists.rebuild(self._wire)

    def feed_leftovers(self) -> int:
        """Show in the lists what processes that died have left; how many matches that were."""
        return lists.feed_leftovers(self._wire)

    def close(self) -> None:
        """See `Store.close`."""
        if self._listener is not None:
            self._listener.close()
        self._feeder.close()
        self._wire.close()

    def _created(self, opening: Opening) -> tuple[int, bool]:
        """What `create.lua` answers: kept, again or other, and whether it is of this key."""
        code, found = self._wire.run_probed(
            scripts.CREATE,
            (
                keys.match(opening.match_id),
                keys.steps(opening.match_id),
                keys.outbox(opening.match_id),
            ),
            pack_step(opening.step),
            opening.sealed_seed,
            *openings.named(opening.idempotency),
            *lists.fields_of(opening.listing),
            opening.due,
        )
        if code != _KEPT:
            return code, bool(found)
        self._show(opening.match_id, found)
        self._probe(Point.AFTER_COMMIT)
        return code, True

    def _unpacked(
        self, match_id: bytes, packed: Sequence[bytes], claimed: Sequence[bytes], first_seq: int
    ) -> tuple[tuple[Step, ...], tuple[SeatClaim, ...]]:
        try:
            return unpack_steps(packed, first_seq), unpack_claims(claimed)
        except Damaged as error:
            raise corrupt(self._wire.place, match=match_id.hex()) from error


def _standing(standing: Standing) -> tuple[str, int, int]:
    return standing.status, standing.taken, standing.open
