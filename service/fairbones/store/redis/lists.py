"""What is derived from all matches: the lists, and what is due. Any of it can be made again.

A change of a match leaves its revision in an outbox beside it; showing the match in the lists as it
is now, and taking that revision out, is `feed`. Older states never replace newer ones, so feeding
twice, late, or from two processes does no harm.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from fairbones.house.ports import Listed, Listing, Standing, Wanted
from fairbones.store.redis import keys, scripts
from fairbones.store.redis.failures import corrupt
from fairbones.store.redis.lines import Command, Reply
from fairbones.store.redis.wire import Wire

# What `scripts/index.lua` is told of a match, in its order.
FIELDS = (
    b"rev",
    b"kept",
    b"rules",
    b"join",
    b"told",
    b"status",
    b"taken",
    b"open",
    b"due",
    b"gone",
)
# So many listed matches are looked at without letting others have the server.
LOOK_MAX = 1000
SCAN_COUNT = 1000
BATCH = 200
_INDEX_KEYS = (keys.ROWS, keys.ALL, keys.DUE, keys.REACH)

State = Sequence[bytes | None]


def show(wire: Wire, match_id: bytes, state: State) -> None:
    """Put a match into the lists as it is, or as it was at some moment."""
    wire.run(scripts.INDEX, _INDEX_KEYS, match_id.hex(), *(it or b"" for it in state))


def hide(wire: Wire, match_id: bytes) -> None:
    """Take an id out that is not kept here: a fail-over may lose a match that is listed."""
    show(wire, match_id, [b""] * (len(FIELDS) - 1) + [b"1"])


def feed(wire: Wire, match_ids: Sequence[bytes]) -> None:
    """Show these matches as they are now, and note in their outboxes that they are shown."""
    states = wire.read_many([(keys.match(it), state_of(it)) for it in match_ids])
    for match_id, state in zip(match_ids, states, strict=True):
        if state[0] is not None:
            show(wire, match_id, state)
            clear(wire, match_id, state[0])


def clear(wire: Wire, match_id: bytes, rev: bytes) -> None:
    """The lists show this revision."""
    wire.run(scripts.CLEAR, [keys.outbox(match_id)], rev)


def state_of(match_id: bytes) -> Command:
    """Asks for what `show` wants."""
    return (b"HMGET", keys.match(match_id), *FIELDS)


def fields_of(listing: Listing | None) -> tuple[str | int | bytes, ...]:
    """A listing as the scripts keep it: ruleset, join by, told, status, taken, open."""
    if listing is None:
        return ("",) * 6
    it = listing.standing
    return listing.ruleset, listing.join_by, listing.told, it.status, it.taken, it.open


def listing_of(state: State) -> Listing | None:
    """The listing of a match that is in a list; `ValueError` when it makes no sense."""
    rules, join_by, told, status, taken, open_ = (it or b"" for it in state[2:8])
    if not join_by:
        return None
    standing = Standing(status.decode(), int(taken), int(open_))
    return Listing(rules.decode(), int(join_by), told, standing)


def feed_leftovers(wire: Wire) -> int:
    """Feed what processes that died have left in outboxes; how many matches that were."""
    return _feed_all(wire, keys.ANY_OUTBOX)


def rebuild(wire: Wire) -> int:
    """Make everything derived again, from the matches alone; how many there are, forgotten too."""
    for key in scan(wire, keys.DERIVED):
        if key != keys.LEASE:
            wire.write(keys.LIST, (b"UNLINK", key))
    count = _feed_all(wire, keys.ANY_MATCH)
    wire.write(keys.MADE, (b"SET", keys.MADE, b"1"))
    return count


def is_made(wire: Wire) -> bool:
    """Whether the lists were made here; a Cluster can lose them alone."""
    return bool(wire.read(keys.MADE, (b"EXISTS", keys.MADE))[0])


def scan(wire: Wire, pattern: bytes) -> Iterator[bytes]:
    """Every key of this pattern; one that comes or goes meanwhile may be told, or told twice."""
    for address in wire.holders():
        cursor = b"0"
        while True:
            ((cursor, found),) = wire.read_at(
                address, (b"SCAN", cursor, b"MATCH", pattern, b"COUNT", SCAN_COUNT)
            )
            yield from found
            if cursor == b"0":
                break


def page(wire: Wire, wanted: Wanted) -> tuple[Listed, ...] | None:
    """See `Store.listed`."""
    asked = (keys.page(wanted.status, wanted.ruleset), keys.ALL, keys.ROWS, keys.REACH)
    after = "" if wanted.join_after is None else str(wanted.join_after)
    below = b"" if wanted.below is None else wanted.below.hex().encode()
    found: list[Listed] = []
    while True:
        left = wanted.limit - len(found)
        reply = wire.look(scripts.PAGE, asked, left, below, after, LOOK_MAX)
        if reply is None:
            return None
        below, *rows = reply
        try:
            found += map(_listed, rows)
        except ValueError as error:
            raise corrupt(wire.place) from error
        if not below:
            return tuple(found)


def due(wire: Wire, now: int, limit: int) -> tuple[bytes, ...]:
    """See `Store.due`."""
    (found,) = wire.read(keys.DUE, (b"ZRANGEBYSCORE", keys.DUE, b"-inf", now, b"LIMIT", 0, limit))
    return tuple(bytes.fromhex(it.decode()) for it in found)


def _feed_all(wire: Wire, pattern: bytes) -> int:
    found = (keys.match_of(key) for key in scan(wire, pattern))
    count = 0
    while batch := list(islice(found, BATCH)):
        feed(wire, batch)
        count += len(batch)
    return count


def _listed(row: Reply) -> Listed:
    match_id, join_by, told, status, taken, open_ = row
    standing = Standing(status.decode(), int(taken), int(open_))
    return Listed(bytes.fromhex(match_id.decode()), int(join_by), told, standing)
