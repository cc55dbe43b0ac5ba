"""Opening a match, finding one, and looking at one."""

from __future__ import annotations

import re

from flask import Response, request

from fairbones.api.access import OPENER, PUBLIC, SEAT, callers
from fairbones.api.answers import NO_STORE, REVALIDATE, answer, encoded, spliced, with_receipt
from fairbones.api.codes import codes_of
from fairbones.api.door import address
from fairbones.api.front import front
from fairbones.api.operation import Gives, Takes, operation
from fairbones.api.parameters import AT, CURSOR, LIMIT, RULESET, STATUS
from fairbones.api.paths import MATCH_ID
from fairbones.api.resource import Resource
from fairbones.api.schemas.requests import OpenMatch
from fairbones.core.bones import tile_count
from fairbones.core.errors import Illegal, Unreadable
from fairbones.core.protocol.wash import WASHED_MAX
from fairbones.core.rules import resolve
from fairbones.house.messages import ListRequest, OpenRequest

resource = Resource("matches", "Opening a match, finding one, looking at it.")

# Long enough that two strangers never choose the same one: a key is not bound to a caller.
_KEY = re.compile(r"[!-~]{16,128}", re.ASCII)
_KEY_HEADER: dict[str, object] = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "A random text of your own, such as a UUID. The same key with the same body "
    "again opens nothing: it answers with the match it opened before.",
    "schema": {"type": "string", "pattern": "^[!-~]{16,128}$"},
    "example": "8e03978e-40d5-43e8-bc93-6894a57f9324",
}
_IF_NONE_MATCH: dict[str, object] = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "description": "The ETag you hold: 304 while the view is still the one you have.",
    "schema": {"type": "string"},
}
_ETAG = {"ETag": "The head's hash and for whom the view is: the seat, or `public`."}


@resource.post("/v1/matches")
@operation(
    "openMatch",
    {
        201: Gives(
            "The match is open; its first event commits the house to every tile of every hand.",
            "OpenedMatch",
            ["opened-match"],
            {
                "Location": "The address of the match.",
                "Idempotent-Replayed": "`true` when the key opened this match before.",
            },
        )
    },
    takes=Takes(OpenMatch, ["open-match", "open-match-options", "open-match-private"]),
    headers=[_KEY_HEADER],
    problems=[
        "request/idempotency-key",
        "request/key-reused",
        "ruleset/unknown",
        "ruleset/seats",
        "seat/bad-key",
        "rate/openings",
        *codes_of("options"),
    ],
)
@callers(PUBLIC, OPENER)
def open_match(opener: str | None, body: OpenRequest) -> Response:
    """Open a match

    The house washes and seals every hand of the match, and publishes the seals' roots before
    anybody sits down. What is left out of `options` is as in the ruleset's row; an option that has
    a single value there can be sent with no other.

    GET /v1/matches lists the match unless `listed` is false; then give the id to whoever shall
    play. It is no secret: who has it may look at the match. To keep a seat for somebody, make a
    secret of at least 16 random bytes, send its hash in `reserved` and the secret to that player;
    or send that player's `public_key`, which binds the house too.

    To wash is work: `rounds_max` times the tiles of the set, of which the operator may allow only
    so many a minute.
    """
    at, key, tiles = front(), _idempotency_key(), washed_tiles(body)
    if at.ops.rates is not None and tiles:
        # Repeated requests too: the house washes before it knows that it has washed before.
        at.ops.rates.opening(address(), opener, tiles)
    opened = at.house.open(body, key)
    if opened.created:
        at.ops.meter.opened(tiles)
    made = answer(spliced(event=opened.event, receipt=opened.receipt), 201)
    made.headers["Location"] = f"/v1/matches/{opened.match_id.hex()}"
    if not opened.created:
        made.headers["Idempotent-Replayed"] = "true"
    return made


@resource.get("/v1/matches")
@operation(
    "listMatches",
    {200: Gives("A page of matches, the newest first.", "Matches", ["matches", "matches-page"])},
    query=[STATUS, RULESET, CURSOR, LIMIT],
    problems=["ruleset/unknown", "request/cursor"],
)
@callers(PUBLIC)
def list_matches(
    status: str | None, ruleset: str | None, cursor: str | None, limit: int
) -> Response:
    """Find a match

    Every match but those opened with `listed` false, the last opened first. `cursor` leads to the
    next page; without it there are no more. Matches opened while you page come before the first
    page: none is shown twice and none is missed, but a match may have another status by the time
    its page comes. A cursor does not expire.

    A match is told of as its last touch left it: listing applies no deadline. So the status
    `joining` is asked for by its `deadline` too, and a match whose time to join has run out is not
    among them; without `status` it is, with a `deadline` that `now` has reached, until somebody
    looks at it and it is void. Look at a match before you rely on what is told here.
    """
    found = front().house.matches(ListRequest(limit, status, ruleset, cursor))
    page: dict[str, object] = {"matches": list(found.items), "now": found.now}
    if found.cursor is not None:
        page["cursor"] = found.cursor
    return answer(encoded(page))


def washed_tiles(body: OpenRequest) -> int:
    """What an opening costs (SPEC 4.4); 0 for one that the house refuses before it washes."""
    try:
        row = resolve(body.ruleset, body.seats, body.options)
    except Illegal:
        return 0
    tiles = body.rounds_max * tile_count(int(str(row["set"])))
    return tiles if tiles <= WASHED_MAX else 0


def _idempotency_key() -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is not None and _KEY.fullmatch(key) is None:
        raise Unreadable(
            "request/idempotency-key",
            "An Idempotency-Key is 16 to 128 printable ASCII characters without spaces.",
        )
    return key


@resource.get("/v1/matches/<match_id>", MATCH_ID)
@operation(
    "getMatch",
    {
        200: Gives(
            "The view with the receipt of the head it shows.",
            "View",
            ["view-public", "view-seat", "view-give", "view-call"],
            _ETAG,
        ),
        304: Gives("The view is the one you have.", headers=_ETAG),
    },
    query=[AT],
    headers=[_IF_NONE_MATCH],
    problems=["match/unknown", "match/no-such-seq"],
)
@callers(PUBLIC, SEAT)
def get_match(match_id: bytes, token: str | None, at: int | None) -> Response:
    """Look at a match

    The public view, or with a seat's token that seat's: its hand and what it may do. A wrong
    token is refused, never answered with the public view. A deadline that has passed is applied
    first, so looking may add events. With a token nothing is stored by caches.
    """
    shown = front().house.view(match_id, token, at)
    cache = REVALIDATE if token is None else NO_STORE
    etag = f"{shown.head_hash.hex()}-{'public' if shown.seat is None else shown.seat}"
    if request.if_none_match.contains_weak(etag):
        made = Response(status=304)
        made.headers["Cache-Control"] = cache
    else:
        made = answer(with_receipt(shown.view, shown.receipt), cache=cache)
    made.set_etag(etag)
    return made
