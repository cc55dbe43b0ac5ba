"""The events of a match, and waiting for the next one."""

from __future__ import annotations

import time

from flask import Response

from fairbones.api.access import PUBLIC, callers
from fairbones.api.answers import answer, encoded, listed, spliced
from fairbones.api.front import Front, front
from fairbones.api.operation import Gives, operation
from fairbones.api.parameters import AFTER, WAIT
from fairbones.api.paths import MATCH_ID
from fairbones.api.resource import Resource
from fairbones.house.messages import Followed

_NAP_SECONDS = 1.0

resource = Resource("events", "What happened, and waiting for it.")


@resource.get("/v1/matches/<match_id>/events", MATCH_ID)
@operation(
    "followEvents",
    {
        200: Gives(
            "The events after `after`, none when the wait was in vain.",
            "Followed",
            ["events", "events-none"],
        )
    },
    query=[AFTER, WAIT],
    problems=["match/unknown", "service/busy"],
)
@callers(PUBLIC)
def follow(match_id: bytes, after: int, wait: float) -> Response:
    """Follow the events

    Every event with a seq above `after`, each exactly as it was hashed, and the head with its
    receipt. With `wait`, an answer that would be empty is held back until there is an event, a
    deadline passes or the seconds are over. Only so many requests may wait at a time; one more is
    refused at once.
    """
    at = front()
    followed = at.house.events(match_id, after, 0)
    if wait > 0 and not followed.events:
        # Only now a place is needed: what is there already is never refused.
        with at.waiting.place():
            followed = _wait(at, match_id, after, wait)
    head = {"seq": followed.head_seq, "event_hash": followed.head_hash.hex()}
    return answer(
        spliced(events=listed(followed.events), head=encoded(head), receipt=followed.receipt)
    )


def _wait(at: Front, match_id: bytes, after: int, seconds: float) -> Followed:
    """Short waits one after the other, so that a service that stops answers everybody soon."""
    until = time.monotonic() + seconds
    while True:
        left = until - time.monotonic()
        asked = time.monotonic()
        followed = at.house.events(match_id, after, max(0.0, min(left, _NAP_SECONDS)))
        early = time.monotonic() - asked < min(left, _NAP_SECONDS) / 2
        # An early answer without events is the house's last word: the match waits for nobody.
        if followed.events or left <= _NAP_SECONDS or early or at.waiting.closed.is_set():
            return followed
