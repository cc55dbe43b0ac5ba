"""The names of all keys. What belongs to one match lies in one slot of a Cluster, and so does what
is derived from all of them; the two are never written by one script.
"""

from __future__ import annotations

import hashlib

SCHEMA = b"fb:schema"
HOUSE_KEYS = b"fb:house-keys"
# The tag of everything that can be made again from the matches.
LIST = b"{list}"
MADE = b"fb:{list}:made"
LEASE = b"fb:{list}:lease"
ROWS = b"fb:{list}:rows"
ALL = b"fb:{list}:all"
DUE = b"fb:{list}:due"
REACH = b"fb:{list}:reach"
DERIVED = b"fb:{list}:*"
# All matches, those that may not be in the lists yet, and those that are not forgotten.
ANY_MATCH = b"fb:{*}:match"
ANY_OUTBOX = b"fb:{*}:outbox"
ANY_STEPS = b"fb:{*}:steps"


def match(match_id: bytes) -> bytes:
    """Hash: the sealed seed, the listing, when it is due."""
    return b"fb:{%b}:match" % match_id.hex().encode()


def steps(match_id: bytes) -> bytes:
    """List: one packed step each."""
    return b"fb:{%b}:steps" % match_id.hex().encode()


def claims(match_id: bytes) -> bytes:
    """Hash: a packed claim for each seat."""
    return b"fb:{%b}:claims" % match_id.hex().encode()


def outbox(match_id: bytes) -> bytes:
    """String: the revision of the match that the lists may not show yet."""
    return b"fb:{%b}:outbox" % match_id.hex().encode()


def of_match(match_id: bytes) -> tuple[bytes, bytes, bytes, bytes]:
    """All of a match, in the order in which the scripts are told: match, steps, claims, outbox."""
    return match(match_id), steps(match_id), claims(match_id), outbox(match_id)


def chosen(idempotency_key: str) -> bytes:
    """String: the request and the match id that an Idempotency-Key was first used with."""
    digest = hashlib.sha256(idempotency_key.encode("utf-8", "surrogatepass")).hexdigest()
    return b"fb:{%b}:chosen" % digest.encode()


def match_of(key: bytes) -> bytes:
    """The match that a key belongs to; raises `ValueError` for any other key."""
    return bytes.fromhex(key[key.index(b"{") + 1 : key.index(b"}")].decode())


def nothing(number: int) -> bytes:
    """A key that there never is, in some slot."""
    return b"fb:{nothing %d}" % number


def page(status: str | None, ruleset: str | None) -> bytes:
    """Sorted set of the listed matches of this kind, by the moment of their keeping."""
    if status is None and ruleset is None:
        return ALL
    if ruleset is None:
        return b"fb:{list}:status:" + _text(status)
    if status is None:
        return b"fb:{list}:rules:" + _text(ruleset)
    return b"fb:{list}:both:" + _text(status) + b":" + _text(ruleset)


def wake(db: int) -> bytes:
    """The channel that says which matches have grown; channels do not know databases."""
    return b"fb:wake:%d" % db


def _text(text: str | None) -> bytes:
    return (text or "").encode("utf-8")
