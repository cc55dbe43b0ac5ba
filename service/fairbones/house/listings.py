"""The list of matches: what a lobby is told, without a look at any of them (SPEC knows no list).

What is told of a match is as of its last touch: listing applies no deadline and signs nothing. So
nothing is offered to be joined whose time to join has run out, although no event says so yet.
"""

from __future__ import annotations

import base64
import hashlib
import json

from fairbones.core.errors import Unreadable
from fairbones.core.match import MatchState, Stage
from fairbones.core.protocol.canonical import canonical
from fairbones.house.desk import Desk
from fairbones.house.messages import ListRequest, Matches, OpenRequest
from fairbones.house.ports import Listed, Listing, Wanted
from fairbones.house.standings import standing

_VERSION = b"\x01"
_CHECK = 7  # with the version and a match id 24 bytes, which base64 needs no padding for


def listing(state: MatchState, request: OpenRequest) -> Listing | None:
    """How a match just opened is listed; None for one that is kept out of every list."""
    if not request.listed:
        return None
    terms = state.terms
    told: dict[str, object] = {
        "ruleset": request.ruleset,
        "seats": terms.seats,
        "opened_at": terms.opened_at,
        "rounds_max": terms.rounds_max,
        "turn_seconds": request.turn_seconds,
        "clear_seeds": terms.clear_seeds,
    }
    if request.options:
        told["options"] = dict(request.options)
    if terms.reserved:
        told["reserved"] = sorted(terms.reserved)
    if request.reference is not None:
        told["reference"] = request.reference
    return Listing(
        ruleset=request.ruleset,
        join_by=terms.opened_at + terms.join_ms,
        told=canonical(told),
        standing=standing(state),
    )


def matches(desk: Desk, request: ListRequest) -> Matches:
    """One page, the newest first; `Unreadable("request/cursor")`."""
    now = desk.clock()
    found = desk.store.listed(
        Wanted(
            limit=request.limit + 1,
            status=request.status,
            ruleset=request.ruleset,
            # From its deadline on the next touch voids it.
            join_after=now if request.status == Stage.JOINING else None,
            below=None if request.cursor is None else _read(request.cursor, request),
        )
    )
    if found is None:
        raise _foreign()
    page = found[: request.limit]
    more = len(found) > request.limit
    return Matches(
        items=tuple(map(_item, page)),
        now=now,
        cursor=_write(page[-1].match_id, request) if more else None,
    )


def _item(listed: Listed) -> dict[str, object]:
    standing = listed.standing
    item = {"id": listed.match_id.hex(), "status": standing.status, **json.loads(listed.told)}
    item |= {"taken": standing.taken, "open": standing.open}
    if standing.status == Stage.JOINING:
        item["deadline"] = listed.join_by
    return item


def _write(match_id: bytes, request: ListRequest) -> str:
    """A cursor names the last match shown: whatever is opened later stands before it."""
    asked = canonical({"status": request.status or "", "ruleset": request.ruleset or ""})
    text = b"fairbones listing cursor\0" + _VERSION + match_id + asked
    check = hashlib.sha256(text).digest()[:_CHECK]  # it is no place in any other list
    return base64.urlsafe_b64encode(_VERSION + match_id + check).decode("ascii")


def _read(cursor: str, request: ListRequest) -> bytes:
    """The match that a cursor names, which may be none of ours."""
    try:
        match_id = base64.urlsafe_b64decode(cursor)[1:17]
    except ValueError:
        raise _foreign() from None
    if _write(match_id, request) != cursor:
        raise _foreign()
    return match_id


def _foreign() -> Unreadable:
    return Unreadable(
        "request/cursor",
        "This cursor is not one of this list: begin again without, with the same status and "
        "ruleset for every page.",
    )
