"""The events of a match: at once, held back until there is one, or as a stream."""

from __future__ import annotations

from flask import Response

from fairbones.api import streams
from fairbones.api.access import PUBLIC, callers
from fairbones.api.answers import answer, encoded, listed, spliced
from fairbones.api.front import front
from fairbones.api.operation import Gives, operation
from fairbones.api.parameters import AFTER, WAIT
from fairbones.api.paths import MATCH_ID
from fairbones.api.resource import Resource

_LAST_EVENT_ID: dict[str, object] = {
    "in": "header",
    "name": streams.LAST_EVENT_ID,
    "required": False,
    "description": "Of a stream alone: the `id` of the last message you have seen. It counts "
    "before `after`; browsers send it by themselves.",
    "schema": {"type": "integer", "minimum": AFTER.minimum, "maximum": AFTER.maximum},
}
_A_STREAM = (
    "retry: 1789\n\n"
    "id: 7\n"
    'data: {"events":[{"seq":7,"type":"played"}],"receipt":{"seq":7}}\n\n'
    ":\n\n"
)

resource = Resource("events", "What happened, and waiting for it.")


@resource.get("/v1/matches/<match_id>/events", MATCH_ID)
@operation(
    "followEvents",
    {
        200: Gives(
            "The events after `after`, none when the wait was in vain; or the stream of them.",
            "Followed",
            ["events", "events-none"],
            texts={streams.MEDIA_TYPE: _A_STREAM},
        ),
        204: Gives("A stream would say nothing: you hold all events, and the match is over."),
    },
    query=[AFTER, WAIT],
    headers=[_LAST_EVENT_ID],
    problems=["match/unknown", "service/busy"],
)
@callers(PUBLIC)
def follow(match_id: bytes, after: int, wait: float) -> Response:
    """Follow the events

    Every event with a seq above `after`, each exactly as it was hashed, and the head with its
    receipt. With `wait`, an answer that would be empty is held back until there is an event, a
    deadline passes or the seconds are over. Only so many requests may wait at a time; one more is
    refused at once.

    With `Accept: text/event-stream` the answer is a stream (Server-Sent Events) and `wait` says
    nothing. A message has the seq of the head as its `id` and one line of `data`: a JSON object
    with `events`, as above, and the `receipt` of that head. A comment now and then keeps a silent
    connection open. The stream ends with the match, and when the service stops: come back with
    `Last-Event-ID`. It takes the place of a waiting request for as long as it lives.
    """
    at = front()
    if streams.wanted():
        return streams.stream(at, match_id, streams.last_seen(after))
    followed = at.house.events(match_id, after, 0)
    if wait > 0 and not (followed.events or followed.over):
        # Only now a place is needed: what is there already is never refused.
        with at.waiting.place():
            followed = at.house.events(match_id, after, wait)
    head = {"seq": followed.head_seq, "event_hash": followed.head_hash.hex()}
    return answer(
        spliced(events=listed(followed.events), head=encoded(head), receipt=followed.receipt)
    )
